package mcp

import (
	"io"
	"sync"
	"time"
)

// maxQueued is how many bytes may wait for a side that does not read before nothing more
// is read that would be written to it.
const maxQueued = 1 << 20

// outbox writes lines in order without making the sender wait, so that two sides that
// are both writing cannot stand still. Whoever reads what is put in it waits for room
// first: that, and not put, bounds what is held.
type outbox struct {
	mu    sync.Mutex
	queue [][]byte
	// size is how many bytes are not written yet.
	size   int
	closed bool
	// space is closed when there is room again; nil while nobody waits for that.
	space chan struct{}
	wake  chan struct{}
	done  chan struct{}
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
		o.size += len(line)
	}
	o.mu.Unlock()
	o.rouse()
}

// room waits until less than maxQueued bytes are held, nothing more will be written, or
// stop is closed.
func (o *outbox) room(stop <-chan struct{}) {
	for {
		o.mu.Lock()
		if o.size < maxQueued || o.closed {
			o.mu.Unlock()
			return
		}
		if o.space == nil {
			o.space = make(chan struct{})
		}
		space := o.space
		o.mu.Unlock()
		select {
		case <-space:
		case <-stop:
			return
		}
	}
}

// wrote takes n written bytes off; o.mu is held.
func (o *outbox) wrote(n int) {
	o.size -= n
	if o.space != nil && (o.size < maxQueued || o.closed) {
		close(o.space)
		o.space = nil
	}
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
	o.wrote(0)
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
		for i, line := range batch {
			err := writeLine(w, line)
			batch[i] = nil
			o.mu.Lock()
			if err != nil {
				o.closed, o.queue = true, nil
			}
			o.wrote(len(line))
			o.mu.Unlock()
			if err != nil {
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
