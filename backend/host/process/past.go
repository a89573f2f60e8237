package process

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"

	"countersign/backend/tool"
)

// Past is a process that ended before the session was begun here: with another program
// that had the session, or before the session was left and opened again.
type Past struct {
	tool.Process
	// Log opens what it printed. It fails where that is not kept any more.
	Log func() (Kept, error)
}

// Kept is the log of a process that ended.
type Kept interface {
	io.ReaderAt
	io.Closer
	// Size is its length in bytes.
	Size() (int64, error)
}

// Number is the number in the id of a process, 0 for what is no such id. Ids are given in
// the order of their numbers, and none twice.
func Number(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "p"))
	if err != nil || n < 1 || id != name(n) {
		return 0
	}
	return n
}

func name(n int) string { return "p" + strconv.Itoa(n) }

// past is one with its reader.
type past struct {
	Past
	reading chan struct{}
	next    cursor
	// counted says that the log was looked at: it has so many bytes and line breaks, and
	// this last byte. Whoever reads owns these.
	counted      bool
	size, breaks int64
	last         byte
}

func (s *Session) findPast(id string) *past {
	for _, p := range s.past {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// read is Read for a process that ended before. Who had read how much is not known, so a
// first read begins at the start.
func (p *past) read(ctx context.Context, from int64) (tool.Page, error) {
	if err := turn(ctx, p.reading); err != nil {
		return tool.Page{}, err
	}
	defer func() { <-p.reading }()
	log, err := p.Log()
	if err != nil {
		described := p.Process
		described.LogPath = ""
		return tool.Page{First: p.Lines + 1, Last: p.Lines, Gone: true, Process: described}, nil
	}
	defer func() { _ = log.Close() }()
	if err := p.count(ctx, log); err != nil {
		return tool.Page{}, err
	}
	st := &stream{kept: log, ring: ring{start: p.size, end: p.size}, breaks: p.breaks, last: p.last, closed: true}
	start := p.next
	if from >= 1 {
		start = st.line(from)
	}
	page, next := st.page(start)
	if from < 1 {
		p.next = next
	}
	page.Process = p.Process
	page.Process.Lines, page.Process.Bytes = st.printed()
	return page, nil
}

// countedAtOnce is how much of a log is counted at once.
const countedAtOnce = 1 << 20

// count counts the lines of a log, once. What was written down of a process that was lost
// does not say how much it printed.
func (p *past) count(ctx context.Context, log Kept) error {
	if p.counted {
		return nil
	}
	size, err := log.Size()
	if err != nil {
		return err
	}
	buf := make([]byte, min(size, countedAtOnce))
	for p.size, p.breaks = 0, 0; p.size < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := log.ReadAt(buf[:min(int64(len(buf)), size-p.size)], p.size)
		if n == 0 {
			return err
		}
		p.size += int64(n)
		p.breaks += int64(bytes.Count(buf[:n], []byte{'\n'}))
		p.last = buf[n-1]
	}
	p.counted = true
	return nil
}
