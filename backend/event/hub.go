package event

import "sync"

// subscriberRoom is how many events wait for a slow subscriber before some are lost.
const subscriberRoom = 1024

// Hub hands events to whoever listens now. It never blocks and keeps nothing: a
// subscriber that is too slow misses events, sees the gap and reads a snapshot. The
// zero Hub is ready; it is safe for concurrent use.
type Hub struct {
	mu   sync.Mutex
	subs map[chan Event]struct{}
}

// Emit hands e to every subscriber that has room.
func (h *Hub) Emit(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ch := range h.subs {
		select {
		case ch <- e:
		default:
		}
	}
}

// Subscribe returns the events from now on, and a function that ends the
// subscription and closes the channel.
func (h *Hub) Subscribe() (events <-chan Event, cancel func()) {
	ch := make(chan Event, subscriberRoom)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.subs == nil {
		h.subs = map[chan Event]struct{}{}
	}
	h.subs[ch] = struct{}{}
	return ch, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if _, ok := h.subs[ch]; ok {
			delete(h.subs, ch)
			close(ch)
		}
	}
}
