package edit

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"countersign/backend/change"
)

// text is a file as it is matched: plain, with the way back to its bytes.
type text struct {
	bom string
	// raw is what follows the byte order mark.
	raw string
	// plain is raw with \n for each \r\n. A carriage return alone stays.
	plain string
	// breaks are the offsets in plain of the line breaks that were \r\n.
	breaks []int32
	// starts are the offsets in plain where lines start. A line break at the very end
	// starts no line.
	starts []int32
	shape  change.Shape
}

func newText(content []byte, shape change.Shape) *text {
	t := &text{raw: string(content), shape: shape}
	if shape.BOM {
		t.bom, t.raw = t.raw[:len(change.BOM)], t.raw[len(change.BOM):]
	}
	t.plain = t.raw
	if shape.Ends == change.EndsCRLF || shape.Ends == change.EndsMixed {
		t.plain, t.breaks = flatten(t.raw)
	}
	for at := 0; at < len(t.plain); {
		t.starts = append(t.starts, int32(at))
		n := strings.IndexByte(t.plain[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return t
}

// flatten writes \n for each \r\n and returns where.
func flatten(raw string) (string, []int32) {
	var b strings.Builder
	b.Grow(len(raw))
	var breaks []int32
	for {
		i := strings.Index(raw, "\r\n")
		if i < 0 {
			b.WriteString(raw)
			return b.String(), breaks
		}
		b.WriteString(raw[:i])
		breaks = append(breaks, int32(b.Len()))
		b.WriteByte('\n')
		raw = raw[i+2:]
	}
}

// byteAt returns the offset in raw of an offset in plain. The carriage return before a
// line break lies with the line break.
func (t *text) byteAt(at int) int {
	return at + sort.Search(len(t.breaks), func(i int) bool { return int(t.breaks[i]) >= at })
}

// lines returns how many lines there are.
func (t *text) lines() int { return len(t.starts) }

// start returns where line i starts, and end where it ends, before its line break.
func (t *text) start(i int) int { return int(t.starts[i]) }

func (t *text) end(i int) int {
	if i+1 < len(t.starts) {
		return int(t.starts[i+1]) - 1
	}
	return len(strings.TrimSuffix(t.plain, "\n"))
}

// line returns line i without its line break.
func (t *text) line(i int) string { return t.plain[t.start(i):t.end(i)] }

// trimmed returns line i without the white space around it.
func (t *text) trimmed(i int) string { return strings.TrimSpace(t.line(i)) }

// lineOf returns the line that holds an offset of plain.
func (t *text) lineOf(at int) int {
	return max(0, sort.Search(len(t.starts), func(i int) bool { return int(t.starts[i]) > at })-1)
}

// quote is what the caller quoted and what is to take its place, with \n for each
// line break.
type quote struct {
	old, new string
	// lines are the lines of old without their breaks; ended says that the last has one.
	lines []string
	ended bool
	// lead, core and tail are old, split into its outer white space and the rest.
	lead, core, tail string
}

func newQuote(old, new string) quote {
	q := quote{old: unixBreaks(old), new: unixBreaks(new)}
	body, ended := strings.CutSuffix(q.old, "\n")
	q.lines, q.ended = strings.Split(body, "\n"), ended
	q.core = strings.TrimSpace(q.old)
	if q.core == "" {
		q.lead = q.old
		return q
	}
	at := strings.Index(q.old, q.core)
	q.lead, q.tail = q.old[:at], q.old[at+len(q.core):]
	return q
}

func unixBreaks(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// leading returns the white space that s starts with, trailing that it ends with.
func leading(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))] }

func trailing(s string) string { return s[len(strings.TrimRightFunc(s, unicode.IsSpace)):] }

// characters counts the characters of s; a byte that belongs to none counts as one.
func characters(s string) int { return utf8.RuneCountInString(s) }
