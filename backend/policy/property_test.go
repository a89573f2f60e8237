package policy_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/session"
	"countersign/backend/tool"
)

var (
	anyPath = rapid.SampledFrom([]string{
		"/w/a.txt", "/w/.env", "/w/.git/HEAD", "/w/.git/hooks/x", "/w/.vscode/tasks.json", "/home/u/a", "/home/u/.ssh/id_rsa",
		"/home/u/.countersign/config.json", "/home/u/.countersign/output/s/a", "/home/u/.countersign/data/tools/a/b", "/etc/hosts", "",
	})
	anyURL = rapid.SampledFrom([]string{
		"", "", "https://a.example/", "https://b.example/", "http://a.example/", "https://169.254.169.254/", "https://u@a.example/", "%", "https://é/",
	})
	anyRisk = rapid.SampledFrom(append(tool.Risks(), ""))
)

func anyTouch(t *rapid.T) tool.Touch {
	p := anyPath.Draw(t, "path")
	return tool.Touch{
		Path: tool.Path{
			Arg: p, Abs: anyPath.Draw(t, "lexical"), Real: p, Linked: rapid.Bool().Draw(t, "linked"),
			Zone: rapid.SampledFrom([]tool.Zone{tool.ZoneWorkspace, tool.ZoneWorkspace, tool.ZoneOutput, tool.ZoneOwnHome, tool.ZoneOutside, ""}).Draw(t, "zone"),
		},
		Access: rapid.SampledFrom([]tool.Access{tool.AccessRead, tool.AccessWrite, ""}).Draw(t, "access"),
	}
}

func anyRules(t *rapid.T, name string) session.Rules {
	return session.Rules{
		Preset:         rapid.SampledFrom(append(session.Presets(), "", "x")).Draw(t, name+" preset"),
		Profile:        rapid.SampledFrom([]session.Profile{session.ProfileDesktop, session.ProfileDesktop, session.ProfileStrict, ""}).Draw(t, name+" profile"),
		ReadOnly:       rapid.Bool().Draw(t, name+" lock"),
		AllowedDomains: rapid.SampledFrom([][]string{nil, {"a.example"}, {"b.example", "169.254.169.254"}}).Draw(t, name+" hosts"),
	}
}

func anyFacts(t *rapid.T) policy.Facts {
	effect := rapid.SampledFrom(append(tool.SideEffects(), tool.EffectWorkspaceWrite, tool.EffectWorkspaceRead, tool.EffectNetworkRead, "x")).Draw(t, "effect")
	f := policy.Facts{
		ToolID: rapid.SampledFrom([]string{"write", "git_commit"}).Draw(t, "tool"),
		Source: rapid.SampledFrom([]tool.Source{tool.SourceBuiltin, tool.SourceSet, tool.SourceMCP, ""}).Draw(t, "source"),
		Class: tool.Class{
			SideEffect: effect, Risk: anyRisk.Draw(t, "risk"), Scopes: rapid.SliceOfN(rapid.SampledFrom([]string{"a.b", "c.d"}), 0, 2).Draw(t, "wants"),
			Target: rapid.SampledFrom([]tool.TargetKind{tool.TargetHost, tool.TargetSandbox, ""}).Draw(t, "target"),
		},
		Effect: effect, Rules: anyRules(t, "rules"), Scopes: []string{"a.b", "c.d"},
		Trusted:   rapid.SampledFrom([]bool{true, true, false}).Draw(t, "trusted"),
		Workspace: "/w", UserHome: "/home/u", OwnHome: "/home/u/.countersign",
		Origin: rapid.SampledFrom(append(tool.Trusts(), "")).Draw(t, "origin"),
	}
	for range rapid.SampledFrom([]int{0, 1, 1, 1, 2}).Draw(t, "touches") {
		f.Target.Touches = append(f.Target.Touches, anyTouch(t))
	}
	f.Target.URL = anyURL.Draw(t, "url")
	f.Target.Command = rapid.SampledFrom([]string{"", "", "", "ls"}).Draw(t, "command")
	f.Target.Input = rapid.SampledFrom([]string{"", "", "", "y\n"}).Draw(t, "input")
	if f.Target.Command != "" {
		anyReading(t, &f)
	}
	f.Reviewer = rapid.Bool().Draw(t, "reviewer")
	f.SetOrigin = rapid.SampledFrom([]string{"home", "home", "project", ""}).Draw(t, "set origin")
	f.Rules.Authors = session.Authors{Home: rapid.Bool().Draw(t, "home authors"), Project: rapid.Bool().Draw(t, "project authors")}
	f.Always = rapid.Bool().Draw(t, "always")
	f.SetChanged = rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "set changed")
	f.Raised = policy.Raised{
		Person: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "person"),
		Failed: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "failed"),
	}
	if rapid.SampledFrom([]bool{true, true, true, false}).Draw(t, "scoped") {
		f.Scopes = append(f.Scopes, f.Class.Scopes...)
	} else {
		f.Scopes = nil
	}
	return f
}

