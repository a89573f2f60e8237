package backend

import (
	"context"
	"errors"

	"countersign/backend/approval"
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
