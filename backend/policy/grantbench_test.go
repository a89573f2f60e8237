package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"countersign/backend/policy"
)

// A pipeline of twenty commands held against the grants of a workspace that was worked in for
// long.
func BenchmarkPipelineByGrants(b *testing.B) {
	f := line(strings.TrimSuffix(strings.Repeat("git log -5 | ", 20), " | "))
	var rules []string
	for i := range 50 {
		rules = append(rules, fmt.Sprintf("go test ./pkg%d *", i))
	}
	by(policy.GrantWorkspace, append(rules, "git log *")...)(&f)
	b.ReportAllocs()
	for b.Loop() {
		if policy.Decide(f).Grants == nil {
			b.Fatal("not covered")
		}
	}
}

// What a card offers for it.
func BenchmarkOffersOfAPipeline(b *testing.B) {
	f := line(strings.TrimSuffix(strings.Repeat("git log -5 | ", 20), " | "))
	b.ReportAllocs()
	for b.Loop() {
		if policy.Offers(f) == nil {
			b.Fatal("nothing is offered")
		}
	}
}