func anyFinding(t *rapid.T) program.Finding {
	return program.Finding{
		Effect: rapid.SampledFrom([]program.Effect{
			program.Runs, program.Writes, program.Reaches, program.ChangesGit, program.Privileged, program.Changes, program.Obeys, "sings",
		}).Draw(t, "finding"),
		Restricted: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "restricted"), Words: "does that",
	}
}

// anyReading makes the command of the facts one that was read: with commands, with what they
// name, and now and then in a way that leaves something unknown.
func anyReading(t *rapid.T, f *policy.Facts) {
	switch rapid.SampledFrom([]string{"read", "read", "read", "read", "not parsed", "not read"}).Draw(t, "reading") {
	case "not read":
		return
	case "not parsed":
		f.Reading = &shellcmd.Reading{Why: "it is not closed"}
		return
	}
	f.Reading = &shellcmd.Reading{Parsed: true, Dynamic: rapid.SampledFrom([]bool{false, false, false, true}).Draw(t, "dynamic")}
	for range rapid.IntRange(1, 3).Draw(t, "commands") {
		addCommand(t, f)
	}
}

func addCommand(t *rapid.T, f *policy.Facts) {
	word := rapid.SampledFrom([]string{"ls", "rm", "curl", "cat"}).Draw(t, "word")
	c := shellcmd.Command{Words: []program.Word{{Text: word}}, Shown: word, Of: -1}
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "findings") {
		c.Findings = append(c.Findings, anyFinding(t))
	}
	c.Hosts = rapid.SampledFrom([][]string{nil, nil, {"a.example"}, {"169.254.169.254"}}).Draw(t, "hosts")
	r := *f.Reading
	f.Target.Touches = slices.Clone(f.Target.Touches)
	for range rapid.SampledFrom([]int{0, 1, 1, 2}).Draw(t, "uses") {
		touch := anyTouch(t)
		u := shellcmd.Use{Path: touch.Path.Real, Access: touch.Access, Tree: rapid.Bool().Draw(t, "tree"), Word: 0}
		c.Uses = append(c.Uses, u)
		if u.Path != "" && rapid.SampledFrom([]bool{true, true, true, true, false}).Draw(t, "looked at") {
			f.Target.Touches = append(f.Target.Touches, policy.TouchOf(len(r.Commands), &c, &u, touch.Path))
		}
	}
	r.Commands = append(slices.Clone(r.Commands), c)
	f.Reading = &r
}

// anyGrants are grants that fit the facts as well as grants can.
func anyGrants(t *rapid.T, f policy.Facts) []policy.Grant {
	kind := rapid.SampledFrom([]policy.GrantKind{policy.GrantFile, policy.GrantFolder, policy.GrantHost, policy.GrantTool, policy.GrantCommand})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) policy.Grant {
		return policy.Grant{
			ID: "g", Kind: kind.Draw(t, "kind"), ToolID: f.ToolID, Effect: f.Effect, Risk: tool.RiskCritical, PolicyVersion: policy.Version(f.Rules),
			Life:   rapid.SampledFrom([]policy.GrantLife{policy.GrantSession, policy.GrantWorkspace, policy.GrantRun}).Draw(t, "life"),
			Source: f.Source, Set: f.Set, Fingerprint: f.Fingerprint, Packaged: policy.Packaged(),
			Value: rapid.OneOf(anyPath, rapid.SampledFrom([]string{"a.example", "b.example", "", "/w", "/", "ls *"})).Draw(t, "value"),
		}
	}), 0, 6).Draw(t, "grants")
}

