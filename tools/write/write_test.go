package write_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"countersign/backend/change"
	"countersign/backend/schema"
	"countersign/backend/tool"
	"countersign/tools/write"
)

type still struct{}

func (still) Now() time.Time { return time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC) }

// session is one session's view: its files, and what it read.
type session struct {
	t     *testing.T
	files tool.Files
	top   string
	read  map[string]string
	mark  func(context.Context) error
}

func newSession(t *testing.T) *session {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(top, "w"), 0o755))
	return &session{
		t: t, top: top, read: map[string]string{}, files: open(t, filepath.Join(top, "w"), filepath.Join(top, "home"), still{}),
		mark: func(context.Context) error { return nil },
	}
}

func (s *session) Get(real string) (tool.Stamp, bool) {
	text, ok := s.read[real]
	return tool.Stamp{Path: real, SHA256: change.Hash([]byte(text))}, ok
}

func (s *session) Put(stamp tool.Stamp) {
	s.t.Errorf("%s was remembered before its result", stamp.Path)
}

// has makes a file that the session read.
func (s *session) has(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.top, "w", name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(s.t, os.WriteFile(path, []byte(text), 0o644))
	s.read[path] = text
}

func (s *session) holds(name string) string {
	b, err := os.ReadFile(filepath.Join(s.top, "w", name))
	if err != nil {
		return "nothing"
	}
	return string(b)
}

func (s *session) env(path string) tool.Env {
	s.t.Helper()
	p, err := s.files.Resolve(path)
	must(s.t, err)
	return tool.Env{
		Host: tool.Host{Files: s.files, Clock: still{}}, Stamps: s, EffectStarts: s.mark,
		Target: tool.Target{Touches: []tool.Touch{{Path: p, Access: tool.AccessWrite}}},
	}
}

func arguments(path, content string) tool.Args {
	b, err := json.Marshal(map[string]string{"file_path": path, "content": content})
	if err != nil {
		panic(err)
	}
	return tool.Args{Canonical: b}
}

