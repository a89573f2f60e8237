package scenariotest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/change"
	"countersign/backend/tool"
)

// Session is one session's view of a folder: its files below Top/w, and what it read.
// It is the tool.Stamps of its calls.
type Session struct {
	T     *testing.T
	Files tool.Files
	Top   string
	// Mark marks the effect of a call.
	Mark func(context.Context) error

	mu     sync.Mutex
	stamps map[string]tool.Stamp
}

// NewSession is a session with an empty workspace that has read nothing.
func NewSession(t *testing.T) *Session {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{T: t, Top: top, stamps: map[string]tool.Stamp{}, Mark: func(context.Context) error { return nil }}
	s.must(os.MkdirAll(s.Path(""), 0o755))
	s.open()
	return s
}

func (s *Session) open() {
	s.T.Helper()
	s.Files = opened(s.T, s.Path(""), filepath.Join(s.Top, "home"), Still{})
}

func (s *Session) must(err error) {
	s.T.Helper()
	if err != nil {
		s.T.Fatal(err)
	}
}

// Path is where a file of the workspace lies.
func (s *Session) Path(name string) string { return filepath.Join(s.Top, "w", name) }

// Get answers for the stamps of the session.
func (s *Session) Get(real string) (tool.Stamp, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stamp, ok := s.stamps[real]
	return stamp, ok
}

// Put remembers what a file held.
func (s *Session) Put(stamp tool.Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stamps[stamp.Path] = stamp
}

// Forget has a file that was never read.
func (s *Session) Forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.stamps, s.Path(name))
}

// Knows has a file read as text.
func (s *Session) Knows(name, text string) {
	s.Put(tool.Stamp{Path: s.Path(name), SHA256: change.Hash([]byte(text))})
}

// Has makes a file that the session read.
func (s *Session) Has(name, text string) {
	s.T.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.Path(name)), 0o755))
	s.must(os.WriteFile(s.Path(name), []byte(text), 0o644))
	s.Knows(name, text)
}

// Holds is what a file holds now.
func (s *Session) Holds(name string) string {
	b, err := os.ReadFile(s.Path(name))
	if err != nil {
		return "nothing"
	}
	return string(b)
}

// Env is what a call about a path is given.
func (s *Session) Env(path string) tool.Env {
	s.T.Helper()
	p, err := s.Files.Resolve(path)
	s.must(err)
	return tool.Env{
		Host: tool.Host{Files: s.Files, Clock: Still{}}, Stamps: s, EffectStarts: s.Mark,
		Target: tool.Target{Touches: []tool.Touch{{Path: p, Access: tool.AccessWrite}}},
	}
}

// Disk makes the workspace a small disk and returns its folder.
func (s *Session) Disk(flags uintptr, options string) string {
	s.T.Helper()
	dir := s.Path("")
	s.must(syscall.Mount("none", dir, "tmpfs", flags, options))
	s.T.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s.open()
	return dir
}

// Code is the code that a call ended with, "" for one that was done.
func Code(err error) tool.Code {
	var e *tool.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return tool.Code(err.Error())
}

// Said is what the caller is told of a failure, "" when that is not one text.
func Said(err error) string {
	var e *tool.Error
	if !errors.As(err, &e) || len(e.Content) != 1 {
		return ""
	}
	return e.Content[0].Text.Open()
}
