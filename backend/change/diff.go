package change

import (
	"bytes"
	"path"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// MaxDiffBytes is how much old and new text a diff is drawn of, in bytes, not
// counting what both begin and end with.
const MaxDiffBytes = 4 << 20

const contextLines = 3

// Change is the change of a file and how it is drawn.
type Change struct {
	// Diff counts the runs of lines that a person may choose among.
	Diff    tool.FileDiff
	old     *File
	content []byte
	a, b    textLines
	runs    []group
}

// Between draws the change of a file from old to content, without a choice. name is how the
// file is called in it. A nil old means that there is no file yet.
func Between(name string, old *File, content []byte) tool.FileDiff {
	d := Draw(name, old, content).Diff
	d.Changes = 0
	return d
}

// Draw is Between for a tool that can make a part of the change.
func Draw(name string, old *File, content []byte) Change {
	now := ShapeOf(content)
	d := tool.FileDiff{Path: name, Created: old == nil, Notes: notes(old, now)}
	c := Change{old: old, content: content}
	before, after, held := sides(old, content, now)
	if !held {
		d.Additions, d.Deletions = int(now.Lines), int(old.Shape.Lines)
		d.Notes = append(d.Notes, tooLarge(d))
		c.Diff = d
		return c
	}
	if a, b := differing(before, after); len(a)+len(b) > MaxDiffBytes {
		d.Additions, d.Deletions = int(bound.Lines(string(b))), int(bound.Lines(string(a)))
		d.Notes = append(d.Notes, tooLarge(d))
		c.Diff = d
		return c
	}
	c.a, c.b = numbered(before, after)
	c.runs = compare(c.a.ids, c.b.ids)
	if old == nil || !old.Shape.Binary {
		d.Changes = len(c.runs)
	}
	c.Diff = drawn(d, c.a, c.b, c.runs)
	return c
}

// drawn is d with the runs counted and drawn.
func drawn(d tool.FileDiff, a, b textLines, runs []group) tool.FileDiff {
	d.Additions, d.Deletions = 0, 0
	for _, g := range runs {
		d.Additions += g.newTo - g.newFrom
		d.Deletions += g.oldTo - g.oldFrom
	}
	from, to := labels(d.Path, d.Created)
	d.Unified = strings.ToValidUTF8(unified(from, to, a, b, runs), "\ufffd")
	return d
}

// sides returns the texts to compare; held is false when the old one is not at hand.
func sides(old *File, content []byte, now Shape) (before, after []byte, held bool) {
	after = content
	switch {
	case old == nil, old.Shape.Binary:
		return nil, after, true
	case old.Content == nil && old.Size > 0:
		return nil, nil, false
	}
	before = old.Content
	if old.Shape.Ends == EndsCRLF && now.Ends == EndsCRLF {
		before, after = bytes.ReplaceAll(before, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(after, []byte("\r\n"), []byte("\n"))
	}
	if old.Shape.BOM && now.BOM {
		before, after = bytes.TrimPrefix(before, []byte(BOM)), bytes.TrimPrefix(after, []byte(BOM))
	}
	return before, after, true
}

// differing takes off what both texts begin and end with.
func differing(a, b []byte) ([]byte, []byte) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

func labels(name string, created bool) (from, to string) {
	shown := tool.ShowPath(name)
	if path.IsAbs(name) {
		from, to = shown, shown
	} else {
		from, to = "a/"+shown, "b/"+shown
	}
	if created {
		from = "/dev/null"
	}
	return from, to
}

// notes are the facts about bytes that a diff does not show.
func notes(old *File, now Shape) []string {
	var out []string
	add := func(when bool, note string) {
		if when {
			out = append(out, note)
		}
	}
	if old == nil {
		add(now.Ends == EndsCRLF, "Lines end in CRLF.")
		add(now.BOM, "The file starts with a byte order mark.")
		return out
	}
	was := old.Shape
	if was.Binary {
		return append(out, "The old file is binary ("+bound.Size(old.Size)+") and is replaced whole; its bytes are not shown.")
	}
	add(was.Ends == EndsCRLF && now.Ends == EndsCRLF, "Lines end in CRLF, as before.")
	add(was.Ends != now.Ends && was.Ends != EndsNone && now.Ends != EndsNone, "Line ends change from "+string(was.Ends)+" to "+string(now.Ends)+".")
	add(was.BOM && now.BOM, "The byte order mark at the start is kept.")
	add(!was.BOM && now.BOM, "A byte order mark is added at the start.")
	add(!was.UTF8 && now.UTF8, "The old file is not UTF-8; the new one is.")
	add(!was.UTF8 && !now.UTF8, "The file is not UTF-8; bytes outside the change stay as they are.")
	return out
}

func tooLarge(d tool.FileDiff) string {
	return "The change is too large to show: " + bound.Plural(int64(d.Deletions), "line") + " out, " + bound.Plural(int64(d.Additions), "line") + " in."
}