func (s *session) write(ctx context.Context, path, content string) (tool.Result, error) {
	s.t.Helper()
	spec := write.Spec()
	return spec.Run(ctx, s.env(path), arguments(path, content))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

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

func said(err error) string {
	var e *tool.Error
	if !errors.As(err, &e) || len(e.Content) != 1 {
		return ""
	}
	return e.Content[0].Text.Open()
}

// spec: KH-2, KH-28, KH-55
func TestSchemaTakesWhatTheContractNames(t *testing.T) {
	spec := write.Spec()
	s, err := schema.Compile("write", spec.Input)
	must(t, err)
	if len(s.Properties) != 2 {
		t.Errorf("%d parameters", len(s.Properties))
	}
	for text, ok := range map[string]bool{
		`{"file_path":"a","content":""}`:                                       true,
		`{"file_path":"a","content":"` + strings.Repeat("é", 2_097_152) + `"}`: true,
		`{"file_path":"a","content":"` + strings.Repeat("é", 2_097_153) + `"}`: false,
		`{"file_path":"a"}`:                          false,
		`{"content":"x"}`:                            false,
		`{"file_path":"","content":"x"}`:             false,
		`{"file_path":"a","content":1}`:              false,
		`{"file_path":"a","content":"x","mode":420}`: false,
		`{"file_path":"` + strings.Repeat("a/", 10_000) + `","content":"x"}`: false,
	} {
		v, err := schema.Read([]byte(text))
		if err == nil {
			err = s.Validate(v)
		}
		if (err == nil) != ok {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// spec: CS-11
func TestContentIsBoundedInBytes(t *testing.T) {
	s := newSession(t)
	if _, err := s.write(t.Context(), "a", strings.Repeat("é", 1<<20)); err != nil {
		t.Errorf("2 MiB: %v", err)
	}
	_, err := s.write(t.Context(), "b", strings.Repeat("é", 1<<20)+"x")
	if code(err) != tool.CodeTooLarge || s.holds("b") != "nothing" {
		t.Errorf("one byte more: %v", err)
	}
}

// barred is files of which none may be looked at.
type barred struct{ tool.Files }

func (b barred) Resolve(arg string) (tool.Path, error) {
	p, err := b.Files.Resolve(arg)
	p.Kind = tool.KindOther
	return p, err
}

func (barred) Open(context.Context, tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	return nil, tool.FileInfo{}, tool.Errorf(tool.CodeIO, "look at file: %w", fs.ErrPermission)
}

// spec: KH-31
func TestWhatMayNotBeLookedAtIsNotSaidToBeThere(t *testing.T) {
	s := newSession(t)
	s.files = barred{s.files}
	_, err := s.write(t.Context(), "a", "x")
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || e.Code != tool.CodeIO || len(e.Content) != 1 || !strings.Contains(e.Content[0].Text.Open(), "permission denied") {
		t.Errorf("got %+v", err)
	}
}

// spec: KH-22, KH-58
func TestAChangeUnderTheLockIsStaleToo(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	s.mark = func(context.Context) error {
		return os.WriteFile(filepath.Join(s.top, "w/a"), []byte("theirs"), 0o644)
	}
	_, err := s.write(t.Context(), "a", "mine")
	if code(err) != tool.CodeStale || !strings.HasPrefix(said(err), "Refusing to overwrite ") || s.holds("a") != "theirs" {
		t.Errorf("%v, %q, holds %q", err, said(err), s.holds("a"))
	}
}

func TestNothingIsWrittenWithoutTheMark(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	broken := tool.Errorf(tool.CodeStorageUnavailable, "no store")
	s.mark = func(context.Context) error { return broken }
	for _, path := range []string{"a", "new/b"} {
		if _, err := s.write(t.Context(), path, "mine"); err != error(broken) {
			t.Errorf("%s: %v", path, err)
		}
	}
	s.mark = nil
	if _, err := s.write(t.Context(), "a", "mine"); code(err) != tool.CodeExecutionFailed {
		t.Errorf("no mark to make: %v", err)
	}
	entries, err := os.ReadDir(filepath.Join(s.top, "w"))
	if err != nil || len(entries) != 1 || s.holds("a") != "old" {
		t.Errorf("%v, %v, holds %q", entries, err, s.holds("a"))
	}
}

func TestACancelledWriteChangesNothing(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	ctx, cancel := context.WithCancel(t.Context())
	s.mark = func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	}
	if _, err := s.write(ctx, "a", "mine"); !errors.Is(err, context.Canceled) || s.holds("a") != "old" {
		t.Errorf("%v, holds %q", err, s.holds("a"))
	}
}

func TestAPathThatLeadsElsewhereThanItWasJudgedIsRefused(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	env := s.env("a")
	must(t, os.WriteFile(filepath.Join(s.top, "o"), []byte("outside"), 0o644))
	must(t, os.Remove(filepath.Join(s.top, "w/a")))
	must(t, os.Symlink("../o", filepath.Join(s.top, "w/a")))
	spec := write.Spec()
	if _, err := spec.Run(t.Context(), env, arguments("a", "mine")); code(err) != tool.CodePolicyPathMoved {
		t.Errorf("run: %v", err)
	}
	if _, err := spec.Draw(t.Context(), env, arguments("a", "mine")); code(err) != tool.CodePolicyPathMoved {
		t.Errorf("draw: %v", err)
	}
	if got := s.holds("../o"); got != "outside" {
		t.Errorf("outside holds %q", got)
	}
}

// Calls for one file that were all allowed: one is done, the others find it changed.
//
// spec: KH-22
func TestOfManyWritesOfOneFileOneIsDone(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	var wg sync.WaitGroup
	results := make([]error, 12)
	for i := range results {
		wg.Go(func() { _, results[i] = s.write(t.Context(), "a", fmt.Sprint("writer ", i)) })
	}
	wg.Wait()
	done := 0
	for _, err := range results {
		switch code(err) {
		case "":
			done++
		case tool.CodeStale:
		default:
			t.Error(err)
		}
	}
	if done != 1 {
		t.Errorf("%d writes were done", done)
	}
}

// spec: KH-31
func TestAFullDiskIsSaidAndChangesNothing(t *testing.T) {
	s := newSession(t)
	dir := filepath.Join(s.top, "w")
	must(t, syscall.Mount("none", dir, "tmpfs", 0, "size=64k"))
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s.files = open(t, dir, filepath.Join(s.top, "home"), still{})
	s.has("a", "old")
	_, err := s.write(t.Context(), "a", strings.Repeat("x", 1<<20))
	want := "Could not write " + dir + "/a: the disk is full. Nothing was changed; ask the user to free space, then write it again."
	if code(err) != tool.CodeIO || said(err) != want || s.holds("a") != "old" {
		t.Errorf("%v, %q, holds %q", err, said(err), s.holds("a"))
	}
	if _, err := s.write(t.Context(), "a", "small"); err != nil {
		t.Errorf("what fits is written after that: %v", err)
	}
}

func TestADiskThatIsReadOnlyIsSaid(t *testing.T) {
	s := newSession(t)
	dir := filepath.Join(s.top, "w")
	must(t, syscall.Mount("none", dir, "tmpfs", syscall.MS_RDONLY, ""))
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s.files = open(t, dir, filepath.Join(s.top, "home"), still{})
	_, err := s.write(t.Context(), "a", "x")
	if want := "Could not write " + dir + "/a: the file system is read-only. Choose a path elsewhere."; said(err) != want {
		t.Errorf("%v, %q", err, said(err))
	}
}

// A preview of an enormous file is figures, and the write itself still works.
func TestAHugeFileIsReplacedWithoutItsDiff(t *testing.T) {
	s := newSession(t)
	s.has("log", strings.Repeat("0123456789abcdef\n", 1<<20))
	spec := write.Spec()
	preview, err := spec.Draw(t.Context(), s.env("log"), arguments("log", "empty\n"))
	must(t, err)
	d := preview.Diffs[0]
	if d.Unified != "" || d.Additions != 1 || d.Deletions != 1<<20 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "too large to show") {
		t.Errorf("%d bytes of diff, +%d -%d, %q", len(d.Unified), d.Additions, d.Deletions, d.Notes)
	}
	r, err := s.write(t.Context(), "log", "empty\n")
	must(t, err)
	if got := r.Content[0].Text.Open(); !strings.HasSuffix(got, "(was 1048576 lines, now 1 line).") || s.holds("log") != "empty\n" {
		t.Errorf("%q, holds %.20q", got, s.holds("log"))
	}
}

func TestAHostWithoutFilesIsUnavailable(t *testing.T) {
	s := newSession(t)
	spec := write.Spec()
	env := s.env("a")
	for _, lacking := range []func(*tool.Env){func(e *tool.Env) { e.Host.Files = nil }, func(e *tool.Env) { e.Stamps = nil }} {
		e := env
		lacking(&e)
		if _, err := spec.Run(t.Context(), e, arguments("a", "x")); code(err) != tool.CodeUnavailable {
			t.Errorf("%v", err)
		}
	}
}
