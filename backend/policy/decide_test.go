package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// writing is a built-in tool that writes one file of the workspace.
func writing(changes ...func(*policy.Facts)) policy.Facts {
	return facts(tool.EffectWorkspaceWrite, append([]func(*policy.Facts){touch("/w/notes/todo.md", tool.AccessWrite, tool.ZoneWorkspace)}, changes...)...)
}

func facts(effect tool.SideEffect, changes ...func(*policy.Facts)) policy.Facts {
	f := policy.Facts{
		ToolID: "write", Set: "coding", Source: tool.SourceBuiltin, Effect: effect,
		Class:   tool.Class{SideEffect: effect, Risk: tool.RiskMedium, Target: tool.TargetHost},
		Rules:   session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop},
		Trusted: true, Workspace: "/w", OwnHome: "/home/u/.countersign", Origin: tool.TrustUser,
	}
	for _, c := range changes {
		c(&f)
	}
	return f
}

func touch(path string, access tool.Access, zone tool.Zone) func(*policy.Facts) {
	p := tool.Path{Arg: path, Abs: path, Real: path, Zone: zone, Kind: tool.KindFile}
	if zone == tool.ZoneWorkspace {
		p.Rel = strings.TrimPrefix(path, "/w/")
	}
	return func(f *policy.Facts) {
		f.Target.Touches = append(f.Target.Touches, tool.Touch{Path: p, Access: access})
	}
}

func preset(p session.Preset) func(*policy.Facts) {
	return func(f *policy.Facts) { f.Rules.Preset = p }
}

func url(u string, allowed ...string) func(*policy.Facts) {
	return func(f *policy.Facts) { f.Target.URL, f.Rules.AllowedDomains = u, allowed }
}

func typed(c string) func(*policy.Facts)   { return func(f *policy.Facts) { f.Target.Input = c } }
func command(c string) func(*policy.Facts) { return func(f *policy.Facts) { f.Target.Command = c } }
func strict(f *policy.Facts)               { f.Rules.Profile = session.ProfileStrict }
func readOnly(f *policy.Facts)             { f.Rules.ReadOnly = true }
func untrusted(f *policy.Facts)            { f.Trusted = false }
func afterForeignText(f *policy.Facts)     { f.Origin = tool.TrustExternalUntrusted }
func fromSet(f *policy.Facts)              { f.Source, f.Set = tool.SourceSet, "mine" }

func scopes(wants, has []string) func(*policy.Facts) {
	return func(f *policy.Facts) { f.Class.Scopes, f.Scopes = wants, has }
}

// told is a chain as layer and verdict, which is what tests compare: "matrix:allow".
func told(d tool.Decision) string {
	var out []string
	for _, l := range d.Chain {
		out = append(out, string(l.Layer)+":"+string(l.Verdict))
	}
	return strings.Join(out, " ")
}

