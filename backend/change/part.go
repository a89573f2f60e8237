package change

import (
	"bytes"

	"countersign/backend/tool"
)

// Run is a run of lines that changed, or that would have.
type Run struct {
	// First is the line of the new content at which it stands, counted from 1. Where nothing of
	// it stands there, it is the line behind which it would, 0 for the start.
	First int
	// Lines is how many lines of the new content are its own.
	Lines int
	// Additions and Deletions are what the run brings and takes out where it is made.
	Additions int
	Deletions int
}

// Part is a change of which only some runs of lines are made.
type Part struct {
	Content []byte
	// Diff is what is made. It offers no choice.
	Diff tool.FileDiff
	// Made and Left are the runs that are made and those that are not.
	Made []Run
	Left []Run
}

// Keep makes the runs that a person kept and leaves every other line as the old file has it,
// byte for byte. It is nil where no run was left out. What was shown must be what c draws,
// and nothing else, or the code is CodeApprovalInvalidated.
func (c Change) Keep(keep []tool.Kept) (*Part, error) {
	if keep == nil {
		return nil, nil
	}
	if len(keep) != 1 {
		return nil, tool.Errorf(tool.CodeApprovalInvalidated, "%d files shown, 1 changed", len(keep))
	}
	kept := keep[0]
	if c.Diff.Changes == 0 || kept.Shown != Hash([]byte(c.Diff.Unified)) {
		return nil, tool.Errorf(tool.CodeApprovalInvalidated, "the change is not the one that was shown")
	}
	made, err := madeOf(kept.Changes, len(c.runs))
	if err != nil {
		return nil, err
	}
	if len(kept.Changes) == len(c.runs) {
		return nil, nil
	}
	p := &Part{}
	var runs []group
	at, line := 0, 0
	for i, g := range c.runs {
		line += g.oldFrom - at
		from := line
		if made[i] {
			line += g.newTo - g.newFrom
			runs = append(runs, group{g.oldFrom, g.oldTo, from, line})
			p.Made = append(p.Made, runOf(g, from, line))
		} else {
			line += g.oldTo - g.oldFrom
			p.Left = append(p.Left, runOf(g, from, line))
		}
		at = g.oldTo
	}
	mark, before, after := c.raw()
	p.Content = append([]byte(mark), splice(before, after, c.runs, made)...)
	p.Diff = tool.FileDiff{Path: c.Diff.Path, Created: c.Diff.Created, Notes: notes(c.old, ShapeOf(p.Content))}
	a, b := numbered(c.a.text, splice(c.a, c.b, c.runs, made))
	p.Diff = drawn(p.Diff, a, b, runs)
	return p, nil
}

// madeOf tells for each of count runs whether it is among those that were kept.
func madeOf(kept []int, count int) ([]bool, error) {
	made, before := make([]bool, count), -1
	for _, at := range kept {
		if at <= before || at >= count {
			return nil, tool.Errorf(tool.CodeApprovalInvalidated, "a run of the choice is not one of the change")
		}
		made[at], before = true, at
	}
	if len(kept) == 0 {
		return nil, tool.Errorf(tool.CodeApprovalInvalidated, "no run of the change was kept")
	}
	return made, nil
}

func runOf(g group, from, to int) Run {
	r := Run{First: from + 1, Lines: to - from, Additions: g.newTo - g.newFrom, Deletions: g.oldTo - g.oldFrom}
	if r.Lines == 0 {
		r.First = from
	}
	return r
}

// splice is the text before with the runs that are made in the place of what they replace.
func splice(before, after textLines, runs []group, made []bool) []byte {
	out := make([]byte, 0, max(len(before.text), len(after.text)))
	at := 0
	for i, g := range runs {
		out = append(out, before.from(at, g.oldFrom)...)
		if made[i] {
			out = append(out, after.from(g.newFrom, g.newTo)...)
		} else {
			out = append(out, before.from(g.oldFrom, g.oldTo)...)
		}
		at = g.oldTo
	}
	return append(out, before.from(at, len(before.starts)-1)...)
}

// raw returns the lines of both sides as their bytes are, where those of the diff may lack
// what both have: a byte order mark, which is returned, and a line end of two characters.
func (c Change) raw() (mark string, before, after textLines) {
	var old []byte
	if c.old != nil {
		old = c.old.Content
	}
	content := c.content
	if bytes.HasPrefix(old, []byte(BOM)) && bytes.HasPrefix(content, []byte(BOM)) {
		mark, old, content = BOM, old[len(BOM):], content[len(BOM):]
	}
	return mark, broken(old), broken(content)
}

// broken breaks a text into lines without numbering them.
func broken(text []byte) textLines {
	t := textLines{text: text, starts: []int32{0}}
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		t.starts, at = append(t.starts, int32(end)), end
	}
	return t
}
