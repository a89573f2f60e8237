package main

import (
	"context"
	"fmt"
)

const (
	goalPaintMs   = 600
	goalSetsPaint = 1.1
	goalMemoryMB  = 260
	goalCallMs    = 1
	goalFrameMs   = 16
)

// figures is what window.mjs prints: milliseconds and megabytes, and for each the least
// that the machine takes for anything of the kind.
type figures struct {
	Starts      int     `json:"starts"`
	Lines       int     `json:"lines"`
	Events      int     `json:"events"`
	Paint       float64 `json:"paint"`
	EmptyPaint  float64 `json:"emptyPaint"`
	Sets        int     `json:"sets"`
	SetsPaint   float64 `json:"setsPaint"`
	Call        float64 `json:"call"`
	EmptyCall   float64 `json:"emptyCall"`
	Memory      float64 `json:"memory"`
	EmptyMemory float64 `json:"emptyMemory"`
	Frames      int     `json:"frames"`
	Seconds     float64 `json:"seconds"`
	Work        float64 `json:"work"`
	RestWork    float64 `json:"restWork"`
	Worst       float64 `json:"worst"`
	AfterMemory float64 `json:"afterMemory"`
	// Spent and its kin are processor time of the main thread.
	SpentFrames int     `json:"spentFrames"`
	Spent       float64 `json:"spent"`
	RestSpent   float64 `json:"restSpent"`
	WorstSpent  float64 `json:"worstSpent"`
}

// window runs the part of the measurement that needs the window, on a screen of its own.
func window(ctx context.Context) ([]row, error) {
	var f figures
	if err := script(ctx, &f, "frontend/e2e/window/desktop.sh", "node", "build/dev/bench/window.mjs"); err != nil {
		return nil, err
	}
	return []row{
		{
			what:   fmt.Sprintf("start of the window to its first paint (median of %d)", f.Starts),
			figure: fmt.Sprintf("%.0f ms", f.Paint), limit: fmt.Sprintf("%.0f ms for a window with one word", f.EmptyPaint),
			ratio: f.Paint / f.EmptyPaint, goal: fmt.Sprintf("at most %d ms", goalPaintMs), held: holds(f.Paint <= goalPaintMs),
		},
		{
			what:   fmt.Sprintf("start of the window to its first paint with %d tool sets (median of %d)", f.Sets, f.Starts),
			figure: fmt.Sprintf("%.0f ms", f.SetsPaint), limit: fmt.Sprintf("%.0f ms without a set", f.Paint),
			ratio: f.SetsPaint / f.Paint, goal: fmt.Sprintf("at most %.1f times", goalSetsPaint), held: holds(f.SetsPaint <= goalSetsPaint*f.Paint),
		},
		{
			what:   fmt.Sprintf("memory of its processes (PSS), a session of %d calls open", f.Lines),
			figure: fmt.Sprintf("%.0f MB", f.Memory), limit: fmt.Sprintf("%.0f MB for a window with one word", f.EmptyMemory),
			ratio: f.Memory / f.EmptyMemory, goal: fmt.Sprintf("at most %d MB", goalMemoryMB), held: holds(f.Memory <= goalMemoryMB),
		},
		{
			what:   "a call from the page that reads the store (median)",
			figure: fmt.Sprintf("%.2f ms", f.Call), limit: fmt.Sprintf("%.2f ms for a call that does nothing", f.EmptyCall),
			ratio: f.Call / f.EmptyCall, goal: fmt.Sprintf("at most %d ms", goalCallMs), held: holds(f.Call <= goalCallMs),
		},
		{
			what:   fmt.Sprintf("time the main thread was not free in a frame (95th percentile of %d), %d events in %.1f s", f.Frames, f.Events, f.Seconds),
			figure: fmt.Sprintf("%.1f ms, at worst %.0f ms", f.Work, f.Worst), limit: fmt.Sprintf("%.1f ms at rest", f.RestWork),
			ratio: f.Work / max(f.RestWork, 0.1), goal: fmt.Sprintf("under %d ms", goalFrameMs), held: holds(f.Work < goalFrameMs),
		},
		{
			what:   fmt.Sprintf("processor time of the main thread in a frame (95th percentile of %d), as many events", f.SpentFrames),
			figure: fmt.Sprintf("%.1f ms, at worst %.0f ms", f.Spent, f.WorstSpent), limit: fmt.Sprintf("%.1f ms at rest", f.RestSpent),
			ratio: f.Spent / max(f.RestSpent, 0.1), goal: fmt.Sprintf("under %d ms", goalFrameMs), held: holds(f.Spent < goalFrameMs),
		},
		{
			what:   "memory of its processes after that",
			figure: fmt.Sprintf("%.0f MB", f.AfterMemory), limit: fmt.Sprintf("%.0f MB for a window with one word", f.EmptyMemory),
			ratio: f.AfterMemory / f.EmptyMemory, goal: "-", held: noGoal,
		},
	}, nil
}
