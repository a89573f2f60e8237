//go:build unix

package main

import (
	"syscall"

	"countersign/backend/config"
)

// become replaces this program by another one: signals and the exit code are then that
// one's own. It returns only when that failed.
func become(path string, args []string) error { return syscall.Exec(path, args, config.Environment()) }
