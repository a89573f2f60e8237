package legible

import "unicode/utf8"

// Cells hold what is not a rune of text above all runes: a byte, or a control character
// of two bytes.
const (
	escaped = utf8.MaxRune + 1
	wide    = escaped + 0x100
)

// maxColumns bounds how far a cursor can be sent past the end of its line.
const maxColumns = 512

// line is what stands in a line of a terminal. Every rune has one cell.
type line struct {
	cells []rune
	at    int
	// size is how many bytes the line has as text.
	size int
}

// put writes over what stands at the cursor and moves it on.
func (l *line) put(r rune) {
	for len(l.cells) < l.at {
		l.cells = append(l.cells, ' ')
		l.size++
	}
	if l.at == len(l.cells) {
		l.cells = append(l.cells, r)
	} else {
		l.size -= width(l.cells[l.at])
		l.cells[l.at] = r
	}
	l.size += width(r)
	l.at++
}

// to moves the cursor.
func (l *line) to(column int) {
	l.at = max(0, min(column, max(len(l.cells), maxColumns)))
}

// erase takes away what is behind the cursor (0), before it (1), or all (2).
func (l *line) erase(what int) {
	switch what {
	case 0:
		l.cut(l.at)
	case 1:
		l.blank(0, l.at+1)
	case 2:
		l.cut(0)
	}
}

func (l *line) cut(from int) {
	if from >= len(l.cells) {
		return
	}
	for _, r := range l.cells[from:] {
		l.size -= width(r)
	}
	l.cells = l.cells[:from]
}

func (l *line) blank(from, to int) {
	for i := from; i < min(to, len(l.cells)); i++ {
		l.size += 1 - width(l.cells[i])
		l.cells[i] = ' '
	}
}

// remove takes away n cells at the cursor, and what is behind them moves up.
func (l *line) remove(n int) {
	if l.at >= len(l.cells) {
		return
	}
	rest := append([]rune(nil), l.cells[min(len(l.cells), l.at+n):]...)
	l.cut(l.at)
	for _, r := range rest {
		l.cells = append(l.cells, r)
		l.size += width(r)
	}
}

func (l *line) clear() {
	l.cells, l.at, l.size = l.cells[:0], 0, 0
}

func (l *line) append(out []byte) []byte {
	for _, r := range l.cells {
		out = appendCell(out, r)
	}
	return out
}

func appendCell(out []byte, r rune) []byte {
	switch {
	case r >= wide:
		return append(out, '\\', 'u', '0', '0', hex[(r-wide)>>4], hex[(r-wide)&15])
	case r >= escaped:
		return append(out, '\\', 'x', hex[(r-escaped)>>4], hex[(r-escaped)&15])
	case r < utf8.RuneSelf:
		return append(out, byte(r))
	}
	return utf8.AppendRune(out, r)
}

const hex = "0123456789abcdef"

func width(r rune) int {
	switch {
	case r >= wide:
		return len(`\u0085`)
	case r >= escaped:
		return len(`\x00`)
	case r < utf8.RuneSelf:
		return 1
	}
	return utf8.RuneLen(r)
}
