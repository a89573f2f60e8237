package change

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"
)

// numbered gives the lines of both texts numbers, so that equal lines have equal ones. A
// last line without a line break is another line than the same one with it.
func numbered(before, after []byte) (a, b textLines) {
	lines := 2 + bytes.Count(before, []byte{'\n'}) + bytes.Count(after, []byte{'\n'})
	n := numbers{seed: maphash.MakeSeed(), slots: make([]slot, 1<<bits.Len(uint(lines))), met: make([]met, 1, lines/2+1), texts: [2][]byte{before, after}}
	a = n.lines(before, textLines{starts: []int32{0}})
	return a, n.lines(after, a)
}

// textLines are the lines of a text: where each begins, and its number.
type textLines struct {
	text []byte
	// starts has one entry more than there are lines.
	starts []int32
	ids    []int32
}

func (t textLines) line(i int) []byte { return t.text[t.starts[i]:t.starts[i+1]] }

// from returns the lines from and up to an index.
func (t textLines) from(from, to int) []byte { return t.text[t.starts[from]:t.starts[to]] }

// numbers gives lines their numbers, from 1. It is a table of texts that stays small, since
// most of a diff's time would go into a map.
type numbers struct {
	seed  maphash.Seed
	slots []slot
	met   []met
	texts [2][]byte
}

// met is where a line was met first: in the first text or the second, and there.
type met struct {
	at, from, to int32
	second       bool
}

// slot is the number of a line with a part of its hash; 0 is an empty one.
type slot struct {
	hash uint32
	id   int32
}

func (n *numbers) of(line []byte, now met) int32 {
	full := maphash.Bytes(n.seed, line)
	hash, last := uint32(full>>32), uint64(len(n.slots)-1)
	for i := full & last; ; i = (i + 1) & last {
		s := &n.slots[i]
		switch {
		case s.id == 0:
			id := int32(len(n.met))
			n.met = append(n.met, now)
			*s = slot{hash, id}
			return id
		case s.hash == hash && bytes.Equal(n.line(s.id), line):
			return s.id
		}
	}
}

func (n *numbers) line(id int32) []byte {
	m := &n.met[id]
	if m.second {
		return n.texts[1][m.from:m.to]
	}
	return n.texts[0][m.from:m.to]
}

// near is how far on a line is looked for in the other text before it is looked up.
const near = 3

// lines cuts a text into lines. Most are those of like, in the same order, and need not be
// looked up.
func (n *numbers) lines(text []byte, like textLines) textLines {
	second := like.ids != nil
	count := bytes.Count(text, []byte{'\n'}) + 1
	t := textLines{text: text, starts: make([]int32, 0, count+1), ids: make([]int32, 0, count)}
	next := 0
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line, id := text[at:end], int32(0)
		for k := next; k < min(next+near, len(like.ids)); k++ {
			if bytes.Equal(like.line(k), line) {
				id, next = like.ids[k], k+1
				break
			}
		}
		if id == 0 {
			id = n.of(line, met{int32(len(t.ids)), int32(at), int32(end), second})
			// A line of the other text tells where that goes on.
			if first := n.met[id]; second && !first.second {
				next = max(next, int(first.at)+1)
			}
		}
		t.starts, t.ids = append(t.starts, int32(at)), append(t.ids, id)
		at = end
	}
	t.starts = append(t.starts, int32(len(text)))
	return t
}

// unified writes groups of changes as a unified diff, "" without any.
func unified(from, to string, a, b textLines, all []group) string {
	if len(all) == 0 {
		return ""
	}
	var out strings.Builder
	size := 0
	for _, g := range all {
		size += int(a.starts[g.oldTo]-a.starts[g.oldFrom]+b.starts[g.newTo]-b.starts[g.newFrom]) + 300
	}
	out.Grow(size)
	out.WriteString("--- " + from + "\n+++ " + to + "\n")
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].oldFrom-all[n-1].oldTo <= 2*contextLines {
			n++
		}
		writeHunk(&out, a, b, all[:n])
		all = all[n:]
	}
	return out.String()
}

// writeHunk writes groups that stand close together, with what stays around them.
func writeHunk(out *strings.Builder, a, b textLines, all []group) {
	first, last := all[0], all[len(all)-1]
	lead := min(contextLines, first.oldFrom)
	tail := min(contextLines, len(a.ids)-last.oldTo)
	out.WriteString("@@ -")
	writeRange(out, first.oldFrom-lead, last.oldTo+tail)
	out.WriteString(" +")
	writeRange(out, first.newFrom-lead, last.newTo+tail)
	out.WriteString(" @@\n")
	at := first.oldFrom - lead
	for _, g := range all {
		writeLines(out, ' ', a, at, g.oldFrom)
		writeLines(out, '-', a, g.oldFrom, g.oldTo)
		writeLines(out, '+', b, g.newFrom, g.newTo)
		at = g.oldTo
	}
	writeLines(out, ' ', a, at, last.oldTo+tail)
}

// writeRange writes the lines from and up to an index as a unified diff counts them: from
// 1, without the number of a single line, and no lines by the one before them.
func writeRange(out *strings.Builder, from, to int) {
	if from == to {
		out.WriteString(strconv.Itoa(from) + ",0")
		return
	}
	out.WriteString(strconv.Itoa(from + 1))
	if to-from > 1 {
		out.WriteString("," + strconv.Itoa(to-from))
	}
}

func writeLines(out *strings.Builder, sign byte, t textLines, from, to int) {
	for i := from; i < to; i++ {
		line := t.line(i)
		out.WriteByte(sign)
		out.Write(line)
		if len(line) == 0 || line[len(line)-1] != '\n' {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
