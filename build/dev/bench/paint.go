package main

import (
	"context"
	"fmt"
)

const goalDiffPaintMs = 60

// painting runs the part of the measurement that needs Chromium. It reports milliseconds.
func painting(ctx context.Context) ([]row, error) {
	var m struct {
		Rounds  int     `json:"rounds"`
		LargeMs float64 `json:"largeMs"`
		SmallMs float64 `json:"smallMs"`
		FrameMs float64 `json:"frameMs"`
	}
	if err := script(ctx, &m, "node", "build/dev/bench/paint.mjs"); err != nil {
		return nil, err
	}
	return []row{
		{
			what: fmt.Sprintf("painting a diff of 10,000 lines (median of %d)", m.Rounds), figure: fmt.Sprintf("%.1f ms", m.LargeMs),
			limit: fmt.Sprintf("%.1f ms for an empty element", m.FrameMs), ratio: m.LargeMs / m.FrameMs,
			goal: fmt.Sprintf("at most %d ms", goalDiffPaintMs), held: holds(m.LargeMs <= goalDiffPaintMs),
		},
		{
			what: "painting a diff of 10 lines", figure: fmt.Sprintf("%.1f ms", m.SmallMs),
			limit: fmt.Sprintf("%.1f ms for an empty element", m.FrameMs), ratio: m.SmallMs / m.FrameMs, goal: "-", held: noGoal,
		},
	}, nil
}
