package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// alone is a folder that holds the program under test and nothing else.
func alone(t *testing.T) (folder, program string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	program = filepath.Join(folder, "countersign")
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, b, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder, program
}

func start(t *testing.T, program string, args ...string) run {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = append(os.Environ(), childVariable+"=0")
	return finish(t, c)
}

func TestWithoutACommandItBecomesTheWindow(t *testing.T) {
	folder, program := alone(t)
	script := "#!/bin/sh\nprintf '%s|' \"$0\" \"$@\"\nexit 7\n"
	if err := os.WriteFile(filepath.Join(folder, windowName), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	got := start(t, program, "--workspace", "a folder", "--home", "-odd")
	if want := filepath.Join(folder, windowName) + "|--home=-odd|--workspace=a folder|"; got.code != 7 || got.stdout != want || got.stderr != "" {
		t.Errorf("got %+v, want %s", got, want)
	}
	if got := start(t, program); got.code != 7 || got.stdout != filepath.Join(folder, windowName)+"|" {
		t.Errorf("without flags: %+v", got)
	}
}

func TestWithoutAWindowItSaysHowToGoOn(t *testing.T) {
	folder, program := alone(t)
	for _, c := range []struct {
		name string
		mode os.FileMode
	}{{"missing", 0}, {"no program", 0o600}} {
		if c.mode != 0 {
			if err := os.WriteFile(filepath.Join(folder, windowName), []byte("text"), c.mode); err != nil {
				t.Fatal(err)
			}
		}
		got := start(t, program)
		if got.code != exitUsage || got.stdout != "" || !strings.HasSuffix(got.stderr, "with: countersign serve\n") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestDoctorKnowsTheWindow(t *testing.T) {
	folder, program := alone(t)
	home := t.TempDir()
	look := func() string {
		t.Helper()
		for line := range strings.Lines(start(t, program, "doctor", "--home", home, "--workspace", home).stdout) {
			if strings.Contains(line, " window ") {
				return line
			}
		}
		return ""
	}
	t.Setenv("DISPLAY", ":0")
	if got := look(); !strings.Contains(got, "does not lie beside") {
		t.Errorf("without one: %q", got)
	}
	path := filepath.Join(folder, windowName)
	if err := os.WriteFile(path, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := look(); !strings.Contains(got, path) || !strings.HasPrefix(got, "ok") {
		t.Errorf("with one: %q", got)
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if got := look(); !strings.Contains(got, "no screen") {
		t.Errorf("without a screen: %q", got)
	}
}
