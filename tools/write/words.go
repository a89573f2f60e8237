package write

import (
	"fmt"

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
	if p.part != nil {
		text = "Replaced a part of " + p.path.Shown() + " (was " + lines(p.old.Shape.Lines) + ", now " + now + ").\n" + p.part.Text()
	}
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
	return fmt.Sprintf("Write %s · +%d −%d", p.path.Short(), p.diff.Additions, p.diff.Deletions) + p.part.Title()
}

func isDirectory(p tool.Path) error {
	return tool.Errorf(tool.CodeIsDirectory, "the path is a directory").
		WithText("Cannot write " + p.Shown() + ": it is a directory. Give the path of a file in it.")
}
