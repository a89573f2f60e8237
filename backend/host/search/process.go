package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"countersign/backend/tool"
)

// complaintBytes is how much of what ripgrep complains of is kept.
const complaintBytes = 16 << 10

// drainTime is how long the outputs of a killed run may stay open.
const drainTime = time.Second

// Exit codes of ripgrep: nothing was found, and something was not right.
const (
	exitNothing = 1
	exitTrouble = 2
)

// run starts ripgrep, gives what it prints to read, and ends it when read returns. It
// returns what ripgrep complained of. A read that stops early is no failure.
func (s *Searcher) run(ctx context.Context, p place, args []string, read func(io.Reader) (enough bool, err error)) (complaint string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := exec.CommandContext(ctx, s.Program, args...)
	c.Dir = p.dir
	// Not nil: that would be the environment of this program.
	c.Env = []string{}
	var said head
	c.Stderr = &said
	c.WaitDelay = drainTime
	alone(c)
	out, err := c.StdoutPipe()
	if err != nil {
		return "", tool.Errorf(tool.CodeExecutionFailed, "make a pipe: %w", err)
	}
	if err := c.Start(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		// The error of the system names the path.
		return "", tool.Errorf(tool.CodeUnavailable, "ripgrep could not be started").
			WithText("Searching is not available here: ripgrep could not be started. " + Hint)
	}
	// What left the group of the process could hold the pipe open for ever.
	shut := context.AfterFunc(ctx, func() { _ = out.Close() })
	enough, readErr := read(out)
	shut()
	outer := ctx.Err()
	if enough || readErr != nil {
		cancel()
	}
	waitErr := c.Wait()
	switch {
	case outer != nil:
		return "", outer
	case readErr != nil:
		return "", tool.Errorf(tool.CodeExecutionFailed, "read what ripgrep prints: %w", readErr)
	case enough || waitErr == nil:
		return "", nil
	}
	exit, ok := errors.AsType[*exec.ExitError](waitErr)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case ok && exit.ExitCode() == exitNothing:
		return "", nil
	case ok && exit.ExitCode() == exitTrouble:
		return said.String(), nil
	}
	return "", tool.Errorf(tool.CodeExecutionFailed, "ripgrep ended on its own")
}

// head keeps the start of what is written to it.
type head struct{ bytes.Buffer }

// Write takes everything and keeps what has room.
func (h *head) Write(b []byte) (int, error) {
	h.Buffer.Write(b[:min(len(b), max(0, complaintBytes-h.Len()))])
	return len(b), nil
}
