package backend

import (
	"context"
	"errors"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// RunningProcesses counts the managed processes that run.
func (e *Engine) RunningProcesses(ctx context.Context) (int, error) {
	return e.store.RunningProcesses(ctx)
}

// Managed is a managed process as the desk shows it.
type Managed struct {
	session.Managed
	// Here says that this program keeps it, so that it can be stopped and written to.
	Here bool
	// Usage is nil where it is not known.
	Usage *tool.Usage
}

// endedShown is how many processes that ended are listed.
const endedShown = 100

// ManagedProcesses returns the managed processes of all sessions: those that run, newest
// first, and then those that ended, the latest first.
func (e *Engine) ManagedProcesses(ctx context.Context) ([]Managed, error) {
	stored, err := e.store.Processes(ctx, endedShown)
	if err != nil {
		return nil, err
	}
	out := make([]Managed, 0, len(stored))
	for _, m := range stored {
		out = append(out, e.managed(m))
	}
	return out, nil
}

// managed adds to what is written down of a process how it is now.
func (e *Engine) managed(stored session.Managed) Managed {
	m := Managed{Managed: stored}
	r := e.keeper(stored)
	if r == nil {
		return m
	}
	for _, p := range r.List() {
		if p.ID == stored.ID {
			m.Process, m.Here = p, true
		}
	}
	if u, ok := r.Usage(stored.ID); ok && m.Here {
		m.Usage = &u
	}
	return m
}

// keeper returns the runner of a process that this program keeps, nil for others.
func (e *Engine) keeper(m session.Managed) *runner {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.Program != e.store.Program() {
		return nil
	}
	return e.runners[m.SessionID]
}

// ErrNotHere means that another program keeps the process.
var ErrNotHere = errors.New("another program keeps the process")

// ManagedProcess returns one, or session.ErrNoProcess.
func (e *Engine) ManagedProcess(ctx context.Context, sessionID, id string) (Managed, error) {
	stored, err := e.store.Process(ctx, sessionID, id)
	if err != nil {
		return Managed{}, err
	}
	return e.managed(stored), nil
}

// StopProcess ends a process as a person's wish, and returns once nothing of it runs.
func (e *Engine) StopProcess(ctx context.Context, sessionID, id string) error {
	m, r, err := e.kept(ctx, sessionID, id)
	if err != nil {
		return err
	}
	stop := func(ctx context.Context) error {
		_, err := r.Stop(ctx, id)
		return err
	}
	begun, err := e.byHand(ctx, deed{m, "stop", "", tool.EffectNone, stop})
	if !begun {
		// What runs must be stoppable, also where nothing can be written down.
		e.options.Log.Warn("a person's stop of a process was not written down", "session", sessionID, "cause", err)
		return stop(ctx)
	}
	return err
}

// WriteProcess sends a person's text to a process. What cannot be written down is not sent.
func (e *Engine) WriteProcess(ctx context.Context, sessionID, id, text string) error {
	m, r, err := e.kept(ctx, sessionID, id)
	if err != nil {
		return err
	}
	_, err = e.byHand(ctx, deed{m, "write", text, tool.EffectCodeExecution, func(ctx context.Context) error { return r.Write(ctx, id, text) }})
	return err
}

func (e *Engine) kept(ctx context.Context, sessionID, id string) (session.Managed, *runner, error) {
	stored, err := e.store.Process(ctx, sessionID, id)
	if err != nil {
		return stored, nil, err
	}
	r := e.keeper(stored)
	switch {
	case r != nil:
		return stored, r, nil
	case stored.Status.Ended():
		return stored, nil, tool.Errorf(tool.CodeEnded, "the process has ended")
	}
	return stored, nil, ErrNotHere
}
