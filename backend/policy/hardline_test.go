package policy

import (
	"slices"
	"strings"
	"testing"

	"countersign/backend/tool"
)

// spec: VS-27, VS-16
func TestLoadChecksTheRulesOfTheProgram(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
	for i := range hardRules {
		r := &hardRules[i]
		out := Decide(r.blocks)
		if out.Decision.Verdict != tool.VerdictDeny || out.Decision.ReasonCode != tool.CodePolicyBlocked {
			t.Errorf("%s: %+v", r.id, out.Decision)
		}
		if out := Decide(r.spares); out.Decision.ReasonCode == tool.CodePolicyBlocked {
			t.Errorf("%s: %+v", r.id, out.Decision)
		}
	}
}

// spec: VS-27
func TestGate1NoClassIsLeftOpen(t *testing.T) {
	for i := range rows {
		without := slices.Delete(slices.Clone(rows[:]), i, i+1)
		twice := slices.Clone(rows[:])
		twice[i] = rows[(i+1)%len(rows)]
		if checkRows(without) == nil || checkRows(twice) == nil {
			t.Errorf("a matrix without a row for %s would load", rows[i].effect)
		}
	}
}

// spec: VS-27
func TestLoadRefusesRulesThatDoNotHold(t *testing.T) {
	broken := func(change func(r *hardRule)) error {
		list := append([]hardRule(nil), hardRules[:]...)
		change(&list[1])
		return checkHardRules(list)
	}
	for name, err := range map[string]error{
		"does not block": broken(func(r *hardRule) { r.blocks = r.spares }),
		"near miss":      broken(func(r *hardRule) { r.spares = r.blocks }),
		"twice":          broken(func(r *hardRule) { *r = hardRules[0] }),
		"rows":           checkRows(rows[1:]),
		"leaves":         checkRows(append(append([]row(nil), rows[:14]...), row{effect: tool.EffectPrivileged})),
		"not privileged": checkRows(append(append([]row(nil), rows[:14]...), rows[0])),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spec: VS-16, VS-27
func TestGate5NothingAnswersTheFrozenRules(t *testing.T) {
	for i := range hardRules {
		for _, p := range presetWords {
			f := hardRules[i].blocks
			f.Rules.Preset = p.preset
			f.Rules.AllowedDomains = []string{"169.254.169.254", "example.com"}
			f.Grants = []Grant{{ID: "g", Kind: GrantFile, ToolID: f.ToolID, Effect: f.Effect, Risk: tool.RiskCritical, PolicyVersion: Version(f.Rules)}}
			if len(f.Target.Touches) > 0 {
				f.Grants[0].Value = f.Target.Touches[0].Path.Real
			}
			if out := Decide(f); out.Decision.ReasonCode != tool.CodePolicyBlocked {
				t.Errorf("%s in %s: %+v", hardRules[i].id, p.preset, out.Decision)
			}
		}
	}
}

// spec: VS-16
func TestMetadataAddressesAreKnownInEverySpelling(t *testing.T) {
	for _, host := range []string{
		"169.254.169.254", "2852039166", "0xa9fea9fe", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "169.254.43518", "169.16689662",
		"[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::a9fe:a9fe]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "[fe80::1]",
		"[fd00:ec2::254]", "100.100.100.200", "168.63.129.16", "192.0.0.192", "metadata.google.internal", "METADATA.google.internal.", "169.254.1.2",
	} {
		out := Decide(reaching("https://" + host + "/"))
		if out.Decision.ReasonCode != tool.CodePolicyBlocked {
			t.Errorf("%s: %+v", host, out.Decision)
		}
	}
	for _, host := range []string{
		"169.253.169.254", "2852039167.example", "[2001:db8::1]", "[2001:db8::a9fe:a9fe]", "10.0.0.1", "example.com", "metadata.example.com", "1.2.3.4.5", "256.1.1.1", "0x100000000", "8.8.8.8",
	} {
		out := Decide(reaching("https://" + host + "/"))
		if out.Decision.ReasonCode == tool.CodePolicyBlocked {
			t.Errorf("%s: %+v", host, out.Decision)
		}
	}
}

// BenchmarkLoad is what a start spends on the rules.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := checkRules(); err != nil {
			b.Fatal(err)
		}
	}
}