var layerOrder = []tool.Layer{
	tool.LayerScopes, tool.LayerHardline, tool.LayerMatrix, tool.LayerPaths, tool.LayerTrust, tool.LayerSet, tool.LayerHook, tool.LayerLock,
	tool.LayerAllowlist, tool.LayerGrant, tool.LayerAuthor, tool.LayerPreset, tool.LayerReviewer, tool.LayerOperator,
}

// spec: VS-27, VS-15
func TestGate1EveryCallGetsAWholeDecision(t *testing.T) {
	known := map[tool.Code]bool{}
	for _, r := range tool.Reasons() {
		known[r.Code] = r.Status == tool.StatusDenied
	}
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		f.Grants = anyGrants(t, f)
		out := policy.Decide(f)
		d := out.Decision
		strictest, at := 0, 0
		for _, l := range d.Chain {
			i := slices.Index(layerOrder, l.Layer)
			if i < at || !strings.HasSuffix(l.Reason, ".") {
				t.Fatalf("chain %+v", d.Chain)
			}
			at = i
			if i < slices.Index(layerOrder, tool.LayerGrant) {
				strictest = max(strictest, l.Verdict.Rank())
			}
		}
		if len(d.Chain) == 0 || d.Capabilities == nil || !out.Risk.Known() || !slices.ContainsFunc(d.Chain, func(l tool.Link) bool { return l.Layer == tool.LayerMatrix }) {
			t.Fatalf("%+v", out)
		}
		last := d.Chain[len(d.Chain)-1]
		switch d.Verdict {
		case tool.VerdictDeny:
			if !known[d.ReasonCode] || strictest != tool.VerdictDeny.Rank() || out.Offered || out.Grants != nil {
				t.Fatalf("%+v", out)
			}
		case tool.VerdictAsk:
			if d.ReasonCode != "" || last.Layer != tool.LayerOperator || strictest > tool.VerdictAsk.Rank() || out.Offered == (out.NoGrant != "") {
				t.Fatalf("%+v", out)
			}
		case tool.VerdictAllow:
			authored := last.Layer == tool.LayerAuthor && f.Always && f.Source == tool.SourceSet && f.Rules.Authors.Followed(f.SetOrigin)
			answered := last.Layer == tool.LayerPreset || authored || last.Layer == tool.LayerGrant && out.Grants != nil
			if d.ReasonCode != "" || !answered || strictest > tool.VerdictAsk.Rank() || out.Restricted {
				t.Fatalf("%+v", out)
			}
		case tool.VerdictReview:
			if !f.Reviewer || d.ReasonCode != "" || last.Layer != tool.LayerReviewer || out.Review == policy.ReviewNone || out.Restricted || strictest > tool.VerdictAsk.Rank() {
				t.Fatalf("%+v", out)
			}
		default:
			t.Fatalf("verdict %q", d.Verdict)
		}
	})
}

// spec: VS-27
func TestGate2TheSameFactsGiveTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		f.Grants = anyGrants(t, f)
		first, _ := json.Marshal(policy.Decide(f))
		before, _ := json.Marshal(f)
		for range 10 {
			if again, _ := json.Marshal(policy.Decide(f)); string(again) != string(first) {
				t.Fatalf("%s\n%s", first, again)
			}
		}
		if after, _ := json.Marshal(f); string(after) != string(before) {
			t.Fatal("the facts were changed")
		}
	})
	f := writing(afterForeignText)
	first, _ := json.Marshal(policy.Decide(f))
	for range 1000 {
		if again, _ := json.Marshal(policy.Decide(f)); string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}

