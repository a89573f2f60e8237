// Package keylock lets one caller at a time at whatever a key names, and lets those
// who wait give up when their context ends.
//
// It knows nothing of files: a key is a text, and two keys are one only when they are
// equal, so callers give the real path.
package keylock

import (
	"context"
	"sync"
)

// Locks are the locks of all keys. Keys that nobody holds or waits for take no room.
type Locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

type lock struct {
	free chan struct{}
	// users counts who holds or waits, so that the last one takes the lock away.
	users int
}

// New returns locks that nobody holds.
func New() *Locks { return &Locks{held: map[string]*lock{}} }

// Take waits for the lock of a key, as long as ctx lives, and returns how to give it
// back, which is done once. It fails only with the error of ctx.
func (l *Locks) Take(ctx context.Context, key string) (func(), error) {
	l.mu.Lock()
	k, ok := l.held[key]
	if !ok {
		k = &lock{free: make(chan struct{}, 1)}
		k.free <- struct{}{}
		l.held[key] = k
	}
	k.users++
	l.mu.Unlock()

	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if k.users--; k.users == 0 {
			delete(l.held, key)
		}
	}
	select {
	case <-k.free:
		return func() {
			k.free <- struct{}{}
			leave()
		}, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
