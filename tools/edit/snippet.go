package edit

import (
	"bytes"
	"fmt"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/change"
)

// The limits of a snippet: the lines of context on either side, the lines and bytes
// shown of a long region, and the characters of a line.
const (
	contextLines  = 4
	snippetLines  = 120
	snippetBytes  = 24 << 10
	snippetLength = 2000
)

// snippet shows the first edited region as it is now, with its line numbers.
func (p plan) snippet() string {
	if len(p.content) == 0 {
		return "The file is empty now.\n"
	}
	lines := newLines(p.content)
	first := lines.of(p.start)
	last := first
	if p.end > p.start {
		last = lines.of(max(p.start, p.end-1))
	}
	first, last = max(0, first-contextLines), min(lines.count()-1, last+contextLines)
	var b strings.Builder
	fmt.Fprintf(&b, "Snippet of the edited region (%s):\n", span(first+1, last+1))
	head, tail := lines.ends(first, last)
	b.WriteString(lines.numbered(first, head))
	if head < tail {
		fmt.Fprintf(&b, "[... %s not shown; read the file from line %d to see the rest.]\n", bound.Plural(int64(tail-head), "line"), head+1)
	}
	b.WriteString(lines.numbered(tail, last+1))
	return b.String()
}

// fileLines are the lines of a file as it is written.
type fileLines struct {
	content []byte
	starts  []int
}

func newLines(content []byte) fileLines {
	l := fileLines{content: content}
	for at := 0; at < len(content); {
		l.starts = append(l.starts, at)
		n := bytes.IndexByte(content[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return l
}

func (l fileLines) count() int { return len(l.starts) }

// of returns the line that holds an offset; the end of the file is on its last line.
func (l fileLines) of(at int) int {
	n := bytes.Count(l.content[:at], []byte{'\n'})
	return min(n, l.count()-1)
}

// place returns where a run stands, as offsets.
func (l fileLines) place(r change.Run) (start, end int) {
	if r.Lines == 0 {
		at := l.end(r.First - 1)
		return at, at
	}
	return l.starts[r.First-1], l.end(r.First + r.Lines - 2)
}

// end returns the offset behind a line; -1 stands before the first.
func (l fileLines) end(i int) int {
	if i+1 < len(l.starts) {
		return l.starts[i+1]
	}
	return len(l.content)
}

// shown is a line with its number, cut where it is long.
func (l fileLines) shown(i int) string {
	line := strings.TrimSuffix(strings.TrimSuffix(string(l.content[l.starts[i]:l.end(i)]), "\n"), "\r")
	if i == 0 {
		line = strings.TrimPrefix(line, change.BOM)
	}
	cut, _ := bound.Line(line, snippetLength)
	return fmt.Sprintf("%6d→%s\n", i+1, strings.ToValidUTF8(cut, "\ufffd"))
}

// ends returns which lines of a region are shown: those up to head, and those from
// tail on. Of a long one two thirds of what is shown are its start.
func (l fileLines) ends(first, last int) (head, tail int) {
	head, tail = first, last+1
	for room := snippetBytes * 2 / 3; head < tail && head-first < snippetLines*2/3; head++ {
		if room -= len(l.shown(head)); room < 0 && head > first {
			break
		}
	}
	for room := snippetBytes / 3; tail > head && last+1-tail < snippetLines/3; tail-- {
		if room -= len(l.shown(tail - 1)); room < 0 {
			break
		}
	}
	return head, tail
}

func (l fileLines) numbered(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString(l.shown(i))
	}
	return b.String()
}
