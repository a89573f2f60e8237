package mcp

import (
	"io"
	"sync"
	"time"
)

// outbox writes lines in order without making the sender wait, so that two sides that
// are both writing cannot stand still. What waits in it is bounded by what its sender
// was asked for.
type outbox struct {
	mu     sync.Mutex
	queue  [][]byte
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

// newOutbox starts writing to w. failed hears of an error, after which nothing more is
// written.
func newOutbox(w io.Writer, failed func(error)) *outbox {
	o := &outbox{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go o.run(w, failed)
	return o
}

// put queues a line. The bytes must not change afterwards.
func (o *outbox) put(line []byte) {
	o.mu.Lock()
	if !o.closed {
		o.queue = append(o.queue, line)
	}
	o.mu.Unlock()
	o.rouse()
}

func (o *outbox) rouse() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// finish takes no more lines and waits until those queued are written, for at most d.
func (o *outbox) finish(d time.Duration) {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.rouse()
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-o.done:
	case <-late.C:
	}
}

func (o *outbox) run(w io.Writer, failed func(error)) {
	defer close(o.done)
	for {
		o.mu.Lock()
		batch, closed := o.queue, o.closed
		o.queue = nil
		o.mu.Unlock()
		if len(batch) == 0 {
			if closed {
				return
			}
			<-o.wake
			continue
		}
		for _, line := range batch {
			if err := writeLine(w, line); err != nil {
				o.mu.Lock()
				o.closed, o.queue = true, nil
				o.mu.Unlock()
				failed(err)
				return
			}
		}
	}
}

// writeLine writes a line with its break. The line is copied: it may be in the hands
// of another writer too.
func writeLine(w io.Writer, line []byte) error {
	out := make([]byte, 0, len(line)+1)
	out = append(out, line...)
	_, err := w.Write(append(out, '\n'))
	return err
}
