package edit

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"countersign/backend/change"
	"countersign/backend/guard"
	"countersign/backend/tool"
)

// maxFile is how large a file may be to be edited, in bytes, before and after. maxString
// is the same for either string; the schema bounds them in characters.
const (
	maxFile   = 16 << 20
	maxString = 4 << 20
)

// plan is an edit that may be done: where, over what, and to what.
type plan struct {
	path    tool.Path
	old     *change.File
	found   found
	all     bool
	content []byte
	// start and end are where the first new text lies in content.
	start, end int
	change     change.Change
	diff       tool.FileDiff
	// about are facts of the file for the person.
	about []string
	// part is what a person kept of the change, nil where that is all.
	part *change.Part
}

// prepare looks at what stands at the path now, finds the quoted text in it, and refuses
// what may not be done.
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
	if err := refusal(ctx, env, in, path); err != nil {
		return plan{}, err
	}
	if err := guard.Unmarked(env, path, in.NewString); err != nil {
		return plan{}, err
	}
	old, mode, err := guard.Current(ctx, env, path, maxFile)
	if err != nil {
		return plan{}, err
	}
	if err := unsuited(in, path, old); err != nil {
		return plan{}, err
	}
	p := plan{path: path, old: old, all: in.ReplaceAll}
	if err := p.find(ctx, in); err != nil {
		return plan{}, err
	}
	p.change, p.about = change.Draw(path.Short(), old, p.content), guard.Notes(path, mode)
	p.diff = p.change.Diff
	p.diff.Notes = append(append(p.diff.Notes, p.notes()...), p.about...)
	return p, nil
}

// keep makes of the plan what a person kept of its change.
func (p *plan) keep(kept []tool.Kept) (err error) {
	if p.part, err = p.change.Keep(kept); err != nil || p.part == nil {
		return err
	}
	p.content, p.diff = p.part.Content, p.part.Diff
	p.diff.Notes = append(append(p.diff.Notes, p.part.Note()), p.about...)
	p.start, p.end = newLines(p.content).place(p.part.Made[0])
	return nil
}

// find makes the content that the file gets.
func (p *plan) find(ctx context.Context, in input) error {
	old, next := withoutMark(in, p.old.Shape)
	t, q := newText(p.old.Content, p.old.Shape), newQuote(old, next)
	if q.old == q.new {
		return identical()
	}
	return p.replace(newSearch(ctx, t, q))
}

// replace puts the new text in the place of the quoted one.
func (p *plan) replace(s *search) error {
	look := s.one
	if p.all {
		look = s.all
	}
	got, err := look()
	if err != nil {
		return failed(s, p.path, p.all, err)
	}
	p.found = got
	size := len(p.old.Content)
	for r := range got.each {
		size += len(r.text) + r.start - r.end
	}
	if size > maxFile && s.work >= 0 {
		return tooLarge(p.path, int64(size))
	}
	content, start, end := s.text.apply(got.each)
	if s.work < 0 {
		// Not all places were told.
		return failed(s, p.path, p.all, cmp.Or(s.ctx.Err(), errNotFound))
	}
	p.content, p.start, p.end = content, start, end
	return nil
}

// withoutMark takes the byte order mark off a quote of the start of a file that has one:
// the mark stays whatever is edited.
func withoutMark(in input, shape change.Shape) (old, next string) {
	old, quoted := strings.CutPrefix(in.OldString, change.BOM)
	if !shape.BOM || !quoted || old == "" {
		return in.OldString, in.NewString
	}
	return old, strings.TrimPrefix(in.NewString, change.BOM)
}

// refusal is what the path and the strings alone rule out.
func refusal(ctx context.Context, env tool.Env, in input, p tool.Path) error {
	switch p.Kind {
	case tool.KindAbsent:
		// The file of a preview that is gone was changed like any other.
		if _, _, err := guard.Current(ctx, env, p, 0); err != nil {
			return err
		}
		return guard.Missing(ctx, env.Host.Files, p)
	case tool.KindDirectory:
		return isDirectory(p)
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink:
		return notAFile(p)
	case tool.KindFile, tool.KindOther:
		// What may not be looked at is tried, so that the system says why.
	}
	switch {
	case in.OldString == "":
		return emptyOldString(p)
	case in.OldString == in.NewString:
		return identical()
	case len(in.OldString) > maxString || len(in.NewString) > maxString:
		return stringTooLarge(int64(max(len(in.OldString), len(in.NewString))))
	}
	return nil
}

// unsuited is what the file itself rules out.
func unsuited(in input, p tool.Path, old *change.File) error {
	ascii := isASCII(in.OldString) && isASCII(in.NewString)
	switch {
	case old == nil:
		return guard.Explain(tool.Errorf(tool.CodeFileNotFound, "the file went while it was looked at"), p)
	case old.Content == nil && old.Size > 0:
		return tooLarge(p, old.Size)
	case old.Shape.Binary:
		return notText(p, "it is binary. Use write to replace it whole, or a command that knows its format.")
	case !old.Shape.UTF8 && !ascii:
		return notText(p, "it is not UTF-8, so text beyond ASCII cannot be put into it without damage. Keep to ASCII in both strings, or have the file converted first.")
	}
	return nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// title is the one line that stands for the call.
func (p plan) title() string {
	return fmt.Sprintf("Edit %s · +%d −%d", p.path.Short(), p.diff.Additions, p.diff.Deletions) + p.part.Title()
}
