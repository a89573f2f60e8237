package approval

import (
	"context"
	"errors"
	"fmt"
)

// Change is what a person makes of the arguments of a card that waits. It is no answer: the
// card shows what the change makes of the call, and waits for one.
type Change struct {
	// Arguments is the JSON of all arguments.
	Arguments []byte
	// ArgumentsHash must be the hash that the person was shown.
	ArgumentsHash string
}

// Problem is what keeps a change from being made.
type Problem struct {
	// Field is the argument that it is about, with dots between levels, "" for all of them.
	Field string
	// Words complete a sentence about the field, for the person.
	Words string
}

// RefusedChange is the error of a change that the call does not take. The card stays as it is.
type RefusedChange struct {
	// Words say why and what to do, for the person. Problems are about single fields.
	Words    string
	Problems []Problem
}

// Error says that the change was refused. It tells neither arguments nor the person's words.
func (r *RefusedChange) Error() string { return "the change of the arguments was refused" }

// nobodyWaits is said of a change of a card whose caller is gone: there is no call that the
// changed arguments could be held against.
const nobodyWaits = "Nobody waits for this call any more, so its arguments cannot be changed. Allow or deny it as it was sent."

// wish is a change that a call at the card is to look at.
type wish struct {
	change Change
	// told is how it went: nil when the card shows it, *RefusedChange, errNotMade.
	told chan error
}

// errNotMade says that no call looked at a change: the card ended, was changed by somebody
// else, or its last caller left.
var errNotMade = errors.New("the card did not take the change")

// Change puts other arguments in the place of those of a request that waits. The call at the
// card judges them as it did the first: what it refuses leaves the card as it is, with
// OutcomeRefused. OutcomeChanged means that the card shows them now, under their own hash.
func (d *Desk) Change(ctx context.Context, id string, c Change) (Result, error) {
	r, err := d.Get(ctx, id)
	if err != nil {
		return Result{}, err
	}
	switch {
	case r.Status != StatusPending:
		return Result{Request: r, Outcome: OutcomeGone}, nil
	case c.ArgumentsHash != r.ArgumentsHash:
		return Result{Request: r, Outcome: OutcomeConflict}, nil
	}
	w := &wish{change: c, told: make(chan error, 1)}
	if !d.wishFor(id, w) {
		return Result{Request: r, Outcome: OutcomeRefused, Words: nobodyWaits}, nil
	}
	select {
	case err = <-w.told:
	case <-ctx.Done():
		return Result{}, fmt.Errorf("change the arguments: %w", context.Cause(ctx))
	}
	now, failed := d.Get(ctx, id)
	if failed != nil {
		return Result{}, failed
	}
	refused, is := errors.AsType[*RefusedChange](err)
	switch {
	case err == nil:
		return Result{Request: now, Outcome: OutcomeChanged}, nil
	case is:
		return Result{Request: now, Outcome: OutcomeRefused, Words: refused.Words, Problems: refused.Problems}, nil
	case now.Status != StatusPending:
		return Result{Request: now, Outcome: OutcomeGone}, nil
	case now.ArgumentsHash != c.ArgumentsHash:
		return Result{Request: now, Outcome: OutcomeConflict}, nil
	}
	return Result{Request: now, Outcome: OutcomeRefused, Words: nobodyWaits}, nil
}

// wishFor leaves a change at a card and reports whether somebody is there to look at it.
func (d *Desk) wishFor(id string, w *wish) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[id]
	if t == nil {
		return false
	}
	t.wishes = append(t.wishes, w)
	t.tell()
	return true
}

// takeWish returns the change that has been left longest at a card, nil without one.
func (d *Desk) takeWish(id string) *wish {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[id]
	if len(t.wishes) == 0 {
		return nil
	}
	w := t.wishes[0]
	t.wishes = t.wishes[1:]
	return w
}

// change has the changes that were left at a card looked at, and returns the card as it is
// then. An answer that was quicker stands.
func (d *Desk) change(ctx context.Context, r Request, ask func(context.Context, Request, []byte) (Request, error)) (Request, error) {
	for r.Status == StatusPending {
		w := d.takeWish(r.ID)
		if w == nil {
			break
		}
		now, err := d.changeOne(ctx, r, w, ask)
		if _, refused := errors.AsType[*RefusedChange](err); err != nil && !refused && !errors.Is(err, errNotMade) {
			return r, err
		}
		r = now
	}
	return r, nil
}

// changeOne has one change looked at and tells who waits for that, also when the call panics.
func (d *Desk) changeOne(ctx context.Context, r Request, w *wish, ask func(context.Context, Request, []byte) (Request, error)) (now Request, err error) {
	err = errNotMade
	defer func() { w.told <- err }()
	if w.change.ArgumentsHash != r.ArgumentsHash || ask == nil {
		return r, err
	}
	next, failed := ask(ctx, r, w.change.Arguments)
	if failed != nil {
		return r, failed
	}
	keep := context.WithoutCancel(ctx)
	next.ID, next.ExpiresAt = r.ID, d.clock.Now().Add(Lifetime(next.Risk))
	revised := d.ledger.Revise(keep, next, r.ArgumentsHash)
	if revised != nil && !errors.Is(revised, ErrNoRequest) {
		return r, revised
	}
	// The other calls at the card become what it shows.
	d.wake(r.ID)
	now, failed = d.ledger.Request(keep, r.ID)
	switch {
	case failed != nil:
		return r, failed
	case revised != nil:
		return now, errNotMade
	}
	return now, nil
}
