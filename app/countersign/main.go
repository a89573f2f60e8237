package main

import (
	"context"
	"os"
	"os/signal"

	"countersign/app/desk"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), desk.EndSignals()...)
	// The first signal ends in order. A second one ends at once, or once what runs was killed
	// where the engine is closing already.
	context.AfterFunc(ctx, stop)
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, inside: insideCommand}
	os.Exit(p.run(ctx, os.Args[1:]))
}
