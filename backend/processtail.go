package backend

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
)

// ProcessTail returns a process with what it printed from a place in its log on, or with the
// newest part for a negative one. It returns session.ErrNoProcess. A process whose log is
// gone, or that has none, has an empty part.
func (e *Engine) ProcessTail(ctx context.Context, sessionID, id string, from int64) (Managed, Part, error) {
	m, err := e.ManagedProcess(ctx, sessionID, id)
	part := Part{From: max(from, 0), To: max(from, 0), Ended: m.Status.Ended()}
	if err != nil || m.LogPath == "" {
		return m, part, err
	}
	log, err := e.spill.Text(sessionID, filepath.Base(m.LogPath))
	if errors.Is(err, fs.ErrNotExist) {
		return m, part, nil
	}
	if err != nil {
		return m, part, err
	}
	defer log.Close()
	size, err := log.Size()
	if err != nil {
		return m, part, err
	}
	return m, part, part.read(log, size, from)
}
