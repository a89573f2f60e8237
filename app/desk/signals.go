package desk

import (
	"os"
	"os/signal"
	"syscall"
)

// EndSignals are the signals that ask a program to end in order. The one of a terminal that is
// closed is among them, unless whoever started the program had it ignored, as nohup does.
func EndSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
