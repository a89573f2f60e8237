package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"countersign/backend/change"
	"countersign/backend/change/changebench"
)

const (
	goalDiffTime = 1.0
	goalDiffSize = 1.05
	diffRounds   = 15
)

// diffing measures a diff against GNU diff on the same texts. Both are told by processor
// time, since the time on the wall is that of the machine: all of ours from the texts in
// memory to the diff, with the collecting of what it leaves, and of theirs what it spends
// outside the system, so that it has the reading of its files for nothing.
func diffing(ctx context.Context) ([]row, error) {
	dir, remove, err := scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	before, after := changebench.Texts()
	oldPath, newPath := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	if err := errors.Join(os.WriteFile(oldPath, []byte(before), 0o600), os.WriteFile(newPath, []byte(after), 0o600)); err != nil {
		return nil, err
	}
	old, err := change.Scan(ctx, strings.NewReader(before), 1<<30)
	if err != nil {
		return nil, err
	}
	var ours, theirs []time.Duration
	lines, least := 0, 0
	for range diffRounds {
		start := spentBy(syscall.RUSAGE_SELF, true)
		d := change.Between("text", &old, []byte(after))
		ours, lines = append(ours, spentBy(syscall.RUSAGE_SELF, true)-start), d.Additions+d.Deletions
		took, _, err := gnuDiff(ctx, "-u", oldPath, newPath)
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, took)
	}
	if _, least, err = gnuDiff(ctx, "-u", "--minimal", oldPath, newPath); err != nil {
		return nil, err
	}
	our, their := middle(ours), middle(theirs)
	ratio, size := float64(our)/float64(their), float64(lines)/float64(least)
	what := fmt.Sprintf("diff of %d lines with %d edits", changebench.Lines, changebench.Edits)
	return []row{
		{
			what: what + fmt.Sprintf(", processor time (median of %d)", diffRounds), figure: ms(our), limit: ms(their) + " for diff -u",
			ratio: ratio, goal: fmt.Sprintf("at most %.1f times", goalDiffTime), held: holds(ratio <= goalDiffTime),
		},
		{
			what: what + ", lines that it shows as changed", figure: fmt.Sprint(lines), limit: fmt.Sprintf("%d for diff --minimal", least),
			ratio: size, goal: fmt.Sprintf("at most %.2f times", goalDiffSize), held: holds(size <= goalDiffSize),
		},
	}, nil
}

func gnuDiff(ctx context.Context, args ...string) (time.Duration, int, error) {
	start := spentBy(syscall.RUSAGE_CHILDREN, false)
	out, err := exec.CommandContext(ctx, "diff", args...).Output()
	took := spentBy(syscall.RUSAGE_CHILDREN, false) - start
	// Texts that differ end it with 1.
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
		return 0, 0, fmt.Errorf("run diff: %w", err)
	}
	n := 0
	for line := range bytes.Lines(out) {
		head := string(line[:min(4, len(line))])
		if strings.HasPrefix(head, "-") && head != "--- " || strings.HasPrefix(head, "+") && head != "+++ " {
			n++
		}
	}
	return took, n, nil
}

// spentBy is the processor time of this program or of those that it started and that
// ended, with that of the system for them or without.
func spentBy(who int, system bool) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		return 0
	}
	spent := used.Utime.Nano()
	if system {
		spent += used.Stime.Nano()
	}
	return time.Duration(spent)
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
