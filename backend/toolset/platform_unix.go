//go:build unix

package toolset

import (
	"os"
	"syscall"
)

// noWait keeps a FIFO or device from holding whoever opens it.
const noWait = syscall.O_NONBLOCK

// mayExecute reports whether a file says that it may be executed. Whether this user may is known
// once it is started.
func mayExecute(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o111 != 0
}
