package spill_test

import (
	"context"
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

	"countersign/backend/spill"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, dir string) *spill.Store {
	t.Helper()
	s, err := spill.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// tree lists every file and folder below dir with its mode and size.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		line := fmt.Sprintf("%s %s", info.Mode(), rel)
		if info.Mode().IsRegular() {
			line += fmt.Sprintf(" %d", info.Size())
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// spec: KH-12, KH-17, KH-59, RL-6
func TestSpillKeepsTextWhereTheMarkerSays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home", "output")
	s := open(t, dir)
	path, size, err := s.For("s-1", "call_9").Spill(t.Context(), "read", strings.NewReader("the whole text"))
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(s.Dir(), "s-1", "read-call_9.txt"); path != want || size != 14 {
		t.Errorf("%s, %d", path, size)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "the whole text" {
		t.Errorf("%q, %v", b, err)
	}
	want := []string{"drwx------ s-1", "-rw------- s-1/read-call_9.txt 14"}
	if d := cmp.Diff(want, tree(t, dir)); d != "" {
		t.Error(d)
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("output folder has mode %v", info.Mode())
	}
}

func TestSpillNeverOverwrites(t *testing.T) {
	s := open(t, t.TempDir())
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, _, err := s.For("s", "c").Spill(t.Context(), "bash", strings.NewReader(fmt.Sprint("text ", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for n := 1; n <= 20; n++ {
		name := "bash-c.txt"
		if n > 1 {
			name = fmt.Sprintf("bash-c-%d.txt", n)
		}
		b, err := os.ReadFile(filepath.Join(s.Dir(), "s", name))
		if err != nil {
			t.Fatal(err)
		}
		seen[string(b)] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d texts of 20 were kept", len(seen))
	}
}

func TestSpillNamesCannotLeaveTheirFolder(t *testing.T) {
	for _, id := range []string{"../../etc/x", "..", ".", "", "a/b", "a\x00b", "a\nb", strings.Repeat("x", 5000), ".hidden", "ü"} {
		outer := t.TempDir()
		s := open(t, filepath.Join(outer, "output"))
		path, _, err := s.For(id, id).Spill(t.Context(), id, strings.NewReader("x"))
		if err != nil {
			t.Errorf("%.20q: %v", id, err)
			continue
		}
		rel, err := filepath.Rel(s.Dir(), path)
		if err != nil || strings.Count(rel, "/") != 1 || !filepath.IsLocal(rel) || strings.HasPrefix(rel, ".") {
			t.Errorf("%.20q: kept at %q", id, rel)
		}
		if entries, _ := os.ReadDir(outer); len(entries) != 1 {
			t.Errorf("%.20q: wrote beside the output folder", id)
		}
	}
}

func TestSpillNamesOfDifferentCallsDiffer(t *testing.T) {
	s := open(t, t.TempDir())
	a, _, errA := s.For("s", "a/b").Spill(t.Context(), "t", strings.NewReader("x"))
	b, _, errB := s.For("s", "a_b").Spill(t.Context(), "t", strings.NewReader("x"))
	c, _, errC := s.For("s", "a\nb").Spill(t.Context(), "t", strings.NewReader("x"))
	if err := errors.Join(errA, errB, errC); err != nil {
		t.Fatal(err)
	}
	if a == b || b == c || a == c {
		t.Errorf("%s, %s, %s", a, b, c)
	}
}

func TestSpillRefusesASessionFolderThatIsALink(t *testing.T) {
	s := open(t, t.TempDir())
	elsewhere := t.TempDir()
	inside := filepath.Join(s.Dir(), "other")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out": elsewhere, "in": inside} {
		if err := os.Symlink(to, filepath.Join(s.Dir(), name)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.For(name, "c").Spill(t.Context(), "bash", strings.NewReader("x")); err == nil {
			t.Errorf("%s: written through a link", name)
		}
		if got := tree(t, to); len(got) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// endless gives n bytes without holding them and notes how many were asked for at once.
type endless struct {
	n     int64
	asked int
	at    int64
	then  func()
}

func (e *endless) Read(p []byte) (int, error) {
	e.asked = max(e.asked, len(p))
	if e.then != nil && e.at > 1<<20 {
		e.then()
		e.then = nil
	}
	if e.at >= e.n {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.n-e.at))
	e.at += int64(n)
	return n, nil
}

// spec: KH-3
func TestSpillStreams(t *testing.T) {
	s := open(t, t.TempDir())
	text := &endless{n: 8 << 20}
	_, size, err := s.For("s", "c").Spill(t.Context(), "bash", text)
	if err != nil || size != 8<<20 {
		t.Fatalf("%d, %v", size, err)
	}
	if text.asked > 64<<10 {
		t.Errorf("asked for %d bytes at once", text.asked)
	}
}

func TestSpillLeavesNothingWhenCancelled(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := s.For("s", "c").Spill(ctx, "bash", &endless{n: 1 << 40, then: cancel})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := tree(t, s.Dir()); len(got) != 1 {
		t.Errorf("left %v", got)
	}
}

func TestSpillOnAFullDiskKeepsNothingAndSaysSo(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	s, err := spill.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()

	_, _, err = s.For("s", "c").Spill(t.Context(), "bash", &endless{n: 1 << 20})
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != tool.CodeStorageUnavailable || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	if strings.Contains(err.Error(), dir) {
		t.Errorf("the path is in the error: %v", err)
	}
	if got := tree(t, dir); len(got) != 1 {
		t.Errorf("left %v", got)
	}
	if _, size, err := s.For("s", "c").Spill(t.Context(), "bash", &endless{n: 100 << 10}); err != nil || size != 100<<10 {
		t.Errorf("what fits is kept after that: %d, %v", size, err)
	}
}

// spec: KH-17, RL-6
func TestSweepTakesOneSessionWhole(t *testing.T) {
	s := open(t, t.TempDir())
	for _, session := range []string{"a", "b"} {
		for _, call := range []string{"1", "2"} {
			if _, _, err := s.For(session, call).Spill(t.Context(), "bash", strings.NewReader("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Sweep("a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep("never was"); err != nil {
		t.Error(err)
	}
	want := []string{"drwx------ b", "-rw------- b/bash-1.txt 1", "-rw------- b/bash-2.txt 1"}
	if d := cmp.Diff(want, tree(t, s.Dir())); d != "" {
		t.Error(d)
	}
}

// spec: KH-17
func TestRoomIsMadeOfTheOldestSessionsButNeverALiveOne(t *testing.T) {
	setup := func(t *testing.T) *spill.Store {
		s := open(t, t.TempDir())
		for i, session := range []string{"oldest", "older", "newer", "newest"} {
			path, _, err := s.For(session, "c").Spill(t.Context(), "bash", &endless{n: 100})
			if err != nil {
				t.Fatal(err)
			}
			at := time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
			if err := errors.Join(os.Chtimes(path, at, at), os.Chtimes(filepath.Dir(path), at, at)); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
	for _, row := range []struct {
		name string
		max  int64
		live string
		gone []string
	}{
		{"all fit", 400, "", nil},
		{"one byte too many", 399, "", []string{"oldest"}},
		{"two too many", 200, "", []string{"oldest", "older"}},
		{"the oldest lives", 200, "oldest", []string{"older", "newer"}},
		{"none may stay but the live one", 0, "older", []string{"oldest", "newer", "newest"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := setup(t)
			removed, err := s.MakeRoom(t.Context(), row.max, func(_ context.Context, folder string) (bool, error) { return folder != row.live, nil })
			if err != nil {
				t.Fatal(err)
			}
			var gone []string
			for _, u := range removed {
				gone = append(gone, u.Session)
			}
			if d := cmp.Diff(row.gone, gone); d != "" {
				t.Error(d)
			}
			left, err := s.Usages(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range left {
				if u.Bytes != 100 {
					t.Errorf("%+v", u)
				}
			}
			if len(left)+len(gone) != 4 {
				t.Errorf("%d left, %d gone", len(left), len(gone))
			}
		})
	}
}

// spec: KH-17
func TestCapIsHalfAGigabyte(t *testing.T) {
	if spill.CapBytes != 536_870_912 {
		t.Errorf("%d bytes", spill.CapBytes)
	}
}

func TestSpillToAHomeThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "home")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := spill.Open(filepath.Join(file, "output")); err == nil {
		_ = s.Close()
		t.Error("opened below a file")
	} else if strings.Contains(err.Error(), file) {
		t.Errorf("the path is in the error: %v", err)
	}
}
