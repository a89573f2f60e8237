package lines

import (
	"bytes"
	"context"
	"errors"
	"io"

	"countersign/backend/bound"
)

// Bounds of what is read at once: bytes of one line, of all lines of a window, and of one
// piece of a line.
const (
	MaxLine   = 4_000
	MaxWindow = 512 << 10
	MaxPiece  = 64 << 10
)

// look is how far the end of a long line is looked for that was not counted yet, in bytes.
const look = 8 << 20

// Line is a line, or the start of a long one.
type Line struct {
	// Number counts from 1.
	Number int64
	// Text is the line without its end, at most MaxLine bytes of it.
	Text []byte
	// Bytes is how long the whole line is, without its end, as far as it was counted.
	Bytes int64
}

// Window returns up to count lines from line number from on, fewer when they are long.
func (t *Text) Window(ctx context.Context, from int64, count int) ([]Line, error) {
	if err := t.CountTo(ctx, from-1); err != nil {
		return nil, err
	}
	at, known, err := t.start(from)
	if err != nil || !known {
		return nil, err
	}
	var out []Line
	r := reader{source: t.source, at: at}
	for room := MaxWindow; len(out) < count && room > 0 && ctx.Err() == nil; from++ {
		text, end, err := r.line()
		if err != nil {
			return nil, err
		}
		if text == nil {
			break
		}
		l := Line{Number: from, Text: text, Bytes: int64(len(text))}
		if end == cut {
			next, err := t.skip(ctx, &r, from)
			if err != nil {
				return nil, err
			}
			l.Bytes = next
		}
		l.Text = withoutReturn(l.Text, end == ended)
		if end == ended {
			l.Bytes = int64(len(l.Text))
		}
		out = append(out, l)
		room -= len(l.Text)
	}
	return out, ctx.Err()
}

// withoutReturn takes the carriage return off that belongs to the end of a line.
func withoutReturn(text []byte, ended bool) []byte {
	if ended && len(text) > 0 && text[len(text)-1] == '\r' {
		return text[:len(text)-1]
	}
	return text
}

// skip moves r behind a long line and returns how long that is.
func (t *Text) skip(ctx context.Context, r *reader, line int64) (int64, error) {
	begin := r.begin
	next, known, err := t.start(line + 1)
	if err != nil {
		return 0, err
	}
	if known && next > r.at {
		r.to(next)
		return t.lengthTo(begin, next)
	}
	for range look / chunk {
		found, err := r.seek()
		if err != nil || found {
			length, lengthErr := t.lengthTo(begin, r.at)
			return length, errors.Join(err, lengthErr)
		}
		if r.done || ctx.Err() != nil {
			break
		}
	}
	length := r.at - begin
	r.done = true
	return length, ctx.Err()
}

// lengthTo is the length of a line that begins at begin and whose end lies before next.
func (t *Text) lengthTo(begin, next int64) (int64, error) {
	var end [2]byte
	n, err := t.source.ReadAt(end[:], max(begin, next-2))
	if err = ignoreEnd(err); err != nil {
		return 0, err
	}
	length := next - begin
	if n > 0 && end[n-1] == '\n' {
		length--
		if n == 2 && end[0] == '\r' {
			length--
		}
	}
	return length, nil
}

// Piece returns up to MaxPiece bytes of line number line from byte from of it on, whole
// characters where it is text. more says that the line goes on.
func (t *Text) Piece(ctx context.Context, line, from int64) (text []byte, more bool, err error) {
	if err := t.CountTo(ctx, line); err != nil {
		return nil, false, err
	}
	at, known, err := t.start(line)
	if err != nil || !known || from < 0 {
		return nil, false, err
	}
	buffer := make([]byte, MaxPiece)
	// The line may end before its piece begins: then the next one must not be given.
	if next, known, err := t.start(line + 1); err != nil {
		return nil, false, err
	} else if known && at+from >= next {
		return nil, false, nil
	}
	n, err := t.source.ReadAt(buffer, at+from)
	if err = ignoreEnd(err); err != nil {
		return nil, false, err
	}
	text = buffer[:n]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return withoutReturn(text[:i], true), false, nil
	}
	if n < len(buffer) {
		// The text ends here, whatever it ends with.
		return text, false, nil
	}
	return bound.Whole(text), true, nil
}

// How the start of a line that was read ends.
type lineEnd int

const (
	// ended was the end of the line.
	ended lineEnd = iota
	// last was the end of the text.
	last
	// cut means that the line goes on.
	cut
)

// reader reads lines one after the other.
type reader struct {
	source io.ReaderAt
	// at is where the next byte lies, begin where the line began that was read last.
	at, begin int64
	buffer    []byte
	// have is what was read and not taken.
	have []byte
	done bool
}

// to moves to another place.
func (r *reader) to(at int64) { r.at, r.have, r.done = at, nil, false }

// fill reads on. It keeps what was not taken.
func (r *reader) fill() error {
	if r.done {
		return nil
	}
	if r.buffer == nil {
		r.buffer = make([]byte, 64<<10)
	}
	n := copy(r.buffer, r.have)
	more, err := r.source.ReadAt(r.buffer[n:], r.at+int64(n))
	r.have = r.buffer[:n+more]
	if errors.Is(err, io.EOF) {
		r.done, err = true, nil
	}
	return err
}

// line reads a line, or its first MaxLine bytes; nil at the end of the text.
func (r *reader) line() ([]byte, lineEnd, error) {
	for {
		if i := bytes.IndexByte(r.have, '\n'); i >= 0 && i <= MaxLine {
			return r.take(i, 1), ended, nil
		}
		if len(r.have) > MaxLine {
			text := bound.Whole(r.have[:MaxLine])
			return r.take(len(text), 0), cut, nil
		}
		if r.done {
			if len(r.have) == 0 {
				return nil, last, nil
			}
			return r.take(len(r.have), 0), last, nil
		}
		if err := r.fill(); err != nil {
			return nil, last, err
		}
	}
}

func (r *reader) take(n, skip int) []byte {
	text := append(make([]byte, 0, n), r.have[:n]...)
	r.have = r.have[n+skip:]
	r.begin = r.at
	r.at += int64(n + skip)
	return text
}

// seek moves behind the next line break within a chunk.
func (r *reader) seek() (found bool, err error) {
	buffer := make([]byte, chunk)
	n, err := r.source.ReadAt(buffer, r.at)
	r.have = nil
	if errors.Is(err, io.EOF) {
		r.done, err = true, nil
	}
	if i := bytes.IndexByte(buffer[:n], '\n'); i >= 0 {
		r.at += int64(i) + 1
		r.done = false
		return true, err
	}
	r.at += int64(n)
	return false, err
}

// Range returns lines from one number to another, ends included, as they are in the text; cut
// says that it is more than max bytes, and only the start is given.
func (t *Text) Range(ctx context.Context, from, to int64, max int) (text []byte, cut bool, err error) {
	if err := t.CountTo(ctx, from-1); err != nil {
		return nil, false, err
	}
	at, known, err := t.start(from)
	if err != nil || !known {
		return nil, false, err
	}
	buffer := make([]byte, max+1)
	n, err := t.source.ReadAt(buffer, at)
	if err = ignoreEnd(err); err != nil {
		return nil, false, err
	}
	text = buffer[:n]
	end := 0
	for ; from <= to; from++ {
		next := bytes.IndexByte(text[end:], '\n')
		if next < 0 {
			end = n
			break
		}
		end += next + 1
	}
	if end > max {
		return bound.Whole(text[:max]), true, nil
	}
	return text[:end], false, nil
}
