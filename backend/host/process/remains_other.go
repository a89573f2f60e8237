//go:build !linux

package process

import (
	"context"
	"errors"
	"strings"
	"time"

	"countersign/backend/tool"
)

// Remains is what still runs of a session whose program is gone.
type Remains struct {
	running []tool.Process

	// IDs are those of the recorded processes that run.
	IDs []string
	// Processes counts them.
	Processes int
}

// Remains finds which recorded processes of a session still run. A process counts when it
// has the number and the birth of a recorded one.
func (m *Machine) Remains(_ string, recorded []tool.Process) (*Remains, error) {
	r := &Remains{}
	for _, p := range recorded {
		start, _, ok := strings.Cut(p.Birth, "/")
		if ok && start != "" && startOf(p.PID) == start {
			r.running = append(r.running, p)
			r.IDs = append(r.IDs, p.ID)
			r.Processes++
		}
	}
	return r, nil
}

// End ends all of it: asked first, and by force after the grace or when ctx ends.
func (r *Remains) End(ctx context.Context, grace time.Duration) error {
	over := time.NewTimer(grace)
	defer over.Stop()
	again := time.NewTicker(killPause)
	defer again.Stop()
	var g group
	force, rounds := false, 0
	for {
		left := r.running[:0]
		for _, p := range r.running {
			start, _, _ := strings.Cut(p.Birth, "/")
			if startOf(p.PID) != start {
				continue
			}
			left = append(left, p)
			if force {
				g.kill(p.PID)
			} else {
				g.terminate(p.PID)
			}
		}
		r.running = left
		if len(left) == 0 {
			return nil
		}
		if force {
			if rounds++; rounds > killRounds {
				return errors.New("end what a session left running: some of it cannot be ended")
			}
		}
		select {
		case <-again.C:
		case <-over.C:
			force = true
		case <-ctx.Done():
			force = true
		}
	}
}
