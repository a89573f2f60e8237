package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

const (
	goalOpenMs   = 100
	goalScrollMs = 8.3
)

// output runs the part of the measurement that opens and scrolls what real calls printed, in
// Chromium. Opening is told by time on the wall, scrolling by processor time of the main thread.
func output(ctx context.Context) ([]row, error) {
	var out bytes.Buffer
	script := exec.CommandContext(ctx, "node", "build/dev/bench/output.mjs")
	script.Stdout, script.Stderr = &out, os.Stderr
	if err := script.Run(); err != nil {
		return nil, err
	}
	var m struct {
		Rounds int     `json:"rounds"`
		Few    float64 `json:"few"`
		Large  float64 `json:"large"`
		Frames int     `json:"frames"`
		P95    float64 `json:"p95"`
		Rest   float64 `json:"rest"`
	}
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		return nil, fmt.Errorf("read what output.mjs printed: %w", err)
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
