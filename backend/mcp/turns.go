package mcp

import (
	"context"
	"sync"
)

// turns lets the calls of one client into the pipeline one by one, in the order in which
// they came: the next one enters when the one before it waits for a person, runs or has
// ended. The SDK starts each in a goroutine of its own, so without this a client that sends
// several at once would have them judged, shown and run in any order. A call that its client
// lets go before its turn never enters: it would overtake those before it.
type turns struct {
	mu   sync.Mutex
	last int
	// line are those that have not entered for good; the first of them may.
	line []turn
}

type turn struct {
	number int
	here   chan struct{}
}

// join takes a place at the end of the line and returns its number, which is not 0.
func (t *turns) join() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.line = append(t.line, turn{number: t.last, here: make(chan struct{})})
	t.call()
	return t.last
}

// wait returns when it is the turn of a number or ctx has ended, and reports whether the call
// may enter: one whose ctx has ended may not.
func (t *turns) wait(ctx context.Context, number int) bool {
	t.mu.Lock()
	var here chan struct{}
	for _, one := range t.line {
		if one.number == number {
			here = one.here
		}
	}
	t.mu.Unlock()
	if here != nil {
		select {
		case <-here:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// leave gives a place in the line up; again, it does nothing.
func (t *turns) leave(number int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, one := range t.line {
		if one.number == number {
			t.line = append(t.line[:i], t.line[i+1:]...)
			t.call()
			return
		}
	}
}

// call has the first of the line enter; t.mu is held.
func (t *turns) call() {
	if len(t.line) == 0 {
		return
	}
	select {
	case <-t.line[0].here:
	default:
		close(t.line[0].here)
	}
}
