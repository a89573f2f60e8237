package spill_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"countersign/backend/spill"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

func begin(t *testing.T, s *spill.Store, session, call, label string) tool.Log {
	t.Helper()
	l, err := s.For(session, call).Log(t.Context(), label)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// write gives a log chunks and holds it to never failing.
func write(t *testing.T, l tool.Log, chunks ...string) {
	t.Helper()
	for _, c := range chunks {
		if n, err := l.Write([]byte(c)); n != len(c) || err != nil {
			t.Errorf("%d of %d, %v", n, len(c), err)
		}
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What a process prints may have no end; its log has one, and says so.
//
// spec: KH-17, KH-50
func TestALogWithANameOfItsOwnHasAnEnd(t *testing.T) {
	s := open(t, t.TempDir())
	s.LimitLogs(1000)
	named, err := s.For("s-1", "c-1").NamedLog(t.Context(), "p1.log")
	if err != nil {
		t.Fatal(err)
	}
	moved := begin(t, s, "s-1", "c-2", "bash")
	write(t, moved, strings.Repeat("m", 900))
	if err := moved.Rename("p2.log"); err != nil {
		t.Fatal(err)
	}
	call := begin(t, s, "s-1", "c-3", "bash")
	for range 30 {
		write(t, named, strings.Repeat("n", 99)+"\n")
		write(t, moved, strings.Repeat("m", 100))
		write(t, call, strings.Repeat("c", 100))
	}
	for _, l := range []tool.Log{named, moved, call} {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	for l, want := range map[tool.Log]string{
		named: strings.Repeat(strings.Repeat("n", 99)+"\n", 9) + strings.Repeat("n", 36) + "\n[... 2,064 bytes could not be kept here ...]\n",
		moved: strings.Repeat("m", 936) + "\n[... 2,964 bytes could not be kept here ...]\n",
		call:  strings.Repeat("c", 3000),
	} {
		if got := text(t, l.Path()); got != want || l.Size() != int64(len(want)) {
			t.Errorf("%d bytes ending in %.60q, %d lost", len(got), got[max(0, len(got)-60):], l.Lost())
		}
	}
	if named.Lost() != 2064 || moved.Lost() != 2964 || call.Lost() != 0 {
		t.Error(named.Lost(), moved.Lost(), call.Lost())
	}
}

// spec: KH-17
func TestALogIsThereWhileItGrows(t *testing.T) {
	s := open(t, t.TempDir())
	l := begin(t, s, "s-1", "call_9", "bash")
	if want := filepath.Join(s.Dir(), "s-1", "bash-call_9.txt"); l.Path() != want {
		t.Errorf("at %s", l.Path())
	}
	write(t, l, "one\n", "\x1b[31mtw")
	if got := text(t, l.Path()); got != "one\n\x1b[31mtw" {
		t.Errorf("%q", got)
	}
	write(t, l, "o\xff\x00")
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	write(t, l, "late")
	if got := text(t, l.Path()); got != "one\n\x1b[31mtwo\xff\x00" || l.Size() != int64(len(got)) || l.Lost() != 4 {
		t.Errorf("%q, %d bytes, %d lost", got, l.Size(), l.Lost())
	}
	want := []string{"drwx------ s-1", "-rw------- s-1/bash-call_9.txt 14"}
	if d := cmp.Diff(want, tree(t, s.Dir())); d != "" {
		t.Error(d)
	}
}

func TestALogThatGotNothingLeavesNothing(t *testing.T) {
	s := open(t, t.TempDir())
	l := begin(t, s, "s", "c", "bash")
	if err := l.Close(); err != nil || l.Path() != "" {
		t.Errorf("%v, still at %q", err, l.Path())
	}
	named, err := s.For("s", "c").NamedLog(t.Context(), "p1.log")
	if err != nil {
		t.Fatal(err)
	}
	if err := named.Close(); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"drwx------ s", "-rw------- s/p1.log 0"}, tree(t, s.Dir())); d != "" {
		t.Error(d)
	}
}

func TestALogNeverTakesTheNameOfAnother(t *testing.T) {
	s := open(t, t.TempDir())
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			var l tool.Log
			var err error
			if i%2 == 1 {
				l = begin(t, s, "s", fmt.Sprint(i), "bash")
				err = l.Rename("p1.log")
			} else {
				l, err = s.For("s", fmt.Sprint(i)).NamedLog(t.Context(), "p1.log")
			}
			if err != nil {
				t.Error(err)
				return
			}
			write(t, l, fmt.Sprint("text ", i))
			if err := l.Rename(filepath.Base(l.Path())); err != nil {
				t.Error(err)
			}
			if got := text(t, l.Path()); got != fmt.Sprint("text ", i) {
				t.Errorf("%s has %q", l.Path(), got)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if err := l.Rename("other"); err == nil {
				t.Error("renamed after the end")
			}
		})
	}
	wg.Wait()
	want := []string{"drwx------ s"}
	for _, n := range []string{"-10.log", "-2.log", "-3.log", "-4.log", "-5.log", "-6.log", "-7.log", "-8.log", "-9.log", ".log"} {
		want = append(want, "-rw------- s/p1"+n+" 6")
	}
	if d := cmp.Diff(want, tree(t, s.Dir())); d != "" {
		t.Error(d)
	}
}

