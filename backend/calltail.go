package backend

import (
	"bytes"
	"context"
	"errors"
	"io"

	"countersign/backend/bound"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// underway is a call that is in the pipeline. The lock of the engine guards it.
type underway struct {
	cancel context.CancelCauseFunc
	// line is the last line that its program printed.
	line string
	// log is what its program prints, nil before anything is kept.
	log tool.Log
}

// lineBytes bounds what is held of a line.
const lineBytes = 2 << 10

// said takes what a tool says of a call: the last line that its program printed.
func (e *Engine) said(invocationID, text string) {
	text = bound.Head(text, lineBytes)
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.calls[invocationID]; c != nil {
		c.line = text
	}
}

// grows takes the text that a call began.
func (e *Engine) grows(invocationID string, l tool.Log) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.calls[invocationID]; c != nil && c.log == nil {
		c.log = l
	}
}

// CallLines are the last lines that the programs of running calls printed, by invocation. A
// program that printed nothing has none.
func (e *Engine) CallLines() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	lines := map[string]string{}
	for id, c := range e.calls {
		if c.line != "" {
			lines[id] = c.line
		}
	}
	return lines
}

// Part is a part of a text that may grow, as it was printed.
type Part struct {
	Text []byte
	// From and To are the places of Text, in bytes.
	From, To int64
	// Gap says that something before Text was passed over, More that there is more behind it.
	Gap, More bool
	// Ended says that the text grows no more, Lost how many bytes of it could not be kept.
	Ended bool
	Lost  int64
}

// CallTail returns what the program of a call printed from a place on, or the newest part for
// a negative one. It returns session.ErrNoOutput for a call that kept nothing, and
// ErrOutputGone.
func (e *Engine) CallTail(ctx context.Context, invocationID string, from int64) (Part, error) {
	e.mu.Lock()
	var log tool.Log
	if c := e.calls[invocationID]; c != nil {
		log = c.log
	}
	e.mu.Unlock()
	if log != nil {
		p := Part{Lost: log.Lost()}
		return p, p.read(log, log.Size(), from)
	}
	rows, err := e.store.OutputsOf(ctx, invocationID)
	if err != nil {
		return Part{}, err
	}
	if len(rows) == 0 {
		return Part{}, session.ErrNoOutput
	}
	p := Part{Ended: true, Lost: rows[0].Lost}
	err = e.readOutput(ctx, rows[0], func(t *readText) error {
		size, err := t.file.Size()
		if err != nil {
			return err
		}
		return p.read(t.file, size, from)
	})
	return p, err
}

// partBytes is how much of a text one answer has. A reader that is further behind than
// behindBytes is brought to the end.
const (
	partBytes   = 64 << 10
	behindBytes = 1 << 20
)

func (p *Part) read(text io.ReaderAt, size, from int64) error {
	p.From = min(max(from, 0), size)
	if from < 0 || size-p.From > behindBytes {
		p.From = max(0, size-partBytes)
		p.Gap = from >= 0 && p.From > from
	}
	b := make([]byte, min(partBytes, size-p.From))
	n, err := text.ReadAt(b, p.From)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	b = b[:n]
	p.More = p.From+int64(n) < size
	if p.More || !p.Ended {
		b = bound.Whole(b)
	}
	if from < 0 && p.From > 0 {
		// The first line begins before what was read.
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			b, p.From = b[i+1:], p.From+int64(i)+1
		}
	}
	p.Text, p.To = b, p.From+int64(len(b))
	return nil
}
