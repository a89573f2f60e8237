// Command bench prints what the product costs beside what the machine could do at best
// in the same minutes, and whether each goal was held. A missed goal is told and is no
// failure of the command: figures move with the machine, ratios much less.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
)

// row is one line of the table.
type row struct {
	what string
	// figure is what was measured, limit what was measured beside it, both with units.
	figure, limit string
	// ratio is figure to limit, as the goal has it; 0 when they do not compare.
	ratio float64
	goal  string
	held  verdict
}

type verdict string

const (
	held   verdict = "held"
	missed verdict = "missed"
	noGoal verdict = "no goal"
)

func holds(ok bool) verdict {
	if ok {
		return held
	}
	return missed
}

// measurements are taken one after the other, so that none disturbs another.
var measurements = []struct {
	name string
	take func(context.Context) ([]row, error)
}{
	{"dispatch without a store", dispatch},
	{"a decision about commands", deciding},
	{"durable appends", appends},
	{"a page of a long log", pages},
	{"a page of the history", history},
	{"from a call to its card", card},
	{"a long inbox", inbox},
	{"the window", window},
	{"tool sets", toolSets},
	{"the best block for an edit", editing},
	{"an output of any size", output},
	{"commands", commands},
	{"a diff of a long text", diffing},
	{"a long diff on the screen", painting},
	{"searches", searching},
	{"copies for eyes", redacting},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var rows []row
	var failed error
	for _, m := range measurements {
		fmt.Fprintf(os.Stderr, "measuring %s\n", m.name)
		more, err := m.take(ctx)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", m.name, err))
		}
		rows = append(rows, more...)
	}
	return errors.Join(failed, table(rows))
}

func table(rows []row) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tfigure\tlimit in the same run\tratio\tgoal\t")
	for _, r := range rows {
		ratio := "-"
		if r.ratio > 0 {
			ratio = fmt.Sprintf("%.2f", r.ratio)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.figure, r.limit, ratio, r.goal, r.held)
	}
	return w.Flush()
}
