package approval

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"countersign/backend/tool"
)

// MaxBatch is how many requests one answer is given to at most. More is nothing that a person
// reads in full.
const MaxBatch = 50

// Shown is a request as a person saw it in a batch.
type Shown struct {
	ID string
	// ArgumentsHash must be the hash that the person was shown.
	ArgumentsHash string
	// Card is Request.Card of the card that the person saw, "" where that is not known.
	Card string
	// Seen says that all of the request was in view, to its end.
	Seen bool
}

// Is reports whether a request shows what the person saw.
func (s Shown) Is(r Request) bool {
	return s.ArgumentsHash == r.ArgumentsHash && (s.Card == "" || s.Card == r.Card)
}

// BatchAnswer is what a person said to several requests at once.
type BatchAnswer struct {
	Requests []Shown
	// Resolution is AllowOnce or Deny: a grant is made at the card of one call.
	Resolution Resolution
	// Words are told to the model with each denial.
	Words string
}

// Objection is a request because of which none of a batch was answered.
type Objection struct {
	// Request is as it is stored; of one that is not there it has the ID only.
	Request Request
	// Words say in a sentence for the person what stands in the way.
	Words string
}

// BatchResult is what became of an answer to several requests.
type BatchResult struct {
	// ID names the answer in the end of each of its requests; "" when none was answered.
	ID string
	// Results are what became of each, in the order of the batch; none when none was answered.
	Results []Result
	// Objections are the requests because of which none was answered.
	Objections []Objection
}

// What keeps a request from being answered together with others.
const (
	objectGone       = "It is not there any more."
	objectExpired    = "It waited too long and expired."
	objectAllowed    = "It was allowed meanwhile."
	objectDenied     = "It was denied meanwhile."
	objectEnded      = "It ended meanwhile without an answer."
	objectChanged    = "It has changed since it was shown."
	objectUnseen     = "Its end was not in view."
	objectRestricted = "It is restricted, so it is answered on its own card."
	objectCut        = "A change of it is too large to be shown, so it is answered on its own card."
	objectHidden     = "A part of it is hidden, so it is answered on its own card."
)

// Alone says in a sentence why a request is answered on its own card only, "" when it may be
// answered together with others. A restricted call deserves a look of its own, and of one that
// hides something, or is too large to be drawn, the person has not seen all.
func Alone(r Request) string {
	switch {
	case r.Restricted:
		return objectRestricted
	case len(r.Hidden) > 0:
		return objectHidden
	case slices.ContainsFunc(r.Diffs, isCut):
		return objectCut
	}
	return ""
}

// isCut reports whether lines change that the diff does not draw.
func isCut(d tool.FileDiff) bool {
	return d.Unified == "" && d.Additions+d.Deletions > 0
}

// AnswerBatch gives one answer to several requests, of any sessions: to all of them or to none.
// None is answered when one of them has ended or changed, was not seen or is to be answered
// alone; the result then says which and why. A request that is past its expiry is ended as
// expired on the way, and keeps the others from being answered like any that has ended.
func (d *Desk) AnswerBatch(ctx context.Context, a BatchAnswer) (BatchResult, error) {
	if err := a.check(); err != nil {
		return BatchResult{}, err
	}
	objections, err := d.objections(ctx, a)
	if err != nil || len(objections) > 0 {
		return BatchResult{Objections: objections}, err
	}
	end := End{Status: StatusApproved, Resolution: a.Resolution, By: "person", BatchID: d.ids.NewID(), At: d.clock.Now()}
	if a.Resolution == Deny {
		end.Status, end.Words = StatusDenied, cut(a.Words, MaxWords)
	}
	stored, changed, err := d.ledger.ResolveAll(ctx, a.Requests, end)
	if err != nil && !errors.Is(err, ErrNoRequest) {
		return BatchResult{}, err
	}
	if changed {
		return d.answered(stored, end), nil
	}
	// One of them was answered, changed or expired in this moment.
	objections, err = d.objections(ctx, a)
	if err == nil && len(objections) == 0 {
		err = errors.New("the requests of a batch were not ended, and none of them says why")
	}
	return BatchResult{Objections: objections}, err
}

// check refuses what no page sends.
func (a BatchAnswer) check() error {
	if a.Resolution != AllowOnce && a.Resolution != Deny {
		return fmt.Errorf("answer %q cannot be given to several requests", a.Resolution)
	}
	if len(a.Requests) == 0 || len(a.Requests) > MaxBatch {
		return fmt.Errorf("a batch has 1 to %d requests, not %d", MaxBatch, len(a.Requests))
	}
	known := map[string]bool{}
	for _, shown := range a.Requests {
		if known[shown.ID] {
			return errors.New("a request is twice in a batch")
		}
		known[shown.ID] = true
	}
	return nil
}

// objections looks at each request of a batch.
func (d *Desk) objections(ctx context.Context, a BatchAnswer) ([]Objection, error) {
	var out []Objection
	for _, shown := range a.Requests {
		r, err := d.Get(ctx, shown.ID)
		words := objection(r, shown, a.Resolution)
		if errors.Is(err, ErrNoRequest) {
			r, words, err = Request{ID: shown.ID}, objectGone, nil
		}
		if err != nil {
			return nil, err
		}
		if words != "" {
			out = append(out, Objection{Request: r, Words: words})
		}
	}
	return out, nil
}

// objection says why a request cannot be answered as it was shown, "" when it can.
func objection(r Request, shown Shown, given Resolution) string {
	alone := Alone(r)
	switch {
	case r.Status == StatusExpired:
		return objectExpired
	case r.Status != StatusPending && r.Resolution == "":
		return objectEnded
	case r.Status == StatusDenied:
		return objectDenied
	case r.Status != StatusPending:
		return objectAllowed
	case !shown.Is(r):
		return objectChanged
	case alone != "":
		return alone
	case !shown.Seen && given != Deny:
		return objectUnseen
	}
	return ""
}

// answered wakes the callers of a batch and tells what became of each request.
func (d *Desk) answered(stored []Request, end End) BatchResult {
	out := BatchResult{ID: end.BatchID}
	for _, r := range stored {
		d.wake(r.ID)
		outcome := OutcomeDone
		if r.CallerLeft {
			outcome = OutcomeKept
		}
		out.Results = append(out.Results, Result{Request: r, Outcome: outcome})
	}
	return out
}
