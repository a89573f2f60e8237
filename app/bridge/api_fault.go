package bridge

import (
	"context"
	"sync"
	"time"
)

// What one fault of the page may add to the log, in bytes, and how many may in one
// minute: a page that draws a broken thing again and again must not fill a disk.
const (
	maxFaultWhere   = 64
	maxFaultMessage = 500
	maxFaultStack   = 2_000
	maxFaults       = 10
	faultWindow     = time.Minute
)

// ReportFault writes a fault of the page to the log. It never fails for what the fault
// holds or how many came: the page has trouble enough.
func (a *API) ReportFault(f PageFault) error {
	return perform(a, "ReportFault", func(context.Context) error {
		left, ok := a.faults.take(a.clock.Now())
		if left > 0 {
			a.log.Warn("page faults left out", "count", left)
		}
		if ok {
			a.log.Error("page fault", "where", clipTo(f.Where, maxFaultWhere),
				"message", clipTo(f.Message, maxFaultMessage), "stack", clipTo(f.Stack, maxFaultStack))
		}
		return nil
	})
}

// faultGate lets so many faults a window through and counts the others.
type faultGate struct {
	mu    sync.Mutex
	since time.Time
	count int
	left  int
}

// take reports whether a fault may be logged, and how many of the window before were not.
func (g *faultGate) take(now time.Time) (left int, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if age := now.Sub(g.since); g.since.IsZero() || age >= faultWindow || age < 0 {
		left = g.left
		g.since, g.count, g.left = now, 0, 0
	}
	if g.count == maxFaults {
		g.left++
		return left, false
	}
	g.count++
	return left, true
}
