package bridge

import (
	"context"
	"io"
	"strconv"
	"sync"

	"countersign/backend/event"
)

// maxQueued is how many hints wait for a slow reader.
const maxQueued = 256

// Stream is the numbered hints of one connection. It never makes the engine wait:
// hints that do not fit are dropped, and their numbers are missing. A hint that is
// already queued is not queued twice, since who reads it reads the newest state.
type Stream struct {
	cancel func()

	mu     sync.Mutex
	n      uint64
	queue  []Event
	queued map[hint]bool
	// last is the last sequence number seen of each session, to notice what was
	// dropped before it came here.
	last  map[string]int64
	ended bool
	wake  chan struct{}
}

type hint struct{ kind, session, ref string }

// NewStream subscribes to a source. The caller ends it with Close.
func NewStream(source Source) *Stream {
	events, cancel := source.Subscribe()
	s := &Stream{
		cancel: cancel, queued: map[hint]bool{}, last: map[string]int64{}, wake: make(chan struct{}, 1),
	}
	go s.pump(events)
	return s
}

// Close unsubscribes. Next then returns io.EOF once the source has let go.
func (s *Stream) Close() { s.cancel() }

// Next returns the next hint, io.EOF after the source ended, or the context's error.
func (s *Stream) Next(ctx context.Context) (Event, error) {
	for {
		if e, ok, ended := s.take(); ok {
			return e, nil
		} else if ended {
			return Event{}, io.EOF
		}
		select {
		case <-ctx.Done():
			return Event{}, ctx.Err()
		case <-s.wake:
		}
	}
}

// Rest returns what is queued now, without waiting.
func (s *Stream) Rest() []Event {
	var out []Event
	for {
		e, ok, _ := s.take()
		if !ok {
			return out
		}
		out = append(out, e)
	}
}

func (s *Stream) take() (e Event, ok, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return Event{}, false, s.ended
	}
	e = s.queue[0]
	s.queue = s.queue[1:]
	delete(s.queued, hint{e.Type, e.SessionID, e.Ref})
	return e, true, false
}

func (s *Stream) pump(events <-chan event.Event) {
	for e := range events {
		s.add(e)
		s.notify()
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.notify()
}

func (s *Stream) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Stream) add(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Seq > 0 {
		if last, seen := s.last[e.SessionID]; seen && e.Seq > last+1 {
			s.n++
		}
		s.last[e.SessionID] = e.Seq
	}
	h := hint{string(e.Type), e.SessionID, e.Ref}
	if s.queued[h] {
		return
	}
	s.n++
	if len(s.queue) >= maxQueued {
		return
	}
	s.queued[h] = true
	s.queue = append(s.queue, Event{
		N: strconv.FormatUint(s.n, 10), Type: h.kind, SessionID: h.session, Ref: h.ref, At: stamp(e.At),
	})
}
