//go:build unix && !linux

package process

import (
	"os"
	"syscall"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// group is a process group, known by the number of its first process.
type group struct{}

func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func (group) add(*os.Process) {}
func (group) close()          {}

func (group) alive(pid int) bool { return unix.Kill(-pid, 0) != unix.ESRCH }

func (group) terminate(pid int) {
	_ = unix.Kill(-pid, unix.SIGTERM)
	_ = unix.Kill(-pid, unix.SIGCONT)
}

func (group) kill(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) }

func ending(state *os.ProcessState) tool.Ending {
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return tool.Ending{Signal: unix.SignalName(s.Signal())}
	}
	code := state.ExitCode()
	return tool.Ending{Code: &code}
}
