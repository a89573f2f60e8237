package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/policy"
	"countersign/backend/tool"
)

// Every kind of danger is told, once, and none where nobody is asked about one.
func TestWhatRestrictedPathsHoldIsTold(t *testing.T) {
	read := func(paths ...string) policy.Facts {
		f := facts(tool.EffectWorkspaceRead)
		for _, p := range paths {
			touch(p, tool.AccessRead, tool.ZoneWorkspace)(&f)
		}
		return f
	}
	for _, c := range []struct {
		name  string
		facts policy.Facts
		want  []string
	}{
		{"plain", read("/w/a"), nil},
		{"one", read("/w/.env"), []string{"holds passwords or tokens"}},
		{"several", read("/w/a", "/w/server.key", "/w/.env", "/w/id_rsa"), []string{"holds private keys", "holds passwords or tokens"}},
		{"a command", facts(tool.EffectCodeExecution, command("ls")), nil},
		{"denied", func() policy.Facts { f := read("/w/.env"); strict(&f); return f }(), nil},
	} {
		if diff := cmp.Diff(c.want, policy.Decide(c.facts).Dangers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
