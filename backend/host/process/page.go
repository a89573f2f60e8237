package process

import (
	"bytes"

	"countersign/backend/legible"
	"countersign/backend/tool"
)

// Limits of one page.
const (
	pageLines = 300
	pageBytes = 20 << 10
	// pageRaw bounds how many raw bytes are looked at for a page, such as for a progress
	// bar that was drawn over many times.
	pageRaw = 8 << 20
	// pieceBytes is how many are read at once, and pendingBytes how long a sequence that
	// has not ended is waited for.
	pieceBytes   = 24 << 10
	pendingBytes = 256
)

// cursor is a place in a stream.
type cursor struct {
	place int64
	// breaks is how many line breaks lie before it.
	breaks int64
}

func (c cursor) behind(raw []byte) cursor {
	return cursor{c.place + int64(len(raw)), c.breaks + int64(bytes.Count(raw, []byte{'\n'}))}
}

// page makes legible what stands from a cursor on and returns the cursor behind it.
func (s *stream) page(from cursor) (tool.Page, cursor) {
	text := legible.New(legible.Limits{Bytes: pageBytes, Lines: pageLines})
	to, last := from, byte('\n')
	first := int64(0)
	for looked := 0; looked < pageRaw && !text.Full(); {
		raw, at := s.piece(to)
		if at.place != to.place && looked > 0 {
			// What comes next does not follow on this.
			break
		}
		to = at
		if len(raw) == 0 {
			break
		}
		if first == 0 {
			first = at.breaks + 1
		}
		n := text.Add(raw)
		looked += n
		to, last = at.behind(raw[:n]), raw[n-1]
	}
	size, over := s.state()
	if n := int64(text.Pending()); n > 0 && n <= pendingBytes && to.place == size && !over && n <= to.place-from.place {
		text.Drop()
		to.place -= n
	}
	if first == 0 {
		first = to.breaks + 1
	}
	p := tool.Page{Text: text.String(), First: first, Last: first - 1}
	switch {
	case to.place == from.place:
	case last == '\n':
		p.Last = to.breaks
	default:
		p.Last = to.breaks + 1
	}
	if to.place < size {
		lines, printed := s.printed()
		p.RestLines, p.RestBytes = max(lines-p.Last, 1), printed-to.place
	}
	return p, to
}

// state is how much came, and whether nothing more can come.
func (s *stream) state() (size int64, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ring.end, s.closed
}

// piece returns raw bytes from a cursor on, and where they begin: further on when what
// stood at the cursor is lost.
func (s *stream) piece(c cursor) ([]byte, cursor) {
	for {
		s.mu.Lock()
		if c.place >= s.ring.start {
			defer s.mu.Unlock()
			return s.ring.from(c.place, int(min(pieceBytes, s.ring.end-c.place))), c
		}
		from := s.index.place(c.place)
		hole, holed := s.index.hole(c.place)
		n := min(pieceBytes, s.ring.end-c.place)
		s.mu.Unlock()

		if holed {
			n = min(n, hole.from-c.place)
		}
		if n > 0 {
			b := make([]byte, n)
			if got, _ := s.kept.ReadAt(b, from.log+c.place-from.stream); got > 0 {
				return b[:got], c
			}
			// The log was removed.
			holed = false
		}
		oldest := s.oldest()
		if holed && hole.stream < oldest.place {
			c = cursor{hole.stream, hole.breaks}
		} else {
			c = oldest
		}
	}
}

// oldest is the first place that is in memory.
func (s *stream) oldest() cursor {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.ring.from(s.ring.start, int(s.ring.end-s.ring.start))
	return cursor{s.ring.start, s.breaks - int64(bytes.Count(kept, []byte{'\n'}))}
}

// line returns where line n begins, from 1; the end when there are fewer.
func (s *stream) line(n int64) cursor {
	s.mu.Lock()
	m := s.index.line(n)
	s.mu.Unlock()
	c := cursor{m.stream, m.breaks}
	if o := s.oldest(); o.place > c.place && o.breaks < n-1 {
		c = o
	}
	for {
		raw, at := s.piece(c)
		if at.breaks >= n-1 || len(raw) == 0 {
			return at
		}
		end := 0
		for missing := n - 1 - at.breaks; missing > 0; missing-- {
			i := bytes.IndexByte(raw[end:], '\n')
			if i < 0 {
				end = len(raw)
				break
			}
			end += i + 1
		}
		c = at.behind(raw[:end])
		if c.breaks == n-1 {
			return c
		}
	}
}
