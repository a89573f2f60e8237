package config

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// written loads a home, changes it and returns the settings as the next start reads them.
func written(t *testing.T, content string, patches ...Patch) (Settings, string) {
	t.Helper()
	p := home(t, content)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, patch := range patches {
		now, err := f.Change(patch)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(now, f.Settings()); d != "" {
			t.Error(d)
		}
	}
	again, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f.Settings(), again.Settings()); d != "" {
		t.Errorf("in force and in the file (-in force +file)\n%s", d)
	}
	b, err := os.ReadFile(p.File())
	if err != nil {
		t.Fatal(err)
	}
	return again.Settings(), string(b)
}

func TestEverySettingCanBeWrittenAsItIsRead(t *testing.T) {
	full := Settings{
		Rules: session.Rules{
			Preset: "audit", Catalog: "plan", Profile: "strict", ReadOnly: true, Sets: []string{"exact", "web"},
			AllowedDomains: []string{"api.example.com", "::1"}, Authors: session.Authors{Project: true},
		},
		Theme: ThemeLight, Notifications: NotificationsSound, MaxHold: 90 * time.Second,
		Notes: []tool.ResultNote{{Glob: "**/*.go", MustStartWith: "//", Note: "Add the header."}},
	}
	values := map[string]string{}
	for _, f := range Fields() {
		if f.ByHand() {
			continue
		}
		values[f.Key] = f.Value(full)
		if f.Value(full) == f.Value(Defaults()) {
			t.Errorf("%s: the example is the default", f.Key)
		}
	}
	got, _ := written(t, "", Patch{Values: values})
	if d := cmp.Diff(full, got); d != "" {
		t.Error(d)
	}
	for key := range values {
		values[key] = ""
	}
	got, text := written(t, `{"preset":"edit","later":1.50}`, Patch{Values: values})
	if d := cmp.Diff(Defaults(), got); d != "" || text != "{\n  \"later\": 1.50\n}\n" {
		t.Errorf("back to the defaults:\n%s%s", text, d)
	}
}

func TestASwitchTurnsOneSetAndLeavesTheOthers(t *testing.T) {
	got, _ := written(t, "", Patch{Switch: &SetSwitch{"exact", false}})
	if d := cmp.Diff([]string{"coding", "planning", "git", "desktop"}, got.Rules.Sets); d != "" {
		t.Error(d)
	}
	got, _ = written(t, `{"toolSets":["mine"]}`, Patch{Switch: &SetSwitch{"demo", true}}, Patch{Switch: &SetSwitch{"demo", true}})
	if d := cmp.Diff([]string{"mine", "demo"}, got.Rules.Sets); d != "" {
		t.Error(d)
	}
	got, _ = written(t, `{"toolSets":["demo"]}`, Patch{Switch: &SetSwitch{"demo", false}})
	if got.Rules.Sets == nil || len(got.Rules.Sets) != 0 {
		t.Errorf("no set on must not mean the default ones: %#v", got.Rules.Sets)
	}
}

func TestAValueThatIsNoneIsRefusedByItsKeyAndChangesNothing(t *testing.T) {
	for key, bad := range map[string][]string{
		"allowedDomains": {
			`["https://example.com"]`, `["example.com:443"]`, `["*.example.com"]`, `["a b"]`, `[""]`, `[".com"]`, `["a..b"]`, `["-a"]`,
			`["exämple.com"]`, `["a/b"]`, `["user@host"]`, `"example.com"`, `null`, `["` + strings.Repeat("a", 254) + `"]`,
		},
		"maxHoldSeconds":  {`-1`, `86401`, `1.5`, `"9"`, `1e3`},
		"unusedGrantDays": {`-1`, `3651`, `0.5`, `"9"`, `null`},
		"resultNotes":     {`[{"glob":"a","glob":"b","mustStartWith":"c","note":"d"}]`, `[1]`},
		"toolSets":        {`{`, `nope`, `[`},
		"profile":         {`"loose"`},
		"noSuchSetting":   {`1`},
	} {
		for _, text := range bad {
			p := home(t, `{"theme":"dark"}`)
			f, err := Load(p)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.Change(Patch{Values: map[string]string{key: text}})
			fault, ok := errors.AsType[*Fault](err)
			if !ok || fault.Key != key || errors.Is(err, ErrBroken) {
				t.Errorf("%s %s: %v", key, text, err)
			}
			if b, _ := os.ReadFile(p.File()); string(b) != `{"theme":"dark"}` || f.Settings().Theme != ThemeDark {
				t.Errorf("%s %s: the file holds %s", key, text, b)
			}
		}
	}
	written(t, "", Patch{Values: map[string]string{"allowedDomains": `["localhost","a_b.example.COM.","10.0.0.1","fe80::1","xn--e1afmkfd.example"]`}})
}

func TestAFileBrokenByHandIsToldAndNotWrittenOver(t *testing.T) {
	for content, key := range map[string]string{
		`{"preset":`: "", `[]`: "", `{"preset":"auto"}`: "preset", `{"readonly":true}`: "readonly", `{"a":1,"a":2}`: "",
	} {
		p := home(t, `{"preset":"edit"}`)
		f, err := Load(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p.File(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		state := f.Look()
		if state.Fault == nil || state.Fault.Key != key || state.Fault.Words == "" {
			t.Errorf("%s: %+v", content, state.Fault)
		}
		if _, err := f.Change(Patch{Theme: ThemeDark}); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", content, err)
		}
		if b, _ := os.ReadFile(p.File()); string(b) != content || f.Settings().Rules.Preset != session.PresetEdit {
			t.Errorf("%s: the file holds %s", content, b)
		}
	}
}

func TestLookTellsTheFileFromWhatIsInForce(t *testing.T) {
	p := home(t, `{"preset":"edit"}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(State{Path: p.File(), Given: []string{"preset"}, Unknown: []string{}}, f.Look()); d != "" {
		t.Error(d)
	}
	if err := os.WriteFile(p.File(), []byte(`{"preset":"full","zoom":2,"theme":"system"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want := State{Path: p.File(), Given: []string{"preset", "theme", "zoom"}, Unknown: []string{"zoom"}, Differs: []string{"preset"}}
	if d := cmp.Diff(want, f.Look()); d != "" {
		t.Error(d)
	}
	if f.Settings().Rules.Preset != session.PresetEdit {
		t.Error("looking changed what is in force")
	}
	if s, err := f.Change(Patch{Theme: ThemeDark}); err != nil || s.Rules.Preset != session.PresetFull || f.Look().Differs != nil {
		t.Errorf("a change takes what was written by hand: %+v, %v", s, err)
	}
}

func TestAFileThatCannotBeReplacedKeepsWhatIsInForce(t *testing.T) {
	p := home(t, `{"preset":"edit"}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	// The folder is gone, so no temporary file can stand beside the settings.
	if err := os.Rename(p.Home, p.Home+".moved"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Change(Patch{Preset: session.PresetFull}); !errors.Is(err, ErrUnwritten) || f.Settings().Rules.Preset != session.PresetEdit {
		t.Errorf("got %v and %s", err, f.Settings().Rules.Preset)
	}
}
