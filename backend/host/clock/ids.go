package clock

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"

	"countersign/backend/tool"
)

// Random returns the machine's source of unguessable bytes.
func Random() io.Reader { return rand.Reader }

// Token returns n unguessable bytes as URL-safe text without padding.
func Token(random io.Reader, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// IDs makes ids. Each is a UUID of version 7 as lower-case text, greater than
// every one this value made before, so that ids sort by their making even within
// a millisecond or under a clock that stands still. It is safe for concurrent use.
//
// The library's own version 7 reads the machine's clock; here the clock is given,
// so the fields are laid out by hand.
type IDs struct {
	clock  tool.Clock
	random io.Reader

	mu sync.Mutex
	// last is the millisecond in the upper bits and a 12-bit counter in the lower.
	last uint64
}

// NewIDs returns a source of ids that takes time from clock and chance from random.
func NewIDs(clock tool.Clock, random io.Reader) *IDs { return &IDs{clock: clock, random: random} }

const counterBits = 12

// New returns the next id. It fails only when the source of chance does.
func (g *IDs) New() (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(g.random, b[6:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	// The counter starts in the lower half of its range, so that a burst within one
	// millisecond has room before it borrows from the next.
	start := uint64(binary.BigEndian.Uint16(b[6:8])) & (1<<(counterBits-1) - 1)
	n := g.next(uint64(g.clock.Now().UnixMilli())<<counterBits | start)

	milli, counter := n>>counterBits, n&(1<<counterBits-1)
	for i := range 6 {
		b[i] = byte(milli >> (40 - 8*i))
	}
	binary.BigEndian.PutUint16(b[6:8], uint16(7<<counterBits|counter))
	b[8] = b[8]&0x3f | 0x80
	return uuid.UUID(b).String(), nil
}

func (g *IDs) next(n uint64) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n <= g.last {
		n = g.last + 1
	}
	g.last = n
	return n
}
