package store

import (
	"errors"
	"sync"

	"github.com/mattn/go-sqlite3"
)

// Health says whether the store can write. Words tell a person what to do when it
// cannot; they are "" while it can.
type Health struct {
	OK    bool
	Words string
}

// health is what the last attempts showed.
type health struct {
	// changed is told when a person would read something else than before. It must not
	// block.
	changed func()

	mu  sync.Mutex
	err error
	// damage stays: a damaged file can take a write and still be damaged.
	damage error
}

func (h *health) set(err error) {
	before := Words(h.get())
	h.mu.Lock()
	h.err = err
	if damaged(err) {
		h.damage = err
	}
	h.mu.Unlock()
	if h.changed != nil && Words(h.get()) != before {
		h.changed()
	}
}

// saw notes what a read met.
func (h *health) saw(err error) {
	if damaged(err) {
		h.set(err)
	}
}

func (h *health) get() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.damage != nil {
		return h.damage
	}
	return h.err
}

func damaged(err error) bool {
	var lite sqlite3.Error
	return errors.As(err, &lite) && (lite.Code == sqlite3.ErrCorrupt || lite.Code == sqlite3.ErrNotADB)
}

// Health returns whether the last attempt to write worked. A store that could not
// write tries again by itself every few seconds, and with every call.
func (s *Store) Health() Health {
	err := s.health.get()
	return Health{OK: err == nil, Words: Words(err)}
}
