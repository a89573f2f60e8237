package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestTheCatalogTellsWhatEachToolWouldGetAndHowItDid(t *testing.T) {
	failed := noon.Add(-time.Hour)
	f := &fakeEngine{
		specs:  []tool.Spec{writeSpec()},
		totals: map[string]ToolTotal{"write": {Calls: 9007199254740993, FailedAt: &failed, FailedBy: tool.CodeTimeout}, "gone": {Calls: 3}},
		standing: registry.Standing{SetOn: true, InCatalog: true, Foreseen: policy.ForeseenAsk, Decision: tool.Decision{Verdict: tool.VerdictAsk, Chain: []tool.Link{
			{Layer: tool.LayerMatrix, Verdict: tool.VerdictAllow, Reason: "inside"},
			{Layer: tool.LayerGrant, Verdict: tool.VerdictAsk, Reason: "No grant."},
			{Layer: tool.LayerPreset, Verdict: tool.VerdictAsk, Reason: "Default asks."},
		}}},
	}
	view, err := newAPI(t, f).Tools()
	got := view.Sets
	if err != nil || len(got) != 1 || len(got[0].Tools) != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	row := got[0].Tools[0]
	if got[0].Calls != "9007199254740993" || row.Calls != got[0].Calls || row.FailedAt != "2026-07-25T11:00:00Z" || row.FailedWords != "Timed out" {
		t.Errorf("got %+v", row)
	}
	want := Standing{
		Answer: "ask", Short: "Asks", Words: "It asks you, and you can allow it for the session.",
		Why: []Why{{Layer: "preset", Verdict: "ask", Text: "Default asks.", Setting: "presets"}},
	}
	if d := cmp.Diff(want, row.Standing); d != "" {
		t.Error(d)
	}
	if row.Declared != "By preset" || row.ModelBytes != "51200" || row.ModelLines != "2000" || len(row.Fields) != 3 || !strings.HasPrefix(row.Schema, "{\n  \"type\": \"object\"") {
		t.Errorf("got %+v", row)
	}
}

func TestAToolThatIsNotOfferedSaysWhichSettingWouldOfferIt(t *testing.T) {
	for _, c := range []struct {
		standing        registry.Standing
		answer, setting string
	}{
		{registry.Standing{InCatalog: true, Foreseen: policy.ForeseenAllow}, "off", "toolSets"},
		{registry.Standing{SetOn: true, Foreseen: policy.ForeseenAllow}, "catalog", "catalog"},
		{registry.Standing{Foreseen: policy.ForeseenAllow}, "off", "toolSets"},
	} {
		spec := writeSpec()
		got := standingOf(&spec, c.standing)
		if got.Answer != c.answer || got.Words == "" || len(got.Why) != 1 || got.Why[0].Setting != c.setting {
			t.Errorf("got %+v", got)
		}
	}
	for _, f := range []policy.Foreseen{
		policy.ForeseenAllow, policy.ForeseenAsk, policy.ForeseenOnce, policy.ForeseenInsist, policy.ForeseenRestrict,
		policy.ForeseenReview, policy.ForeseenReviewOnce, policy.ForeseenDeny, "unheard of",
	} {
		if short, words := foreseenWords(f); short == "" || !strings.HasSuffix(words, ".") || (short == "Unknown") != (f == "unheard of") {
			t.Errorf("%s: %q, %q", f, short, words)
		}
	}
}

func TestSettingsAreToldWithTheirDefaultsAndTheirFile(t *testing.T) {
	settings := config.Defaults()
	settings.Rules.Sets = []string{"coding", "planning", "nosuch"}
	settings.Rules.AllowedDomains = []string{"api.example.com"}
	f := &fakeEngine{
		specs: []tool.Spec{writeSpec()}, settings: settings, sessions: []session.Session{writeSession()},
		file: config.State{
			Path: "/h/config.json", Given: []string{"toolSets", "zoom"}, Unknown: []string{"zoom", strings.Repeat("k", 5000)},
			Differs: []string{"preset"}, Fault: &config.Fault{Key: "preset", Words: "the value of \"preset\" must be one"},
		},
	}
	got, err := newAPI(t, f).Settings()
	if err != nil {
		t.Fatal(err)
	}
	if got.File != "/h/config.json" || got.Fault != "the value of \"preset\" must be one" || len(got.Unknown[1]) > 600 {
		t.Errorf("got %+v", got)
	}
	if d := cmp.Diff([]string{"nosuch"}, got.UnknownSets); d != "" {
		t.Error(d)
	}
	rows := map[string]SettingRow{}
	for _, row := range got.Fields {
		rows[row.Key] = row
	}
	if len(rows) != len(config.Fields()) || rows["allowedDomains"].Value != `["api.example.com"]` || rows["allowedDomains"].Given || !rows["toolSets"].Given ||
		rows["preset"].Value != `"default"` || rows["preset"].Default != "default" || rows["preset"].Range == "" {
		t.Errorf("got %+v", rows)
	}
	if len(got.Presets) != 5 || len(got.Kinds) != len(policy.Kinds()) || len(got.Presets[0].Answers) != len(got.Kinds) || got.Presets[0].Answers[0] != "ask" {
		t.Errorf("got %+v", got.Presets)
	}
}

