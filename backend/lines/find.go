package lines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"
)

// MaxQuery bounds what is looked for, in bytes.
const MaxQuery = 1 << 10

// Query is what is looked for: a text within one line. With Fold large and small letters
// are the same.
type Query struct {
	Text string
	Fold bool
}

// Place is how far a search has come: at this byte, in this line.
type Place struct{ Offset, Line int64 }

// Start is where a search begins.
func Start() Place { return Place{0, 1} }

// Found is what a part of a search found.
type Found struct {
	// Lines are the lines of the matches in order, one entry for each match.
	Lines []int64
	// Next is where the search goes on. Done says that it has come to the end.
	Next Place
	Done bool
}

// Find looks for a query from a place on until it has read bytes of the text or has found
// most matches. A search is as many calls as somebody wants to wait for.
func (t *Text) Find(ctx context.Context, q Query, at Place, read int64, most int) (Found, error) {
	f := Found{Next: at}
	if q.Text == "" || len(q.Text) > MaxQuery {
		f.Done = true
		return f, nil
	}
	prepare, find := finder(q)
	// A match may lie across the end of a chunk, and letters that are the same may differ in length.
	overlap := utf8.UTFMax * len(q.Text)
	buffer := make([]byte, chunk+overlap)
	for read > 0 && len(f.Lines) < most {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		n, err := t.source.ReadAt(buffer, f.Next.Offset)
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return Found{}, err
		}
		limit := n
		if !end {
			limit = n - overlap
		}
		moved := f.scan(prepare(buffer[:n]), limit, most, find)
		if end && moved >= n {
			f.Done = true
			break
		}
		read -= int64(moved)
	}
	return f, nil
}

// scan takes the matches of p that begin before limit and returns how far it came.
func (f *Found) scan(p []byte, limit, most int, find func([]byte) (int, int)) int {
	at := 0
	for len(f.Lines) < most {
		from, to := find(p[at:])
		if from < 0 || at+from >= limit {
			at = f.move(p, at, max(at, limit))
			break
		}
		f.move(p, at, at+from)
		f.Lines = append(f.Lines, f.Next.Line)
		at = f.move(p, at+from, at+to)
	}
	return at
}

// move goes from one place in p to another.
func (f *Found) move(p []byte, from, to int) int {
	f.Next.Line += int64(bytes.Count(p[from:to], []byte{'\n'}))
	f.Next.Offset += int64(to - from)
	return to
}

// finder returns what finds the first match in a chunk that prepare was called with: where it
// begins and ends, or -1.
func finder(q Query) (prepare func(p []byte) []byte, find func(p []byte) (from, to int)) {
	prepare = func(p []byte) []byte { return p }
	needle := []byte(q.Text)
	if q.Fold && !ascii(needle) {
		pattern := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(q.Text))
		return prepare, func(p []byte) (int, int) {
			if at := pattern.FindIndex(p); at != nil {
				return at[0], at[1]
			}
			return -1, -1
		}
	}
	if q.Fold {
		// Many times faster than an expression; the chunk is a copy and may be changed.
		lower(needle)
		prepare = lower
	}
	return prepare, func(p []byte) (int, int) {
		i := bytes.Index(p, needle)
		return i, i + len(needle)
	}
}

func ascii(p []byte) bool {
	for _, b := range p {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower makes the letters of ASCII small, in place.
func lower(p []byte) []byte {
	for i, b := range p {
		if b-'A' < 26 {
			p[i] = b | 0x20
		}
	}
	return p
}
