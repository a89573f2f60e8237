//go:build unix

package toolset

import "syscall"

// noWait keeps a FIFO or device from holding whoever opens it.
const noWait = syscall.O_NONBLOCK