// spec: VS-13, VS-14, VS-15, VS-27, CS-2, CS-3, CT-29, CT-30, RS-1, RS-3
func TestDecide(t *testing.T) {
	read := func(path string, zone tool.Zone) policy.Facts {
		return facts(tool.EffectWorkspaceRead, touch(path, tool.AccessRead, zone))
	}
	with := func(f policy.Facts, changes ...func(*policy.Facts)) policy.Facts {
		for _, c := range changes {
			c(&f)
		}
		return f
	}
	for _, c := range []struct {
		name  string
		facts policy.Facts
		chain string
		code  tool.Code
	}{
		{"a read inside runs", read("/w/a", tool.ZoneWorkspace), "matrix:allow preset:allow", ""},
		{"Default asks before a write", writing(), "matrix:allow grant:ask preset:ask operator:ask", ""},
		{"Edit writes", writing(preset(session.PresetEdit)), "matrix:allow preset:allow", ""},
		{"Audit wants a reviewer and there is none", writing(preset(session.PresetAudit)), "matrix:allow grant:ask preset:review reviewer:ask operator:ask", ""},
		{"an unknown preset is Default", writing(preset("yolo")), "matrix:allow grant:ask preset:ask operator:ask", ""},
		{"an unknown profile is strict", with(read("/x", tool.ZoneOutside), func(f *policy.Facts) { f.Rules.Profile = "" }), "matrix:deny paths:deny", tool.CodePolicyOutsideWorkspace},
		{"a path outside asks once", read("/x", tool.ZoneOutside), "matrix:ask paths:ask operator:ask", ""},
		{"a zone nobody named is outside", read("/x", ""), "matrix:ask paths:ask operator:ask", ""},
		{"strict keeps inside", with(read("/x", tool.ZoneOutside), strict), "matrix:deny paths:deny", tool.CodePolicyOutsideWorkspace},
		{"secrets ask", read("/w/.env", tool.ZoneWorkspace), "matrix:allow paths:ask operator:ask", ""},
		{"strict blocks secrets", with(read("/w/.env", tool.ZoneWorkspace), strict), "matrix:allow paths:deny", tool.CodePolicyBlocked},
		{"a hook is never written", facts(tool.EffectWorkspaceWrite, preset(session.PresetFull), touch("/w/.git/hooks/x", tool.AccessWrite, tool.ZoneWorkspace)), "hardline:deny matrix:allow", tool.CodePolicyBlocked},
		{"our home is not read", read("/home/u/.countersign/config.json", tool.ZoneOwnHome), "hardline:deny matrix:ask paths:ask", tool.CodePolicyBlocked},
		{"our home is known by its zone alone", read("/somewhere/else", tool.ZoneOwnHome), "hardline:deny matrix:ask paths:ask", tool.CodePolicyBlocked},
		{"kept output is read", read("/home/u/.countersign/output/s/a.txt", tool.ZoneOutput), "matrix:allow preset:allow", ""},
		{"kept output is not written", facts(tool.EffectWorkspaceWrite, touch("/o", tool.AccessWrite, tool.ZoneOutput)), "hardline:deny matrix:ask paths:ask", tool.CodePolicyBlocked},
		{"a file that an editor runs gets a remark", facts(tool.EffectWorkspaceWrite, preset(session.PresetEdit), touch("/w/.vscode/tasks.json", tool.AccessWrite, tool.ZoneWorkspace)), "matrix:allow paths:allow preset:allow", ""},
		{"the lock", writing(readOnly), "matrix:allow lock:deny", tool.CodePolicyReadOnly},
		{"the lock is named before trust", writing(readOnly, untrusted), "matrix:allow lock:deny", tool.CodePolicyReadOnly},
		{"no trust", writing(untrusted), "matrix:allow lock:deny", tool.CodePolicyWorkspaceUntrusted},
		{"no trust reads", with(read("/w/a", tool.ZoneWorkspace), untrusted), "matrix:allow preset:allow", ""},
		{"a command changes things, whatever its class says", facts(tool.EffectWorkspaceRead, command("ls"), readOnly), "matrix:allow matrix:ask lock:deny", tool.CodePolicyReadOnly},
		{"a command that nothing has read asks in every preset", facts(tool.EffectCodeExecution, command("ls"), preset(session.PresetFull)), "matrix:ask matrix:ask operator:ask", ""},
		{"a reviewer may answer for it", facts(tool.EffectCodeExecution, command("ls"), preset(session.PresetAudit)), "matrix:ask matrix:ask reviewer:ask operator:ask", ""},
		{"input is for the person alone", facts(tool.EffectCodeExecution, typed("y\n"), preset(session.PresetAudit)), "matrix:ask operator:ask", ""},
		{"input of a program asks in every preset", facts(tool.EffectCodeExecution, typed("y\n"), preset(session.PresetFull)), "matrix:ask operator:ask", ""},
		{"input of a program changes things, whatever its class says", facts(tool.EffectNone, typed("y\n"), readOnly), "matrix:ask lock:deny", tool.CodePolicyReadOnly},
		{"code of a set that stays inside runs in Full", facts(tool.EffectCodeExecution, fromSet, preset(session.PresetFull)), "matrix:ask preset:allow", ""},
		{"Review sends code to the reviewer", facts(tool.EffectCodeExecution, fromSet, preset(session.PresetReview)), "matrix:ask preset:review reviewer:ask operator:ask", ""},
		{"outside content asks before code even in Full", facts(tool.EffectCodeExecution, fromSet, preset(session.PresetFull), afterForeignText), "matrix:ask trust:ask operator:ask", ""},
		{"in Review the reviewer may answer what trust raised", facts(tool.EffectCodeExecution, fromSet, preset(session.PresetReview), afterForeignText), "matrix:ask trust:ask reviewer:ask operator:ask", ""},
		{"desktop lets writes follow the preset, with a remark", writing(preset(session.PresetEdit), afterForeignText), "matrix:allow trust:allow preset:allow", ""},
		{"strict raises writes", writing(preset(session.PresetEdit), afterForeignText, strict), "matrix:allow trust:ask operator:ask", ""},
		{"strict does not raise reads from the network", facts(tool.EffectNetworkRead, url("https://a.example/", "a.example"), afterForeignText, strict), "matrix:allow preset:allow", ""},
		{"an unknown label is foreign", facts(tool.EffectNetworkRead, url("https://a.example/", "a.example"), func(f *policy.Facts) { f.Origin = "" }), "matrix:allow trust:ask operator:ask", ""},
		{"an unlisted host asks", facts(tool.EffectNetworkRead, url("https://a.example/")), "matrix:ask grant:ask preset:ask operator:ask", ""},
		{"a list denies the rest", facts(tool.EffectNetworkRead, url("https://a.example/", "b.example")), "matrix:ask allowlist:deny", tool.CodePolicyHostNotListed},
		{"a host is compared whole", facts(tool.EffectNetworkRead, url("https://x.a.example/", "a.example")), "matrix:ask allowlist:deny", tool.CodePolicyHostNotListed},
		{"a host is compared without port, case and last dot", facts(tool.EffectNetworkRead, url("https://A.example.:8443/", "a.EXAMPLE")), "matrix:allow preset:allow", ""},
		{"only https", facts(tool.EffectNetworkRead, url("http://a.example/", "a.example")), "matrix:allow allowlist:deny", tool.CodePolicyInsecureURL},
		{"a name in an address", facts(tool.EffectNetworkRead, url("https://u:p@a.example/", "a.example")), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"a host that is not ASCII", facts(tool.EffectNetworkRead, url("https://а.example/")), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"no host", facts(tool.EffectNetworkRead, url("https:///x")), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"an address behind a workspace class", writing(url("https://a.example/")), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"a class nobody knows", facts("teleport"), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"a reader that names a path to write", facts(tool.EffectWorkspaceRead, touch("/w/a", tool.AccessWrite, tool.ZoneWorkspace)), "matrix:deny", tool.CodePolicyUnclassifiable},
		{"a missing scope", writing(scopes([]string{"a.b"}, []string{"a.*", "a"})), "scopes:deny matrix:allow", tool.CodePolicyScopeMissing},
		{"external changes are for a person", facts(tool.EffectExternalWrite, preset(session.PresetFull)), "matrix:ask operator:ask", ""},
		{"a commit has its own gate", facts(tool.EffectWorkspaceWrite, preset(session.PresetFull), func(f *policy.Facts) { f.ToolID = "git_commit" }), "matrix:ask operator:ask", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := policy.Decide(c.facts)
			if diff := cmp.Diff(c.chain, told(out.Decision)); diff != "" {
				t.Errorf("chain (-want +got):\n%s", diff)
			}
			if out.Decision.ReasonCode != c.code {
				t.Errorf("code %q, want %q", out.Decision.ReasonCode, c.code)
			}
		})
	}
}