// overlayDiffers is the one place in which profile strict is not the stricter: its trust
// overlay leaves reads from listed hosts alone, the one of desktop asks.
func overlayDiffers(before, after policy.Facts) bool {
	foreign := before.Origin == tool.TrustExternalUntrusted || !before.Origin.Known()
	return before.Rules.Profile == session.ProfileDesktop && after.Rules.Profile != session.ProfileDesktop &&
		before.Effect == tool.EffectNetworkRead && foreign
}

// spec: VS-27
func TestTighterRulesNeverLoosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		f.Grants = anyGrants(t, f)
		loose := policy.Decide(f)
		before := f
		f.Rules = f.Rules.Tightened(anyRules(t, "limits"))
		if overlayDiffers(before, f) {
			return
		}
		tight := policy.Decide(f)
		if tight.Decision.Verdict.Rank() < loose.Decision.Verdict.Rank() {
			t.Fatalf("%+v became %+v under %+v", loose.Decision, tight.Decision, f.Rules)
		}
	})
}

// spec: VS-27
func TestGate4OneMoreReasonForDoubtNeverLoosens(t *testing.T) {
	doubts := map[string]func(*rapid.T, *policy.Facts){
		"a scope": func(_ *rapid.T, f *policy.Facts) { f.Class.Scopes = append(slices.Clone(f.Class.Scopes), "e.f") },
		"lock":    func(_ *rapid.T, f *policy.Facts) { f.Rules.ReadOnly = true },
		"trust":   func(_ *rapid.T, f *policy.Facts) { f.Trusted = false },
		"foreign": func(_ *rapid.T, f *policy.Facts) { f.Origin = tool.TrustExternalUntrusted },
		"strict":  func(_ *rapid.T, f *policy.Facts) { f.Rules.Profile = session.ProfileStrict },
		"command": func(_ *rapid.T, f *policy.Facts) { f.Target.Command = "ls" },
		"input":   func(_ *rapid.T, f *policy.Facts) { f.Target.Input = "y\n" },
		"path": func(t *rapid.T, f *policy.Facts) {
			// The arguments of a call stand before what its command names.
			f.Target.Touches = append([]tool.Touch{anyTouch(t)}, f.Target.Touches...)
		},
		"a command more": func(t *rapid.T, f *policy.Facts) {
			if f.Reading != nil {
				addCommand(t, f)
			}
		},
		"a finding": func(t *rapid.T, f *policy.Facts) {
			if f.Reading == nil || len(f.Reading.Commands) == 0 {
				return
			}
			r := *f.Reading
			r.Commands = slices.Clone(r.Commands)
			c := &r.Commands[0]
			c.Findings = append(slices.Clone(c.Findings), anyFinding(t))
			f.Reading = &r
		},
		"hidden characters": func(_ *rapid.T, f *policy.Facts) {
			if f.Reading != nil {
				r := *f.Reading
				r.Hidden = append(slices.Clone(r.Hidden), shellcmd.Hidden{Name: "zero width space"})
				f.Reading = &r
			}
		},
		"not known": func(_ *rapid.T, f *policy.Facts) {
			if f.Reading != nil {
				r := *f.Reading
				r.Dynamic, r.Why = true, "a word is not known"
				f.Reading = &r
			}
		},
		"risk":        func(_ *rapid.T, f *policy.Facts) { f.Class.Risk = tool.RiskCritical },
		"no grants":   func(_ *rapid.T, f *policy.Facts) { f.Grants = nil },
		"no author":   func(_ *rapid.T, f *policy.Facts) { f.Always = false },
		"host":        func(_ *rapid.T, f *policy.Facts) { f.Rules.Authors = session.Authors{} },
		"set changed": func(_ *rapid.T, f *policy.Facts) { f.SetChanged = true },
		"person":      func(_ *rapid.T, f *policy.Facts) { f.Raised.Person = true },
		"failed":      func(_ *rapid.T, f *policy.Facts) { f.Raised.Failed = true },
	}
	names := rapid.SampledFrom([]string{"a scope", "lock", "trust", "foreign", "strict", "command", "input", "path", "risk", "no grants", "a command more", "a finding", "hidden characters", "not known", "no author", "host", "set changed", "person", "failed"})
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		f.Grants = anyGrants(t, f)
		before, was := policy.Decide(f), f
		doubts[names.Draw(t, "doubt")](t, &f)
		if overlayDiffers(was, f) {
			return
		}
		after := policy.Decide(f)
		if after.Decision.Verdict.Rank() < before.Decision.Verdict.Rank() {
			t.Fatalf("%+v became %+v", before.Decision, after.Decision)
		}
		if before.Restricted && after.Decision.Verdict == tool.VerdictAsk && !after.Restricted {
			t.Fatalf("%+v lost its restriction: %+v", before, after)
		}
	})
}

