//go:build unix

package backend

import (
	"syscall"
	"testing"
)

// makePipe makes a pipe that has a name.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
