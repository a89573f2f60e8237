package policy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// granted is the grant that an answer for the session makes of a choice.
func granted(f *policy.Facts, c policy.Choice) policy.Grant {
	g := policy.Granting(f)
	g.ID, g.Life, g.Kind, g.Value = "offered", policy.GrantSession, c.Kind, c.Value
	return g
}

// narrowest is the grant for the session that is offered first.
func narrowest(t *testing.T, f policy.Facts) policy.Grant {
	t.Helper()
	offers := policy.Offers(f)
	if len(offers) == 0 || !offers[0].Open() {
		t.Fatalf("nothing is offered: %+v", offers)
	}
	return granted(&f, offers[0].Choices[0])
}

func granting(g ...policy.Grant) func(*policy.Facts) {
	return func(f *policy.Facts) { f.Grants = slices.Clone(g) }
}

func values(o policy.Offer) []string {
	var out []string
	for _, c := range o.Choices {
		out = append(out, string(c.Kind)+" "+c.Value)
	}
	return out
}

// pinned makes a call that of a tool of a set that stays inside.
func pinned(f *policy.Facts) {
	f.Source, f.Set, f.SetOrigin, f.Fingerprint, f.ToolID = tool.SourceSet, "Acme.Tools", "home", "f1", "acme.release"
}

