package toolset_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

const plainSet = `{"runner":"exec","description":"d","schema":{},"command":["tool"]}`

// TestEnableReplacesTheManifestInOneStep looks at what else could have happened to the file and
// its directory.
func TestEnableReplacesTheManifestInOneStep(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "tools", "x", manifest.FileName)
	put(t, path, []byte(plainSet))
	put(t, path+".new", []byte("left behind"))
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	trees := toolset.Places{Home: home}.Trees()
	e, err := toolset.Find(trees, "", "x", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		on, changed bool
		want        string
	}{{true, false, plainSet}, {false, true, `{"enabled": false, ` + plainSet[1:]}, {false, false, `{"enabled": false, ` + plainSet[1:]}, {true, true, `{"enabled": true, ` + plainSet[1:]}} {
		changed, err := toolset.Enable(e, c.on)
		got, _ := os.ReadFile(path)
		if err != nil || changed != c.changed || string(got) != c.want {
			t.Errorf("%v: %v, %v, %s", c.on, changed, err, got)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v", info.Mode())
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left beside it: %v", err)
	}
}

// A link in the home is followed and stays a link. One of a project that leaves the workspace is
// not written through.
func TestEnableFollowsLinksOnlyWhereTheyMayLead(t *testing.T) {
	home, workspace, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	kept := filepath.Join(elsewhere, "kept.json")
	put(t, kept, []byte(plainSet))
	for _, dir := range []string{filepath.Join(home, "tools/x"), filepath.Join(workspace, ".countersign/tools/y")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(kept, filepath.Join(dir, manifest.FileName)); err != nil {
			t.Fatal(err)
		}
	}
	inside := filepath.Join(workspace, "sets", "kept.json")
	put(t, inside, []byte(plainSet))
	put(t, filepath.Join(workspace, ".countersign/tools/z/run"), nil)
	if err := os.Symlink("../../../sets/kept.json", filepath.Join(workspace, ".countersign/tools/z", manifest.FileName)); err != nil {
		t.Fatal(err)
	}
	trees := toolset.Places{Home: home, Workspace: workspace}.Trees()
	for name, c := range map[string]struct {
		file string
		ok   bool
	}{"x": {kept, true}, "y": {kept, false}, "z": {inside, true}} {
		put(t, c.file, []byte(plainSet))
		e, err := toolset.Find(trees, "", name, true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = toolset.Enable(e, false)
		text, _ := os.ReadFile(c.file)
		if (err == nil) != c.ok || (string(text) != plainSet) != c.ok {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		if info, err := os.Lstat(filepath.Join(e.Path, manifest.FileName)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
}
