package spill_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func pressed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// spec: KH-17
func TestATextThatGrowsAsksForRoom(t *testing.T) {
	s := open(t, t.TempDir())
	l := begin(t, s, "s", "c", "bash")
	chunk := strings.Repeat("x", 1<<20)
	for range 15 {
		write(t, l, chunk)
	}
	if pressed(s.Pressed()) {
		t.Error("asked before much was written")
	}
	write(t, l, chunk)
	if !pressed(s.Pressed()) {
		t.Error("nobody is asked for room")
	}
	// Where there is room enough it takes longer until the next time.
	never := func(context.Context, string) (bool, error) { return false, nil }
	if _, err := s.MakeRoom(t.Context(), 40<<20, never); err != nil {
		t.Fatal(err)
	}
	for range 23 {
		write(t, l, chunk)
	}
	if pressed(s.Pressed()) {
		t.Error("asked although there was room")
	}
	write(t, l, chunk)
	if !pressed(s.Pressed()) {
		t.Error("nobody is asked for room again")
	}
}

func TestSomeOfTheDiskStaysFree(t *testing.T) {
	s := small(t, 4096)
	l := begin(t, s, "s", "c", "bash")
	for range 8 {
		write(t, l, strings.Repeat("x", 1<<20))
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(s.Dir(), &disk); err != nil {
		t.Fatal(err)
	}
	if free := int64(disk.Bavail) * disk.Bsize; free < 4<<20/16-8<<10 || l.Lost() < 4<<20 || l.Size() < 3<<20 {
		t.Errorf("%d bytes are free, %d kept, %d lost", free, l.Size(), l.Lost())
	}
}

func TestRoomIsMadeAroundASessionThatCannotBeAskedAbout(t *testing.T) {
	s := open(t, t.TempDir())
	for _, session := range []string{"a", "b", "c"} {
		if _, _, err := s.For(session, "c").Spill(t.Context(), "bash", strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	// What a program left that ended while it made room goes, and counts for nothing.
	if err := os.Mkdir(filepath.Join(s.Dir(), ".leaving-z"), 0o700); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	gone, err := s.MakeRoom(t.Context(), 0, func(_ context.Context, folder string) (bool, error) {
		if folder == "b" {
			return true, broken
		}
		return true, nil
	})
	if !errors.Is(err, broken) || len(gone) != 2 || gone[0].Bytes != 1 {
		t.Errorf("%+v, %v", gone, err)
	}
	if d := cmp.Diff([]string{"drwx------ b", "-rw------- b/bash-c.txt 1"}, tree(t, s.Dir())); d != "" {
		t.Error(d)
	}
}