// spec: CT-30
func TestTheOfferBeginsWithTheNarrowestGrant(t *testing.T) {
	f := writing()
	both := []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace}
	want := []policy.Offer{{Shown: "notes/todo.md", Lives: both, Choices: []policy.Choice{
		{Kind: policy.GrantFile, Value: "/w/notes/todo.md", Words: `Changes notes/todo.md by "write"`, Key: "write /w/notes/todo.md"},
		{Kind: policy.GrantFolder, Value: "/w/notes", Words: `Changes files below notes by "write"`, Key: "write /w/notes/"},
		{Kind: policy.GrantFolder, Value: "/w", Words: `Changes any file of the workspace by "write"`, Key: "write /w/"},
	}}}
	if diff := cmp.Diff(want, policy.Offers(f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	granting := policy.Grant{
		Workspace: "/w", ToolID: "write", Source: f.Source, Set: f.Set, Effect: tool.EffectWorkspaceWrite, Risk: tool.RiskMedium,
		PolicyVersion: policy.Version(f.Rules), Packaged: policy.Packaged(),
	}
	if diff := cmp.Diff(granting, policy.Granting(&f)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	offers := policy.Offers(facts(tool.EffectNetworkRead, url("https://A.example:8443/x?secret=1")))
	if len(offers) != 1 || values(offers[0])[0] != "host a.example" || len(offers[0].Choices) != 1 ||
		!slices.Equal(offers[0].Lives, []policy.GrantLife{policy.GrantSession}) || strings.Contains(offers[0].Choices[0].Words, "secret") {
		t.Errorf("%+v", offers)
	}

	offers = policy.Offers(facts(tool.EffectCodeExecution, pinned, touch("/w/a", tool.AccessWrite, tool.ZoneWorkspace)))
	if len(offers) != 1 || values(offers[0])[0] != "tool " || offers[0].Choices[0].Words != `Makes any call of "acme.release" of the tool set "Acme.Tools"` {
		t.Errorf("%+v", offers)
	}
}

// spec: CT-30, CS-3
func TestWhatIsOnceOnlySaysWhy(t *testing.T) {
	for name, f := range map[string]policy.Facts{
		"two files":           writing(touch("/w/b", tool.AccessWrite, tool.ZoneWorkspace)),
		"no file":             facts(tool.EffectWorkspaceWrite),
		"external":            facts(tool.EffectExternalWrite),
		"code":                facts(tool.EffectCodeExecution),
		"code of a set":       facts(tool.EffectCodeExecution, fromSet),
		"command":             facts(tool.EffectCodeExecution, command("ls")),
		"input of a program":  facts(tool.EffectCodeExecution, typed("y\n")),
		"outside":             facts(tool.EffectWorkspaceRead, touch("/x", tool.AccessRead, tool.ZoneOutside)),
		"outside, by a set":   facts(tool.EffectCodeExecution, pinned, touch("/x", tool.AccessRead, tool.ZoneOutside)),
		"clipboard":           facts(tool.EffectHostAccess),
		"restricted":          facts(tool.EffectWorkspaceRead, touch("/w/.env", tool.AccessRead, tool.ZoneWorkspace)),
		"raised by trust":     facts(tool.EffectNetworkRead, url("https://a.example/"), afterForeignText),
		"network without URL": facts(tool.EffectNetworkRead),
	} {
		out := policy.Decide(f)
		if out.Decision.Verdict != tool.VerdictAsk || out.Offered || policy.Offers(f) != nil || !strings.HasPrefix(out.NoGrant, "Once only: ") {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// spec: CT-30
func TestAGrantAllowsTheSameCallAgain(t *testing.T) {
	for name, f := range map[string]policy.Facts{
		"file": writing(),
		"host": facts(tool.EffectNetworkRead, url("https://a.example/one")),
		"set":  facts(tool.EffectCodeExecution, pinned),
	} {
		for _, life := range []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace, policy.GrantRun} {
			g := narrowest(t, f)
			g.Life = life
			again := f
			again.Grants = []policy.Grant{g}
			out := policy.Decide(again)
			if out.Decision.Verdict != tool.VerdictAllow || !slices.Equal(out.Grants, []string{"offered"}) || out.Offered {
				t.Errorf("%s %s: %+v", name, life, out)
			}
		}
	}
	whole := narrowest(t, writing())
	whole.Kind, whole.Value = policy.GrantTool, ""
	if out := policy.Decide(facts(tool.EffectWorkspaceWrite, granting(whole))); out.Grants == nil {
		t.Errorf("whole tool: %+v", out)
	}
	if out := policy.Decide(writing(granting(whole))); out.Grants != nil {
		t.Errorf("a grant of a whole tool covered a path: %+v", out)
	}
}

func TestAFolderGrantCoversWhatLiesBelowIt(t *testing.T) {
	g := narrowest(t, writing())
	g.Kind, g.Value = policy.GrantFolder, "/w/notes"
	for path, want := range map[string]bool{
		"/w/notes/a": true, "/w/notes/a/b": true, "/w/notes": false, "/w/notesx/a": false, "/w/a": false, "/w/NOTES/a": false,
	} {
		f := writing(granting(g))
		f.Target.Touches[0].Path.Real = path
		if out := policy.Decide(f); (out.Grants != nil) != want {
			t.Errorf("%s: %+v", path, out)
		}
	}
	g.Value = "/"
	f := writing(granting(g))
	f.Target.Touches[0].Path.Zone = tool.ZoneOutside
	if out := policy.Decide(f); out.Grants != nil {
		t.Errorf("outside: %+v", out)
	}
}

// spec: CT-30
func TestAGrantDies(t *testing.T) {
	given := narrowest(t, writing())
	for name, change := range map[string]func(*policy.Facts){
		"with another tool":          func(f *policy.Facts) { f.ToolID = "edit" },
		"with another file":          func(f *policy.Facts) { f.Target.Touches[0].Path.Real = "/w/other" },
		"when the link moved":        func(f *policy.Facts) { f.Target.Touches[0].Path.Real = "/w/notes/TODO.md" },
		"with a second file":         touch("/w/b", tool.AccessWrite, tool.ZoneWorkspace),
		"when the risk is unknown":   func(f *policy.Facts) { f.Class.Risk = "" },
		"when the policy changed":    func(f *policy.Facts) { f.Grants[0].PolicyVersion = "desktop@000000000000+h00000000" },
		"when the settings changed":  func(f *policy.Facts) { f.Rules.AllowedDomains = []string{"a.example"} },
		"when it has no risk":        func(f *policy.Facts) { f.Grants[0].Risk = "" },
		"when it has no value":       func(f *policy.Facts) { f.Grants[0].Value = "" },
		"when its kind is not known": func(f *policy.Facts) { f.Grants[0].Kind = "all" },
		"when it was taken back":     func(f *policy.Facts) { f.Grants[0].EndedAt = &time.Time{} },
		"when its time is over":      func(f *policy.Facts) { f.Grants[0].ExpiresAt = &f.Now },
		"when its tool is of a set":  func(f *policy.Facts) { f.Source = tool.SourceSet },
	} {
		f := writing(granting(given), change)
		if out := policy.Decide(f); out.Decision.Verdict != tool.VerdictAsk || out.Grants != nil {
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

// spec: CT-30
func TestAGrantDiesWhenTheClassRises(t *testing.T) {
	for _, life := range []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace} {
		given := narrowest(t, writing())
		given.Life = life
		f := writing(granting(given))
		if f.Class.Risk = tool.RiskHigh; policy.Decide(f).Grants != nil {
			t.Errorf("%s: a higher risk is let through", life)
		}
		f = writing(granting(given))
		if f.Grants[0].Effect = tool.EffectWorkspaceRead; policy.Decide(f).Grants != nil {
			t.Errorf("%s: a write is let through by a grant to read", life)
		}
		state, why := given.State(policy.GrantPlace{Rules: f.Rules, Now: f.Now, Source: f.Source, Risk: tool.RiskHigh})
		if state != policy.GrantDead || !strings.Contains(why, "more dangerous") {
			t.Errorf("%s: %s, %s", life, state, why)
		}
		state, why = given.State(policy.GrantPlace{Rules: f.Rules, Now: f.Now, Source: f.Source, Risk: given.Risk, Effect: tool.EffectCodeExecution})
		if state != policy.GrantDead || !strings.Contains(why, "something else") {
			t.Errorf("%s: %s, %s", life, state, why)
		}
	}
}

// spec: CT-30
func TestAGrantDiesWhenTheFingerprintChanges(t *testing.T) {
	f := facts(tool.EffectCodeExecution, pinned)
	given := narrowest(t, f)
	for _, life := range []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace} {
		given.Life = life
		for name, change := range map[string]func(*policy.Facts){
			"the manifest or the executable": func(f *policy.Facts) { f.Fingerprint = "f2" },
			"nothing written down":           func(f *policy.Facts) { f.Fingerprint = "" },
			"from home to the project":       func(f *policy.Facts) { f.SetOrigin = "project" },
			"another set":                    func(f *policy.Facts) { f.Set = "Acme.Other" },
			"built in":                       func(f *policy.Facts) { f.Source = tool.SourceBuiltin },
		} {
			if out := policy.Decide(facts(tool.EffectCodeExecution, pinned, granting(given))); out.Grants == nil {
				t.Fatalf("%s: the grant does not cover its own call: %+v", life, out)
			}
			if out := policy.Decide(facts(tool.EffectCodeExecution, pinned, granting(given), change)); out.Grants != nil {
				t.Errorf("%s, %s: %+v", life, name, out)
			}
		}
	}
	state, why := given.State(policy.GrantPlace{Rules: f.Rules, Now: f.Now, Source: tool.SourceSet, Set: given.Set, SetOrigin: "home", Fingerprint: "f2", Risk: given.Risk})
	if state != policy.GrantDead || !strings.Contains(why, "tool set changed") {
		t.Errorf("%s, %s", state, why)
	}
}

// A grant for the workspace lives over a change of the settings; one for the session rests.
// Either dies with the rules that come with the program.
func TestAGrantRestsOrDiesWithThePolicyVersion(t *testing.T) {
	f := writing()
	given := narrowest(t, f)
	place := func(change func(*session.Rules)) policy.GrantPlace {
		r := f.Rules
		change(&r)
		return policy.GrantPlace{Rules: r, Now: f.Now, Source: f.Source, Risk: given.Risk}
	}
	for name, c := range map[string]struct {
		place              policy.GrantPlace
		session, workspace policy.GrantState
	}{
		"the same":  {place(func(*session.Rules) {}), policy.GrantLive, policy.GrantLive},
		"a preset":  {place(func(r *session.Rules) { r.Preset = session.PresetAudit }), policy.GrantResting, policy.GrantLive},
		"a list":    {place(func(r *session.Rules) { r.AllowedDomains = []string{"a.example"} }), policy.GrantResting, policy.GrantLive},
		"the lock":  {place(func(r *session.Rules) { r.ReadOnly = true }), policy.GrantResting, policy.GrantLive},
		"a profile": {place(func(r *session.Rules) { r.Profile = session.ProfileStrict }), policy.GrantResting, policy.GrantResting},
	} {
		for life, want := range map[policy.GrantLife]policy.GrantState{policy.GrantSession: c.session, policy.GrantWorkspace: c.workspace} {
			g := given
			g.Life = life
			state, why := g.State(c.place)
			if state != want || (state == policy.GrantLive) != (why == "") || why != "" && !strings.HasSuffix(why, ".") {
				t.Errorf("%s, %s: %s, %q", name, life, state, why)
			}
			g.Packaged = "of another program"
			if state, why := g.State(c.place); state != policy.GrantDead || !strings.Contains(why, "come with the program") {
				t.Errorf("%s, %s, other rules: %s, %q", name, life, state, why)
			}
		}
	}
	// The lock itself still stops what the grant lets through.
	g := given
	g.Life = policy.GrantWorkspace
	if out := policy.Decide(writing(granting(g), readOnly)); out.Decision.Verdict != tool.VerdictDeny {
		t.Errorf("%+v", out)
	}
	for _, by := range []policy.GrantEnd{policy.GrantRevoked, policy.GrantUnused, policy.GrantReplaced} {
		g.EndedAt, g.EndedBy = &f.Now, by
		if state, why := g.State(place(func(*session.Rules) {})); state != policy.GrantDead || why == "It ended." {
			t.Errorf("%s: %s, %s", by, state, why)
		}
	}
}

// spec: CT-30, CS-3
func TestAGrantAnswersNothingButAPlainQuestion(t *testing.T) {
	given := narrowest(t, writing())
	for _, life := range []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace} {
		given.Life = life
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
			if out := policy.Decide(f); out.Decision.Verdict == tool.VerdictAllow || out.Grants != nil {
				t.Errorf("%s, %s: %+v", life, name, out)
			}
		}
	}
}