func TestASetIsSwitchedByItsName(t *testing.T) {
	for _, c := range []struct {
		change SetChange
		ok     bool
	}{
		{SetChange{"builtin", "coding", false}, true}, {SetChange{"builtin", "coding", true}, true},
		{SetChange{"builtin", "nosuch", true}, false}, {SetChange{"builtin", "nosuch", false}, false}, {SetChange{"builtin", "", true}, false},
		{SetChange{"builtin", "left over", false}, true}, {SetChange{"builtin", "left over", true}, false},
	} {
		f := &fakeEngine{specs: []tool.Spec{writeSpec()}, on: []string{"coding", "left over"}}
		_, err := newAPI(t, f).SwitchSet(c.change)
		if (err == nil) != c.ok || (f.patched != nil) != c.ok {
			t.Errorf("%+v: %v", c.change, err)
		}
		if c.ok && *f.patched.Switch != (config.SetSwitch{Set: c.change.Set, On: c.change.On}) {
			t.Errorf("%+v: %+v", c.change, f.patched)
		}
	}
}

func TestASettingThatWasNotTakenSaysWhyAndWhatWasKept(t *testing.T) {
	value := &config.Fault{Key: "maxHoldSeconds", Words: "the value of \"maxHoldSeconds\" must be 0 to 86400"}
	for _, c := range []struct {
		err               error
		code, said, field string
	}{
		{value, CodeInvalid, "must be 0 to 86400", "maxHoldSeconds"},
		{fmt.Errorf("%w: %w", config.ErrBroken, value), CodeSettingsBroken, "changed by hand", ""},
		{fmt.Errorf("%w: secret path", config.ErrUnwritten), CodeSettingsUnwritten, "could not be written", ""},
		{context.DeadlineExceeded, CodeUnavailable, "too long", ""},
	} {
		_, err := newAPI(t, &fakeEngine{err: c.err}).SetSetting(SettingChange{"maxHoldSeconds", "x"})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != c.code || !strings.Contains(e.Message, c.said) || !strings.Contains(e.Message, "Nothing was changed") || strings.Contains(e.Message, "secret") {
			t.Errorf("%v: %+v", c.err, e)
			continue
		}
		if c.field != "" && e.Fields[c.field] == "" {
			t.Errorf("%v: %+v", c.err, e)
		}
	}
	f := &fakeEngine{}
	a := newAPI(t, f)
	for field, bad := range map[string]SettingChange{"key": {"", "1"}, "value": {"theme", strings.Repeat("x", maxSetting+1)}} {
		_, err := a.SetSetting(bad)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fields[field] == "" || f.patched != nil {
			t.Errorf("%s: %+v", field, e)
		}
	}
	if _, err := a.SetSetting(SettingChange{"theme", `"dark"`}); err != nil || f.patched.Values["theme"] != `"dark"` {
		t.Errorf("got %+v, %v", f.patched, err)
	}
}

func TestAChangeTellsWhatItDidToTheCallsThatWaited(t *testing.T) {
	for _, c := range []struct {
		judged approval.Judged
		words  string
	}{
		{approval.Judged{}, ""},
		{approval.Judged{Waiting: 4}, ""},
		{approval.Judged{Allowed: 1}, "1 waiting call was let through."},
		{approval.Judged{Denied: 2}, "2 waiting calls were denied."},
		{approval.Judged{Allowed: 2, Denied: 1}, "2 waiting calls were let through and 1 was denied."},
		{approval.Judged{Allowed: 1, Denied: 3, Waiting: 1}, "1 waiting call was let through, 3 were denied and 1 still waits."},
		{approval.Judged{Denied: 1, Waiting: 9}, "1 waiting call was denied and 9 still wait."},
	} {
		a := newAPI(t, &fakeEngine{judged: c.judged, specs: []tool.Spec{writeSpec()}})
		want := Effect{Allowed: c.judged.Allowed, Denied: c.judged.Denied, Words: c.words}
		for name, change := range map[string]func() (Effect, error){
			"SetRules":   func() (Effect, error) { return a.SetRules(RulesPatch{Preset: "edit"}) },
			"SetSetting": func() (Effect, error) { return a.SetSetting(SettingChange{"theme", `"dark"`}) },
			"SwitchSet":  func() (Effect, error) { return a.SwitchSet(SetChange{"builtin", "coding", false}) },
		} {
			if got, err := change(); err != nil || got != want {
				t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
			}
		}
	}
}
