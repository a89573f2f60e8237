package approval

import (
	"context"
	"fmt"
	"slices"

	"countersign/backend/policy"
)

// Outcome says what became of an answer.
type Outcome string

// What can become of an answer.
const (
	// OutcomeDone means that the answer counts and a caller has it.
	OutcomeDone Outcome = "done"
	// OutcomeKept means that it counts and waits for the caller to come back.
	OutcomeKept Outcome = "kept"
	// OutcomeSame means that the same answer had been given before.
	OutcomeSame Outcome = "same"
	// OutcomeConflict means that another answer had been given before, or that the card
	// showed something else.
	OutcomeConflict Outcome = "conflict"
	// OutcomeGone means that the request had ended without an answer.
	OutcomeGone Outcome = "gone"
	// OutcomeRefused means that what was to be granted or kept may not be, or that the call does
	// not take a change; the request still waits, and Words says why.
	OutcomeRefused Outcome = "refused"
	// OutcomeChanged means that the card shows the arguments that the person made, and waits.
	OutcomeChanged Outcome = "changed"
)

// Result is the stored request after an answer, and what became of the answer.
type Result struct {
	Request Request
	Outcome Outcome
	// Words says why an answer or a change was refused, for the person; Problems are those of
	// single arguments.
	Words    string
	Problems []Problem
	// Grants are those that the answer made.
	Grants []policy.Grant
}

// DismissLeft ends the requests of a session whose caller left, as the person's wish: no
// answer is kept for any of them, and a call made again is asked anew. It returns how many
// there were.
func (d *Desk) DismissLeft(ctx context.Context, session string) (int, error) {
	// No caller sits down at one of them meanwhile.
	d.opening.Lock()
	defer d.opening.Unlock()
	pending, err := d.Pending(ctx, session)
	if err != nil {
		return 0, err
	}
	ended := 0
	for _, r := range pending {
		if session == "" || !r.CallerLeft {
			continue
		}
		_, changed, err := d.ledger.Resolve(ctx, r.ID, d.end(StatusCancelled, "person"), nil)
		if err != nil {
			return ended, err
		}
		if changed {
			ended++
		}
	}
	return ended, nil
}

// Answer gives a person's answer to a request. The first answer wins.
func (d *Desk) Answer(ctx context.Context, id string, a Answer) (Result, error) {
	if !a.Resolution.Known() {
		return Result{}, fmt.Errorf("answer %q is not one of the known answers", a.Resolution)
	}
	r, err := d.Get(ctx, id)
	if err != nil {
		return Result{}, err
	}
	if a.ArgumentsHash != r.ArgumentsHash {
		return Result{Request: r, Outcome: OutcomeConflict}, nil
	}
	if r.Status != StatusPending {
		return Result{Request: r, Outcome: late(r, a)}, nil
	}
	keep, words := r.choose(a)
	if words != "" {
		return Result{Request: r, Outcome: OutcomeRefused, Words: words}, nil
	}
	grants, refusal := d.grantsFor(r, a)
	if refusal != nil {
		return Result{Request: r, Outcome: OutcomeRefused, Words: refusal.Words}, nil
	}
	end := End{
		Status: StatusApproved, Resolution: a.Resolution, Keep: keep, By: "person", At: d.clock.Now(), Shown: a.ArgumentsHash, Card: a.Card,
	}
	if a.Resolution == Deny {
		end.Status, end.Words = StatusDenied, cut(a.Words, MaxWords)
	}
	stored, changed, err := d.ledger.Resolve(ctx, id, end, grants)
	if err != nil {
		return Result{}, err
	}
	if !changed {
		return Result{Request: stored, Outcome: late(stored, a)}, nil
	}
	d.wake(id)
	// The grants may cover other calls that wait.
	switch a.Resolution {
	case AllowSession:
		d.ReconsiderSession(stored.SessionID)
	case AllowWorkspace:
		d.Reconsider()
	case AllowOnce, Deny:
	}
	if stored.CallerLeft {
		return Result{Request: stored, Outcome: OutcomeKept, Grants: grants}, nil
	}
	return Result{Request: stored, Outcome: OutcomeDone, Grants: grants}, nil
}

func late(stored Request, a Answer) Outcome {
	switch {
	case stored.Status == StatusPending:
		// What it shows changed in the same moment.
		return OutcomeConflict
	case stored.Resolution == "":
		return OutcomeGone
	case stored.Resolution != a.Resolution:
		return OutcomeConflict
	}
	if keep, words := stored.choose(a); words != "" || !slices.EqualFunc(keep, stored.Keep, slices.Equal) {
		return OutcomeConflict
	}
	return OutcomeSame
}

// cut keeps the first n characters.
func cut(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i]
		}
		count++
	}
	return s
}
