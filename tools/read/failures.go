package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

func notAFile(p tool.Path) error {
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", p.Kind).
		WithText("Cannot read " + p.Shown() + ": it is not a regular file (" + string(p.Kind) + "). Give the path of a file or a directory.")
}

func tooLarge(p tool.Path, size int64) error {
	return tool.Errorf(tool.CodeTooLarge, "%d bytes", size).
		WithText("File is too large to read whole: " + p.Shown() + " (" + bound.Excess(size, wholeBytes) +
			"). Use offset and limit to read a region, or grep to search its content.")
}

func beyond(from, total int64) error {
	text := fmt.Sprintf("Offset %d is beyond the end of the file (%d lines). Use offset ≤ %d.", from, total, total)
	switch total {
	case 0:
		text = fmt.Sprintf("Offset %d is beyond the end of the file, which is empty. Leave offset out.", from)
	case 1:
		text = fmt.Sprintf("Offset %d is beyond the end of the file (1 line). Use offset ≤ 1.", from)
	}
	return tool.Errorf(CodeOffset, "offset beyond the end").WithText(text)
}

// unreadable is a file that failed while it was read.
func unreadable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return tool.Errorf(tool.CodeIO, "read file: %w", err)
}

// explain adds what a reader can do to a failure that says nothing yet.
func explain(err error, p tool.Path) error {
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || len(e.Content) > 0 {
		return err
	}
	switch e.Code {
	case tool.CodeIO:
		why := "the system could not read it. Try again, or read another file."
		if errors.Is(err, fs.ErrPermission) {
			why = "permission denied. Ask the user to give access, or read another file."
		}
		return e.WithText("Could not read " + p.Shown() + ": " + why)
	case tool.CodeFileNotFound:
		return e.WithText("File not found: " + p.Shown() + ".")
	case tool.CodeIsDirectory, tool.CodeNotDirectory, tool.CodeNotAFile:
		return e.WithText("Could not read " + p.Shown() + ": it changed into something else while it was read. Read it again.")
	}
	return err
}
