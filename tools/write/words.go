package write

import (
	"errors"
	"fmt"
	"io/fs"

	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/tool"
)

// text is what the caller is told of a write that was done.
func (p plan) text(rules []tool.ResultNote) string {
	now := lines(change.ShapeOf(p.content).Lines)
	switch {
	case p.old == nil:
		return "Wrote " + p.path.Shown() + " (" + now + ")." + p.note(rules)
	case p.old.Shape.Binary:
		return "Replaced " + p.path.Shown() + " (was " + bound.Size(p.old.Size) + " of binary data, now " + now + ")."
	}
	text := "Replaced " + p.path.Shown() + " (was " + lines(p.old.Shape.Lines) + ", now " + now + ")."
	if p.forced {
		text += "\nNOTE: The file's line ends (LF) were kept; those of the new content (CRLF) were not."
	}
	return text
}

func lines(n int64) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// title is the one line that stands for the call.
func (p plan) title() string {
	if p.old == nil {
		return "Write " + p.path.Short() + " · new file · " + lines(change.ShapeOf(p.content).Lines)
	}
	return fmt.Sprintf("Write %s · +%d −%d", p.path.Short(), p.diff.Additions, p.diff.Deletions)
}

func isDirectory(p tool.Path) error {
	return tool.Errorf(tool.CodeIsDirectory, "the path is a directory").
		WithText("Cannot write " + p.Shown() + ": it is a directory. Give the path of a file in it.")
}

func notRead(p tool.Path) error {
	return tool.Errorf(tool.CodeNotRead, "the file was not read in this session").
		WithText("Refusing to overwrite " + p.Shown() + ": you have not read this file in this session. Read it first so you do not destroy existing content, then write or edit it.")
}

func stale(e *tool.Error, p tool.Path) error {
	return e.WithText("Refusing to overwrite " + p.Shown() + ": the file changed on disk after you last read it (content hash mismatch). Someone else may be editing it. Re-read the file and reapply your change.")
}

// explain adds what a caller can do to a failure that says nothing yet.
func explain(err error, p tool.Path) error {
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || len(e.Content) > 0 {
		return err
	}
	switch e.Code {
	case tool.CodeStale:
		return stale(e, p)
	case tool.CodeFileNotFound:
		return stale(tool.Errorf(tool.CodeStale, "the file went while it was looked at: %w", e), p)
	case tool.CodeIsDirectory, tool.CodeNotAFile:
		return e.WithText("Could not write " + p.Shown() + ": something else took its place. Read it again.")
	case tool.CodeIO:
		return e.WithText("Could not write " + p.Shown() + ": " + advice(err))
	}
	return err
}

func advice(err error) string {
	switch {
	case errors.Is(err, tool.ErrNoSpace):
		return "the disk is full. Nothing was changed; ask the user to free space, then write it again."
	case errors.Is(err, tool.ErrReadOnlyDisk):
		return "the file system is read-only. Choose a path elsewhere."
	case errors.Is(err, tool.ErrParentNotADir):
		return "a part of the path is a file, not a directory. Choose another path."
	case errors.Is(err, fs.ErrPermission):
		return "permission denied. Choose a path you may write to, or ask the user to change its permissions."
	}
	return "the system refused it. Check the path, then write it again."
}
