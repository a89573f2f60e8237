package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAHomeThatIsNoFolderIsSaid(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(b.workspace, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{file, filepath.Join(file, "deeper")} {
		other := &bench{home: home, workspace: b.workspace}
		for _, args := range [][]string{{"call", "math.calculate", `{"expression":"1"}`}, {"sessions", "list"}} {
			got := other.run(t, nil, args...)
			if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "not a folder") {
				t.Errorf("%v: %+v", args, got)
			}
			plain(t, "home", got)
		}
		if got := other.run(t, nil, "doctor"); got.code != exitUsage || !strings.Contains(got.stdout, "not a folder") {
			t.Errorf("%+v", got)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file was touched: %q, %v", text, err)
	}
}

func TestAWorkspaceThatMayNotBeReadIsSaid(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("this test needs another user to be, so it runs as root")
	}
	b := newBench(t)
	if err := os.Mkdir(b.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(b.home, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Dir(b.home), filepath.Dir(b.workspace), filepath.Dir(filepath.Dir(b.home))} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(b.workspace, 0o711); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	copyProgram(t, program)
	for said, args := range map[string][]string{
		"not a folder that can be opened": {"call", "math.calculate", `{"expression":"1"}`},
		"may not be read":                 {"doctor"},
	} {
		c := b.command(t.Context(), t, 0, args...)
		c.Path = program
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		got := finish(t, c)
		if got.code != exitUsage || !strings.Contains(got.stdout+got.stderr, said) || strings.Contains(got.stderr, "tool.") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
