package main

import (
	"context"
	"fmt"
)

const (
	goalCardMs  = 50
	goalInboxMs = 8.3
)

// card runs the part of the measurement that needs Chromium. It reports milliseconds.
func card(ctx context.Context) ([]row, error) {
	var m struct {
		Rounds  int     `json:"rounds"`
		CardMs  float64 `json:"cardMs"`
		LateMs  float64 `json:"lateMs"`
		FrameMs float64 `json:"frameMs"`
	}
	if err := script(ctx, &m, "node", "build/dev/bench/card.mjs"); err != nil {
		return nil, err
	}
	return []row{{
		what:   fmt.Sprintf("call arrived to card on screen (95th percentile of %d)", m.Rounds),
		figure: fmt.Sprintf("%.1f ms, median %.1f ms", m.LateMs, m.CardMs),
		limit:  fmt.Sprintf("%.1f ms for an empty element", m.FrameMs), ratio: m.LateMs / m.FrameMs,
		goal: fmt.Sprintf("at most %d ms", goalCardMs), held: holds(m.LateMs <= goalCardMs),
	}}, nil
}

// inbox runs the part of the measurement that scrolls a long list of waiting calls.
func inbox(ctx context.Context) ([]row, error) {
	var m struct {
		Waiting  int     `json:"waiting"`
		Frames   int     `json:"frames"`
		Ms       float64 `json:"ms"`
		WorstMs  float64 `json:"worstMs"`
		FewMs    float64 `json:"fewMs"`
		Coming   int     `json:"comingFrames"`
		ComingMs float64 `json:"comingMs"`
	}
	if err := script(ctx, &m, "node", "build/dev/bench/inbox.mjs"); err != nil {
		return nil, err
	}
	limit := fmt.Sprintf("%.1f ms with six calls", m.FewMs)
	return []row{
		{
			what:   fmt.Sprintf("processor time of the main thread in a frame, %d waiting calls scrolled (95th percentile of %d)", m.Waiting, m.Frames),
			figure: fmt.Sprintf("%.1f ms, at worst %.1f ms", m.Ms, m.WorstMs), limit: limit, ratio: m.Ms / m.FewMs,
			goal: fmt.Sprintf("under %.1f ms", goalInboxMs), held: holds(m.Ms < goalInboxMs),
		},
		{
			what:   fmt.Sprintf("the same while calls come in (95th percentile of %d)", m.Coming),
			figure: fmt.Sprintf("%.1f ms", m.ComingMs), limit: limit, ratio: m.ComingMs / m.FewMs, goal: "-", held: noGoal,
		},
	}, nil
}
