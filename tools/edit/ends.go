package edit

import (
	"iter"
	"strings"

	"countersign/backend/change"
)

// apply puts the new texts into the bytes of the file. It returns the file and where in
// it the first new text begins and ends.
func (t *text) apply(all iter.Seq[replacement]) (content []byte, start, end int) {
	out := make([]byte, 0, len(t.bom)+len(t.raw)+64)
	out = append(out, t.bom...)
	at, first := 0, true
	for r := range all {
		from, to := t.byteAt(r.start), t.byteAt(r.end)
		out = append(out, t.raw[at:from]...)
		begin := len(out)
		out = append(out, t.withBreaks(r, from, to)...)
		if first {
			start, end, first = begin, len(out), false
		}
		at = to
	}
	return append(out, t.raw[at:]...), start, end
}

// withBreaks gives a new text the line breaks of the file.
func (t *text) withBreaks(r replacement, from, to int) string {
	switch t.shape.Ends {
	case change.EndsCRLF:
		return strings.ReplaceAll(r.text, "\n", "\r\n")
	case change.EndsMixed:
		return mixed(r.text, t.raw[from:to], t.breakAt(to))
	case change.EndsLF, change.EndsNone:
	}
	return r.text
}

// breakAt returns the line break of the line that holds an offset of raw: that of the
// line before where the last line has none.
func (t *text) breakAt(at int) string {
	i := strings.IndexByte(t.raw[at:], '\n')
	if i < 0 {
		i = strings.LastIndexByte(t.raw[:at], '\n') - at
	}
	if end := at + i; end > 0 && t.raw[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// mixed gives each line of a new text the break of the old line that it stands for:
// the same line, else the one at the same place, else the last one.
func mixed(text, old, after string) string {
	lines, were := strings.SplitAfter(text, "\n"), strings.SplitAfter(old, "\n")
	partner := align(lines, were, plainLine)
	var b strings.Builder
	last := after
	next := 0
	for i, line := range lines {
		body, ended := strings.CutSuffix(line, "\n")
		b.WriteString(body)
		if !ended {
			break
		}
		at := partner[i]
		if at < 0 {
			at = next
		}
		if at < len(were) && strings.HasSuffix(were[at], "\n") {
			last = breakOf(were[at])
			next = at + 1
		}
		b.WriteString(last)
	}
	return b.String()
}

func breakOf(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func plainLine(line string) string { return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r") }
