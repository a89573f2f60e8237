package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"countersign/backend/tool"
)

func notRead(p tool.Path) error {
	return tool.Errorf(tool.CodeNotRead, "the file was not read in this session").
		WithText("Refusing to overwrite " + p.Shown() + ": you have not read this file in this session. Read it first so you do not destroy existing content, then write or edit it.")
}

func stale(e *tool.Error, p tool.Path) error {
	return e.WithText("Refusing to overwrite " + p.Shown() + ": the file changed on disk after you last read it (content hash mismatch). Someone else may be editing it. Re-read the file and reapply your change.")
}

// Unmarked refuses a new text that holds the marker with which copies of the session hide a
// secret. Text that only looks like one, without the mark of the session, is ordinary.
func Unmarked(env tool.Env, p tool.Path, text string) error {
	if env.Marker == "" || !strings.Contains(text, env.Marker) {
		return nil
	}
	return tool.Errorf(tool.CodeMarked, "the new text holds a marker of the session").
		WithText("Refusing to write " + p.Shown() + ": the new text holds " + env.Marker + ", which stands for a secret that is hidden in a copy. " +
			"Written back it would destroy the secret. Read the file and use what it holds there; if the secret is not in it, ask the user to put it in.")
}

// Explain adds what a caller can do to a failure of a change that says nothing yet.
func Explain(err error, p tool.Path) error {
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

// Notes are the facts about a change of a file that its diff does not show and that
// the bytes alone do not tell. A new file has no mode yet.
func Notes(p tool.Path, mode fs.FileMode) []string {
	var out []string
	if p.Linked {
		out = append(out, "The path is reached through a link; the file it leads to is written.")
	}
	if mode.Perm()&0o111 != 0 || mode&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
		out = append(out, fmt.Sprintf("The file stays executable (mode %04o).", mode.Perm()))
	}
	return out
}
