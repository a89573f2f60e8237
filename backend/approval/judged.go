package approval

import (
	"context"
	"strings"
	"sync"
)

// Judged counts what became of the cards that waited when the rules changed.
type Judged struct {
	// Allowed and Denied are the cards that the rules of now closed, Waiting those that still
	// wait. A card that somebody answered meanwhile, or whose caller went, is none of them.
	Allowed, Denied, Waiting int
}

// Judging follows a Reconsider until each card that waited was judged again.
type Judging struct {
	mu     sync.Mutex
	left   int
	judged Judged
	done   chan struct{}
}

// Wait returns the counts once all cards were judged, or as they are when ctx ends.
func (j *Judging) Wait(ctx context.Context) Judged {
	select {
	case <-j.done:
	case <-ctx.Done():
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.judged
}

// hear takes in a card that was judged.
func (j *Judging) hear(r *Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	byRules := r.ResolvedBy == BySettings || strings.HasPrefix(r.ResolvedBy, ByGrant)
	switch {
	case r.Status == StatusPending && !r.CallerLeft:
		j.judged.Waiting++
	case byRules && r.Status == StatusApproved:
		j.judged.Allowed++
	case byRules && r.Status == StatusDenied:
		j.judged.Denied++
	}
	if j.left--; j.left == 0 {
		close(j.done)
	}
}

// judgings are those that a card is yet to be told to.
type judgings []*Judging

func (all judgings) hear(r *Request) {
	for _, j := range all {
		j.hear(r)
	}
}
