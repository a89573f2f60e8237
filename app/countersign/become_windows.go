package main

import (
	"errors"
	"os"
	"os/exec"
)

// become runs another program in the place of this one: there is no replacing here.
func become(path string, args []string) error {
	c := exec.Command(path, args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return quiet(e.ExitCode())
	}
	return err
}
