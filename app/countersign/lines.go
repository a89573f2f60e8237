package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"countersign/backend/schema"
)

// line is one line of input; tooLong says that it was longer than a line may be and
// was read past.
type line struct {
	number  int
	text    []byte
	tooLong bool
}

// lineReader reads lines of up to schema.MaxBytes.
type lineReader struct {
	r      *bufio.Reader
	number int
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line without its end, or io.EOF. The last line needs no end.
func (l *lineReader) next() (line, error) {
	out := line{number: l.number + 1}
	for started := false; ; started = true {
		part, err := l.r.ReadSlice('\n')
		if !out.tooLong {
			out.text = append(out.text, part...)
			if len(bytes.TrimRight(out.text, "\r\n")) > schema.MaxBytes {
				out.tooLong, out.text = true, nil
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(part) > 0 || started), err == nil:
			l.number++
			out.text = bytes.TrimSuffix(bytes.TrimSuffix(out.text, []byte("\n")), []byte("\r"))
			return out, nil
		default:
			return line{}, err
		}
	}
}

// eachLine hands every line to do, in order, until one of them or the context ends it.
// Waiting for a line ends with the context, though the read itself cannot be stopped.
func eachLine(ctx context.Context, r io.Reader, do func(line) error) error {
	type read struct {
		line line
		err  error
	}
	reads := make(chan read)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		lines := newLineReader(r)
		for {
			l, err := lines.next()
			select {
			case reads <- read{l, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case got := <-reads:
			if errors.Is(got.err, io.EOF) {
				return nil
			}
			if got.err != nil {
				return got.err
			}
			if err := do(got.line); err != nil {
				return err
			}
		}
	}
}

// readAll reads up to one byte more than a text may have. Waiting ends with the context,
// though the read itself cannot be stopped.
func readAll(ctx context.Context, r io.Reader) ([]byte, error) {
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(r, schema.MaxBytes+1))
		done <- read{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case got := <-done:
		return got.text, got.err
	}
}
