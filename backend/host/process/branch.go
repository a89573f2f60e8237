package process

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"

	"countersign/backend/tool"
)

// branch is one of two streams that go into one log. To its stream it is a log of its own; it
// keeps the start as it was printed.
type branch struct {
	tool.Log
	// capture is how many bytes are kept, 0 for CaptureChars characters.
	capture int
	// one lets one branch at a time write, so that each knows what of its own was lost.
	one *sync.Mutex

	mu         sync.Mutex
	start      []byte
	size, lost int64
}

// startBytes is how much CaptureChars characters can take.
const startBytes = tool.CaptureChars * utf8.UTFMax

// Write hands a chunk on.
func (b *branch) Write(chunk []byte) (int, error) {
	b.one.Lock()
	before := b.Log.Lost()
	_, _ = b.Log.Write(chunk)
	lost := min(b.Log.Lost()-before, int64(len(chunk)))
	b.one.Unlock()

	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost += lost
	b.size += int64(len(chunk)) - lost
	b.start = append(b.start, chunk[:min(len(chunk), cmp.Or(b.capture, startBytes)-len(b.start))]...)
	return len(chunk), nil
}

// Size is how many bytes of the branch the log has.
func (b *branch) Size() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size
}

// Lost is how many bytes of the branch the log does not have.
func (b *branch) Lost() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lost
}

// printed is the start of the branch, as much as is kept of it.
func (b *branch) printed() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.capture > 0 {
		return slices.Clip(b.start)
	}
	at := 0
	for n := 0; at < len(b.start) && n < tool.CaptureChars; n++ {
		_, size := utf8.DecodeRune(b.start[at:])
		at += size
	}
	return b.start[:at:at]
}
