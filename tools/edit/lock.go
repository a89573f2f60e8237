package edit

import (
	"context"
	"sync"
)

// locks let one edit at a time at a file, from reading it to writing it.
type locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

type lock struct {
	free chan struct{}
	// users counts who holds or waits, so that the last one takes the lock away.
	users int
}

func newLocks() *locks { return &locks{held: map[string]*lock{}} }

// take waits for the lock of a real path, as long as ctx lives, and returns how to give
// it back.
func (l *locks) take(ctx context.Context, real string) (func(), error) {
	l.mu.Lock()
	k, ok := l.held[real]
	if !ok {
		k = &lock{free: make(chan struct{}, 1)}
		k.free <- struct{}{}
		l.held[real] = k
	}
	k.users++
	l.mu.Unlock()

	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if k.users--; k.users == 0 {
			delete(l.held, real)
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
