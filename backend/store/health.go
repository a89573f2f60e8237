package store

import "sync"

// Health says whether the store can write. Words tell a person what to do when it
// cannot; they are "" while it can.
type Health struct {
	OK    bool
	Words string
}

// health is what the last attempt to write showed.
type health struct {
	mu  sync.Mutex
	err error
}

func (h *health) set(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
}

func (h *health) get() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// Health returns whether the last attempt to write worked. A store that could not
// write tries again by itself every few seconds, and with every call.
func (s *Store) Health() Health {
	err := s.health.get()
	return Health{OK: err == nil, Words: Words(err)}
}
