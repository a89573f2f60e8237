package config

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"countersign/backend/session"
)

// spec: CT-25
func TestWhoDecidesAboutSetsCountsAsTheHostWhereItIsBroken(t *testing.T) {
	for text, want := range map[string]session.Authors{
		``:                               {Home: true},
		`{}`:                             {Home: true},
		`{"home":"host"}`:                {},
		`{"project":"author"}`:           {Home: true, Project: true},
		`{"home":"Author"}`:              {},
		`{"home":"always"}`:              {},
		`{"home":"author","project":1}`:  {},
		`{"home":"author","hom":"host"}`: {},
		`"author"`:                       {},
		`["author"]`:                     {},
		`null`:                           {},
		`true`:                           {},
	} {
		content := `{"later":1}`
		if text != "" {
			content = `{"externalToolApproval":` + text + `}`
		}
		f, err := Load(home(t, content))
		if err != nil {
			t.Errorf("%s refuses the start: %v", text, err)
			continue
		}
		if got := f.Settings().Rules.Authors; got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// What counts as the host when a hand wrote it is still refused where it is being given.
func TestABrokenAnswerIsNotTakenWhenItIsGiven(t *testing.T) {
	f, err := Load(home(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"home":"always"}`, `null`, `"author"`} {
		_, err := f.Change(Patch{Values: map[string]string{authorsKey: text}})
		if fault, is := errors.AsType[*Fault](err); !is || fault.Key != authorsKey {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// spec: CT-13
func TestLookingForSetsIsWrittenOnlyWhereItIsOff(t *testing.T) {
	p := home(t, `{"externalTools":true,"later":1}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value string
		on    bool
		there bool
	}{{"true", true, false}, {"false", false, true}, {"true", true, false}, {"false", false, true}, {"", true, false}} {
		now, err := f.Change(Patch{Values: map[string]string{externalKey: c.value}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(p.File())
		if err != nil {
			t.Fatal(err)
		}
		keys := map[string]any{}
		if err := json.Unmarshal(b, &keys); err != nil {
			t.Fatal(err)
		}
		if _, there := keys[externalKey]; there != c.there || now.External.On != c.on {
			t.Errorf("%q: %v in %s", c.value, now.External.On, b)
		}
	}
	if _, err := f.Change(Patch{Theme: ThemeDark}); err != nil {
		t.Fatal(err)
	}
}
