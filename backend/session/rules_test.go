package session_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// Limits only tighten, and what is not known counts as the tightest.
func TestLimitsOnlyTighten(t *testing.T) {
	open := session.Rules{
		Preset: session.PresetFull, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding", "git"},
		AllowedDomains: []string{"example.com"},
	}
	shut := session.Rules{
		Preset: session.PresetDefault, Catalog: tool.CatalogPlan, Profile: session.ProfileStrict, ReadOnly: true, Sets: []string{"coding"},
		Only: []string{"coding", "web"}, AllowedDomains: []string{"example.com"},
	}
	for _, c := range []struct {
		name               string
		have, limits, want session.Rules
	}{
		{"no limits", open, session.Rules{}, open},
		{"all limits", open, session.Rules{
			Preset: session.PresetDefault, Catalog: tool.CatalogPlan, Profile: session.ProfileStrict, ReadOnly: true, Sets: []string{"coding", "web"},
		}, shut},
		{"looser limits", shut, session.Rules{
			Preset: session.PresetFull, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding", "git", "web"},
		}, shut},
		{"unknown limits", open, session.Rules{Preset: "auto", Catalog: "all", Profile: "lax"}, session.Rules{
			Preset: session.PresetDefault, Catalog: tool.CatalogPlan, Profile: session.ProfileStrict, Sets: open.Sets, AllowedDomains: open.AllowedDomains,
		}},
		{"no set", open, session.Rules{Sets: []string{}}, session.Rules{
			Preset: open.Preset, Catalog: open.Catalog, Profile: open.Profile, Sets: []string{}, Only: []string{}, AllowedDomains: open.AllowedDomains,
		}},
	} {
		if diff := cmp.Diff(c.want, c.have.Tightened(c.limits)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if got := (session.Rules{}).Tightened(session.Rules{Sets: []string{"git", "web"}}).Sets; !cmp.Equal(got, []string{"git"}) {
		t.Errorf("default sets: got %v", got)
	}
}

// Of two presets the stricter lets no more run by itself, and leaves no more to a reviewer.
func TestTheStricterOfTwoPresets(t *testing.T) {
	for _, c := range []struct{ one, other, want session.Preset }{
		{session.PresetDefault, session.PresetFull, session.PresetDefault},
		{session.PresetEdit, session.PresetFull, session.PresetEdit},
		{session.PresetEdit, session.PresetReview, session.PresetEdit},
		{session.PresetFull, session.PresetReview, session.PresetEdit},
		{session.PresetAudit, session.PresetReview, session.PresetAudit},
		{session.PresetAudit, session.PresetEdit, session.PresetDefault},
		{session.PresetAudit, session.PresetFull, session.PresetDefault},
		{session.PresetFull, session.PresetFull, session.PresetFull},
		{"auto", session.PresetFull, session.PresetDefault},
	} {
		if got, back := c.one.Stricter(c.other), c.other.Stricter(c.one); got != c.want || back != c.want {
			t.Errorf("%s and %s: %s, %s", c.one, c.other, got, back)
		}
	}
}

func TestRulesAreEqualOnlyInEveryField(t *testing.T) {
	whole := func() session.Rules {
		return session.Rules{
			Preset: session.PresetEdit, Catalog: tool.CatalogWork, Profile: session.ProfileStrict, ReadOnly: true,
			Sets: []string{"coding"}, Only: []string{"coding"}, AllowedDomains: []string{"example.com"}, Authors: session.Authors{Home: true},
		}
	}
	if !whole().Equal(whole()) {
		t.Error("the same rules are not equal")
	}
	for i, change := range []func(*session.Rules){
		func(r *session.Rules) { r.Preset = session.PresetFull }, func(r *session.Rules) { r.Catalog = tool.CatalogPlan },
		func(r *session.Rules) { r.Profile = session.ProfileDesktop }, func(r *session.Rules) { r.ReadOnly = false },
		func(r *session.Rules) { r.Sets = []string{"git"} }, func(r *session.Rules) { r.AllowedDomains = nil },
		func(r *session.Rules) { r.Only = []string{"git"} }, func(r *session.Rules) { r.Authors.Project = true },
	} {
		other := whole()
		change(&other)
		if whole().Equal(other) {
			t.Errorf("change %d makes no difference", i)
		}
	}
	if (session.Rules{}).Equal(session.Rules{Sets: []string{}}) {
		t.Error("no sets and the default sets are the same")
	}
	if n := reflect.TypeFor[session.Rules]().NumField(); n != 8 {
		t.Errorf("Rules has %d fields: Equal and this test must know all of them", n)
	}
}
