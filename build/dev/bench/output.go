package main

import (
	"context"
	"fmt"
)

const (
	goalOpenMs   = 100
	goalScrollMs = 8.3
)

// output runs the part of the measurement that opens and scrolls what real calls printed, in
// Chromium. Opening is told by time on the wall, scrolling by processor time of the main thread.
func output(ctx context.Context) ([]row, error) {
	var m struct {
		Rounds int     `json:"rounds"`
		Few    float64 `json:"few"`
		Large  float64 `json:"large"`
		Frames int     `json:"frames"`
		P95    float64 `json:"p95"`
		Rest   float64 `json:"rest"`
	}
	if err := script(ctx, &m, "node", "build/dev/bench/output.mjs"); err != nil {
		return nil, err
	}
	return []row{
		{
			what: fmt.Sprintf("opening an output of 1 GB (median of %d)", m.Rounds), figure: fmt.Sprintf("%.0f ms", m.Large),
			limit: fmt.Sprintf("%.0f ms for one of a few bytes", m.Few), ratio: m.Large / m.Few,
			goal: fmt.Sprintf("at most %d ms", goalOpenMs), held: holds(m.Large <= goalOpenMs),
		},
		{
			what: fmt.Sprintf("scrolling a million lines, 95 of 100 of %d frames", m.Frames), figure: fmt.Sprintf("%.1f ms", m.P95),
			limit: fmt.Sprintf("%.1f ms to move an empty element", m.Rest), ratio: m.P95 / m.Rest,
			goal: fmt.Sprintf("at most %.1f ms", goalScrollMs), held: holds(m.P95 <= goalScrollMs),
		},
	}, nil
}
