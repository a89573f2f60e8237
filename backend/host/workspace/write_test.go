package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// spec: KH-28, KH-29
func TestWriteCreatesFileAndFolders(t *testing.T) {
	p := setup(t)
	var seen string
	stamp, err := p.Write(t.Context(), p.resolve(t, "a/b/c.txt"), []byte("hello\n"), "", func(context.Context) error {
		_, err := os.Lstat(p.at("w/a/b/c.txt"))
		seen = fmt.Sprint(errors.Is(err, fs.ErrNotExist))
		return nil
	})
	must(t, err)
	if seen != "true" {
		t.Error("the file had its name before the mark")
	}
	info, err := os.Stat(p.at("w/a/b/c.txt"))
	must(t, err)
	want := tool.Stamp{Path: p.at("w/a/b/c.txt"), ModTime: info.ModTime().UTC(), Size: 6, SHA256: hash("hello\n"), At: noon}
	if d := cmp.Diff(want, stamp); d != "" {
		t.Error(d)
	}
	if want := "drwxr-xr-x .\ndrwxr-xr-x a\ndrwxr-xr-x a/b\n-rw-r--r-- a/b/c.txt hello\n\n"; snapshot(t, p.at("w")) != want {
		t.Error(snapshot(t, p.at("w")))
	}
}

// spec: KH-29
func TestWriteKeepsModeAndOwner(t *testing.T) {
	for _, mode := range []fs.FileMode{0o644, 0o600, 0o755, 0o444, 0o755 | fs.ModeSetuid} {
		p := setup(t)
		put(t, p.at("w/a"), "old")
		must(t, os.Chown(p.at("w/a"), 1234, 4321))
		must(t, os.Chmod(p.at("w/a"), mode))
		_, err := p.Write(t.Context(), p.resolve(t, "a"), []byte("new"), hash("old"), proceed)
		must(t, err)
		info, err := os.Stat(p.at("w/a"))
		must(t, err)
		st := info.Sys().(*syscall.Stat_t)
		if info.Mode() != mode || st.Uid != 1234 || st.Gid != 4321 {
			t.Errorf("%v becomes %v of %d:%d", mode, info.Mode(), st.Uid, st.Gid)
		}
	}
}

// spec: KH-22
func TestWriteRefusesAFileThatIsNotWhatWasExpected(t *testing.T) {
	for _, row := range []struct {
		name, have, expect string
		code               tool.Code
	}{
		{"changed", "theirs", hash("old"), tool.CodeStale},
		{"there though new", "theirs", "", tool.CodeStale},
		{"gone", "", hash("old"), tool.CodeStale},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := setup(t)
			if row.have != "" {
				put(t, p.at("w/a"), row.have)
			}
			before := snapshot(t, p.at("w"))
			_, err := p.Write(t.Context(), p.resolve(t, "a"), []byte("mine"), row.expect, never(t))
			if code(err) != row.code {
				t.Errorf("%v", err)
			}
			if d := cmp.Diff(before, snapshot(t, p.at("w"))); d != "" {
				t.Error(d)
			}
		})
	}
}

// never is a mark that must not be asked for.
func never(t *testing.T) func(context.Context) error {
	return func(context.Context) error {
		t.Error("the effect was marked")
		return nil
	}
}

// The last moment at which anything can still happen is while the mark is made.
//
// spec: KH-22, KH-29
func TestWriteLooksOnceMoreAfterTheMark(t *testing.T) {
	for _, row := range []struct {
		name   string
		create bool
		then   func(*testing.T, place)
		code   tool.Code
		want   string // what stands at w/a afterwards, "" when it is not to be read
	}{
		{"somebody writes", false, func(t *testing.T, p place) { put(t, p.at("w/a"), "theirs") }, tool.CodeStale, "theirs"},
		{"somebody writes as much", false, func(t *testing.T, p place) {
			must(t, os.Remove(p.at("w/a")))
			put(t, p.at("w/a"), "OLD")
		}, tool.CodeStale, "OLD"},
		{"somebody removes it", false, func(t *testing.T, p place) { must(t, os.Remove(p.at("w/a"))) }, tool.CodeStale, ""},
		{"somebody creates it", true, func(t *testing.T, p place) { put(t, p.at("w/a"), "theirs") }, tool.CodeStale, "theirs"},
		{"a link comes in its place", false, func(t *testing.T, p place) {
			must(t, os.Remove(p.at("w/a")))
			must(t, os.Symlink(p.at("outside/o"), p.at("w/a")))
		}, tool.CodePolicyPathMoved, ""},
		{"a link comes where nothing was", true, func(t *testing.T, p place) { must(t, os.Symlink(p.at("outside/o"), p.at("w/a"))) }, tool.CodePolicyPathMoved, ""},
		{"a folder comes in its place", false, func(t *testing.T, p place) {
			must(t, os.Remove(p.at("w/a")))
			mkdir(t, p.top, "w/a")
		}, tool.CodeIsDirectory, ""},
		{"it is only touched", false, func(t *testing.T, p place) { must(t, os.Chtimes(p.at("w/a"), noon, noon)) }, "", "new"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := setup(t)
			put(t, p.at("outside/o"), "old")
			expect := ""
			if !row.create {
				put(t, p.at("w/a"), "old")
				expect = hash("old")
			}
			_, err := p.Write(t.Context(), p.resolve(t, "a"), []byte("new"), expect, func(context.Context) error {
				row.then(t, p)
				return nil
			})
			if code(err) != row.code {
				t.Errorf("%v, want %q", err, row.code)
			}
			if row.want != "" && get(t, p.at("w/a")) != row.want {
				t.Errorf("holds %q", get(t, p.at("w/a")))
			}
			if got := get(t, p.at("outside/o")); got != "old" {
				t.Errorf("outside holds %q", got)
			}
			noTemps(t, p.at("w"))
		})
	}
}

