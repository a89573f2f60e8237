package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestOpenReadsRegularFilesOnly(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a.txt"), "text")
	put(t, p.at("outside/o.txt"), "outside")
	put(t, p.at("home/output/s-1/read-1.txt"), "kept")
	must(t, os.Symlink(p.at("w/a.txt"), p.at("w/abs")))
	for arg, want := range map[string]string{"a.txt": "text", "abs": "text", "../outside/o.txt": "outside", p.at("home/output/s-1/read-1.txt"): "kept"} {
		if got, err := p.read(t, p.resolve(t, arg)); err != nil || got != want {
			t.Errorf("%s: %q, %v", arg, got, err)
		}
	}
	for arg, want := range map[string]tool.Code{
		"none": tool.CodeFileNotFound, "a.txt/x": tool.CodeFileNotFound, ".": tool.CodeIsDirectory, "/": tool.CodeIsDirectory, "/dev/zero": tool.CodeNotAFile,
	} {
		if _, err := p.read(t, p.resolve(t, arg)); code(err) != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
	f, info, err := p.Open(t.Context(), p.resolve(t, "a.txt"))
	must(t, err)
	defer f.Close()
	if info.Size != 4 || info.Mode != 0o644 || info.ModTime.IsZero() {
		t.Errorf("%+v", info)
	}
}

func TestFilesThatReportNoSizeAreReadToTheirEnd(t *testing.T) {
	p := setup(t)
	if got, err := p.read(t, p.resolve(t, "/proc/self/status")); err != nil || !strings.Contains(got, "Pid:") {
		t.Errorf("%q, %v", got, err)
	}
}

// What was judged is what is used: a link that comes after the judgement is not followed.
func TestAPathThatLeadsElsewhereNowIsRefused(t *testing.T) {
	swap := func(t *testing.T, path, to string) {
		t.Helper()
		must(t, os.Rename(path, path+".was"))
		must(t, os.Symlink(to, path))
	}
	for _, row := range []struct {
		name string
		arg  string
		move func(*testing.T, place)
	}{
		{"the file becomes a link outside", "d/a.txt", func(t *testing.T, p place) { swap(t, p.at("w/d/a.txt"), p.at("outside/o.txt")) }},
		{"the file becomes a link inside", "d/a.txt", func(t *testing.T, p place) { swap(t, p.at("w/d/a.txt"), "../b.txt") }},
		{"the folder becomes a link outside", "d/a.txt", func(t *testing.T, p place) { swap(t, p.at("w/d"), p.at("outside")) }},
		{"a link is turned", "l", func(t *testing.T, p place) {
			must(t, os.Remove(p.at("w/l")))
			must(t, os.Symlink("b.txt", p.at("w/l")))
		}},
		{"the workspace becomes a link", "d/a.txt", func(t *testing.T, p place) { swap(t, p.at("w"), p.at("w.was")) }},
		{"the workspace is another folder", "d/a.txt", func(t *testing.T, p place) {
			must(t, os.Rename(p.at("w"), p.at("v")))
			put(t, p.at("w/d/a.txt"), "forged")
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := setup(t)
			put(t, p.at("w/d/a.txt"), "a")
			put(t, p.at("w/b.txt"), "b")
			put(t, p.at("outside/o.txt"), "o")
			put(t, p.at("outside/a.txt"), "o")
			must(t, os.Symlink("d/a.txt", p.at("w/l")))
			path := p.resolve(t, row.arg)
			row.move(t, p)
			before := snapshot(t, p.top)
			if got, err := p.read(t, path); code(err) != tool.CodePolicyPathMoved {
				t.Errorf("read %q, %v", got, err)
			}
			if _, err := p.Write(t.Context(), path, []byte("new"), hash("a"), proceed); code(err) != tool.CodePolicyPathMoved {
				t.Errorf("write: %v", err)
			}
			if d := cmp.Diff(before, snapshot(t, p.top)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A folder and a link change places while files below them are opened and written.
// Nothing outside may be read or written, however the race goes.
func TestNothingOutsideIsReachedInARace(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/d/a.txt"), "inside")
	put(t, p.at("outside/a.txt"), "SECRET")
	put(t, p.at("w/e/a.txt"), "ANOTHER")
	for _, to := range []string{p.at("outside"), "e"} {
		must(t, os.Symlink(to, p.at("w/l")))
		path := p.resolve(t, "d/a.txt")
		done := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = unix.Renameat2(unix.AT_FDCWD, p.at("w/d"), unix.AT_FDCWD, p.at("w/l"), unix.RENAME_EXCHANGE)
				}
			}
		})
		for range 1500 {
			if got, err := p.read(t, path); err == nil && got != "inside" {
				t.Errorf("read %q", got)
			}
			_, _ = p.Write(t.Context(), path, []byte("inside"), hash("inside"), proceed)
		}
		close(done)
		wg.Wait()
		if info, err := os.Lstat(p.at("w/l")); err == nil && info.IsDir() {
			must(t, unix.Renameat2(unix.AT_FDCWD, p.at("w/d"), unix.AT_FDCWD, p.at("w/l"), unix.RENAME_EXCHANGE))
		}
		must(t, os.Remove(p.at("w/l")))
	}
	if got := get(t, p.at("outside/a.txt")); got != "SECRET" {
		t.Errorf("outside was written: %q", got)
	}
	if got := get(t, p.at("w/e/a.txt")); got != "ANOTHER" {
		t.Errorf("another file was written: %q", got)
	}
}

// A file turns into a FIFO while it is opened: the open must neither wait nor read.
func TestAFIFOInARaceHoldsNobody(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a"), "text")
	must(t, syscall.Mkfifo(p.at("w/pipe"), 0o644))
	path := p.resolve(t, "a")
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, p.at("w/a"), unix.AT_FDCWD, p.at("w/pipe"), unix.RENAME_EXCHANGE)
			}
		}
	})
	for range 3000 {
		if got, err := p.read(t, path); err == nil && got != "text" {
			t.Errorf("read %q", got)
		}
	}
	close(done)
	wg.Wait()
}

