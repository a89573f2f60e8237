package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"

	"countersign/app/desk"
	"countersign/backend/config"
)

// gcPercent is how much the heap may grow until it is collected, in percent of what lives.
// What lives is a few megabytes, so that collecting it often takes next to no time.
const gcPercent = 40

func main() {
	// Before anything else: WebKit reads its environment when its first class is made.
	config.CloseInspector()
	// People keep the window open all day, and little of it is ours to keep small.
	debug.SetGCPercent(gcPercent)
	ctx, cancel := context.WithCancel(context.Background())
	ends := newInterrupts(cancel)
	p := &program{stdout: os.Stdout, stderr: os.Stderr, interrupts: ends}
	code := p.run(ctx, os.Args[1:])
	cancel()
	os.Exit(code)
}

// interrupts are the signals that ask a program to end. The first ends in order, a
// second one at once.
type interrupts struct {
	ends []os.Signal
	came chan os.Signal
	// over says that the first has come, so that the next is nobody's to hold back.
	over atomic.Bool
}

// newInterrupts calls first for the first signal. Its goroutine lives as long as the
// program.
func newInterrupts(first func()) *interrupts {
	i := &interrupts{ends: desk.EndSignals(), came: make(chan os.Signal, 1)}
	i.claim()
	go func() {
		<-i.came
		i.over.Store(true)
		i.claim()
		first()
	}()
	return i
}

// claim takes the signals from whoever listens for them besides. Wails does: it would
// write to the terminal, ask the person, and swallow the second signal.
func (i *interrupts) claim() {
	signal.Reset(i.ends...)
	if !i.over.Load() {
		signal.Notify(i.came, i.ends...)
	}
}
