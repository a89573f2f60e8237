package write

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/change"
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
	diff    tool.FileDiff
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
	if len(env.Target.Touches) != 1 {
		return plan{}, tool.Errorf(tool.CodeExecutionFailed, "one path expected, %d given", len(env.Target.Touches))
	}
	judged := env.Target.Touches[0].Path
	path, err := env.Host.Files.Resolve(judged.Arg)
	if err != nil {
		return plan{}, err
	}
	if path.Real != judged.Real {
		return plan{}, tool.Errorf(tool.CodePolicyPathMoved, "the path leads elsewhere than it did")
	}
	if err := refusal(in, path); err != nil {
		return plan{}, err
	}
	old, mode, err := current(ctx, env, path)
	if err != nil {
		return plan{}, err
	}
	p := plan{path: path, old: old, content: []byte(in.Content)}
	if old != nil && !old.Shape.Binary {
		p.content = change.Keep(old.Shape, in.Content)
		p.forced = old.Shape.Ends == change.EndsLF && strings.Contains(in.Content, "\r\n")
	}
	p.diff = change.Between(path.Short(), old, p.content)
	p.diff.Notes = append(p.diff.Notes, notes(path, old, mode)...)
	return p, nil
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

// current reads the file that would be replaced, nil when there is none, and checks
// that it is what the session read and what a person was shown.
func current(ctx context.Context, env tool.Env, p tool.Path) (*change.File, fs.FileMode, error) {
	i := slices.IndexFunc(env.Pins, func(pin tool.Pin) bool { return pin.Path.Real == p.Real })
	pinned := i >= 0
	if p.Kind == tool.KindAbsent {
		if pinned && env.Pins[i].SHA256 != "" {
			return nil, 0, stale(tool.Errorf(tool.CodeStale, "the file of the preview is gone"), p)
		}
		return nil, 0, nil
	}
	if pinned && env.Pins[i].SHA256 == "" {
		return nil, 0, stale(tool.Errorf(tool.CodeStale, "a file came where the preview had none"), p)
	}
	stamp, read := env.Stamps.Get(p.Real)
	// What may not be looked at cannot be read either, so the system's refusal comes first.
	if !read && p.Kind != tool.KindOther {
		return nil, 0, notRead(p)
	}
	f, info, err := env.Host.Files.Open(ctx, p)
	if err != nil {
		return nil, 0, explain(err, p)
	}
	defer f.Close()
	if !read {
		return nil, 0, notRead(p)
	}
	old, err := change.Scan(ctx, f, keepBytes)
	if err != nil {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		return nil, 0, explain(tool.Errorf(tool.CodeIO, "read file: %w", err), p)
	}
	if old.SHA256 != stamp.SHA256 || pinned && old.SHA256 != env.Pins[i].SHA256 {
		return nil, 0, stale(tool.Errorf(tool.CodeStale, "the file has other content"), p)
	}
	return &old, info.Mode, nil
}

// notes are the facts about a write that its diff does not show and that the bytes
// alone do not tell.
func notes(p tool.Path, old *change.File, mode fs.FileMode) []string {
	var out []string
	if p.Linked {
		out = append(out, "The path is reached through a link; the file it leads to is written.")
	}
	if old != nil && (mode.Perm()&0o111 != 0 || mode&(fs.ModeSetuid|fs.ModeSetgid) != 0) {
		out = append(out, fmt.Sprintf("The file stays executable (mode %04o).", mode.Perm()))
	}
	return out
}