func TestOpenEndsWithItsContext(t *testing.T) {
	p := setup(t)
	put(t, p.at("w/a"), "text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := p.resolve(t, "a")
	if _, _, err := p.Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if _, err := p.Entries(ctx, p.resolve(t, ".")); !errors.Is(err, context.Canceled) {
		t.Errorf("entries: %v", err)
	}
	if _, err := p.Write(ctx, path, nil, hash("text"), proceed); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
	if _, err := p.Similar(ctx, p.resolve(t, "b"), 3); !errors.Is(err, context.Canceled) {
		t.Errorf("similar: %v", err)
	}
}

func TestEntriesAreInByteOrderWithLinksUnfollowed(t *testing.T) {
	p := setup(t)
	for _, name := range []string{"b", "a", "Z", "ä", ".hidden", "a b"} {
		put(t, p.at("w/"+name), name)
	}
	mkdir(t, p.top, "w/dir")
	must(t, os.Symlink("/etc", p.at("w/link")))
	must(t, syscall.Mkfifo(p.at("w/pipe"), 0o644))
	want := []tool.Entry{
		{Name: ".hidden", Kind: tool.KindFile, Size: 7}, {Name: "Z", Kind: tool.KindFile, Size: 1}, {Name: "a", Kind: tool.KindFile, Size: 1},
		{Name: "a b", Kind: tool.KindFile, Size: 3}, {Name: "b", Kind: tool.KindFile, Size: 1}, {Name: "dir", Kind: tool.KindDirectory},
		{Name: "link", Kind: tool.KindLink}, {Name: "pipe", Kind: tool.KindFIFO}, {Name: "ä", Kind: tool.KindFile, Size: 2},
	}
	got, err := p.Entries(t.Context(), p.resolve(t, "."))
	must(t, err)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, err := p.Entries(t.Context(), p.resolve(t, ".").Child(want[5])); err != nil || len(got) != 0 {
		t.Errorf("a child: %v, %v", got, err)
	}
	if got, err := p.Entries(t.Context(), p.resolve(t, "/")); err != nil || len(got) == 0 {
		t.Errorf("the root: %v, %v", got, err)
	}
	if _, err := p.Entries(t.Context(), p.resolve(t, "a")); code(err) != tool.CodeNotDirectory {
		t.Errorf("a file: %v", err)
	}
	if _, err := p.Entries(t.Context(), p.resolve(t, "none")); code(err) != tool.CodeFileNotFound {
		t.Errorf("nothing: %v", err)
	}
}

// spec: KH-23, KH-26
func TestSimilarNamesAreFoundNearAndFar(t *testing.T) {
	p := setup(t)
	for _, name := range []string{
		"src/kernel/agent.ts", "src/kernel/agent.test.ts", "src/kernel/loop.ts", "lib/agent.ts", "readme.md", "a.txt", "caf\u00e9.txt",
		"node_modules/x/agent.ts", ".git/agent.ts", "deep/1/2/3/only-here.go",
	} {
		put(t, p.at("w/"+name), "x")
	}
	must(t, os.Symlink(p.at("outside"), p.at("w/out")))
	put(t, p.at("outside/agent.ts"), "x")
	for _, row := range []struct {
		arg  string
		want []string
	}{
		{"src/kernal/agent.ts", []string{"src/kernel/agent.ts", "src/kernel/agent.test.ts", "lib/agent.ts"}},
		{"src/kernel/agnet.ts", []string{"src/kernel/agent.ts", "lib/agent.ts"}},
		{"A.TXT", []string{"a.txt"}},
		{"cafe\u0301.txt", []string{"caf\u00e9.txt"}},
		{"README.txt", []string{"readme.md"}},
		{"only-hear.go", []string{"deep/1/2/3/only-here.go"}},
		{"node_modules/x/agnet.ts", []string{"node_modules/x/agent.ts", "lib/agent.ts", "src/kernel/agent.ts"}},
		{"nothing-like-it.rs", nil},
		{"../outside/agnet.ts", nil},
		{"out/agnet.ts", nil},
	} {
		got, err := p.Similar(t.Context(), p.resolve(t, row.arg), 3)
		must(t, err)
		if d := cmp.Diff(row.want, got); d != "" {
			t.Errorf("%s: %s", row.arg, d)
		}
	}
	if got, err := p.Similar(t.Context(), p.resolve(t, "src/kernal/agent.ts"), 1); err != nil || len(got) != 1 {
		t.Errorf("limit one: %v, %v", got, err)
	}
}

func TestSimilarGivesUpInATreeWithoutEnd(t *testing.T) {
	p := setup(t)
	dir := p.at("w")
	for range 60 {
		dir = filepath.Join(dir, "deeper")
	}
	put(t, filepath.Join(dir, "target.txt"), "x")
	for i := range 300 {
		put(t, p.at("w/many/"+strings.Repeat("x", i%200+1)+".txt"), "x")
	}
	got, err := p.Similar(t.Context(), p.resolve(t, "targat.txt"), 3)
	if err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func proceed(context.Context) error { return nil }
