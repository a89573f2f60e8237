package write_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/tool"
	"countersign/tools/scenariotest"
	"countersign/tools/write"
)

// session is a session whose stamps come from results alone.
type session struct{ *scenariotest.Session }

func newSession(t *testing.T) *session {
	t.Helper()
	return &session{scenariotest.NewSession(t)}
}

// Put fails: nothing is remembered before its result.
func (s *session) Put(stamp tool.Stamp) {
	s.T.Errorf("%s was remembered before its result", stamp.Path)
}

func (s *session) env(path string) tool.Env {
	s.T.Helper()
	env := s.Env(path)
	env.Stamps = s
	return env
}

func arguments(path, content string) tool.Args {
	b, err := json.Marshal(map[string]string{"file_path": path, "content": content})
	if err != nil {
		panic(err)
	}
	return tool.Args{Canonical: b}
}

func (s *session) write(ctx context.Context, path, content string) (tool.Result, error) {
	s.T.Helper()
	spec := write.Spec()
	return spec.Run(ctx, s.env(path), arguments(path, content))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spec: KH-2, KH-28, KH-55
func TestSchemaTakesWhatTheContractNames(t *testing.T) {
	scenariotest.Schema(t, write.Spec(), 2, map[string]bool{
		`{"file_path":"a","content":""}`:                                       true,
		`{"file_path":"a","content":"` + strings.Repeat("é", 2_097_152) + `"}`: true,
		`{"file_path":"a","content":"` + strings.Repeat("é", 2_097_153) + `"}`: false,
		`{"file_path":"a"}`:                          false,
		`{"content":"x"}`:                            false,
		`{"file_path":"","content":"x"}`:             false,
		`{"file_path":"a","content":1}`:              false,
		`{"file_path":"a","content":"x","mode":420}`: false,
		`{"file_path":"` + strings.Repeat("a/", 10_000) + `","content":"x"}`: false,
	})
}

// spec: CS-11
func TestContentIsBoundedInBytes(t *testing.T) {
	s := newSession(t)
	if _, err := s.write(t.Context(), "a", strings.Repeat("é", 1<<20)); err != nil {
		t.Errorf("2 MiB: %v", err)
	}
	_, err := s.write(t.Context(), "b", strings.Repeat("é", 1<<20)+"x")
	if scenariotest.Code(err) != tool.CodeTooLarge || s.Holds("b") != "nothing" {
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
	s.Files = barred{s.Files}
	_, err := s.write(t.Context(), "a", "x")
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || e.Code != tool.CodeIO || len(e.Content) != 1 || !strings.Contains(e.Content[0].Text.Open(), "permission denied") {
		t.Errorf("got %+v", err)
	}
}

// spec: KH-22, KH-31, KH-58
func TestAWriteChangesAsEveryToolMust(t *testing.T) {
	scenariotest.Changing(t, write.Spec(), arguments)
}

func TestNothingIsCreatedWithoutTheMark(t *testing.T) {
	s := newSession(t)
	broken := tool.Errorf(tool.CodeStorageUnavailable, "no store")
	s.Mark = func(context.Context) error { return broken }
	if _, err := s.write(t.Context(), "new/b", "mine"); err != error(broken) {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(s.Path("")); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Calls for one file that were all allowed: one is done, the others find it changed.
//
// spec: KH-22
func TestOfManyWritesOfOneFileOneIsDone(t *testing.T) {
	s := newSession(t)
	s.Has("a", "old")
	var wg sync.WaitGroup
	results := make([]error, 12)
	for i := range results {
		wg.Go(func() { _, results[i] = s.write(t.Context(), "a", fmt.Sprint("writer ", i)) })
	}
	wg.Wait()
	done := 0
	for _, err := range results {
		switch scenariotest.Code(err) {
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
	dir := s.Disk(0, "size=64k")
	s.Has("a", "old")
	_, err := s.write(t.Context(), "a", strings.Repeat("x", 1<<20))
	want := "Could not write " + dir + "/a: the disk is full. Nothing was changed; ask the user to free space, then write it again."
	if scenariotest.Code(err) != tool.CodeIO || scenariotest.Said(err) != want || s.Holds("a") != "old" {
		t.Errorf("%v, %q, holds %q", err, scenariotest.Said(err), s.Holds("a"))
	}
	if _, err := s.write(t.Context(), "a", "small"); err != nil {
		t.Errorf("what fits is written after that: %v", err)
	}
}

// A file that is not there cannot be made either.
func TestADiskThatIsReadOnlyIsSaidOfANewFile(t *testing.T) {
	s := newSession(t)
	dir := s.Disk(syscall.MS_RDONLY, "")
	_, err := s.write(t.Context(), "a", "x")
	if want := "Could not write " + dir + "/a: the file system is read-only. Choose a path elsewhere."; scenariotest.Said(err) != want {
		t.Errorf("%v, %q", err, scenariotest.Said(err))
	}
}

// A preview of an enormous file is figures, and the write itself still works.
func TestAHugeFileIsReplacedWithoutItsDiff(t *testing.T) {
	s := newSession(t)
	s.Has("log", strings.Repeat("0123456789abcdef\n", 1<<20))
	spec := write.Spec()
	preview, err := spec.Draw(t.Context(), s.env("log"), arguments("log", "empty\n"))
	must(t, err)
	d := preview.Diffs[0]
	if d.Unified != "" || d.Additions != 1 || d.Deletions != 1<<20 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "too large to show") {
		t.Errorf("%d bytes of diff, +%d -%d, %q", len(d.Unified), d.Additions, d.Deletions, d.Notes)
	}
	r, err := s.write(t.Context(), "log", "empty\n")
	must(t, err)
	if got := r.Content[0].Text.Open(); !strings.HasSuffix(got, "(was 1048576 lines, now 1 line).") || s.Holds("log") != "empty\n" {
		t.Errorf("%q, holds %.20q", got, s.Holds("log"))
	}
}
