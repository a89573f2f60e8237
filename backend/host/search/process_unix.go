//go:build unix

package search

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// alone gives the process a group of its own, so that what it started ends with it.
func alone(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return unix.Kill(-c.Process.Pid, unix.SIGKILL) }
}
