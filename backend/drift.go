package backend

import (
	"context"
	"errors"

	"countersign/backend/approval"
	"countersign/backend/registry"
)

// Drifted reports whether what the card q shows is out of date: a path leads elsewhere, a file of
// the preview has other content now, or the tool set is made of something else. An answer to such a card does not count. It
// reads the files of the preview. What cannot be looked at counts as changed; a ctx that
// ends, or a session that cannot be found, leaves it unknown, which is false.
func (e *Engine) Drifted(ctx context.Context, q approval.Request) bool {
	if q.Fingerprint != "" && e.setMoved(ctx, q) {
		return true
	}
	if len(q.Pins) == 0 && len(q.Paths) == 0 {
		return false
	}
	files, done, err := e.filesOf(ctx, q.SessionID)
	switch {
	case errors.Is(err, ErrNoWorkspace):
		return true
	case err != nil:
		return false
	}
	defer done()
	return registry.Drifted(ctx, files, q)
}

// setMoved reports whether the set of a card's tool is not what it was when the card was made. It
// is false where the sets were not looked at yet, or ctx ended.
func (e *Engine) setMoved(ctx context.Context, q approval.Request) bool {
	e.mu.Lock()
	s := e.sessions[q.SessionID]
	e.mu.Unlock()
	var sets *registry.SetCatalog
	if s != nil {
		sets = s.context.Sets.Now()
	} else if record, err := e.store.Session(ctx, q.SessionID); err == nil {
		sets = e.setsAt(ctx, record.Workspace)
	}
	if sets == nil {
		return false
	}
	spec, there := sets.Lookup(q.ToolID)
	if !there || spec.Fingerprint != q.Fingerprint {
		return true
	}
	return spec.Intact(ctx) != nil && ctx.Err() == nil
}
