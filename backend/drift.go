package backend

import (
	"context"

	"countersign/backend/approval"
	"countersign/backend/host/workspace"
	"countersign/backend/registry"
)

// Drifted reports whether what the card q shows is out of date: a path leads elsewhere, or a
// file of the preview has other content now. An answer to such a card does not count. It
// reads the files of the preview. What cannot be looked at counts as changed; a ctx that
// ends, or a session that cannot be found, leaves it unknown, which is false.
func (e *Engine) Drifted(ctx context.Context, q approval.Request) bool {
	if len(q.Pins) == 0 && len(q.Paths) == 0 {
		return false
	}
	e.mu.Lock()
	s := e.sessions[q.SessionID]
	e.mu.Unlock()
	if s != nil {
		return registry.Drifted(ctx, s.files, q)
	}
	record, err := e.store.Session(ctx, q.SessionID)
	if err != nil {
		return false
	}
	files, err := workspace.Open(record.Workspace, workspace.Options{
		Home: e.options.Paths.Home, OutputDir: e.options.Paths.OutputDir(), Clock: e.options.Clock, Locks: e.locks,
	})
	if err != nil {
		return true
	}
	defer files.Close()
	return registry.Drifted(ctx, files, q)
}
