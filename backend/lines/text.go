package lines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sort"
	"sync"
)

const (
	// firstStretch is how far apart the marks of an index are at first, in bytes.
	firstStretch = 64 << 10
	// maxMarks bounds the index. With more the stretches double.
	maxMarks = 32 << 10
	// chunk is how much is read at once, in bytes.
	chunk = 256 << 10
)

// Source is a text that may grow.
type Source interface {
	io.ReaderAt
	// Size is how many bytes the text has now.
	Size() (int64, error)
}

// Text is a text with the index of its lines. It is safe for concurrent use.
type Text struct {
	source Source

	// scanning lets one at a time read on.
	scanning sync.Mutex

	mu sync.Mutex
	// marks are how many line breaks there are before each stretch.
	marks   []int64
	stretch int64
	// scanned is how much was counted, breaks how many line breaks are in that, and open
	// says that a line has begun behind the last one.
	scanned, breaks int64
	open            bool
}

// New reads a text by its lines. It reads nothing yet.
func New(source Source) *Text {
	return &Text{source: source, stretch: firstStretch, marks: []int64{0}}
}

// State is how much of a text is known.
type State struct {
	// Bytes is its size. Lines are those that were counted so far, the last one also while
	// it has no end.
	Bytes, Lines int64
	// Scanned is how many bytes were counted; all are when it equals Bytes.
	Scanned int64
}

// State returns how much is known now.
func (t *Text) State() (State, error) {
	size, err := t.source.Size()
	if err != nil {
		return State{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := State{Bytes: size, Lines: t.breaks, Scanned: t.scanned}
	if t.open {
		s.Lines++
	}
	return s, nil
}

// Count reads on until all of the text is counted, as far as it goes at the start, or ctx
// ends. A text that became shorter is counted anew.
func (t *Text) Count(ctx context.Context) error {
	return t.count(ctx, func() bool { return false })
}

// CountTo counts at least until line number line, from 1, is known with its end.
func (t *Text) CountTo(ctx context.Context, line int64) error {
	return t.count(ctx, func() bool { return t.breaks >= line })
}

// count reads on until enough, which is asked under the lock. Those who count at once take
// turns.
func (t *Text) count(ctx context.Context, enough func() bool) error {
	size, err := t.source.Size()
	if err != nil {
		return err
	}
	t.mu.Lock()
	if size < t.scanned {
		t.marks, t.stretch, t.scanned, t.breaks, t.open = []int64{0}, firstStretch, 0, 0, false
	}
	done := enough() || t.scanned >= size
	t.mu.Unlock()
	var buffer []byte
	for !done {
		if err := ctx.Err(); err != nil {
			return err
		}
		if buffer == nil {
			buffer = make([]byte, chunk)
		}
		more, err := t.step(buffer, size)
		if err != nil || !more {
			return err
		}
		t.mu.Lock()
		done = enough() || t.scanned >= size
		t.mu.Unlock()
	}
	return nil
}

// step counts one more chunk below size; more is false at the end of the text.
func (t *Text) step(buffer []byte, size int64) (more bool, err error) {
	t.scanning.Lock()
	defer t.scanning.Unlock()
	t.mu.Lock()
	at := t.scanned
	t.mu.Unlock()
	n, err := t.source.ReadAt(buffer[:max(0, min(int64(len(buffer)), size-at))], at)
	if n == 0 {
		return false, ignoreEnd(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.scanned == at {
		t.add(buffer[:n])
	}
	return true, nil
}

// add counts a piece that follows what was counted.
func (t *Text) add(p []byte) {
	for len(p) > 0 {
		n := min(int64(len(p)), int64(len(t.marks))*t.stretch-t.scanned)
		t.breaks += int64(bytes.Count(p[:n], []byte{'\n'}))
		t.scanned += n
		t.open = p[n-1] != '\n'
		p = p[n:]
		if t.scanned == int64(len(t.marks))*t.stretch {
			t.marks = append(t.marks, t.breaks)
			if len(t.marks) > maxMarks {
				t.thin()
			}
		}
	}
}

// thin leaves every second mark.
func (t *Text) thin() {
	half := t.marks[:0]
	for i := 0; i < len(t.marks); i += 2 {
		half = append(half, t.marks[i])
	}
	t.marks, t.stretch = half, 2*t.stretch
}

// Offset is where line number line begins, from 1, in bytes: known is false while that part
// is not counted, or where there is no such line. The line behind the last one begins at the
// end of the text.
func (t *Text) Offset(line int64) (offset int64, known bool, err error) {
	t.mu.Lock()
	scanned, end := t.scanned, t.open && line == t.breaks+2
	t.mu.Unlock()
	if end {
		return scanned, true, nil
	}
	return t.start(line)
}

// start is where a line begins that something ended before.
func (t *Text) start(line int64) (offset int64, known bool, err error) {
	if line <= 1 {
		return 0, line == 1, nil
	}
	skip := line - 1
	t.mu.Lock()
	if skip > t.breaks {
		t.mu.Unlock()
		return 0, false, nil
	}
	// The stretch before the first one that has as many breaks before it.
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i] >= skip }) - 1
	offset, skip = int64(i)*t.stretch, skip-t.marks[i]
	t.mu.Unlock()
	buffer := make([]byte, firstStretch)
	for {
		n, err := t.source.ReadAt(buffer, offset)
		for at := 0; at < n; {
			next := bytes.IndexByte(buffer[at:n], '\n')
			if next < 0 {
				break
			}
			at += next + 1
			if skip--; skip == 0 {
				return offset + int64(at), true, nil
			}
		}
		offset += int64(n)
		if n == 0 || err != nil && !errors.Is(err, io.EOF) {
			return 0, false, ignoreEnd(err)
		}
	}
}

func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
