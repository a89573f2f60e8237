package change

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"countersign/backend/bound"
)

// BOM is the byte order mark that some programs put before UTF-8 text.
const BOM = "\ufeff"

// Ends says how the lines of a text end. A carriage return alone ends no line.
type Ends string

// The ways in which lines end. A text with at most one line, unended, has none.
const (
	EndsNone  Ends = "none"
	EndsLF    Ends = "LF"
	EndsCRLF  Ends = "CRLF"
	EndsMixed Ends = "mixed"
)

// Shape is what a text is beyond its words.
type Shape struct {
	BOM  bool
	Ends Ends
	// UTF8 says that every byte belongs to a character.
	UTF8 bool
	// Binary says that the start looks like no text.
	Binary bool
	// Lines counts lines; a last line without a line break counts.
	Lines int64
}

// ShapeOf reads the shape of a whole text.
func ShapeOf(b []byte) Shape {
	s := &scanner{}
	_, _ = s.Write(b)
	return s.shape()
}

// Hash returns the lower-case hex sha256 of b.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// File is a file that was read to its end.
type File struct {
	Shape  Shape
	Size   int64
	SHA256 string
	// Content is nil when the file is longer than was to be kept.
	Content []byte
}

// Scan reads r to its end, as long as ctx lives, and keeps the content when it is
// at most keep bytes. It needs no more memory than that.
func Scan(ctx context.Context, r io.Reader, keep int64) (File, error) {
	s := newScanner()
	content := make([]byte, 0, 4<<10)
	buf := make([]byte, 64<<10)
	for {
		if err := ctx.Err(); err != nil {
			return File{}, err
		}
		n, err := r.Read(buf)
		_, _ = s.Write(buf[:n])
		if s.size <= keep {
			if len(content)+n > cap(content) {
				content = slices.Grow(content, max(n, len(content)))
			}
			content = append(content, buf[:n]...)
		} else {
			content = nil
		}
		if err == io.EOF {
			return File{Shape: s.shape(), Size: s.size, SHA256: hex.EncodeToString(s.sum.Sum(nil)), Content: content}, nil
		}
		if err != nil {
			return File{}, err
		}
	}
}

// scanner reads a shape out of text that comes in pieces.
type scanner struct {
	sum       hash.Hash // nil where nobody wants it
	size      int64
	start     []byte // the first sampleBytes
	lf, crlf  int64
	last      byte
	half      []byte // the start of a character that the last piece broke off in
	malformed bool
}

// sampleBytes is how much of a file's start says whether it is text.
const sampleBytes = 4 << 10

func newScanner() *scanner { return &scanner{sum: sha256.New()} }

func (s *scanner) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if s.sum != nil {
		_, _ = s.sum.Write(p)
	}
	if room := sampleBytes - len(s.start); room > 0 {
		s.start = append(s.start, p[:min(room, len(p))]...)
	}
	s.lf += int64(bytes.Count(p, []byte{'\n'}))
	s.crlf += int64(bytes.Count(p, []byte("\r\n")))
	if s.last == '\r' && p[0] == '\n' {
		s.crlf++
	}
	s.last = p[len(p)-1]
	s.size += int64(len(p))
	s.check(p)
	return len(p), nil
}

// check notes bytes that belong to no character.
func (s *scanner) check(p []byte) {
	if s.malformed {
		return
	}
	if len(s.half) > 0 {
		n := min(utf8.UTFMax-len(s.half), len(p))
		joined := append(s.half, p[:n]...)
		r, size := utf8.DecodeRune(joined)
		if r == utf8.RuneError && size <= 1 {
			if !utf8.FullRune(joined) {
				s.half = joined
				return
			}
			s.malformed = true
			return
		}
		p = p[size-len(s.half):]
		s.half = nil
	}
	// The last piece of a character may come with the next write.
	whole := bound.Whole(p)
	s.half = bytes.Clone(p[len(whole):])
	s.malformed = !utf8.Valid(whole)
}

func (s *scanner) shape() Shape {
	shape := Shape{
		BOM:    bytes.HasPrefix(s.start, []byte(BOM)),
		UTF8:   !s.malformed && len(s.half) == 0,
		Binary: Binary(s.start),
		Lines:  s.lf,
	}
	if s.size > 0 && s.last != '\n' {
		shape.Lines++
	}
	switch {
	case s.lf == 0:
		shape.Ends = EndsNone
	case s.crlf == 0:
		shape.Ends = EndsLF
	case s.crlf == s.lf:
		shape.Ends = EndsCRLF
	default:
		shape.Ends = EndsMixed
	}
	return shape
}

// Binary reports whether the start of a file looks like no text: it holds a NUL, or
// more than three in ten of its bytes are controls that text does not use. Bytes
// that are not UTF-8 do not count, so that text in an older encoding stays text.
func Binary(start []byte) bool {
	start = start[:min(len(start), sampleBytes)]
	odd := 0
	for _, c := range start {
		switch {
		case c == 0:
			return true
		case c == '\t', c == '\n', c == '\v', c == '\f', c == '\r', c == '\b', c == 0x1b:
		case c < ' ', c == 0x7f:
			odd++
		}
	}
	return odd*10 > len(start)*3
}

// Keep writes text with the byte order mark and the line ends of the file that it
// replaces. Text for a file whose line ends are mixed or that has none stays as it is.
func Keep(old Shape, text string) []byte {
	switch old.Ends {
	case EndsCRLF:
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	case EndsLF:
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case EndsNone, EndsMixed:
	}
	if old.BOM && !strings.HasPrefix(text, BOM) {
		text = BOM + text
	}
	return []byte(text)
}
