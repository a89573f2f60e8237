// Package desktoptest says what everything must do that shows notifications, and has one that
// shows them to a test alone.
package desktoptest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/host/desktop"
)

// Service shows notifications, as desktop.Notifier does.
type Service interface {
	Show(ctx context.Context, n desktop.Notification) error
	Withdraw(ctx context.Context) error
	Close()
}

// Screen is where the notifications of a service stand.
type Screen interface {
	// Shown are those that stand there now.
	Shown() []desktop.Notification
	// Click clicks the one that stands there.
	Click()
	// Hang has the service answer nothing any more.
	Hang()
	// Break has it fail from now on.
	Break()
}

// Contract is what every service must do. Open gives one, what it shows to, and a channel that
// gets a value for each click.
func Contract(t *testing.T, open func(t *testing.T) (Service, Screen, <-chan struct{})) {
	first := desktop.Notification{Title: "A call waits", Body: "bash & <b>friends</b>"}
	second := desktop.Notification{Title: "2 calls wait", Body: "two", Sound: true}
	show := func(t *testing.T, s Service, n desktop.Notification) {
		t.Helper()
		if err := s.Show(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	stands := func(t *testing.T, s Screen, want ...desktop.Notification) {
		t.Helper()
		if d := cmp.Diff(want, s.Shown()); d != "" {
			t.Error(d)
		}
	}
	t.Run("one stands at a time", func(t *testing.T) {
		s, screen, _ := open(t)
		show(t, s, first)
		stands(t, screen, first)
		show(t, s, second)
		stands(t, screen, second)
	})
	t.Run("it is taken back once", func(t *testing.T) {
		s, screen, _ := open(t)
		for range 2 {
			if err := s.Withdraw(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		show(t, s, first)
		for range 2 {
			if err := s.Withdraw(t.Context()); err != nil {
				t.Fatal(err)
			}
			stands(t, screen)
		}
		show(t, s, second)
		stands(t, screen, second)
	})
	t.Run("a click is told", func(t *testing.T) {
		s, screen, clicks := open(t)
		show(t, s, first)
		screen.Click()
		select {
		case <-clicks:
		case <-time.After(10 * time.Second):
			t.Fatal("nobody was told of the click")
		}
	})
	t.Run("one that hangs is let go when the context ends", func(t *testing.T) {
		s, screen, _ := open(t)
		show(t, s, first)
		screen.Hang()
		for _, call := range []func(context.Context) error{
			func(ctx context.Context) error { return s.Withdraw(ctx) },
			func(ctx context.Context) error { return s.Show(ctx, second) },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- call(ctx) }()
			select {
			case err := <-done:
				t.Fatalf("it answered: %v", err)
			case <-time.After(50 * time.Millisecond):
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}
	})
	t.Run("one that fails says so", func(t *testing.T) {
		s, screen, _ := open(t)
		screen.Break()
		if err := s.Show(t.Context(), first); err == nil {
			t.Error("it showed something")
		}
		stands(t, screen)
	})
}

// Fake is a service and its screen in memory. Its zero value is ready.
type Fake struct {
	Clicked func()

	mu     sync.Mutex
	shown  []desktop.Notification
	all    []desktop.Notification
	hangs  bool
	broken bool
}

var errBroken = errors.New("the service is broken")

// Show shows one notification in the place of the one before.
func (f *Fake) Show(ctx context.Context, n desktop.Notification) error {
	return f.do(ctx, func() {
		f.shown, f.all = []desktop.Notification{n}, append(f.all, n)
	})
}

// Withdraw takes it back.
func (f *Fake) Withdraw(ctx context.Context) error {
	if len(f.Shown()) == 0 {
		return nil
	}
	return f.do(ctx, func() { f.shown = nil })
}

// Close does nothing.
func (f *Fake) Close() {}

func (f *Fake) do(ctx context.Context, change func()) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.broken:
		return errBroken
	case f.hangs:
		f.mu.Unlock()
		<-ctx.Done()
		f.mu.Lock()
		return ctx.Err()
	}
	change()
	return nil
}

// Shown are the notifications that stand now.
func (f *Fake) Shown() []desktop.Notification {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]desktop.Notification(nil), f.shown...)
}

// All are those that ever stood, the oldest first.
func (f *Fake) All() []desktop.Notification {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]desktop.Notification(nil), f.all...)
}

// Click clicks the one that stands.
func (f *Fake) Click() { f.Clicked() }

// Hang has it answer nothing.
func (f *Fake) Hang() { f.set(func() { f.hangs = true }) }

// Break has it fail.
func (f *Fake) Break() { f.set(func() { f.broken = true }) }

// Mend has it work again.
func (f *Fake) Mend() { f.set(func() { f.hangs, f.broken = false, false }) }

func (f *Fake) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}
