package read

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// suggestions is how many paths a miss may suggest.
const suggestions = 3

// notFound says that nothing stands at p, and what may have been meant.
func notFound(ctx context.Context, files tool.Files, p tool.Path) error {
	text := "File not found: " + p.Shown() + "."
	if meant, ok := confused(files, p); ok {
		text += " Maybe you meant " + meant + "?"
	} else {
		similar, err := files.Similar(ctx, p, suggestions)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A search that failed has nothing to suggest; the file is missing all the same.
		if err == nil && len(similar) > 0 {
			for i := range similar {
				similar[i] = tool.ShowPath(similar[i])
			}
			text += " Did you mean one of these? " + strings.Join(similar, ", ")
		}
	}
	return tool.Errorf(tool.CodeFileNotFound, "nothing stands at the path").WithText(text)
}

// confused finds the file of the workspace that a path means which starts with a
// slash too many, or with the name of the workspace itself.
func confused(files tool.Files, p tool.Path) (string, bool) {
	rest := strings.TrimLeft(p.Arg, "/")
	if rest == p.Arg {
		root := files.Root()
		name := root[strings.LastIndexAny(root, `/\`)+1:]
		var ok bool
		if rest, ok = strings.CutPrefix(p.Arg, name+"/"); !ok {
			return "", false
		}
	}
	if rest == "" {
		return "", false
	}
	meant, err := files.Resolve(rest)
	if err != nil || meant.Zone != tool.ZoneWorkspace || meant.Real == p.Real {
		return "", false
	}
	return meant.Shown(), meant.Kind == tool.KindFile || meant.Kind == tool.KindDirectory
}

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
