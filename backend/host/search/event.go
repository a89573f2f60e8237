package search

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"countersign/backend/bound"
)

// keptBytes is how much of an event is kept, and so of a line that was found: enough for
// what is shown of it and for the places in it. What is longer is passed over in pieces.
const keptBytes = 64 << 10

// event is a message of ripgrep as it prints it with --json.
type event struct {
	Type string `json:"type"`
	Data struct {
		Path   encoded `json:"path"`
		Lines  encoded `json:"lines"`
		Number int64   `json:"line_number"`
		Spans  []span  `json:"submatches"`
		// Binary is where the file turned out to be no text.
		Binary *int64 `json:"binary_offset"`
	} `json:"data"`
	// cut says that the line was longer than what was kept.
	cut bool
}

type span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// encoded is a text, or bytes that are not UTF-8.
type encoded struct {
	Text  *string `json:"text"`
	Bytes string  `json:"bytes"`
}

func (e encoded) String() string {
	if e.Text != nil {
		return *e.Text
	}
	// A text that was cut may end within a group of four.
	b, _ := base64.StdEncoding.DecodeString(e.Bytes[:len(e.Bytes)/4*4])
	return string(b)
}

// reader reads events one by one.
type reader struct{ in *bufio.Reader }

func newReader(r io.Reader) *reader { return &reader{bufio.NewReaderSize(r, keptBytes)} }

// next returns the next event, io.EOF after the last.
func (r *reader) next() (event, error) {
	line, err := r.in.ReadSlice('\n')
	switch {
	case err == nil:
		if e, ok := quick(line); ok {
			return e, nil
		}
		var e event
		err := json.Unmarshal(line, &e)
		return e, err
	case errors.Is(err, bufio.ErrBufferFull):
		return r.long(bytes.Clone(line))
	case err == io.EOF && len(line) > 0:
		return event{}, io.ErrUnexpectedEOF
	}
	return event{}, err
}

// The parts of a message about a matching line, in the order in which ripgrep writes them.
const (
	linesMark  = `"lines":{"`
	numberMark = `,"line_number":`
)

// long reads an event that is too long to be kept. Its start holds the path and, as only
// found text can be that long, a part of the line; behind the line comes its number. The
// places of the matches behind that are passed over.
func (r *reader) long(start []byte) (event, error) {
	i := bytes.Index(start, []byte(linesMark))
	if i < 0 {
		return event{}, errors.New("a long message without a line")
	}
	text := i + len(linesMark)
	if quote := bytes.Index(start[text:], []byte(`":"`)); quote >= 0 {
		text += quote + len(`":"`)
	}
	end, closed := closing(start[text:])
	head := start[:text+end]
	var rest []byte
	var err error
	if closed {
		rest, err = r.remember(start[text+end:])
	} else {
		// What is left of an escape is not kept.
		rest, err = r.pastText(start[text+end:])
	}
	if err != nil {
		return event{}, err
	}
	var e event
	if err := json.Unmarshal(append(head, `"}}}`...), &e); err != nil {
		return event{}, err
	}
	number, ok := bytes.CutPrefix(rest, []byte(`"}`+numberMark))
	if !ok {
		return event{}, errors.New("a long message without a number")
	}
	for _, c := range number {
		if c < '0' || c > '9' {
			break
		}
		e.Data.Number = e.Data.Number*10 + int64(c-'0')
	}
	e.cut = !closed
	return e, nil
}

// closing returns where the text ends that b begins with, and whether its quote is there;
// without one, the end is before any escape or character that is not whole.
func closing(b []byte) (int, bool) {
	whole := 0
	for i := 0; i < len(b); {
		switch {
		case b[i] == '"':
			return i, true
		case b[i] != '\\':
			i++
		case i+1 < len(b) && b[i+1] == 'u':
			i += len(`\u0000`)
		default:
			i += len(`\n`)
		}
		if i <= len(b) {
			whole = i
		}
	}
	return len(bound.Whole(b[:whole])), false
}

// numberRoom is enough for what follows a line up to its number.
const numberRoom = 64

// remember keeps the start of rest and passes over the other bytes of the message.
func (r *reader) remember(rest []byte) ([]byte, error) {
	kept := bytes.Clone(rest[:min(len(rest), numberRoom)])
	for {
		piece, err := r.in.ReadSlice('\n')
		kept = append(kept, piece[:min(len(piece), max(0, numberRoom-len(kept)))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return kept, err
		}
	}
}

// pastText passes over the rest of a text, of which b is the next piece, and returns what
// follows it from its quote on.
func (r *reader) pastText(b []byte) ([]byte, error) {
	escaped := false
	for {
		for i, c := range b {
			switch {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				if b[len(b)-1] == '\n' {
					return bytes.Clone(b[i:min(len(b), i+numberRoom)]), nil
				}
				return r.remember(b[i:])
			}
		}
		piece, err := r.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		b = piece
	}
}

// legible replaces each byte that belongs to no character.
func legible(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// legibleSpans moves places in text to where they are in legible(text). A place that does
// not lie in the text whole is dropped.
func legibleSpans(text string, spans [][2]int) [][2]int {
	valid := utf8.ValidString(text)
	var out [][2]int
	for _, s := range spans {
		if s[0] < 0 || s[0] > s[1] || s[1] > len(text) {
			continue
		}
		if !valid {
			s = [2]int{len(legible(text[:s[0]])), len(legible(text[:s[1]]))}
		}
		out = append(out, s)
	}
	return out
}

func trimBreak(line string) string { return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r") }
