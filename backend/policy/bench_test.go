package policy_test

import (
	"testing"

	"countersign/backend/policy"
	"countersign/backend/policy/shellcmd"
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

// pipeline20 is a line of twenty commands, of which some name files.
const pipeline20 = `cat notes/a.txt notes/b.txt | grep -v '^#' | sort -k2 | uniq -c | sort -rn | head -50 | awk '{print $2}' | ` +
	`sed -e 's/x/y/' | tr a-z A-Z | cut -d, -f1 | paste -sd, - | tr , '\n' | grep -E 'a|b' | nl | tail -20 | ` +
	`column -t | fold -w 80 | expand | tee out/list.txt | wc -l`

// BenchmarkDecidePipeline reads a line of twenty commands, judges their words and decides.
func BenchmarkDecidePipeline(b *testing.B) {
	f := simpleAllow()
	f.ToolID, f.Effect, f.Class.SideEffect, f.Class.Scopes = "bash", tool.EffectCodeExecution, tool.EffectCodeExecution, nil
	f.Rules.Preset = session.PresetFull
	place := shellcmd.Place{Directory: f.Workspace, Home: f.UserHome}
	b.ReportAllocs()
	for b.Loop() {
		reading := shellcmd.Read(pipeline20, place)
		f.Reading = &reading
		f.Target = tool.Target{Command: pipeline20}
		for i := range reading.Commands {
			c := &reading.Commands[i]
			for k := range c.Uses {
				u := &c.Uses[k]
				f.Target.Touches = append(f.Target.Touches, policy.TouchOf(i, c, u, tool.Path{
					Arg: u.Path, Abs: u.Path, Real: u.Path, Zone: tool.ZoneWorkspace, Kind: tool.KindFile,
				}))
			}
		}
		if len(reading.Commands) != 20 || policy.Decide(f).Decision.Verdict != tool.VerdictAllow {
			b.Fatalf("%d commands, %+v", len(reading.Commands), policy.Decide(f).Decision)
		}
	}
}
