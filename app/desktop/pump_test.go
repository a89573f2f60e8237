package main

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/app/bridge"
	"countersign/backend/event"
	"countersign/backend/host/clock"
)

// page keeps the numbers of the hints that came, one list for each sending.
type page struct {
	mu   sync.Mutex
	came [][]string
}

func (p *page) emit(name string, data any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hints, ok := data.([]bridge.Event)
	if name != hintsEvent || !ok {
		panic("not hints")
	}
	var numbers []string
	for _, h := range hints {
		numbers = append(numbers, h.N)
	}
	p.came = append(p.came, numbers)
}

func (p *page) all() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Concat(p.came...)
}

func hint(hub *event.Hub, i int) {
	hub.Emit(event.Event{Type: event.ApprovalRequested, SessionID: "s", Ref: fmt.Sprint(i)})
}

func TestHintsBeginAnewForAPageThatIsLoadedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hub event.Hub
		var seen page
		p := &pump{source: &hub, emit: seen.emit, clock: clock.System()}
		hint(&hub, 0)
		p.begin()
		synctest.Wait()
		hint(&hub, 1)
		time.Sleep(time.Second)
		hint(&hub, 2)
		time.Sleep(time.Second)
		p.begin()
		synctest.Wait()
		hint(&hub, 3)
		time.Sleep(time.Second)
		if got, want := seen.all(), []string{"1", "2", "1"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		p.end()
		hint(&hub, 4)
		p.begin()
		time.Sleep(time.Second)
		if got := len(seen.all()); got != 3 {
			t.Errorf("%d hints after the end", got)
		}
	})
}

func TestAStormOfHintsIsSentInFewPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hub event.Hub
		var seen page
		p := &pump{source: &hub, emit: seen.emit, clock: clock.System()}
		p.begin()
		for i := range 1_000 {
			hint(&hub, i)
			synctest.Wait()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		if got := len(seen.all()); got != 1_000 {
			t.Errorf("%d hints came", got)
		}
		if got := len(seen.came); got > 80 {
			t.Errorf("they came in %d pieces", got)
		}
		p.end()
	})
}

func TestAFewHintsAreSentAtOnceAfterARest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hub event.Hub
		var seen page
		p := &pump{source: &hub, emit: seen.emit, clock: clock.System()}
		p.begin()
		for round := range 3 {
			before := round * (pumpAtOnce + 1)
			for i := range pumpAtOnce + 1 {
				hint(&hub, i)
				synctest.Wait()
			}
			if got := len(seen.all()) - before; got != pumpAtOnce {
				t.Errorf("%d hints came at once, not %d", got, pumpAtOnce)
			}
			time.Sleep(time.Second)
			if got := len(seen.all()) - before; got != pumpAtOnce+1 {
				t.Errorf("%d hints came in all", got)
			}
		}
		p.end()
	})
}
