package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHooksAreReadInTheirOrder(t *testing.T) {
	p := home(t, `{"hooks":{"beforeCall":[{"name":"guard","run":["/opt/guard","--strict",""]},{"run":["hooks/second"]}],"afterResult":[{"run":["/opt/../opt/x"]}]}}`)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Settings().Hooks
	want := Hooks{
		BeforeCall:  []Hook{{"guard", []string{"/opt/guard", "--strict", ""}}, {"second", []string{"hooks/second"}}},
		AfterResult: []Hook{{"x", []string{"/opt/../opt/x"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	programs := []string{p.Program(got.BeforeCall[0]), p.Program(got.BeforeCall[1]), p.Program(got.AfterResult[0])}
	if d := cmp.Diff([]string{"/opt/guard", filepath.Join(p.Home, "hooks/second"), "/opt/x"}, programs); d != "" {
		t.Error(d)
	}
}

func TestAHookThatIsHalfUnderstoodRefusesTheStart(t *testing.T) {
	for _, text := range []string{
		`[]`, `{"beforeCall":{}}`, `{"beforecall":[]}`, `{"beforeCall":[{}]}`, `{"beforeCall":[{"run":[]}]}`, `{"beforeCall":[{"run":"/x"}]}`,
		`{"beforeCall":[{"run":["../x"]}]}`, `{"beforeCall":[{"run":["a/../../x"]}]}`, `{"beforeCall":[{"run":[""]}]}`, `{"beforeCall":[{"run":["/x",1]}]}`,
		`{"beforeCall":[{"run":["/x"],"name":""}]}`, `{"beforeCall":[{"run":["/x"],"when":"always"}]}`, `{"beforeCall":[{"run":["/x\u0000"]}]}`,
		`{"beforeCall":[` + strings.Repeat(`{"run":["/x"]},`, maxHooks) + `{"run":["/x"]}]}`, `{"beforeCall":null}`,
	} {
		if _, err := Load(home(t, `{"hooks":`+text+`}`)); err == nil || !strings.Contains(err.Error(), "hooks") {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// What may run programs is not for a page to change.
func TestHooksAreChangedByHandAlone(t *testing.T) {
	const file = `{"hooks":{"beforeCall":[{"name":"x","run":["/x"]}]}}`
	p := home(t, file)
	f, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{`{}`, ``, `{"beforeCall":[{"run":["/y"]}]}`} {
		_, err := f.Change(Patch{Values: map[string]string{"hooks": value}})
		if fault, ok := errors.AsType[*Fault](err); !ok || fault.Key != "hooks" {
			t.Errorf("%q: %v", value, err)
		}
	}
	if b, err := os.ReadFile(p.File()); err != nil || string(b) != file {
		t.Errorf("the file holds %s, %v", b, err)
	}
	if _, err := f.Change(Patch{Theme: ThemeDark}); err != nil || len(f.Settings().Hooks.BeforeCall) != 1 {
		t.Errorf("another change lost them: %v", err)
	}
}
