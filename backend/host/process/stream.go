package process

import (
	"bytes"
	"io"
	"sync"
	"time"

	"countersign/backend/legible"
	"countersign/backend/tool"
)

// Limits of what is kept in memory of what a command prints.
const (
	// headBytes bounds the legible start.
	headBytes = 64 << 10
	// tailBytes is how much of the end is made legible.
	tailBytes = 64 << 10
	// waitedRing is the ring of a command that is waited for, managedRing of a managed process.
	waitedRing  = 1 << 20
	managedRing = 2 << 20
)

// stream is what a command prints, from its first byte to its last.
type stream struct {
	log tool.Log
	// kept is what is read of the log.
	kept io.ReaderAt
	// done is closed once nothing more is read.
	done chan struct{}
	// wide says that what it reads from was given more room; it belongs to who reads.
	wide bool

	mu   sync.Mutex
	ring ring
	head *legible.Text
	// headEnd is the place in the stream where the head ends, and breaks how many line breaks
	// came so far.
	headEnd, breaks int64
	// last is the newest byte.
	last  byte
	index index
	// size and lost are what the log had after the newest chunk.
	size, lost int64
	closed     bool
	// grown is closed when something comes; nil when nobody waits.
	grown chan struct{}
}

func newStream(log tool.Log) *stream {
	return &stream{
		log: log, kept: log, done: make(chan struct{}), head: legible.New(legible.Limits{Bytes: headBytes}),
		ring: ring{most: waitedRing}, size: log.Size(), lost: log.Lost(),
	}
}

// drain reads until there is nothing more. It owns the reading end.
func (s *stream) drain(in *output) {
	defer close(s.done)
	for s.take(in) {
	}
	s.mu.Lock()
	s.closed = true
	s.wake()
	s.mu.Unlock()
}

// take waits for a piece and adds it; false says that nothing more comes.
func (s *stream) take(in *output) bool {
	s.mu.Lock()
	room := s.ring.reserve()
	much := s.ring.full()
	s.mu.Unlock()
	if much && !s.wide {
		s.wide = true
		in.widen()
	}
	n, more := in.read(room)
	if n > 0 {
		s.add(room[:n])
	}
	return more
}

// add takes a chunk that stands in the ring already.
func (s *stream) add(chunk []byte) {
	_, _ = s.log.Write(chunk)
	size, lost := s.log.Size(), s.log.Lost()
	breaks := int64(bytes.Count(chunk, []byte{'\n'}))

	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.ring.end
	switch n := int64(len(chunk)); {
	case lost != s.lost:
		s.index.add(mark{stream: start + n, log: size, breaks: s.breaks + breaks, hole: true, from: start})
	case size-s.size != n:
		// The log says in its own words where something is missing.
		s.index.add(mark{stream: start, log: size - n, breaks: s.breaks, hole: true, from: start})
	default:
		s.index.add(mark{stream: start, log: s.size, breaks: s.breaks})
	}
	s.size, s.lost = size, lost
	if s.head != nil && !s.head.Full() {
		s.headEnd += int64(s.head.Add(chunk))
	}
	s.breaks += breaks
	s.last = chunk[len(chunk)-1]
	s.ring.publish(len(chunk))
	s.wake()
}

func (s *stream) wake() {
	if s.grown != nil {
		close(s.grown)
		s.grown = nil
	}
}

// more is closed when something comes behind a place, at once when it is there already
// or when nothing can come any more.
func (s *stream) more(behind int64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.ring.end > behind {
		now := make(chan struct{})
		close(now)
		return now
	}
	if s.grown == nil {
		s.grown = make(chan struct{})
	}
	return s.grown
}

// manage returns what came so far as captured does, and keeps from then on what a managed
// process has: a bigger ring and no head.
func (s *stream) manage() (tool.Captured, cursor) {
	c, end := s.captured()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ring.most = managedRing
	s.head = nil
	return c, end
}

// rest gives the memory of a stream back that ended and is in its log.
func (s *stream) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == 0 {
		s.ring = ring{start: s.ring.end, end: s.ring.end}
	}
}

// printed is how much came so far.
func (s *stream) printed() (lines, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines(), s.ring.end
}

// lines counts a last line without a break, too.
func (s *stream) lines() int64 {
	if s.ring.end > 0 && s.last != '\n' {
		return s.breaks + 1
	}
	return s.breaks
}

// captured returns what came so far, and the place in the stream where that ends.
func (s *stream) captured() (tool.Captured, cursor) {
	s.mu.Lock()
	c := tool.Captured{Head: s.head.String(), Lines: s.lines(), Bytes: s.ring.end, Lost: s.lost}
	end, headEnd, breaks := s.ring.end, s.headEnd, s.breaks
	at := max(headEnd, s.ring.start, end-tailBytes)
	tail := s.ring.from(at, int(end-at))
	s.mu.Unlock()

	if at > headEnd {
		tail = wholeLines(tail)
		at = end - int64(len(tail))
	}
	c.Tail = legible.Of(tail)
	c.OmittedBytes = at - headEnd
	return c, cursor{end, breaks}
}

// wholeLines drops the rest of a line at the start of b, or else the rest of a rune.
func wholeLines(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)-1 {
		return b[i+1:]
	}
	for i := range min(len(b), 3) {
		if b[i]&0xc0 != 0x80 {
			return b[i:]
		}
	}
	return b
}

// lastLine is the last line that is not empty, legible, for somebody who watches.
func (s *stream) lastLine() string {
	s.mu.Lock()
	at := max(s.ring.start, s.ring.end-(2<<10))
	b := s.ring.from(at, int(s.ring.end-at))
	s.mu.Unlock()
	text := bytes.TrimRight([]byte(legible.Of(b)), "\n \t")
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// told is how often somebody who watches is told of output.
const told = 200 * time.Millisecond

// watch calls tell after output came, a few times a second, until nothing more can come
// or stop is closed.
func (s *stream) watch(stop <-chan struct{}, tell func()) {
	pause := time.NewTimer(told)
	defer pause.Stop()
	var seen int64
	for {
		select {
		case <-s.more(seen):
		case <-stop:
			return
		}
		if _, now := s.printed(); now == seen {
			return
		} else {
			seen = now
		}
		tell()
		pause.Reset(told)
		select {
		case <-pause.C:
		case <-s.done:
		case <-stop:
			return
		}
	}
}
