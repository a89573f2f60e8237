package policy_test

import (
	"regexp"
	"testing"

	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: VS-17
func TestVersionNamesTheRulesThatDecide(t *testing.T) {
	base := session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, AllowedDomains: []string{"a.example", "b.example"}}
	v := policy.Version(base)
	if !regexp.MustCompile(`^desktop@[0-9a-f]{12}\+h[0-9a-f]{8}$`).MatchString(v) {
		t.Fatal(v)
	}
	for name, c := range map[string]struct {
		change func(*session.Rules)
		same   bool
	}{
		"preset":         {func(r *session.Rules) { r.Preset = session.PresetEdit }, false},
		"profile":        {func(r *session.Rules) { r.Profile = session.ProfileStrict }, false},
		"lock":           {func(r *session.Rules) { r.ReadOnly = true }, false},
		"a host less":    {func(r *session.Rules) { r.AllowedDomains = r.AllowedDomains[:1] }, false},
		"no hosts":       {func(r *session.Rules) { r.AllowedDomains = nil }, false},
		"order of hosts": {func(r *session.Rules) { r.AllowedDomains = []string{"B.example.", "a.example"} }, true},
		"catalog":        {func(r *session.Rules) { r.Catalog = tool.CatalogPlan }, true},
		"sets":           {func(r *session.Rules) { r.Sets = []string{"web"} }, true},
		"authors":        {func(r *session.Rules) { r.Authors.Home = true }, false},
		"only some sets": {func(r *session.Rules) { r.Only = []string{"web"} }, true},
		"unknown preset": {func(r *session.Rules) { r.Preset = "x" }, true},
	} {
		r := base
		c.change(&r)
		if (policy.Version(r) == v) != c.same {
			t.Errorf("%s: %s and %s", name, v, policy.Version(r))
		}
	}
	if r := (session.Rules{Profile: "x"}); policy.Version(r) != policy.Version(session.Rules{Profile: session.ProfileStrict}) {
		t.Error("an unknown profile is not strict")
	}
	joined := base
	joined.AllowedDomains = []string{"a.exampleb.example"}
	if policy.Version(joined) == v {
		t.Error("two hosts and one read alike")
	}
}
