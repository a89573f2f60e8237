package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/tool"
)

// textEngine has one text.
type textEngine struct {
	bridge.Engine
	gone bool
}

func (textEngine) Reasons() map[tool.Code]tool.Reason { return nil }

func (e textEngine) CopyOutput(_ context.Context, sessionID, name string, f func(io.Reader, int64) error) error {
	if e.gone {
		return backend.ErrOutputGone
	}
	return f(strings.NewReader(sessionID+" "+name), 0)
}

func (e textEngine) OutputFolder(context.Context, string, string) (string, error) {
	if e.gone {
		return "", backend.ErrOutputGone
	}
	return "/home/output/s", nil
}

// askedSurface answers where to save, and keeps what it was asked.
type askedSurface struct {
	badSurface
	path  string
	asked []string
}

func (s *askedSurface) saveAs(name string) (string, error) {
	s.asked = append(s.asked, name)
	return s.path, nil
}

func (s *askedSurface) reveal(dir string) error {
	s.asked = append(s.asked, dir)
	return nil
}

func TestAnOutputIsSavedWhereThePersonSays(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s := &askedSurface{path: filepath.Join(t.TempDir(), "saved.txt")}
	w := testWindow(s, textEngine{}, log)
	if err := os.WriteFile(s.path, []byte("what was there before, which is longer"), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := w.SaveOutput("s1", "bash-1.txt")
	got, readErr := os.ReadFile(s.path)
	if err := errors.Join(err, readErr); err != nil || path != s.path || string(got) != "s1 bash-1.txt" {
		t.Errorf("%q at %q, %v", got, path, err)
	}
	if err := w.OpenFolder("s1", "bash-1.txt"); err != nil {
		t.Error(err)
	}
	if got := strings.Join(s.asked, " "); got != "bash-1.txt /home/output/s" {
		t.Errorf("asked %q", got)
	}

	s.path = ""
	if path, err := w.SaveOutput("s1", "../../etc/x"); path != "" || err != nil || s.asked[2] != "x" {
		t.Errorf("let be: %q, %v, asked %q", path, err, s.asked)
	}
	s.path = filepath.Join(t.TempDir(), "no folder", "x")
	if _, err := w.SaveOutput("s1", "x"); !errors.Is(err, errNotSaved) {
		t.Error(err)
	}
	w = testWindow(s, textEngine{gone: true}, log)
	s.path = filepath.Join(t.TempDir(), "gone.txt")
	_, err = w.SaveOutput("s1", "x")
	for _, err := range []error{err, w.OpenFolder("s1", "x")} {
		if err == nil || !strings.HasPrefix(err.Error(), "This output is no longer kept.") {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(left) != 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

func TestOnlyAFolderOfOursIsShown(t *testing.T) {
	for _, dir := range []string{"", "--help", "output", "https://x"} {
		if err := reveal(dir); err == nil {
			t.Errorf("%q was shown", dir)
		}
	}
}
