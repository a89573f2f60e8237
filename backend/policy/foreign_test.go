package policy_test

import (
	"strings"
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// What would be otherwise without text from outside is said where it would be, and only there.
func TestTheRemedyForForeignTextIsNamedWhereItIsOne(t *testing.T) {
	read := func(more ...func(*policy.Facts)) policy.Facts {
		return facts(tool.EffectNetworkRead, append([]func(*policy.Facts){url("https://a.example/", "a.example")}, more...)...)
	}
	told := 0
	for name, f := range map[string]policy.Facts{
		"a listed host":                read(),
		"a host that is not listed":    facts(tool.EffectNetworkRead, url("https://a.example/")),
		"an unread command":            facts(tool.EffectCodeExecution, command("ls"), preset(session.PresetFull)),
		"text for a program":           facts(tool.EffectCodeExecution, typed("y\n"), preset(session.PresetFull)),
		"code that stays inside, Full": facts(tool.EffectCodeExecution, fromSet, preset(session.PresetFull)),
		"code that stays inside":       facts(tool.EffectCodeExecution, fromSet),
		"code, Review":                 facts(tool.EffectCodeExecution, fromSet, preset(session.PresetReview)),
		"a write, strict, Edit":        writing(preset(session.PresetEdit), strict),
		"a write, strict, Default":     writing(strict),
		"a message":                    facts(tool.EffectExternalMessage, preset(session.PresetFull)),
		"the lock":                     facts(tool.EffectCodeExecution, fromSet, preset(session.PresetFull), readOnly),
	} {
		clean := policy.Decide(f)
		f.Origin = tool.TrustExternalUntrusted
		said := false
		for _, l := range policy.Decide(f).Decision.Chain {
			said = said || strings.Contains(l.Reason, "A session that has read none is not.")
		}
		if said != (clean.Decision.Verdict == tool.VerdictAllow) {
			t.Errorf("%s: said %v, and without such text the verdict is %s", name, said, clean.Decision.Verdict)
		}
		if said {
			told++
		}
	}
	if told != 3 {
		t.Errorf("named for %d calls", told)
	}
}
