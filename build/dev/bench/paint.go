package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

const goalDiffPaintMs = 60

// painting runs the part of the measurement that needs Chromium. It reports milliseconds.
func painting(ctx context.Context) ([]row, error) {
	var out bytes.Buffer
	script := exec.CommandContext(ctx, "node", "build/dev/bench/paint.mjs")
	script.Stdout, script.Stderr = &out, os.Stderr
	if err := script.Run(); err != nil {
		return nil, err
	}
	var m struct {
		Rounds  int     `json:"rounds"`
		LargeMs float64 `json:"largeMs"`
		SmallMs float64 `json:"smallMs"`
		FrameMs float64 `json:"frameMs"`
	}
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		return nil, fmt.Errorf("read what paint.mjs printed: %w", err)
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
