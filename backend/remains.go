package backend

import (
	"context"
	"errors"
	"sync"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// endGrace is how long what a dead program left has to end by itself.
const endGrace = 3 * time.Second

// recoverProcesses ends what programs that died left running, and writes down that nobody
// saw how it ended. What belongs to a program that lives is left alone. A number that means
// another process by now is never signalled.
func (e *Engine) recoverProcesses(ctx context.Context) error {
	left, err := e.store.LeftProcesses(ctx)
	if err != nil {
		return err
	}
	recorded := map[string][]tool.Process{}
	abandoned, err := e.store.Abandoned(ctx)
	if err != nil {
		return err
	}
	for _, id := range abandoned {
		recorded[id] = nil
	}
	for _, m := range left {
		recorded[m.SessionID] = append(recorded[m.SessionID], m.Process)
	}
	e.endRemains(ctx, recorded)
	var errs []error
	for _, m := range left {
		m.Status = tool.ProcessFailed
		if err := e.store.EndProcess(ctx, m.SessionID, m.Process); err != nil && !errors.Is(err, session.ErrNoSession) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// endRemains ends what still runs of sessions whose program is gone, all at once: a command
// that somebody waited for is written down nowhere, but known by its mark. What cannot be
// ended keeps no program from its start.
func (e *Engine) endRemains(ctx context.Context, recorded map[string][]tool.Process) {
	if e.machine == nil {
		return
	}
	var all sync.WaitGroup
	for id, processes := range recorded {
		all.Go(func() {
			remains, err := e.machine.Remains(id, processes)
			count := 0
			if err == nil && remains.Processes > 0 {
				count = remains.Processes
				err = remains.End(ctx, endGrace)
			}
			if err == nil {
				err = e.store.Searched(context.WithoutCancel(ctx), id)
			}
			if count > 0 || err != nil {
				e.options.Log.Warn("a program that died had left processes running", "session", id, "count", count, "cause", err)
			}
		})
	}
	all.Wait()
}
