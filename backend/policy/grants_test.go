package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func granting(g *policy.Grant) func(*policy.Facts) {
	return func(f *policy.Facts) {
		stored := *g
		stored.ID = "g1"
		f.Grants = []policy.Grant{stored}
	}
}

// spec: CT-30
func TestTheOfferIsTheNarrowestGrant(t *testing.T) {
	out := policy.Decide(writing())
	want := &policy.Grant{
		Life: policy.GrantSession, Kind: policy.GrantFile, ToolID: "write", Effect: tool.EffectWorkspaceWrite,
		Value: "/w/notes/todo.md", Risk: tool.RiskMedium, PolicyVersion: policy.Version(writing().Rules),
	}
	if diff := cmp.Diff(want, out.Offer); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if out.OfferWords != `"write" on notes/todo.md, until the session ends` || out.NoGrant != "" {
		t.Errorf("%q %q", out.OfferWords, out.NoGrant)
	}

	out = policy.Decide(facts(tool.EffectNetworkRead, url("https://A.example:8443/x?secret=1")))
	if out.Offer == nil || out.Offer.Kind != policy.GrantHost || out.Offer.Value != "a.example" || strings.Contains(out.OfferWords, "secret") {
		t.Errorf("%+v %q", out.Offer, out.OfferWords)
	}
}

// spec: CT-30, CS-3
func TestWhatIsOnceOnlySaysWhy(t *testing.T) {
	for name, f := range map[string]policy.Facts{
		"two files":           writing(touch("/w/b", tool.AccessWrite, tool.ZoneWorkspace)),
		"no file":             facts(tool.EffectWorkspaceWrite),
		"external":            facts(tool.EffectExternalWrite),
		"code":                facts(tool.EffectCodeExecution, fromSet),
		"command":             facts(tool.EffectCodeExecution, command("ls")),
		"input of a program":  facts(tool.EffectCodeExecution, typed("y\n")),
		"outside":             facts(tool.EffectWorkspaceRead, touch("/x", tool.AccessRead, tool.ZoneOutside)),
		"clipboard":           facts(tool.EffectHostAccess),
		"restricted":          facts(tool.EffectWorkspaceRead, touch("/w/.env", tool.AccessRead, tool.ZoneWorkspace)),
		"raised by trust":     facts(tool.EffectNetworkRead, url("https://a.example/"), afterForeignText),
		"network without URL": facts(tool.EffectNetworkRead),
	} {
		out := policy.Decide(f)
		if out.Decision.Verdict != tool.VerdictAsk || out.Offer != nil || out.OfferWords != "" || !strings.HasPrefix(out.NoGrant, "Once only: ") {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// spec: CT-30
func TestAGrantAllowsTheSameCallAgain(t *testing.T) {
	for name, f := range map[string]policy.Facts{
		"file": writing(),
		"host": facts(tool.EffectNetworkRead, url("https://a.example/one")),
	} {
		g := policy.Decide(f).Offer
		granting(g)(&f)
		out := policy.Decide(f)
		if out.Decision.Verdict != tool.VerdictAllow || out.Grant != "g1" || out.Offer != nil {
			t.Errorf("%s: %+v", name, out)
		}
	}
	whole := &policy.Grant{
		Kind: policy.GrantTool, ToolID: "write", Effect: tool.EffectWorkspaceWrite, Risk: tool.RiskMedium,
		PolicyVersion: policy.Version(writing().Rules),
	}
	if out := policy.Decide(facts(tool.EffectWorkspaceWrite, granting(whole))); out.Grant != "g1" {
		t.Errorf("whole tool: %+v", out)
	}
	if out := policy.Decide(writing(granting(whole))); out.Grant != "" {
		t.Errorf("a grant of a whole tool covered a path: %+v", out)
	}
}

// spec: CT-30
func TestAGrantDies(t *testing.T) {
	given := policy.Decide(writing()).Offer
	for name, change := range map[string]func(*policy.Facts){
		"with another tool":          func(f *policy.Facts) { f.ToolID = "edit" },
		"with another file":          func(f *policy.Facts) { f.Target.Touches[0].Path.Real = "/w/other" },
		"when the link moved":        func(f *policy.Facts) { f.Target.Touches[0].Path.Real = "/w/notes/TODO.md" },
		"with a second file":         touch("/w/b", tool.AccessWrite, tool.ZoneWorkspace),
		"when the risk rises":        func(f *policy.Facts) { f.Class.Risk = tool.RiskHigh },
		"when the risk is unknown":   func(f *policy.Facts) { f.Class.Risk = "" },
		"when the policy changed":    func(f *policy.Facts) { f.Grants[0].PolicyVersion = "desktop@000000000000+h00000000" },
		"when the settings changed":  func(f *policy.Facts) { f.Rules.AllowedDomains = []string{"a.example"} },
		"when it has no risk":        func(f *policy.Facts) { f.Grants[0].Risk = "" },
		"when it has no value":       func(f *policy.Facts) { f.Grants[0].Value = "" },
		"when its kind is not known": func(f *policy.Facts) { f.Grants[0].Kind = "all" },
		"when the effect rises":      func(f *policy.Facts) { f.Grants[0].Effect = tool.EffectWorkspaceRead },
	} {
		f := writing(granting(given), change)
		if out := policy.Decide(f); out.Decision.Verdict != tool.VerdictAsk || out.Grant != "" {
			t.Errorf("%s: %+v", name, out)
		}
	}
	// Reading what may be written does not raise anything.
	f := writing(granting(given))
	f.Effect, f.Target.Touches[0].Access, f.Rules.Preset = tool.EffectWorkspaceRead, tool.AccessRead, session.PresetDefault
	if out := policy.Decide(f); out.Decision.Verdict != tool.VerdictAllow {
		t.Errorf("%+v", out)
	}
}

// spec: CT-30, CS-3
func TestAGrantAnswersNothingButAPlainQuestion(t *testing.T) {
	given := policy.Decide(writing()).Offer
	for name, change := range map[string]func(*policy.Facts){
		"the lock":          readOnly,
		"missing trust":     untrusted,
		"a missing scope":   scopes([]string{"a.b"}, nil),
		"a path outside":    func(f *policy.Facts) { f.Target.Touches[0].Path.Zone = tool.ZoneOutside },
		"a protected path":  func(f *policy.Facts) { f.Target.Touches[0].Path.Abs = "/w/.git/HEAD" },
		"a git hook":        func(f *policy.Facts) { f.Target.Touches[0].Path.Abs = "/w/.git/hooks/x" },
		"a commit":          func(f *policy.Facts) { f.ToolID, f.Grants[0].ToolID = "git_commit", "git_commit" },
		"a command besides": command("ls"),
		"input besides":     typed("y\n"),
	} {
		f := writing(granting(given), change)
		f.Grants[0].PolicyVersion = policy.Version(f.Rules)
		if out := policy.Decide(f); out.Decision.Verdict == tool.VerdictAllow || out.Grant != "" {
			t.Errorf("%s: %+v", name, out)
		}
	}
}
