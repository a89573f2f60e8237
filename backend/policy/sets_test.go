package policy_test

import (
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// ofHome is a call of a tool of a home set whose author wants no question.
func ofHome(changes ...func(*policy.Facts)) policy.Facts {
	return facts(tool.EffectCodeExecution, append([]func(*policy.Facts){fromSet, func(f *policy.Facts) {
		f.ToolID, f.SetOrigin, f.Fingerprint, f.Always, f.Rules.Authors = "deploy", "home", "f1", true, session.Authors{Home: true}
	}}, changes...)...)
}

// spec: CT-24, CT-25, CT-29, CT-30, CS-3
func TestAnAuthorAnswersOrdinaryCallsWhereAuthorsAreFollowed(t *testing.T) {
	person := func(f *policy.Facts) { f.Raised.Person = true }
	for _, c := range []struct {
		name  string
		facts policy.Facts
		want  string
		code  tool.Code
	}{
		{"an ordinary call", ofHome(), "matrix:ask author:allow", ""},
		{"in Review", ofHome(preset(session.PresetReview)), "matrix:ask author:allow", ""},
		{"a path inside", ofHome(touch("/w/a", tool.AccessWrite, tool.ZoneWorkspace)), "matrix:ask author:allow", ""},
		{"an author who leaves it to the host", ofHome(func(f *policy.Facts) { f.Always = false }), "matrix:ask grant:ask preset:ask operator:ask", ""},
		{"a project set", ofHome(func(f *policy.Facts) { f.SetOrigin = "project" }), "matrix:ask grant:ask preset:ask operator:ask", ""},
		{"a project set whose authors are followed", ofHome(func(f *policy.Facts) { f.SetOrigin, f.Rules.Authors = "project", session.Authors{Project: true} }), "matrix:ask author:allow", ""},
		{"the host", ofHome(func(f *policy.Facts) { f.Rules.Authors = session.Authors{} }), "matrix:ask grant:ask preset:ask operator:ask", ""},
		{"an origin that is not known", ofHome(func(f *policy.Facts) { f.SetOrigin = "" }), "matrix:ask grant:ask preset:ask operator:ask", ""},
		{"a path outside", ofHome(touch("/x", tool.AccessWrite, tool.ZoneOutside)), "matrix:ask paths:ask operator:ask", ""},
		{"a secret store", ofHome(touch("/w/.env", tool.AccessWrite, tool.ZoneWorkspace)), "matrix:ask paths:ask operator:ask", ""},
		{"the hooks of git", ofHome(touch("/w/.git/hooks/x", tool.AccessWrite, tool.ZoneWorkspace)), "hardline:deny matrix:ask", tool.CodePolicyBlocked},
		{"after foreign text", ofHome(afterForeignText), "matrix:ask trust:ask operator:ask", ""},
		{"a hook that asks", ofHome(func(f *policy.Facts) { f.Hooks = []policy.Hook{{Name: "h", Verdict: tool.VerdictAsk}} }), "matrix:ask hook:ask operator:ask", ""},
		{"the lock", ofHome(readOnly), "matrix:ask lock:deny", tool.CodePolicyReadOnly},
		{"no trust", ofHome(untrusted), "matrix:ask lock:deny", tool.CodePolicyWorkspaceUntrusted},
		{"profile strict", ofHome(strict), "matrix:deny", tool.CodePolicyNotIsolated},
		{"a tool that wants a person", ofHome(person), "matrix:ask set:ask operator:ask", ""},
		{"a tool that wants a person, in Full", ofHome(person, preset(session.PresetFull)), "matrix:ask set:ask operator:ask", ""},
		{"a tool that cannot say", ofHome(func(f *policy.Facts) { f.Raised.Failed = true }), "matrix:ask set:deny", tool.CodePolicyUnclassifiable},
		{"a set that changed", ofHome(func(f *policy.Facts) { f.SetChanged = true }, preset(session.PresetFull)), "matrix:ask set:deny", tool.CodePolicySetChanged},
		{"a command", ofHome(command("ls")), "matrix:ask matrix:ask operator:ask", ""},
		{"a built-in tool", ofHome(func(f *policy.Facts) { f.Source = tool.SourceBuiltin }), "matrix:ask preset:ask operator:ask", ""},
	} {
		got := policy.Decide(c.facts).Decision
		if told(got) != c.want || got.ReasonCode != c.code {
			t.Errorf("%s: %s %s", c.name, told(got), got.ReasonCode)
		}
	}
}

// What the person granted is heard before the author, so that the ledger counts it.
func TestAGrantSpeaksBeforeTheAuthor(t *testing.T) {
	f := ofHome()
	g := policy.Granting(&f)
	g.ID, g.Kind, g.Life = "g", policy.GrantTool, policy.GrantWorkspace
	f.Grants = []policy.Grant{g}
	if got := told(policy.Decide(f).Decision); got != "matrix:ask grant:allow" {
		t.Errorf("got %s", got)
	}
	// spec: CT-30
	for name, change := range map[string]func(*policy.Facts){
		"a project set of the same name": func(f *policy.Facts) { f.SetOrigin = "project" },
		"another set":                    func(f *policy.Facts) { f.Set = "other" },
		"the set made of something else": func(f *policy.Facts) { f.Fingerprint = "f2" },
		"another tool of the set":        func(f *policy.Facts) { f.ToolID = "release" },
		"a higher risk":                  func(f *policy.Facts) { f.Class.Risk = tool.RiskHigh },
	} {
		other := f
		other.Always = false
		change(&other)
		if got := told(policy.Decide(other).Decision); got != "matrix:ask grant:ask preset:ask operator:ask" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// What is foreseen of a tool of a set is what an ordinary call of it gets.
func TestAnOrdinaryCallOfASetToolIsForeseen(t *testing.T) {
	spec := tool.Spec{
		ID: "deploy", Source: tool.SourceSet, Set: "mine", Origin: "home", Fingerprint: "f1", Always: true,
		Class: tool.Class{SideEffect: tool.EffectCodeExecution, Risk: tool.RiskMedium, Target: tool.TargetHost},
	}
	rules := session.Rules{Preset: session.PresetDefault, Profile: session.ProfileDesktop, Authors: session.Authors{Home: true}}
	if _, got := policy.ForeseeTool(&spec, rules, nil); got != policy.ForeseenAllow {
		t.Errorf("followed: %s", got)
	}
	rules.Authors = session.Authors{}
	if _, got := policy.ForeseeTool(&spec, rules, nil); got != policy.ForeseenAsk {
		t.Errorf("not followed: %s", got)
	}
	rules.Preset = session.PresetFull
	if _, got := policy.ForeseeTool(&spec, rules, nil); got != policy.ForeseenAllow {
		t.Errorf("Full: %s", got)
	}
}
