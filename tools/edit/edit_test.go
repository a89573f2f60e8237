package edit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	"countersign/tools/edit"
)

type still struct{}

func (still) Now() time.Time { return time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC) }

// session is one session's view: its files, and what it read.
type session struct {
	t     *testing.T
	spec  tool.Spec
	files tool.Files
	top   string
	mark  func(context.Context) error

	mu     sync.Mutex
	stamps map[string]tool.Stamp
}

func newSession(t *testing.T) *session {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(top, "w"), 0o755))
	return &session{
		t: t, spec: edit.Spec(), top: top, stamps: map[string]tool.Stamp{},
		files: open(t, filepath.Join(top, "w"), filepath.Join(top, "home"), still{}),
		mark:  func(context.Context) error { return nil },
	}
}

func (s *session) Get(real string) (tool.Stamp, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stamp, ok := s.stamps[real]
	return stamp, ok
}

func (s *session) Put(stamp tool.Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stamps[stamp.Path] = stamp
}

// has makes a file that the session read.
func (s *session) has(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.top, "w", name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(s.t, os.WriteFile(path, []byte(text), 0o644))
	s.Put(tool.Stamp{Path: path, SHA256: change.Hash([]byte(text))})
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

func arguments(path, old, new string) tool.Args {
	b, err := json.Marshal(map[string]string{"file_path": path, "old_string": old, "new_string": new})
	if err != nil {
		panic(err)
	}
	return tool.Args{Canonical: b}
}

func (s *session) edit(ctx context.Context, path, old, new string) (tool.Result, error) {
	s.t.Helper()
	return s.spec.Run(ctx, s.env(path), arguments(path, old, new))
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

// spec: KH-2, KH-33, KH-55
func TestSchemaTakesWhatTheContractNames(t *testing.T) {
	s, err := schema.Compile("edit", edit.Spec().Input)
	must(t, err)
	if len(s.Properties) != 4 {
		t.Errorf("%d parameters", len(s.Properties))
	}
	for text, ok := range map[string]bool{
		`{"file_path":"a","old_string":"","new_string":""}`:                                                         true,
		`{"file_path":"a","old_string":"a","new_string":"b","replace_all":true}`:                                    true,
		`{"file_path":"a","old_string":"` + strings.Repeat("é", 2_097_152) + `","new_string":""}`:                   true,
		`{"file_path":"a","old_string":"` + strings.Repeat("é", 2_097_153) + `","new_string":""}`:                   false,
		`{"file_path":"a","old_string":"","new_string":"` + strings.Repeat("é", 2_097_153) + `"}`:                   false,
		`{"file_path":"a","old_string":"a"}`:                                                                        false,
		`{"file_path":"a","new_string":"a"}`:                                                                        false,
		`{"old_string":"a","new_string":"b"}`:                                                                       false,
		`{"file_path":"","old_string":"a","new_string":"b"}`:                                                        false,
		`{"file_path":"a","old_string":1,"new_string":"b"}`:                                                         false,
		`{"file_path":"a","old_string":"a","new_string":"b","replace_all":"true"}`:                                  false,
		`{"file_path":"a","old_string":"a","new_string":"b","count":1}`:                                             false,
		`{"file_path":"` + strings.Repeat("a/", 10_000) + `","old_string":"a","new_string":"b","replace_all":true}`: false,
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

// spec: KH-22, KH-58
func TestAChangeUnderTheLockIsStale(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	s.mark = func(context.Context) error {
		return os.WriteFile(filepath.Join(s.top, "w/a"), []byte("theirs"), 0o644)
	}
	_, err := s.edit(t.Context(), "a", "old", "mine")
	if code(err) != tool.CodeStale || !strings.HasPrefix(said(err), "Refusing to overwrite ") || s.holds("a") != "theirs" {
		t.Errorf("%v, %q, holds %q", err, said(err), s.holds("a"))
	}
}

func TestNothingIsEditedWithoutTheMark(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	broken := tool.Errorf(tool.CodeStorageUnavailable, "no store")
	s.mark = func(context.Context) error { return broken }
	if _, err := s.edit(t.Context(), "a", "old", "mine"); err != error(broken) {
		t.Errorf("%v", err)
	}
	s.mark = nil
	if _, err := s.edit(t.Context(), "a", "old", "mine"); code(err) != tool.CodeExecutionFailed {
		t.Errorf("no mark to make: %v", err)
	}
	entries, err := os.ReadDir(filepath.Join(s.top, "w"))
	if err != nil || len(entries) != 1 || s.holds("a") != "old" {
		t.Errorf("%v, %v, holds %q", entries, err, s.holds("a"))
	}
}

func TestACancelledEditChangesNothing(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	ctx, cancel := context.WithCancel(t.Context())
	s.mark = func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	}
	if _, err := s.edit(ctx, "a", "old", "mine"); !errors.Is(err, context.Canceled) || s.holds("a") != "old" {
		t.Errorf("%v, holds %q", err, s.holds("a"))
	}
}

func TestAPathThatLeadsElsewhereThanItWasJudgedIsRefused(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	env := s.env("a")
	must(t, os.WriteFile(filepath.Join(s.top, "o"), []byte("old"), 0o644))
	must(t, os.Remove(filepath.Join(s.top, "w/a")))
	must(t, os.Symlink("../o", filepath.Join(s.top, "w/a")))
	if _, err := s.spec.Run(t.Context(), env, arguments("a", "old", "mine")); code(err) != tool.CodePolicyPathMoved {
		t.Errorf("run: %v", err)
	}
	if _, err := s.spec.Draw(t.Context(), env, arguments("a", "old", "mine")); code(err) != tool.CodePolicyPathMoved {
		t.Errorf("draw: %v", err)
	}
	if got := s.holds("../o"); got != "old" {
		t.Errorf("outside holds %q", got)
	}
}

// Edits of one file wait for each other, and each knows what the one before has written.
//
// spec: KH-33
func TestEditsOfOneFileAreAllDone(t *testing.T) {
	s := newSession(t)
	var text, want strings.Builder
	const n = 12
	for i := range n {
		fmt.Fprintf(&text, "value %d = old\n", i)
		fmt.Fprintf(&want, "value %d = new\n", i)
	}
	s.has("a", text.String())
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := s.edit(t.Context(), "a", fmt.Sprintf("value %d = old", i), fmt.Sprintf("value %d = new", i)); err != nil {
				t.Errorf("edit %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if got := s.holds("a"); got != want.String() {
		t.Errorf("holds %q", got)
	}
}

// spec: KH-33
func TestWhoWaitsForAFileCanLetGo(t *testing.T) {
	s := newSession(t)
	s.has("a", "old")
	held, release := make(chan struct{}), make(chan struct{})
	s.mark = func(context.Context) error {
		close(held)
		<-release
		return nil
	}
	first := make(chan error, 1)
	go func() {
		_, err := s.edit(t.Context(), "a", "old", "new")
		first <- err
	}()
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.edit(ctx, "a", "new", "newer"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(release)
	if err := <-first; err != nil || s.holds("a") != "new" {
		t.Errorf("%v, holds %q", err, s.holds("a"))
	}
}

// disk makes the workspace a small disk and returns its folder.
func (s *session) disk(flags uintptr, options string) string {
	s.t.Helper()
	dir := filepath.Join(s.top, "w")
	must(s.t, syscall.Mount("none", dir, "tmpfs", flags, options))
	s.t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	s.files = open(s.t, dir, filepath.Join(s.top, "home"), still{})
	return dir
}

// spec: KH-31, KH-33
func TestADiskThatIsReadOnlyIsSaid(t *testing.T) {
	s := newSession(t)
	dir := s.disk(0, "size=64k")
	s.has("a", "old")
	must(t, syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64k"))
	_, err := s.edit(t.Context(), "a", "old", "new")
	want := "Could not write " + dir + "/a: the file system is read-only. Choose a path elsewhere."
	if code(err) != tool.CodeIO || said(err) != want {
		t.Errorf("%v, %q", err, said(err))
	}
}

// shelf is versions that were kept.
type shelf []string

func (v *shelf) Keep(_ context.Context, real string, content []byte) {
	*v = append(*v, filepath.Base(real)+" "+string(content))
}

// spec: KH-36
func TestWhatIsReplacedIsKeptFirst(t *testing.T) {
	s := newSession(t)
	s.has("a", "one\r\n")
	var kept shelf
	s.mark = func(context.Context) error {
		if len(kept) != 1 || kept[0] != "a one\r\n" {
			t.Errorf("before the effect %q was kept", kept)
		}
		return nil
	}
	env := s.env("a")
	env.Host.Versions = &kept
	if _, err := s.spec.Draw(t.Context(), env, arguments("a", "one", "two")); err != nil || len(kept) != 0 {
		t.Errorf("a preview: %v, kept %q", err, kept)
	}
	if _, err := s.spec.Run(t.Context(), env, arguments("a", "nothing", "two")); err == nil || len(kept) != 0 {
		t.Errorf("a refusal: %v, kept %q", err, kept)
	}
	if _, err := s.spec.Run(t.Context(), env, arguments("a", "one", "two")); err != nil || len(kept) != 1 {
		t.Errorf("%v, kept %q", err, kept)
	}
}

func TestAHostWithoutFilesIsUnavailable(t *testing.T) {
	s := newSession(t)
	env := s.env("a")
	for _, lacking := range []func(*tool.Env){func(e *tool.Env) { e.Host.Files = nil }, func(e *tool.Env) { e.Stamps = nil }} {
		e := env
		lacking(&e)
		if _, err := s.spec.Run(t.Context(), e, arguments("a", "x", "y")); code(err) != tool.CodeUnavailable {
			t.Errorf("%v", err)
		}
	}
}
