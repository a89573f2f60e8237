package workspace_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == childFlag {
		os.Exit(child(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

var noon = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)

type still struct{}

func (still) Now() time.Time { return noon }

// place is a workspace w beside another folder, both below a real path.
type place struct {
	*workspace.Workspace
	top string
}

func setup(t *testing.T) place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mkdir(t, top, "w", "outside", "home/output/s-1")
	w, err := workspace.Open(filepath.Join(top, "w"), workspace.Options{
		Home: filepath.Join(top, "home"), OutputDir: filepath.Join(top, "home", "output"), Clock: still{},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return place{w, top}
}

func (p place) at(rel string) string { return filepath.Join(p.top, rel) }

func (p place) resolve(t *testing.T, arg string) tool.Path {
	t.Helper()
	path, err := p.Resolve(arg)
	if err != nil {
		t.Fatalf("resolve %q: %v", arg, err)
	}
	return path
}

func (p place) read(t *testing.T, path tool.Path) (string, error) {
	t.Helper()
	f, _, err := p.Open(t.Context(), path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return string(b), err
}

func mkdir(t *testing.T, top string, dirs ...string) {
	t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(filepath.Join(top, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// snapshot lists what is below dir, with modes, link targets and content, so that
// "nothing changed" can be said of the whole.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		b.WriteString(info.Mode().String() + " " + rel)
		switch {
		case info.Mode().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(text))
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			b.WriteString(" -> " + to)
		}
		b.WriteString("\n")
		return nil
	}))
	return b.String()
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// code is the code of an error, or what it is instead.
func code(err error) tool.Code {
	var e *tool.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return tool.Code(err.Error())
}
