package keylock

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOneAtATimeHoldsAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		const n = 5
		took := make(chan func(), n)
		for range n {
			go func() {
				release, err := l.Take(t.Context(), "a")
				if err != nil {
					t.Error(err)
				}
				took <- release
			}()
		}
		for range n {
			synctest.Wait()
			if len(took) != 1 {
				t.Fatalf("%d hold the key", len(took))
			}
			(<-took)()
		}
		if len(l.held) != 0 {
			t.Errorf("%d locks are left", len(l.held))
		}
	})
}

func TestAnotherKeyDoesNotWait(t *testing.T) {
	l := New()
	first, err := l.Take(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.Take(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	second()
	first()
}

func TestWhoWaitsCanGiveUpAndTheOthersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		release, err := l.Take(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gaveUp, took := make(chan error, 1), make(chan func(), 1)
		go func() {
			_, err := l.Take(ctx, "a")
			gaveUp <- err
		}()
		go func() {
			release, err := l.Take(t.Context(), "a")
			if err != nil {
				t.Error(err)
			}
			took <- release
		}()
		synctest.Wait()
		cancel()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if len(took) > 0 {
			t.Error("two hold the key")
		}
		release()
		(<-took)()
		if len(l.held) != 0 {
			t.Errorf("%d locks are left", len(l.held))
		}
	})
}
