package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"sync"
)

// secretBytes is the length of a token and of a cookie, in bytes.
const secretBytes = 32

// Bounds of what the gate remembers: open pages, and links that were used.
const (
	maxPages = 64
	maxUsed  = 256
)

// digest is what is kept of a secret, so that comparing takes the same time wherever
// two of them differ and whatever their length.
type digest [sha256.Size]byte

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }

func (d digest) equal(e digest) bool { return subtle.ConstantTimeCompare(d[:], e[:]) == 1 }

// gate makes one-time links and remembers who opened one.
type gate struct {
	random io.Reader

	mu sync.Mutex
	// open is the link that was not used yet.
	open  *digest
	used  []digest
	pages []digest
}

// link makes a new one-time token. One that was not used yet stops working.
func (g *gate) link() (token string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token, err = g.secret()
	if err != nil {
		return "", err
	}
	d := digestOf(token)
	g.open = &d
	return token, nil
}

// What became of a token.
type entry int

const (
	entryUnknown entry = iota
	entryUsed
	entryGranted
)

// exchange uses a token up and returns the secret of a page's cookie.
func (g *gate) exchange(token string) (entry, string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := digestOf(token)
	if g.open == nil || !g.open.equal(d) {
		if contains(g.used, d) {
			return entryUsed, "", nil
		}
		return entryUnknown, "", nil
	}
	cookie, err := g.secret()
	if err != nil {
		return entryUnknown, "", err
	}
	g.open = nil
	g.used = keep(g.used, d, maxUsed)
	g.pages = keep(g.pages, digestOf(cookie), maxPages)
	return entryGranted, cookie, nil
}

// waiting reports whether there is a link that was not used yet.
func (g *gate) waiting() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open != nil
}

// admits reports whether a cookie belongs to an opened page.
func (g *gate) admits(cookie string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return contains(g.pages, digestOf(cookie))
}

// contains looks at every entry, so that the time does not tell which one it was.
func contains(list []digest, d digest) bool {
	found := false
	for _, have := range list {
		found = have.equal(d) || found
	}
	return found
}

// keep appends and forgets the oldest beyond limit.
func keep(list []digest, d digest, limit int) []digest {
	list = append(list, d)
	return list[max(0, len(list)-limit):]
}

func (g *gate) secret() (string, error) {
	b := make([]byte, secretBytes)
	if _, err := io.ReadFull(g.random, b); err != nil {
		return "", fmt.Errorf("make a secret: %w", err)
	}
	return hex.EncodeToString(b), nil
}
