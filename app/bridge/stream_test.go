package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	"countersign/backend/event"
)

func next(t *testing.T, s *Stream) Event {
	t.Helper()
	e, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHintsAreNumberedOnEachConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newSource(4)
		s := NewStream(source)
		source.events <- event.Event{SessionID: "s", Seq: 7, Type: event.CallStarted, Ref: "i1", At: noon}
		source.events <- event.Event{SessionID: "s", Seq: 8, Type: event.CallCompleted, Ref: "i1", At: noon}
		if got := next(t, s); got != (Event{N: "1", Type: "tool.call.started", SessionID: "s", Ref: "i1", At: "2026-07-25T12:00:00Z"}) {
			t.Errorf("got %+v", got)
		}
		if got := next(t, s); got.N != "2" {
			t.Errorf("got %+v", got)
		}
		s.Close()
		if _, err := s.Next(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestAQueuedHintIsNotQueuedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newSource(8)
		s := NewStream(source)
		for range 5 {
			source.events <- event.Event{SessionID: "s", Type: event.SettingsChanged, At: noon}
		}
		synctest.Wait()
		source.events <- event.Event{SessionID: "s", Type: event.SessionEnded, At: noon}
		synctest.Wait()
		if got := next(t, s); got.N != "1" || got.Type != "settings.changed" {
			t.Errorf("got %+v", got)
		}
		if got := next(t, s); got.N != "2" || got.Type != "session.ended" {
			t.Errorf("got %+v", got)
		}
		s.Close()
	})
}

func TestDroppedHintsLeaveAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newSource(0)
		s := NewStream(source)
		for i := range maxQueued + 10 {
			source.events <- event.Event{SessionID: "s", Seq: int64(i + 1), Type: event.CallStarted, Ref: fmt.Sprint(i), At: noon}
		}
		synctest.Wait()
		for i := range maxQueued {
			if got := next(t, s); got.N != fmt.Sprint(i+1) {
				t.Fatalf("got %+v", got)
			}
		}
		source.events <- event.Event{SessionID: "s", Seq: maxQueued + 11, Type: event.CallStarted, Ref: "last", At: noon}
		if got := next(t, s); got.N != fmt.Sprint(maxQueued+11) {
			t.Errorf("no gap after a drop: %+v", got)
		}
		s.Close()
	})
}

func TestWhatTheEngineDroppedLeavesAGapToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newSource(2)
		s := NewStream(source)
		source.events <- event.Event{SessionID: "s", Seq: 1, Type: event.CallStarted, Ref: "a", At: noon}
		source.events <- event.Event{SessionID: "s", Seq: 5, Type: event.CallStarted, Ref: "b", At: noon}
		if a, b := next(t, s), next(t, s); a.N != "1" || b.N != "3" {
			t.Errorf("got %s, %s", a.N, b.N)
		}
		s.Close()
	})
}

func TestNextEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStream(newSource(0))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		s.Close()
	})
}
