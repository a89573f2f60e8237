package policy_test

import (
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// simpleAllow is a read inside the workspace, the call that happens most.
func simpleAllow() policy.Facts {
	const file = "/home/user/src/project/internal/dispatch/retry_policy.go"
	return policy.Facts{
		ToolID: "read", Set: "coding", Source: tool.SourceBuiltin, Effect: tool.EffectWorkspaceRead,
		Class: tool.Class{SideEffect: tool.EffectWorkspaceRead, Risk: tool.RiskLow, Target: tool.TargetHost, Scopes: []string{"workspace.read"}},
		Target: tool.Target{Touches: []tool.Touch{{
			Path: tool.Path{
				Arg: "internal/dispatch/retry_policy.go", Abs: file, Real: file,
				Rel: "internal/dispatch/retry_policy.go", Zone: tool.ZoneWorkspace, Kind: tool.KindFile,
			},
			Access: tool.AccessRead,
		}}},
		Rules:  session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop},
		Scopes: []string{"workspace.read", "workspace.write"}, Trusted: true, TrustRoot: "/home/user/src/project",
		Workspace: "/home/user/src/project", UserHome: "/home/user", OwnHome: "/home/user/.countersign",
		Origin: tool.TrustUser,
	}
}

func TestASimpleAllowAllocatesNothing(t *testing.T) {
	f := simpleAllow()
	if n := testing.AllocsPerRun(100, func() { policy.Decide(f) }); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkDecideAllow(b *testing.B) {
	f := simpleAllow()
	b.ReportAllocs()
	for b.Loop() {
		if policy.Decide(f).Decision.Verdict != tool.VerdictAllow {
			b.Fatal("not allowed")
		}
	}
}

func BenchmarkDecideAllowWithoutPath(b *testing.B) {
	f := simpleAllow()
	f.Effect, f.Target = tool.EffectNone, tool.Target{}
	b.ReportAllocs()
	for b.Loop() {
		if policy.Decide(f).Decision.Verdict != tool.VerdictAllow {
			b.Fatal("not allowed")
		}
	}
}

func BenchmarkVersion(b *testing.B) {
	r := simpleAllow().Rules
	b.ReportAllocs()
	for b.Loop() {
		policy.Version(r)
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := policy.Load(); err != nil {
			b.Fatal(err)
		}
	}
}