// spec: CT-30, CS-3
func TestNoGrantTurnsADenialOrARestrictionIntoAnAllow(t *testing.T) {
	allowed := false
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		switch rapid.IntRange(0, 2).Draw(t, "kind of call") {
		case 0:
			f = writing(func(g *policy.Facts) { g.Rules, g.Origin, g.Trusted = f.Rules, f.Origin, f.Trusted })
		case 1:
			f = facts(tool.EffectNetworkRead, func(g *policy.Facts) { g.Rules, g.Origin, g.Target.URL = f.Rules, f.Origin, f.Target.URL })
		}
		without := policy.Decide(f)
		offers := policy.Offers(f)
		f.Grants = anyGrants(t, f)
		for _, o := range offers {
			g := granted(&f, o.Choices[rapid.IntRange(0, len(o.Choices)-1).Draw(t, "choice")])
			g.Life = rapid.SampledFrom(o.Lives).Draw(t, "life")
			f.Grants = append(f.Grants, g)
		}
		with := policy.Decide(f)
		if without.Offered != (offers != nil) {
			t.Fatalf("%+v offers %+v", without, offers)
		}
		if without.Offered && with.Grants == nil {
			t.Fatalf("the grant that was offered does not answer: %+v", with)
		}
		if with.Grants == nil {
			return
		}
		allowed = true
		grantable := slices.Contains([]tool.SideEffect{tool.EffectWorkspaceRead, tool.EffectWorkspaceWrite, tool.EffectNetworkRead, tool.EffectCodeExecution}, f.Effect)
		asked := without.Decision.Verdict == tool.VerdictAsk || without.Decision.Verdict == tool.VerdictReview
		if !asked || without.Restricted || !grantable {
			t.Fatalf("%+v became %+v", without, with)
		}
	})
	if !allowed {
		t.Error("no grant of the whole run covered its call: the property says nothing")
	}
}

// The risk of a call, and what it is worked out from, never selects what becomes of the call.
//
// spec: VS-12
func TestRiskDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		f.Grants = anyGrants(t, f)
		before := policy.Decide(f)
		changed := f
		changed.Class.Risk = anyRisk.Draw(t, "another risk")
		for i := range changed.Grants {
			changed.Grants[i].Risk = changed.Class.Risk
		}
		if changed.Class.Risk.Rank() > f.Class.Risk.Rank() {
			changed.Class.Risk = f.Class.Risk
		}
		if f.Reading != nil {
			r := *f.Reading
			r.Commands = slices.Clone(r.Commands)
			for i := range r.Commands {
				r.Commands[i].Extent = rapid.SampledFrom([]program.Extent{program.Anything, program.Works, program.Looks}).Draw(t, "another extent")
			}
			changed.Reading = &r
		}
		after := policy.Decide(changed)
		before.Risk, after.Risk = "", ""
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%+v\nbecomes\n%+v", before, after)
		}
	})
}

// A call is told to be less risky than its class only where its command line stays inside the
// workspace and no floor of its own was heard.
func TestARiskBelowTheClassIsThatOfACommandInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyFacts(t)
		if f.Reading != nil {
			for i := range f.Reading.Commands {
				f.Reading.Commands[i].Extent = program.Looks
			}
		}
		out := policy.Decide(f)
		if out.Risk.Rank() >= f.Class.Risk.Rank() {
			return
		}
		if !out.Contained || out.Dynamic || out.Restricted || f.Source != tool.SourceBuiltin || f.Class.Target != tool.TargetHost {
			t.Fatalf("%+v of %+v", out, f)
		}
	})
}
