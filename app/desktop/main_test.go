package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// signalled makes this test program send itself both signals.
const signalled = "COUNTERSIGN_TEST_SIGNALLED"

// twice gets both signals, with Wails beginning to listen after either. It does not return.
func twice() {
	first := make(chan struct{})
	theirs := make(chan os.Signal, 2)
	i := newInterrupts(func() { close(first) })
	for range 2 {
		signal.Notify(theirs, os.Interrupt, syscall.SIGTERM)
		i.claim()
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		<-first
		if len(theirs) > 0 {
			os.Exit(3)
		}
	}
	select {}
}

func TestTheFirstSignalIsOursAloneAndTheSecondEndsAtOnce(t *testing.T) {
	if os.Getenv(signalled) != "" {
		twice()
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), signalled+"=1")
	ended, ok := errors.AsType[*exec.ExitError](c.Run())
	if !ok {
		t.Fatalf("it ended in order: %v", ended)
	}
	if state, ok := ended.Sys().(syscall.WaitStatus); !ok || state.Signal() != syscall.SIGTERM {
		t.Errorf("it ended by %v, want the second signal", ended)
	}
}
