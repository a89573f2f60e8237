//go:build linux

package process_test

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"
)

// other starts a program in the way in which other parts of this one do.
func other(t *testing.T, attributes *syscall.SysProcAttr, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	c.SysProcAttr = attributes
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// The window has children of its own, and so has a search.
func TestOtherChildrenAreLetAlone(t *testing.T) {
	d := newDesk(t)
	ours := other(t, nil, "sleep", "1000")
	group := other(t, &syscall.SysProcAttr{Setpgid: true}, "sleep", "1000")
	session := other(t, &syscall.SysProcAttr{Setsid: true}, "sleep", "1000")
	dead := other(t, nil, "sh", "-c", "exit 7")

	d.cancel("echo $$ >> pids; sleep 1000", func() { d.pids("pids", 1) })
	d.start("setsid sleep 1000 & sleep 1000")
	if ran, _ := d.run("sleep 1000 >/dev/null 2>&1 & echo done"); ran.Left == nil {
		t.Errorf("%+v", ran)
	}
	if ran, _ := d.run("echo done"); ran.Left != nil {
		t.Errorf("%+v", ran)
	}
	if err := d.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, c := range []*exec.Cmd{ours, group, session} {
		if processtest.State(c.Process.Pid) != "S" {
			t.Errorf("process %d was ended", c.Process.Pid)
		}
	}
	if err := dead.Wait(); err == nil || dead.ProcessState.ExitCode() != 7 {
		t.Errorf("somebody else collected it: %v", err)
	}
}

// A command ends beside others whose processes are orphans of ours already.
func TestWhatIsLeftOfOneCommandIsNotAnothers(t *testing.T) {
	d := newDesk(t)
	first, _ := d.run("setsid sh -c '(setsid sh -c \"echo \\$\\$ >> one; exec sleep 1000\" >/dev/null 2>&1 &)'; until test -e one; do sleep 0.01; done")
	second, _ := d.run("setsid sh -c '(setsid sh -c \"echo \\$\\$ >> two; exec sleep 1000\" >/dev/null 2>&1 &)'; until test -e two; do sleep 0.01; done")
	if first.Left == nil || second.Left == nil || first.Left.PID == second.Left.PID {
		t.Fatalf("%+v, %+v", first.Left, second.Left)
	}
	if third, _ := d.run("true"); third.Left != nil {
		t.Errorf("%+v", third.Left)
	}
	one, two := d.pids("one", 1), d.pids("two", 1)
	if _, err := d.Stop(t.Context(), "p1"); err != nil {
		t.Error(err)
	}
	gone(t, one)
	if processtest.State(two[0]) != "S" {
		t.Error("it was ended with the other")
	}
}

func TestOutputThatIsClosedIsNoEnd(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		r, _ := d.request("echo $$ >> pids; echo last; exec >&- 2>&-; sleep 1000", 2*time.Second)
		ran, err := d.Run(t.Context(), r)
		if err != nil || ran.Moved == nil || ran.Output.Head != "last\n" {
			t.Fatalf("%+v, %v", ran, err)
		}
		if p, err := d.Read(t.Context(), "p1", 0, time.Millisecond); err != nil || p.Text != "" || p.Process.Status != tool.ProcessRunning {
			t.Errorf("%+v, %v", p, err)
		}
		if p, err := d.Stop(t.Context(), "p1"); err != nil || p.Status != tool.ProcessStopped {
			t.Errorf("%+v, %v", p, err)
		}
		gone(t, d.pids("pids", 1))
	})
}
