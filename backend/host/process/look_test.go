//go:build linux

package process

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhatCannotBeLookedAtIsNotGone(t *testing.T) {
	c := exec.Command("sleep", "1000")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}()
	m := &Machine{pid: os.Getpid(), families: map[*family]bool{}}
	f := &family{m: m, pid: c.Process.Pid, collected: true, known: map[int]uint64{}}
	m.families[f] = true

	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	left := f.left()
	_, _, err := look(c.Process.Pid)
	if e := unix.Setrlimit(unix.RLIMIT_NOFILE, &before); e != nil {
		t.Fatal(e)
	}
	if len(left) != 1 || err == nil || !m.families[f] {
		t.Errorf("left %v, %v", left, err)
	}
}

// An orphan that begins another program has no environment for a moment, in which it must not
// pass for somebody else's.
func TestAnOrphanBetweenTwoProgramsIsNotMissed(t *testing.T) {
	m, err := NewMachine()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	said, err := exec.Command("sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000 >&- 2>&-' &").Output()
	if err != nil {
		t.Fatal(err)
	}
	orphan, err := strconv.Atoi(strings.TrimSpace(string(said)))
	if err != nil {
		t.Fatal(err)
	}
	self, ok, err := look(orphan)
	if err != nil || !ok {
		t.Fatal(err)
	}
	asked := 0
	m.marks = func(pid int) ([]string, bool) {
		if pid != orphan {
			return nil, true
		}
		if asked++; asked <= 3 {
			return nil, false
		}
		return []string{"mark"}, true
	}
	newFamily := func() *family {
		asked = 0
		f := &family{m: m, pid: 1 << 30, ticks: self.ticks, mark: "mark", collected: true, known: map[int]uint64{}}
		m.families[f] = true
		return f
	}
	if left := newFamily().left(); len(left) != 1 || left[0] != orphan {
		t.Errorf("left: %v", left)
	}
	f := newFamily()
	if f.members(); !m.families[f] {
		t.Error("the command was forgotten while something could not be asked")
	}
	if !newFamily().kill() {
		t.Error("something is left")
	}
	if now, ok, _ := look(orphan); ok && !now.dead {
		_ = unix.Kill(orphan, unix.SIGKILL)
		t.Error("the orphan runs still")
	}
}

func TestTheNameOfAProcessCannotLie(t *testing.T) {
	for line, want := range map[string]entry{
		"7 (sleep) S 1 2 3 0 -1 4 0 0 0 0 5 6 0 0 20 0 1 0 99 1000 12 0":           {pid: 7, ppid: 1, group: 2, session: 3, ticks: 99, cpu: 11, pages: 12},
		"7 (a) Z 9 9 9 (b) Z 1 2 3 0 -1 4 0 0 0 0 5 6 0 0 20 0 1 0 99 1000 12 0":   {pid: 7, ppid: 1, group: 2, session: 3, dead: true, ticks: 99, cpu: 11, pages: 12},
		"7 (first\nline) Z 1 2 3 0 -1 4 0 0 0 0 5 6 0 0 20 0 2 0 99 1000 12 0":     {pid: 7, ppid: 1, group: 2, session: 3, ticks: 99, cpu: 11, pages: 12},
		"7 (x) X 1 2 3 0 -1 4 0 0 0 0 5 6 0 0 20 0 0 0 18446744073709551615 1 1 0": {pid: 7, ppid: 1, group: 2, session: 3, dead: true, ticks: 1<<64 - 1, cpu: 11, pages: 1},
	} {
		if got, ok := parseStat(7, []byte(line)); !ok || got != want {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, line := range []string{"", "7", "7 (sleep", "7 (sleep)", "7 (sleep) S 1 2 3"} {
		if got, ok := parseStat(7, []byte(line)); ok {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
