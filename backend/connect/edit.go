package connect

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
)

// ErrBroken says that a text is not of its format, so that nothing can be put into it.
var ErrBroken = errors.New("the text cannot be read")

// ErrOccupied says that something else lies where the entry belongs.
var ErrOccupied = errors.New("something else is where the entry belongs")

// ErrShape says that the entry is written in a way that cannot be changed byte by byte.
var ErrShape = errors.New("the entry is written in a way that is not edited here")

// edit replaces the bytes from at to end.
type edit struct {
	at, end int
	text    string
}

// apply makes edits that do not overlap. Those at one place stay in their order.
func apply(old []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(old[from:e.at])
		out.WriteString(e.text)
		from = e.end
	}
	out.Write(old[from:])
	return out.Bytes()
}

// newlineOf is how the lines of a text end.
func newlineOf(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentOf is the white space at the start of the line that an offset lies in.
func indentOf(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

const space = " \t\r\n"

// maxDepth bounds how deep a text may nest. Readers call themselves for each level.
const maxDepth = 1000

// tooDeep reports whether a text may nest deeper than that. Brackets inside strings count,
// which only ever refuses more.
func tooDeep(text []byte) bool {
	depth := 0
	for _, b := range text {
		switch {
		case strings.IndexByte("[{", b) >= 0:
			depth++
		case strings.IndexByte("]}", b) >= 0:
			depth--
		}
		if depth > maxDepth {
			return true
		}
	}
	return false
}
