package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAWindowIsFoundAsItWasLeft(t *testing.T) {
	p := Paths{Home: t.TempDir()}
	want := Window{Width: 1280, Height: 800, X: -20, Y: 40, Placed: true, Maximised: true, View: "tools"}
	if err := SaveWindow(p, want); err != nil {
		t.Fatal(err)
	}
	if got := LoadWindow(p); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	info, err := os.Stat(p.windowFile())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(p.Home)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files in home, %v", len(left), err)
	}
}

func TestAWindowThatCannotBeIsNotBelieved(t *testing.T) {
	p := Paths{Home: t.TempDir()}
	for _, c := range []struct {
		name, text string
		want       Window
	}{
		{"nothing", "", Window{}},
		{"no JSON", "{", Window{}},
		{"a list", "[]", Window{}},
		{"a wrong type", `{"width":"wide"}`, Window{}},
		{"a duplicate", `{"width":900,"width":901,"height":700}`, Window{}},
		{"no text", "\xff\xfe", Window{}},
		{"too long", `{"view":"tools"}` + strings.Repeat(" ", maxWindowFile), Window{}},
		{"too wide", `{"width":99999,"height":700,"view":"tools"}`, Window{View: "tools"}},
		{"negative", `{"width":-1,"height":700,"maximised":true}`, Window{Maximised: true}},
		{"far away", `{"width":900,"height":700,"x":40000,"y":0,"placed":true}`, Window{Width: 900, Height: 700}},
		{"a place that is none", `{"width":900,"height":700,"x":40,"y":50}`, Window{Width: 900, Height: 700}},
		{"a view that is none", `{"view":"../../etc"}`, Window{}},
		{"a long view", `{"view":"` + strings.Repeat("a", 33) + `"}`, Window{}},
		{"a number too large", `{"width":1e999,"height":700}`, Window{}},
	} {
		if err := os.WriteFile(p.windowFile(), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := LoadWindow(p); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestAWindowFileThatIsNoFileIsNotOpened(t *testing.T) {
	p := Paths{Home: t.TempDir()}
	if got := LoadWindow(p); got != (Window{}) {
		t.Errorf("missing: %+v", got)
	}
	// Opening it would wait for somebody who writes.
	if err := syscall.Mkfifo(p.windowFile(), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := LoadWindow(p); got != (Window{}) {
		t.Errorf("a pipe: %+v", got)
	}
	if err := SaveWindow(Paths{Home: filepath.Join(p.Home, "none")}, Window{}); err == nil {
		t.Error("a home that is not there was written")
	}
}

func TestTheInspectorIsClosed(t *testing.T) {
	for _, name := range []string{"WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER", "WEBKIT_INSPECTOR_OF_TOMORROW"} {
		t.Setenv(name, "127.0.0.1:1")
	}
	t.Setenv("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
	CloseInspector()
	for _, entry := range Environment() {
		if strings.HasPrefix(entry, "WEBKIT_INSPECTOR") {
			t.Errorf("%s is left", entry)
		}
	}
	if os.Getenv("WEBKIT_DISABLE_COMPOSITING_MODE") != "1" {
		t.Error("a variable that opens nothing is gone")
	}
}

func TestADisplayIsOneOfTwo(t *testing.T) {
	for _, c := range []struct {
		x, wayland string
		want       bool
	}{{"", "", false}, {":0", "", true}, {"", "wayland-0", true}} {
		t.Setenv("DISPLAY", c.x)
		t.Setenv("WAYLAND_DISPLAY", c.wayland)
		if got := HasDisplay(); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}
