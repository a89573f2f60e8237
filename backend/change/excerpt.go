package change

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"countersign/backend/bound"
)

// MaxLineBytes is how much of one line an excerpt holds, in bytes.
const MaxLineBytes = 4 << 10

// ErrBinary means that a file looks like no text.
var ErrBinary = errors.New("the file is binary")

// Line is a line of a file without its line break. Left is how many characters of it
// follow Text. Bytes that belong to no character are replaced.
type Line struct {
	Text string
	Left int
}

// Excerpt is a run of lines of a file.
type Excerpt struct {
	// First is the number of the first line, counting from 1.
	First int64
	Lines []Line
	// More says that the file goes on behind them.
	More bool
}

// LinesOf returns count lines of a text, from the line first on. A carriage return stays
// part of its line; a byte order mark before the first line does not.
func LinesOf(content []byte, first int64, count int) Excerpt {
	// Reading from memory cannot fail, and there is nothing to wait for.
	lines, _ := readLines(context.Background(), bufio.NewReader(bytes.NewReader(content)), first, count)
	return lines
}

// ReadExcerpt reads count lines, from the line first on, and no further; lines before it
// are passed over without being held. It fails with ErrBinary for what looks like no text.
func ReadExcerpt(ctx context.Context, r io.Reader, first int64, count int) (Excerpt, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	start, err := in.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return Excerpt{}, err
	}
	if Binary(start) {
		return Excerpt{}, ErrBinary
	}
	lines, err := readLines(ctx, in, first, count)
	for i := range lines.Lines {
		lines.Lines[i].Text = strings.TrimSuffix(lines.Lines[i].Text, "\r")
	}
	return lines, err
}

func readLines(ctx context.Context, in *bufio.Reader, first int64, count int) (Excerpt, error) {
	first = max(first, 1)
	out := Excerpt{First: first}
	if mark, err := in.Peek(len(BOM)); err == nil && string(mark) == BOM {
		_, _ = in.Discard(len(BOM))
	}
	var head []byte
	size, chars := 0, 0
	for number := int64(1); ; {
		if err := ctx.Err(); err != nil {
			return Excerpt{}, err
		}
		piece, err := in.ReadSlice('\n')
		if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			return Excerpt{}, err
		}
		if number-first >= int64(count) {
			out.More = size+len(piece) > 0
			return out, nil
		}
		ended := err == nil
		line := bytes.TrimSuffix(piece, []byte{'\n'})
		size += len(piece)
		if number >= first {
			head = append(head, line[:min(len(line), max(0, MaxLineBytes-len(head)))]...)
			chars += starts(line)
		}
		if !ended && err != io.EOF {
			continue
		}
		if number >= first && size > 0 {
			out.Lines = append(out.Lines, lineOf(head, chars, size))
		}
		if !ended {
			return out, nil
		}
		number, size, chars, head = number+1, 0, 0, head[:0]
	}
}

// starts counts the bytes that begin a character.
func starts(b []byte) int {
	n := 0
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// lineOf makes a line of its first bytes. chars is how many characters the whole has.
func lineOf(head []byte, chars, size int) Line {
	if size > len(head)+1 {
		// The cut may have gone through a character.
		head = bound.Whole(head)
	}
	return Line{Text: strings.ToValidUTF8(string(head), "\ufffd"), Left: max(0, chars-starts(head))}
}
