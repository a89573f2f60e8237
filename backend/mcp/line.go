package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// MaxLineBytes is the longest line that either side may send, without its line break.
const MaxLineBytes = 16 << 20

// longLine says that a line was over the limit and has been read past. ID is the
// request id found in it, nil when there is none.
type longLine struct{ ID []byte }

func (*longLine) Error() string { return "line over the limit" }

// lineReader reads lines and never holds more than the limit of one.
type lineReader struct {
	r     *bufio.Reader
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns the next line that is not blank, without its line break; the slice is
// the caller's. A *longLine is not the end: the following call reads the next line.
// The last line needs no line break.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.one()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (l *lineReader) one() ([]byte, error) {
	var line []byte
	for {
		chunk, err := l.r.ReadSlice('\n')
		if len(line)+len(bytes.TrimRight(chunk, "\r\n")) > l.limit {
			return nil, l.skip(line, chunk, err)
		}
		if len(line)+len(chunk) > cap(line) {
			// Twice as much each time, since a long line is copied that often.
			line = slices.Grow(line, max(len(chunk), min(len(line), l.limit-len(line))))
		}
		line = append(line, chunk...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}

// skip reads to the end of a line of which head and chunk are known.
func (l *lineReader) skip(head, chunk []byte, err error) error {
	var s skimmer
	s.feed(head)
	s.feed(chunk)
	for errors.Is(err, bufio.ErrBufferFull) {
		chunk, err = l.r.ReadSlice('\n')
		s.feed(chunk)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return &longLine{ID: s.id()}
}

// maxIDBytes bounds the request id that is looked for in a line over the limit.
const maxIDBytes = 256

// skimmer finds the id of a request in bytes that are not kept, so that a client whose
// line was too long gets an answer to that request and does not wait for ever.
type skimmer struct {
	depth        int
	text, escape bool
	value        bool
	key, found   []byte
	broken       bool
}

func (s *skimmer) feed(b []byte) {
	for len(b) > 0 {
		if s.text && !s.escape && s.depth != 1 {
			// Nearly all of a long line is inside one string.
			end := bytes.IndexAny(b, `"\`)
			if end < 0 {
				return
			}
			b = b[end:]
		}
		s.byte(b[0])
		b = b[1:]
	}
}

func (s *skimmer) byte(c byte) {
	if s.text {
		s.keep(c)
		switch {
		case s.escape:
			s.escape = false
		case c == '\\':
			s.escape = true
		case c == '"':
			s.text = false
		}
		return
	}
	switch c {
	case '"':
		s.text = true
		if s.depth == 1 && !s.value {
			s.key = s.key[:0]
		}
		s.keep(c)
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
	case ':':
		if s.depth == 1 && !s.value {
			s.value = true
			s.broken = s.broken || string(s.key) == `"id"` && len(s.found) > 0
		}
	case ',':
		s.value = s.value && s.depth != 1
	case ' ', '\t', '\r', '\n':
	default:
		s.keep(c)
	}
}

func (s *skimmer) keep(c byte) {
	switch {
	case s.depth != 1:
	case !s.value && len(s.key) < 8:
		s.key = append(s.key, c)
	case s.value && string(s.key) == `"id"`:
		if len(s.found) == maxIDBytes {
			s.broken = true
			return
		}
		s.found = append(s.found, c)
	}
}

// id returns the JSON text of the id, or nil.
func (s *skimmer) id() []byte {
	if s.broken || s.depth != 0 || s.text || !idForm(s.found) {
		return nil
	}
	return s.found
}
