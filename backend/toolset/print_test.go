package toolset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// Everything of which a set is made makes another fingerprint, and nothing else does.
func TestTheFingerprintNamesManifestAndPrograms(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, "tools", "x")
	file := filepath.Join(dir, manifest.FileName)
	const text = `{"runner":"exec","tools":[
		{"name":"a","description":"d","schema":{},"command":["./run"]},
		{"name":"b","description":"d","schema":{},"command":["found"]},
		{"name":"c","description":"d","schema":{},"command":["./run","again"]},
		{"name":"d","description":"d","schema":{},"command":["nowhere"]}]}`
	program := func(path, content string) {
		put(t, path, []byte(content))
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	reset := func() {
		put(t, file, []byte(text))
		program(filepath.Join(dir, "run"), "one")
		program(filepath.Join(bin, "found"), "two")
		_ = os.Remove(filepath.Join(dir, "found"))
	}
	reset()
	e, err := toolset.Find(toolset.Places{Home: home}.Trees(), "", "x", false)
	if err != nil {
		t.Fatal(err)
	}
	print := func() toolset.Print {
		p, err := toolset.PrintOf(t.Context(), e, bin)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := print()
	want := []toolset.Program{
		{Name: "./run", Path: filepath.Join(dir, "run"), SHA256: "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"},
		{Name: "found", Path: filepath.Join(bin, "found"), SHA256: "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"},
		{Name: "nowhere"},
	}
	if diff := cmp.Diff(want, first.Programs); diff != "" || string(first.Manifest) != text {
		t.Error(diff)
	}
	seen := []string{first.Fingerprint()}
	for _, row := range []struct {
		name   string
		change func()
	}{
		{"a space in the manifest", func() { put(t, file, []byte(text+" ")) }},
		{"another program", func() { program(filepath.Join(dir, "run"), "three") }},
		{"another on the search path", func() { program(filepath.Join(bin, "found"), "three") }},
		{"one in the directory instead", func() { program(filepath.Join(dir, "found"), "two") }},
		{"none", func() { _ = os.Remove(filepath.Join(dir, "run")) }},
		{"one that may not be executed", func() { _ = os.Chmod(filepath.Join(dir, "run"), 0o644) }},
	} {
		row.change()
		if got := print().Fingerprint(); slices.Contains(seen, got) && row.name != "one that may not be executed" {
			t.Errorf("%s: the fingerprint is one of before", row.name)
		} else {
			seen = append(seen, got)
		}
		reset()
		if print().Fingerprint() != seen[0] {
			t.Errorf("after %s is undone the fingerprint is another", row.name)
		}
	}
	put(t, filepath.Join(dir, "other"), []byte("x"))
	if print().Fingerprint() != seen[0] {
		t.Error("a file that is no program makes another fingerprint")
	}
	put(t, file, []byte(`{"runner":`))
	if _, err := toolset.PrintOf(t.Context(), e, bin); err == nil {
		t.Error("a broken manifest has a fingerprint")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	reset()
	if _, err := toolset.PrintOf(ended, e, bin); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled look: %v", err)
	}
}

func TestTheAssemblyOfADotnetSetIsItsProgram(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "tools", "x")
	put(t, filepath.Join(dir, manifest.FileName), []byte(`{"runner":"dotnet","assembly":"A.dll"}`))
	put(t, filepath.Join(dir, "A.dll"), []byte("one"))
	e, err := toolset.Find(toolset.Places{Home: home}.Trees(), "", "x", false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := toolset.PrintOf(t.Context(), e, "")
	if err != nil || len(p.Programs) != 1 || p.Programs[0].Path != filepath.Join(dir, "A.dll") || p.Programs[0].SHA256 == "" {
		t.Errorf("%+v, %v", p.Programs, err)
	}
	// What it may load belongs to it, what it may read does not.
	seen := []string{p.Fingerprint()}
	for name, counts := range map[string]bool{
		"B.dll": true, "A.deps.json": true, filepath.Join("runtimes", "linux-x64", "native", "libb.so.1"): true, "C.DLL": true,
		"A.pdb": false, "read.me": false, filepath.Join("data", "a.json"): false,
	} {
		put(t, filepath.Join(dir, name), []byte("one"))
		next, err := toolset.PrintOf(t.Context(), e, "")
		if err != nil || slices.Contains(seen, next.Fingerprint()) == counts {
			t.Errorf("%s: %+v, %v", name, next.Programs, err)
		}
		seen = append(seen, next.Fingerprint())
	}
	for i := range 1000 {
		put(t, filepath.Join(dir, "many", strconv.Itoa(i)+".dll"), nil)
	}
	if p, err := toolset.PrintOf(t.Context(), e, ""); err == nil {
		t.Errorf("%d programs", len(p.Programs))
	}
}

// How the trees look tells of sets that come, go and change, and of a project only where it is
// trusted.
func TestALookSeesWhatAScanMayFind(t *testing.T) {
	home, workspace := t.TempDir(), t.TempDir()
	trees := toolset.Places{Home: home, Workspace: workspace}.Trees()
	last := toolset.Look(trees, true)
	for name, change := range map[string]func(){
		"a set":            func() { put(t, filepath.Join(home, "tools/x", manifest.FileName), []byte(plainSet)) },
		"one of a project": func() { put(t, filepath.Join(workspace, ".countersign/tools/y", manifest.FileName), []byte(plainSet)) },
	} {
		change()
		now := toolset.Look(trees, true)
		if now == last || now != toolset.Look(trees, true) {
			t.Errorf("%s is not seen, or seen anew each time", name)
		}
		last = now
	}
	locked := toolset.Look(trees, false)
	put(t, filepath.Join(workspace, ".countersign/tools/z", manifest.FileName), []byte(plainSet))
	if toolset.Look(trees, false) != locked {
		t.Error("a project that is not trusted is looked at")
	}
}
