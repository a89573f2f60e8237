package edit

import (
	"iter"
	"slices"
	"strings"

	"countersign/backend/change"
)

// apply puts the new texts into the bytes of the file. It returns the file and where in
// it the first new text begins and ends.
func (t *text) apply(all iter.Seq[replacement]) (content []byte, start, end int) {
	out := make([]byte, 0, len(t.bom)+len(t.raw)+64)
	out = append(out, t.bom...)
	at, first := 0, true
	var same alignment
	for r := range all {
		from, to := t.byteAt(r.start), t.byteAt(r.end)
		out = append(out, t.raw[at:from]...)
		begin := len(out)
		out = append(out, t.withBreaks(r, &same)...)
		if first {
			start, end, first = begin, len(out), false
		}
		at = to
	}
	return append(out, t.raw[at:]...), start, end
}

// withBreaks gives a new text the line breaks of the file.
func (t *text) withBreaks(r replacement, same *alignment) string {
	switch t.shape.Ends {
	case change.EndsCRLF:
		return strings.ReplaceAll(r.text, "\n", "\r\n")
	case change.EndsMixed:
		return t.mixed(r, same)
	case change.EndsLF, change.EndsNone:
	}
	return r.text
}

// breakAt returns the line break of the line that holds an offset of plain: that of the
// line before where the last line has none.
func (t *text) breakAt(at int) string {
	line := t.lineOf(at)
	if line == t.lines()-1 && !strings.HasSuffix(t.plain, "\n") {
		line--
	}
	if line < 0 {
		return "\n"
	}
	return t.breakOf(t.end(line))
}

// breakOf returns the line break at an offset of plain.
func (t *text) breakOf(at int) string {
	if _, two := slices.BinarySearch(t.breaks, int32(at)); two {
		return "\r\n"
	}
	return "\n"
}

// alignment is which old line each line of a new text stands for. It is kept from one
// replacement to the next, since all of a call that replaces every place are alike.
type alignment struct {
	text, old string
	partner   []int
}

func (a *alignment) of(text, old string) []int {
	if a.partner == nil || a.text != text || a.old != old {
		*a = alignment{text, old, align(strings.SplitAfter(text, "\n"), strings.SplitAfter(old, "\n"), plainLine)}
	}
	return a.partner
}

// mixed gives each line of a new text the break of the old line that it stands for:
// the same line, else the one at the same place, else the last one.
func (t *text) mixed(r replacement, same *alignment) string {
	if !strings.Contains(r.text, "\n") {
		return r.text
	}
	old := t.plain[r.start:r.end]
	var breaks []int
	for at := 0; at < len(old); at++ {
		i := strings.IndexByte(old[at:], '\n')
		if i < 0 {
			break
		}
		at += i
		breaks = append(breaks, r.start+at)
	}
	partner := same.of(r.text, old)
	var b strings.Builder
	last, next := t.breakAt(r.end), 0
	for i, line := range strings.SplitAfter(r.text, "\n") {
		body, ended := strings.CutSuffix(line, "\n")
		b.WriteString(body)
		if !ended {
			break
		}
		at := partner[i]
		if at < 0 {
			at = next
		}
		if at < len(breaks) {
			last = t.breakOf(breaks[at])
			next = at + 1
		}
		b.WriteString(last)
	}
	return b.String()
}

func plainLine(line string) string { return strings.TrimSuffix(line, "\n") }
