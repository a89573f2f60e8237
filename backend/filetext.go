package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"countersign/backend/change"
	"countersign/backend/host/workspace"
	"countersign/backend/policy/pathclass"
	"countersign/backend/tool"
)

// ErrNotKept means that nothing holds the content that was asked for any more.
var ErrNotKept = errors.New("the content is not there any more")

// ErrProtected means that a session does not read the path without being asked.
var ErrProtected = errors.New("the path is protected")

// maxText is how much of a file is held to show lines of it, in bytes. No file that a
// change is drawn of is larger.
const maxText = 16 << 20

// filesOf returns the workspace handle of a session, whether it is open here or not. done
// lets go of it. The error is ErrNoWorkspace where the folder cannot be opened, or that of
// the store.
func (e *Engine) filesOf(ctx context.Context, sessionID string) (files *workspace.Workspace, done func(), err error) {
	e.mu.Lock()
	s := e.sessions[sessionID]
	e.mu.Unlock()
	if s != nil {
		return s.files, func() {}, nil
	}
	record, err := e.store.Session(ctx, sessionID)
	if err != nil {
		return nil, nil, err
	}
	files, err = workspace.Open(record.Workspace, e.fileOptions())
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoWorkspace, err)
	}
	return files, func() { _ = files.Close() }, nil
}

func (e *Engine) fileOptions() workspace.Options {
	return workspace.Options{
		Home: e.options.Paths.Home, OutputDir: e.options.Paths.OutputDir(), Clock: e.options.Clock, Locks: e.locks,
	}
}

// FileText returns what the file at a path of a session holds if its sha256 is one of
// hashes, else a kept version of it that has such a one, and which hash it was. It is
// for a person who was shown a change of that very content, and for nobody else: a path
// is not judged here. It fails with ErrNotKept where neither is at hand.
func (e *Engine) FileText(ctx context.Context, sessionID, arg string, hashes []string) ([]byte, int, error) {
	files, done, err := e.filesOf(ctx, sessionID)
	if err != nil {
		return nil, 0, err
	}
	defer done()
	p, err := files.Resolve(arg)
	if err != nil {
		return nil, 0, err
	}
	now, err := contentOf(ctx, files, p)
	if err == nil {
		if i := slices.Index(hashes, now.SHA256); i >= 0 && now.Content != nil {
			return now.Content, i, nil
		}
	} else if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	for i, hash := range hashes {
		kept, err := e.spill.Version(ctx, sessionID, p.Real, hash)
		if err != nil {
			return nil, 0, err
		}
		if kept != nil {
			return kept, i, nil
		}
	}
	return nil, 0, ErrNotKept
}

func contentOf(ctx context.Context, files tool.Files, p tool.Path) (change.File, error) {
	f, _, err := files.Open(ctx, p)
	if err != nil {
		return change.File{}, err
	}
	defer f.Close()
	return change.Scan(ctx, f, maxText)
}

// Excerpt returns count lines of the file at a path of a session, from the line first on,
// counting from 1. What lies outside the workspace and the output store, or is protected
// there, is refused with ErrProtected. It reads no further than those lines.
func (e *Engine) Excerpt(ctx context.Context, sessionID, arg string, first int64, count int) (tool.Path, change.Excerpt, error) {
	files, done, err := e.filesOf(ctx, sessionID)
	if err != nil {
		return tool.Path{}, change.Excerpt{}, err
	}
	defer done()
	p, err := files.Resolve(arg)
	if err != nil {
		return tool.Path{}, change.Excerpt{}, err
	}
	inside := p.Zone == tool.ZoneWorkspace || p.Zone == tool.ZoneOutput
	if !inside || e.hold(files.Root(), p) > pathclass.Free {
		return p, change.Excerpt{}, ErrProtected
	}
	f, _, err := files.Open(ctx, p)
	if err != nil {
		return p, change.Excerpt{}, err
	}
	defer f.Close()
	lines, err := change.ReadExcerpt(ctx, f, first, count)
	return p, lines, err
}