// spec: VS-27
func TestGate12ADenialNamesOnlyTheMissingScope(t *testing.T) {
	out := policy.Decide(writing(scopes([]string{"mail.read", "mail.send"}, []string{"mail.read"})))
	if reason := out.Decision.Chain[0].Reason; !strings.Contains(reason, "mail.send") || strings.Contains(reason, "mail.read") {
		t.Errorf("%q", reason)
	}
}

func TestTrustOnlyMeansNothingElseStoppedTheCall(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts policy.Facts
		want  bool
	}{
		{"a write", writing(untrusted), true},
		{"input that would be asked for", facts(tool.EffectCodeExecution, typed("y\n"), untrusted), true},
		{"a command that would be asked for", facts(tool.EffectCodeExecution, command("ls"), untrusted), true},
		{"a trusted write", writing(), false},
		{"the lock besides", writing(untrusted, readOnly), false},
		{"a missing scope besides", writing(untrusted, scopes([]string{"a.b"}, nil)), false},
		{"a hook", facts(tool.EffectWorkspaceWrite, untrusted, touch("/w/.git/hooks/x", tool.AccessWrite, tool.ZoneWorkspace)), false},
	} {
		if got := policy.Decide(c.facts).TrustOnly; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// spec: CT-30, RS-3, CS-10
func TestRestrictedRaisesTheRiskAndOffersNothing(t *testing.T) {
	for name, f := range map[string]policy.Facts{
		"a protected path": facts(tool.EffectWorkspaceWrite, touch("/w/.git/HEAD", tool.AccessWrite, tool.ZoneWorkspace)),
		"a secret":         facts(tool.EffectWorkspaceRead, touch("/w/.env", tool.AccessRead, tool.ZoneWorkspace)),
		"input":            facts(tool.EffectCodeExecution, typed("y\n")),
		"input of a class that is once only anyway": facts(tool.EffectHostAccess, typed("y\n")),
	} {
		out := policy.Decide(f)
		if !out.Restricted || out.Risk != tool.RiskHigh || out.Offered || !strings.HasPrefix(out.NoGrant, "Once only: ") {
			t.Errorf("%s: %+v", name, out)
		}
	}
	f := facts(tool.EffectCodeExecution, command("ls"))
	f.Class.Risk = tool.RiskCritical
	if got := policy.Decide(f).Risk; got != tool.RiskCritical {
		t.Errorf("risk went down to %s", got)
	}
}

func TestPathOutsideIsNoLowRisk(t *testing.T) {
	for _, c := range []struct {
		zone tool.Zone
		risk tool.Risk
		want tool.Risk
	}{
		{tool.ZoneWorkspace, tool.RiskLow, tool.RiskLow},
		{tool.ZoneOutput, tool.RiskLow, tool.RiskLow},
		{tool.ZoneOutside, tool.RiskLow, tool.RiskMedium},
		{tool.ZoneOutside, tool.RiskMedium, tool.RiskMedium},
		{tool.ZoneOutside, tool.RiskHigh, tool.RiskHigh},
	} {
		f := facts(tool.EffectWorkspaceRead, touch("/x/a", tool.AccessRead, c.zone))
		f.Class.Risk = c.risk
		if got := policy.Decide(f).Risk; got != c.want {
			t.Errorf("%s at %s: %s, want %s", c.risk, c.zone, got, c.want)
		}
	}
}

// spec: KH-11
func TestCapabilitiesComeFromClassAndTarget(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts policy.Facts
		want  []tool.Capability
	}{
		{"nothing", facts(tool.EffectNone), []tool.Capability{}},
		{"read", facts(tool.EffectWorkspaceRead, touch("/w/a", tool.AccessRead, tool.ZoneWorkspace)), []tool.Capability{tool.CapFileRead}},
		{"read of a class alone", facts(tool.EffectWorkspaceRead), []tool.Capability{tool.CapFileRead}},
		{"write", writing(), []tool.Capability{tool.CapFileWrite}},
		{"read outside", facts(tool.EffectWorkspaceRead, touch("/x", tool.AccessRead, tool.ZoneOutside)), []tool.Capability{tool.CapFileReadOutside}},
		{"write outside", facts(tool.EffectWorkspaceWrite, touch("/x", tool.AccessWrite, tool.ZoneOutside)), []tool.Capability{tool.CapFileWriteOutside}},
		{"command", facts(tool.EffectCodeExecution, command("ls")), []tool.Capability{tool.CapProcessExecute}},
		{"input", facts(tool.EffectCodeExecution, typed("ls")), []tool.Capability{tool.CapProcessExecute}},
		{"network", facts(tool.EffectNetworkRead, url("https://a.example/")), []tool.Capability{tool.CapNetworkAccess}},
		{"everything", facts(tool.EffectExternalWrite, command("x"), touch("/w/a", tool.AccessRead, tool.ZoneWorkspace), touch("/x", tool.AccessWrite, tool.ZoneOutside)),
			[]tool.Capability{tool.CapProcessExecute, tool.CapNetworkAccess, tool.CapFileRead, tool.CapFileWriteOutside}},
	} {
		if diff := cmp.Diff(c.want, policy.Decide(c.facts).Decision.Capabilities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestForeignTextInAPathCannotActOnAReader(t *testing.T) {
	out := policy.Decide(facts(tool.EffectWorkspaceRead, touch("/x/\x1b[2K\u202e\n"+strings.Repeat("é", 4000), tool.AccessRead, tool.ZoneOutside)))
	for _, l := range out.Decision.Chain {
		if strings.ContainsAny(l.Reason, "\x1b\n\u202e") || len(l.Reason) > 600 {
			t.Errorf("%q", l.Reason)
		}
	}
}
