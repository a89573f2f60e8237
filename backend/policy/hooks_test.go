package policy

import (
	"strings"
	"testing"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// hooked is a call that runs unless a hook says otherwise.
func hooked(hooks ...Hook) Outcome {
	return Decide(Facts{
		ToolID: "x", Set: "exact", Source: tool.SourceBuiltin, Class: tool.Class{Risk: tool.RiskLow}, Effect: tool.EffectNone, Trusted: true,
		Origin: tool.TrustUser, Hooks: hooks,
		Rules: session.Rules{Preset: session.PresetFull, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop},
	})
}

func TestTheStrictestHookCounts(t *testing.T) {
	pass := Hook{Name: "a", Verdict: tool.VerdictAllow}
	ask := Hook{Name: "b", Verdict: tool.VerdictAsk, Reason: "look"}
	deny := Hook{Name: "c", Verdict: tool.VerdictDeny}
	failed := Hook{Name: "d", Verdict: tool.VerdictAllow, Failed: true}
	for _, c := range []struct {
		hooks   []Hook
		verdict tool.Verdict
		code    tool.Code
	}{
		{nil, tool.VerdictAllow, ""},
		{[]Hook{pass}, tool.VerdictAllow, ""},
		{[]Hook{{Name: "a", Foreseen: true}}, tool.VerdictAllow, ""},
		{[]Hook{ask, pass}, tool.VerdictAsk, ""},
		{[]Hook{pass, ask}, tool.VerdictAsk, ""},
		{[]Hook{ask, deny, pass}, tool.VerdictDeny, tool.CodePolicyHookDenied},
		{[]Hook{pass, failed}, tool.VerdictDeny, tool.CodePolicyHookFailed},
		{[]Hook{{Name: "e"}}, tool.VerdictDeny, tool.CodePolicyHookDenied},
	} {
		o := hooked(c.hooks...)
		if o.Decision.Verdict != c.verdict || o.Decision.ReasonCode != c.code || o.Offered {
			t.Errorf("%+v: %+v", c.hooks, o.Decision)
		}
		n := 0
		for _, l := range o.Decision.Chain {
			if l.Layer == tool.LayerHook {
				n++
			}
		}
		if n != len(c.hooks) {
			t.Errorf("%+v: %d links", c.hooks, n)
		}
	}
	o := hooked(ask)
	if why := o.Decision.Chain; !strings.Contains(why[len(why)-2].Reason, `Hook "b" wants you to be asked. It says: look`) {
		t.Errorf("%+v", why)
	}
}

func TestAHookLoosensNothing(t *testing.T) {
	f := Facts{ToolID: "x", Source: tool.SourceBuiltin, Class: tool.Class{Risk: tool.RiskLow}, Effect: tool.EffectWorkspaceWrite, Rules: session.Rules{ReadOnly: true}}
	before := Decide(f)
	f.Hooks = []Hook{{Name: "a", Verdict: tool.VerdictAllow}}
	if got := Decide(f); got.Decision.Verdict != before.Decision.Verdict || got.Decision.ReasonCode != before.Decision.ReasonCode {
		t.Errorf("%+v, want %+v", got.Decision, before.Decision)
	}
}
