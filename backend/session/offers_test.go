package session_test

import (
	"testing"

	"countersign/backend/session"
)

// A list of built-in sets says nothing of other sets, and a list of all sets that may be offered
// holds for both.
func TestSetsThatAreNotBuiltInAreOnUnlessOthersAreAskedFor(t *testing.T) {
	settings := session.Rules{Sets: []string{"coding"}}
	only := settings.Tightened(session.Rules{Sets: []string{"coding", "Acme"}})
	for _, c := range []struct {
		name    string
		rules   session.Rules
		set     string
		builtin bool
		want    bool
	}{
		{"a set that is built in and on", settings, "coding", true, true},
		{"one that is off", settings, "git", true, false},
		{"another set", settings, "Acme", false, true},
		{"another of the name of one that is off", settings, "git", false, true},
		{"one that is asked for", only, "Acme", false, true},
		{"one that is not", only, "Other", false, false},
		{"asking for less still", only.Tightened(session.Rules{Sets: []string{"Other"}}), "Acme", false, false},
		{"asking for none", settings.Tightened(session.Rules{Sets: []string{}}), "Acme", false, false},
		{"limits that were made before", settings.Tightened(only), "Other", false, false},
	} {
		if got := c.rules.Offers(c.set, c.builtin); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
