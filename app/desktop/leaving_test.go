package main

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// door counts what a window's closing does.
type door struct {
	*leaving
	asks, closes atomic.Int32
}

func newDoor(waits int) *door {
	d := &door{}
	d.leaving = &leaving{
		count: func() stake { return stake{Waiting: waits} }, ask: func(stake) { d.asks.Add(1) }, close: func() { d.closes.Add(1) },
	}
	return d
}

func (d *door) check(t *testing.T, step string, asks, closes int32) {
	t.Helper()
	synctest.Wait()
	if d.asks.Load() != asks || d.closes.Load() != closes {
		t.Errorf("%s: asked %d times and closed %d times, want %d and %d", step, d.asks.Load(), d.closes.Load(), asks, closes)
	}
}

func TestTheWindowClosesAtOnceWhereNothingWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(0)
		d.wanted()
		d.check(t, "wanted", 0, 1)
	})
}

func TestTheWindowAsksWhileCallsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(2)
		d.wanted()
		d.asked()
		time.Sleep(time.Hour)
		d.check(t, "the person thinks", 1, 0)
		d.stay()
		d.wanted()
		d.asked()
		d.check(t, "wanted again", 2, 0)
		d.quit()
		d.check(t, "quit", 2, 1)
	})
}

// Processes in the background end with the program, so they are asked about as well.
//
// spec: KH-52
func TestTheWindowAsksWhileProcessesRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(0)
		runs := stake{Processes: 2}
		asked := make(chan stake, 1)
		d.count, d.ask = func() stake { return runs }, func(s stake) { asked <- s }
		d.wanted()
		d.asked()
		if got := <-asked; got != runs {
			t.Errorf("asked about %+v", got)
		}
		d.check(t, "they run", 0, 0)
		d.stay()
		runs = stake{}
		d.wanted()
		d.check(t, "they ended", 0, 1)
	})
}

func TestAPageThatDoesNotAskKeepsNobodyIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(1)
		d.wanted()
		d.wanted()
		time.Sleep(askPatience - time.Millisecond)
		d.check(t, "before", 2, 0)
		time.Sleep(time.Millisecond)
		d.check(t, "after", 2, 1)
	})
}

func TestASignalAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor(3)
		d.quit()
		d.check(t, "quit", 0, 1)
	})
}