func noTemps(t *testing.T, dir string) {
	t.Helper()
	if strings.Contains(snapshot(t, dir), ".countersign-write-") {
		t.Errorf("a temporary file is left:\n%s", snapshot(t, dir))
	}
}

func TestWriteDoesNotFollowAFolderThatIsSwappedMeanwhile(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/d/a"), "old")
	put(t, p.at("outside/a"), "old")
	_, err := p.Write(t.Context(), p.resolve(t, "d/a"), []byte("new"), hash("old"), func(context.Context) error {
		must(t, os.Rename(p.at("w/d"), p.at("w/e")))
		must(t, os.Symlink(p.at("outside"), p.at("w/d")))
		return nil
	})
	if got := get(t, p.at("outside/a")); got != "old" {
		t.Errorf("outside holds %q, %v", got, err)
	}
}

func TestWriteWithoutTheMarkChangesNothing(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a"), "old")
	before := snapshot(t, p.at("w"))
	broken := errors.New("store is gone")
	refuse := func(context.Context) error { return broken }
	if _, err := p.Write(t.Context(), p.resolve(t, "a"), []byte("new"), hash("old"), refuse); err != broken {
		t.Errorf("%v", err)
	}
	if _, err := p.Write(t.Context(), p.resolve(t, "x/y/z"), []byte("new"), "", refuse); err != broken {
		t.Errorf("%v", err)
	}
	if d := cmp.Diff(before, snapshot(t, p.at("w"))); d != "" {
		t.Error(d)
	}
}

func TestWriteCancelledBeforeTheMarkChangesNothing(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a"), "old")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := p.Write(ctx, p.resolve(t, "a"), []byte("new"), hash("old"), func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || get(t, p.at("w/a")) != "old" {
		t.Errorf("%v, %q", err, get(t, p.at("w/a")))
	}
	noTemps(t, p.at("w"))
}

// Everybody saw the same file; one may write it.
//
// spec: KH-22, KH-33
func TestWritersOfOneFileTakeTurns(t *testing.T) {
	p := setup(t)
	other, err := workspace.Open(p.at("w"), workspace.Options{Clock: still{}})
	must(t, err)
	defer other.Close()
	put(t, p.at("w/a"), "old")
	path := p.resolve(t, "a")
	var wg sync.WaitGroup
	results := make([]error, 24)
	for i := range results {
		wg.Go(func() {
			_, results[i] = p.Write(t.Context(), path, fmt.Appendf(nil, "writer %d", i), hash("old"), proceed)
		})
	}
	wg.Wait()
	won := 0
	for _, err := range results {
		switch code(err) {
		case "":
			won++
		case tool.CodeStale:
		default:
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d writers won", won)
	}
	noTemps(t, p.at("w"))
}

func TestWaitingForAFileEndsWithTheCall(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a"), "old")
	path := p.resolve(t, "a")
	in, out := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := p.Write(t.Context(), path, []byte("new"), hash("old"), func(context.Context) error {
			close(in)
			<-out
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-in
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Write(ctx, path, []byte("x"), hash("old"), never(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := p.Write(t.Context(), p.resolve(t, "b"), []byte("x"), "", proceed); err != nil {
		t.Errorf("another file waited: %v", err)
	}
	close(out)
	wg.Wait()
}

func TestWriteLeavesOtherNamesOfAFileAlone(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/b"), "old")
	must(t, os.Link(p.at("w/b"), p.at("w/a")))
	_, err := p.Write(t.Context(), p.resolve(t, "a"), []byte("new"), hash("old"), proceed)
	must(t, err)
	if get(t, p.at("w/a")) != "new" || get(t, p.at("w/b")) != "old" {
		t.Errorf("a %q, b %q", get(t, p.at("w/a")), get(t, p.at("w/b")))
	}
}

func TestWriteGoesThroughLinksToWhereTheyLead(t *testing.T) {
	p := setup(t)
	must(t, os.Symlink("d/new.txt", p.at("w/link")))
	_, err := p.Write(t.Context(), p.resolve(t, "link"), []byte("x"), "", proceed)
	must(t, err)
	if get(t, p.at("w/d/new.txt")) != "x" {
		t.Error("not written")
	}
	if to, err := os.Readlink(p.at("w/link")); err != nil || to != "d/new.txt" {
		t.Errorf("the link became %q, %v", to, err)
	}
}

func TestWriteSweepsWhatKilledProgramsLeft(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/.countersign-write-1-1"), "half a fi")
	put(t, p.at("w/d/.countersign-write-1-1"), "elsewhere")
	put(t, p.at("w/.countersign-writer.md"), "mine")
	held, err := os.Create(p.at("w/.countersign-write-1-2"))
	must(t, err)
	defer held.Close()
	must(t, syscall.Flock(int(held.Fd()), syscall.LOCK_EX))

	_, err = p.Write(t.Context(), p.resolve(t, "a"), []byte("x"), "", proceed)
	must(t, err)
	want := "drwxr-xr-x .\n-rw-r--r-- .countersign-write-1-2 \n-rw-r--r-- .countersign-writer.md mine\n-rw-r--r-- a x\ndrwxr-xr-x d\n-rw-r--r-- d/.countersign-write-1-1 elsewhere\n"
	if d := cmp.Diff(want, snapshot(t, p.at("w"))); d != "" {
		t.Error(d)
	}
}
