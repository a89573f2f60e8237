package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

func home(t *testing.T, content string) Paths {
	t.Helper()
	p := Paths{Home: t.TempDir()}
	if content != "" {
		if err := os.WriteFile(p.File(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestMissingFileMeansTheDefaults(t *testing.T) {
	f, err := Load(home(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Defaults(), f.Settings()); diff != "" {
		t.Error(diff)
	}
}

func TestEverySettingIsRead(t *testing.T) {
	f, err := Load(home(t, `{"preset":"edit","catalog":"plan","profile":"strict","readOnly":true,"toolSets":["exact"],
		"allowedDomains":["example.com"],"theme":"dark","notifications":"off","maxHoldSeconds":90,"unusedGrantDays":7,
		"externalTools":false,"externalToolApproval":{"project":"author","home":"host"},"crystalTools":false,
		"resultNotes":[{"glob":"**/*.go","mustStartWith":"//","note":"Add the header."}],"later":1}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Settings{
		Rules: session.Rules{
			Preset: "edit", Catalog: "plan", Profile: "strict", ReadOnly: true, Sets: []string{"exact"},
			AllowedDomains: []string{"example.com"}, Authors: session.Authors{Project: true},
		},
		Theme: ThemeDark, Notifications: NotificationsOff, MaxHold: 90 * time.Second, UnusedGrants: 7 * day,
		Notes: []tool.ResultNote{{Glob: "**/*.go", MustStartWith: "//", Note: "Add the header."}},
	}
	if diff := cmp.Diff(want, f.Settings()); diff != "" {
		t.Error(diff)
	}
}

func TestValueOutOfRangeRefusesTheStartAndNamesTheKey(t *testing.T) {
	for _, content := range []string{
		`{"preset":"auto"}`, `{"preset":null}`, `{"preset":1}`, `{"catalog":"all"}`, `{"readOnly":"yes"}`, `{"toolSets":"exact"}`,
		`{"toolSets":[""]}`, `{"theme":"blue"}`, `{"notifications":true}`, `{"notifications":"loud"}`, `{"maxHoldSeconds":-1}`, `{"maxHoldSeconds":86401}`, `{"unusedGrantDays":-1}`, `{"unusedGrantDays":3651}`, `{"unusedGrantDays":"7"}`, `{"profile":""}`,
		`{"resultNotes":[{"glob":"[","mustStartWith":"a","note":"b"}]}`, `{"allowedDomains":null}`,
	} {
		_, err := Load(home(t, content))
		if err == nil {
			t.Errorf("%s was accepted", content)
			continue
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal([]byte(content), &keys) == nil {
			for key := range keys {
				if !strings.Contains(err.Error(), key) {
					t.Errorf("%s: %v does not name the key", content, err)
				}
			}
		}
	}
	for _, content := range []string{`{`, `[]`, `{"preset":"edit","preset":"full"}`} {
		if _, err := Load(home(t, content)); err == nil {
			t.Errorf("%s was accepted", content)
		}
	}
}

func TestAMisspeltKeyRefusesTheStartAndNamesTheRightOne(t *testing.T) {
	for key, want := range map[string]string{
		"readonly": "readOnly", "READONLY": "readOnly", "read_only": "readOnly", "read-only": "readOnly", "read only": "readOnly",
		"readOnlly": "readOnly", "reedOnly": "readOnly", "radOnly": "readOnly", "raedOnly": "readOnly", "Preset": "preset", "presets": "preset",
		"pre\u017fet": "preset", "toolset": "toolSets", "maxHoldSecond": "maxHoldSeconds", "allowed_domains": "allowedDomains", "themes": "theme",
	} {
		content, err := json.Marshal(map[string]any{key: true, "later": 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(home(t, string(content))); err == nil || !strings.Contains(err.Error(), `"`+key+`"`) || !strings.Contains(err.Error(), `"`+want+`"`) {
			t.Errorf("%s: %v", key, err)
		}
	}
	// The right key beside it does not make the wrong one right.
	p := home(t, `{"readOnly":false}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.File(), []byte(`{"readOnly":false,"readonly":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(p); err == nil {
		t.Error("two spellings were accepted")
	}
	if _, err := f.Change(Patch{Theme: ThemeDark}); err == nil {
		t.Error("a change went over a misspelt key")
	}
}

func TestOtherUnknownKeysAreAllowedAndTold(t *testing.T) {
	f, err := Load(home(t, `{"zoom":1,"preset":"edit","":0,"readOnlyFolders":[],"model":"x","set":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"", "model", "readOnlyFolders", "set", "zoom"}, f.Unknown()); d != "" {
		t.Error(d)
	}
}

func TestChangeKeepsUnknownKeysAndTakesEffectOnceWritten(t *testing.T) {
	p := home(t, `{"later":{"a":1.50},"preset":"edit"}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	lock := true
	if _, err := f.Change(Patch{Preset: session.PresetFull, ReadOnly: &lock}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(p.File())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), `1.50`) || !strings.Contains(string(b), `"full"`) {
		t.Errorf("the file lost something:\n%s", b)
	}
	again, err := Load(p)
	if err != nil || !again.Settings().Rules.ReadOnly || f.Settings().Rules.Preset != session.PresetFull {
		t.Errorf("got %+v, %v", again, err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.Home, ".config-*")); len(left) > 0 {
		t.Errorf("temporary files were left: %v", left)
	}
	if _, err := f.Change(Patch{Preset: "auto"}); err == nil || f.Settings().Rules.Preset != session.PresetFull {
		t.Errorf("a bad value changed the settings: %v", err)
	}
}

func TestHomeIsClosedToOthers(t *testing.T) {
	p := Paths{Home: filepath.Join(t.TempDir(), "home")}
	if err := os.Mkdir(p.Home, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p.Home)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
}

func TestLocateTakesFlagThenVariableThenHome(t *testing.T) {
	user := real(t.TempDir())
	t.Setenv("HOME", user)
	t.Setenv(HomeVariable, "")
	p, err := Locate("")
	if err != nil || p.Home != filepath.Join(user, ".countersign") || p.UserHome != user {
		t.Errorf("got %+v, %v", p, err)
	}
	t.Setenv(HomeVariable, filepath.Join(user, "other"))
	if p, err = Locate(""); err != nil || p.Home != filepath.Join(user, "other") {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err = Locate(filepath.Join(user, "flag")); err != nil || p.Home != filepath.Join(user, "flag") {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestTheUsualHomeIsThatOfNoFlagAndNoVariable(t *testing.T) {
	user := real(t.TempDir())
	for home, want := range map[string]bool{".countersign": true, "other": false} {
		if got := (Paths{Home: filepath.Join(user, home), UserHome: user}).Usual(); got != want {
			t.Errorf("%s: %v", home, got)
		}
	}
	if (Paths{Home: "/.countersign"}).Usual() {
		t.Error("without a home of the person there is no usual one")
	}
	if err := os.Symlink("kept", filepath.Join(user, ".countersign")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(user, "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !(Paths{Home: filepath.Join(user, "kept"), UserHome: user}).Usual() {
		t.Error("a link at the usual place is not followed")
	}
}