func TestNamesOfLogsCannotLeaveTheirFolder(t *testing.T) {
	for _, name := range []string{"../../etc/x", "..", ".", "", "a/b", "a\x00b", strings.Repeat("x", 5000), ".version-x"} {
		s := open(t, t.TempDir())
		l, err := s.For("s", "c").NamedLog(t.Context(), name)
		if err != nil {
			t.Errorf("%.20q: %v", name, err)
			continue
		}
		for range 2 {
			if dir, base := filepath.Split(l.Path()); dir != filepath.Join(s.Dir(), "s")+"/" || base == "" || base[0] == '.' {
				t.Errorf("%.20q: at %q", name, l.Path())
			}
			if err := l.Rename(name + "/" + name); err != nil {
				t.Errorf("%.20q: %v", name, err)
			}
		}
		_ = l.Close()
	}
}

// writes is how many times this program asked the system to write.
func writes(t *testing.T) (n int) {
	t.Helper()
	for line := range strings.Lines(text(t, "/proc/self/io")) {
		if _, err := fmt.Sscanf(line, "syscw: %d", &n); err == nil {
			return n
		}
	}
	t.Fatal("the system does not count")
	return 0
}

func TestAChunkIsOneSystemCall(t *testing.T) {
	l := begin(t, open(t, t.TempDir()), "s", "c", "bash")
	chunk := bytes.Repeat([]byte("x"), 64<<10)
	before := writes(t)
	allocations := testing.AllocsPerRun(500, func() { _, _ = l.Write(chunk) })
	if n := writes(t) - before; n > 510 || allocations > 0 {
		t.Errorf("%d system calls and %v allocations a chunk", n, allocations)
	}
}

// small is a store on a disk of that many kilobytes.
func small(t *testing.T, kilobytes int) *spill.Store {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return open(t, dir)
}

func TestALogOnAFullDiskGoesOnAndSaysWhatItLost(t *testing.T) {
	s := small(t, 512)
	l := begin(t, s, "s", "c", "bash")
	other := begin(t, s, "s", "c2", "bash")
	chunk := strings.Repeat("x", 40<<10)
	write(t, other, chunk, chunk, chunk)
	write(t, l, "first\n")
	for range 20 {
		write(t, l, chunk)
	}
	lost := l.Lost()
	if lost == 0 || l.Size()+lost != int64(len("first\n")+20*len(chunk)) {
		t.Fatalf("%d kept, %d lost", l.Size(), lost)
	}
	before := text(t, l.Path())
	if int64(len(before)) != l.Size() {
		t.Errorf("%d bytes in the file, %d counted", len(before), l.Size())
	}

	// There is room again: the text goes on and says where something is missing.
	if err := os.Truncate(other.Path(), 0); err != nil {
		t.Fatal(err)
	}
	write(t, l, "last\n")
	want := before + fmt.Sprintf("\n[... %s could not be kept here ...]\nlast\n", plural(lost))
	if got := text(t, l.Path()); got != want || l.Lost() != lost {
		t.Errorf("ends with %q, want %q", got[len(before)-1:], want[len(before)-1:])
	}
}

func plural(n int64) string {
	digits := fmt.Sprint(n)
	return digits[:len(digits)-3] + "," + digits[len(digits)-3:] + " bytes"
}

func TestALogOfACallThatWasLetGoDoesNotBegin(t *testing.T) {
	s := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.For("s", "c").Log(ctx, "bash"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := tree(t, s.Dir()); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

func TestAGrowingTextIsReadAgainAlsoAfterItsEnd(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "output"))
	l := begin(t, s, "s1", "c1", "bash")
	read := func(when string) {
		t.Helper()
		got := make([]byte, 8)
		n, err := l.ReadAt(got, 3)
		if string(got[:n]) != "lo\nmore" || err == nil && n < len(got) {
			t.Errorf("%s: %q, %v", when, got[:n], err)
		}
	}
	write(t, l, "hello\n", "more")
	read("while it grows")
	if err := l.Rename("p1.log"); err != nil {
		t.Fatal(err)
	}
	read("under its new name")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	read("after its end")
}
