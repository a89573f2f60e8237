package write

import (
	"context"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/change"
	"countersign/backend/guard"
	"countersign/backend/tool"
)

// keepBytes is how much of an old file is held to draw a diff of it, in bytes.
const keepBytes = 16 << 20

// plan is a write that may be done: where, over what, and to what.
type plan struct {
	path tool.Path
	// old is nil when there is no file yet.
	old     *change.File
	content []byte
	change  change.Change
	diff    tool.FileDiff
	// about are facts of the file for the person.
	about []string
	// part is what a person kept of the change, nil where that is all.
	part *change.Part
	// forced says that line ends which the caller wrote were not kept.
	forced bool
}

// expect is the hash that the file must have when it is replaced.
func (p plan) expect() string {
	if p.old == nil {
		return ""
	}
	return p.old.SHA256
}

// prepare looks at what stands at the path now and refuses what may not be done.
func prepare(ctx context.Context, env tool.Env, args tool.Args) (plan, error) {
	in, err := decode(args)
	if err != nil {
		return plan{}, err
	}
	if env.Host.Files == nil || env.Stamps == nil {
		return plan{}, tool.Errorf(tool.CodeUnavailable, "the host has no files or no stamps")
	}
	path, err := guard.Judged(env)
	if err != nil {
		return plan{}, err
	}
	if err := refusal(in, path); err != nil {
		return plan{}, err
	}
	if err := guard.Unmarked(env, path, in.Content); err != nil {
		return plan{}, err
	}
	old, mode, err := guard.Current(ctx, env, path, keepBytes)
	if err != nil {
		return plan{}, err
	}
	p := plan{path: path, old: old, content: []byte(in.Content)}
	if old != nil && !old.Shape.Binary {
		p.content = change.Keep(old.Shape, in.Content)
		p.forced = old.Shape.Ends == change.EndsLF && strings.Contains(in.Content, "\r\n")
	}
	p.change, p.about = change.Draw(path.Short(), old, p.content), guard.Notes(path, mode)
	p.diff = p.change.Diff
	p.diff.Notes = append(p.diff.Notes, p.about...)
	return p, nil
}

// keep makes of the plan what a person kept of its change.
func (p *plan) keep(kept []tool.Kept) (err error) {
	if p.part, err = p.change.Keep(kept); err != nil || p.part == nil {
		return err
	}
	p.content, p.diff = p.part.Content, p.part.Diff
	p.diff.Notes = append(append(p.diff.Notes, p.part.Note()), p.about...)
	return nil
}

// refusal is what the path and the content alone rule out.
func refusal(in input, p tool.Path) error {
	if len(in.Content) > maxContent {
		return tool.Errorf(tool.CodeTooLarge, "%d bytes", len(in.Content)).
			WithText("The content is too large to write: " + bound.Excess(int64(len(in.Content)), maxContent) + ". Write a smaller file.")
	}
	switch p.Kind {
	case tool.KindDirectory:
		return isDirectory(p)
	case tool.KindAbsent:
		if strings.HasSuffix(p.Arg, "/") {
			return tool.Errorf(tool.CodeIsDirectory, "the path ends in a slash").
				WithText("Cannot write " + p.Shown() + ": the path ends in a slash, as that of a directory does. Give the path of a file.")
		}
		return nil
	case tool.KindFile, tool.KindOther:
		// What may not be looked at is tried, so that the system says why.
		return nil
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink:
	}
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", p.Kind).
		WithText("Cannot write " + p.Shown() + ": it is not a regular file (" + string(p.Kind) + "). Give the path of a file.")
}
