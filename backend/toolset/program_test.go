package toolset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// script puts a file that may be executed at a path.
func script(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// spec: CX-11, CX-12, CX-13
func TestAProgramIsFound(t *testing.T) {
	root := t.TempDir()
	set, bin, other := filepath.Join(root, "set"), filepath.Join(root, "bin"), filepath.Join(root, "other")
	own := script(t, filepath.Join(set, "own"), 0o755)
	both := script(t, filepath.Join(set, "both"), 0o755)
	deep := script(t, filepath.Join(set, "bin", "deep"), 0o755)
	script(t, filepath.Join(set, "plain"), 0o644)
	script(t, filepath.Join(bin, "both"), 0o755)
	onPath := script(t, filepath.Join(bin, "path"), 0o755)
	shadow := script(t, filepath.Join(other, "path"), 0o755)
	script(t, filepath.Join(bin, "noexec"), 0o644)
	later := script(t, filepath.Join(other, "noexec"), 0o755)
	for _, dir := range []string{"both2", "sub"} {
		if err := os.Mkdir(filepath.Join(set, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	both2 := script(t, filepath.Join(bin, "both2"), 0o755)
	for link, to := range map[string]string{"out": other, "within": "bin", "file": shadow} {
		if err := os.Symlink(to, filepath.Join(set, link)); err != nil {
			t.Fatal(err)
		}
	}
	// The working directory offers nothing, however the search path is written.
	t.Chdir(other)
	script(t, filepath.Join(other, "here"), 0o755)
	search := ":.:" + bin + "::relative:" + other
	rows := []struct {
		name, want string
		err        error
	}{
		{"own", own, nil}, {"both", both, nil}, {"both2", both2, nil}, {"path", onPath, nil}, {"noexec", later, nil},
		{"./own", own, nil}, {"bin/deep", deep, nil}, {"within/deep", deep, nil}, {"bin/../own", own, nil}, {onPath, onPath, nil},
		{"here", filepath.Join(other, "here"), nil},
		{"plain", "", ErrNotRunnable}, {"sub", "", ErrNotFound}, {"missing", "", ErrNotFound}, {"./missing", "", ErrNotFound}, {"./sub", "", ErrNotRunnable},
		{filepath.Join(bin, "missing"), "", ErrNotFound}, {bin, "", ErrNotRunnable},
		{"../other/path", "", ErrOutside}, {"bin/../../other/path", "", ErrOutside}, {"out/path", "", ErrOutside}, {"./file", "", ErrOutside},
	}
	for _, row := range rows {
		got, err := program(set, row.name, search)
		if got != row.want || !errors.Is(err, row.err) {
			t.Errorf("%q: %q, %v; want %q, %v", row.name, got, err, row.want, row.err)
		}
	}
	if got, err := program(set, "here", ":.:"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the working directory offered %q", got)
	}
}
