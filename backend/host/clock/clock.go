package clock

import (
	"fmt"
	"time"

	"countersign/backend/tool"
)

// System returns the machine's clock. Its times are in UTC and carry the monotonic
// reading, so that differences between them survive a change of the wall clock.
func System() tool.Clock { return system{} }

type system struct{}

func (system) Now() time.Time { return time.Now().UTC() }

// Fixed returns a clock that stands still at t.
func Fixed(t time.Time) tool.Clock { return fixed{t.UTC().Round(0)} }

type fixed struct{ at time.Time }

func (f fixed) Now() time.Time { return f.at }

// At returns a clock that stands still at a time written as RFC 3339, as the
// --clock flag takes it. "" returns the machine's clock.
func At(rfc3339 string) (tool.Clock, error) {
	if rfc3339 == "" {
		return System(), nil
	}
	t, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		// The cause quotes what was written, so it is left out.
		return nil, fmt.Errorf("read clock: not a time like 2026-01-31T12:00:00Z")
	}
	return Fixed(t), nil
}
