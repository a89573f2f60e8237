package approvaltest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/record"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Ledger is an approval.Ledger in memory. An invocation that it has not heard of
// counts as open. It is safe for concurrent use.
type Ledger struct {
	// Moved, if set before first use, is told the new state of an invocation: in a
	// test of the pipeline it is the journal's Move. No lock is held.
	Moved func(invocation string, state session.State)

	mu       sync.Mutex
	requests map[string]approval.Request
	grants   []policy.Grant
	states   map[string]session.State
	// order is how many invocations had been heard of before each.
	order    map[string]int
	events   map[string][]event.Event
	failures map[string]error
}

var _ approval.Ledger = (*Ledger)(nil)

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{
		requests: map[string]approval.Request{}, states: map[string]session.State{}, order: map[string]int{},
		events: map[string][]event.Event{}, failures: map[string]error{},
	}
}

// Fail makes a method, given by its name, return err without doing anything; nil
// mends it.
func (l *Ledger) Fail(method string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures[method] = err
}

// SetState tells the ledger where an invocation stands.
func (l *Ledger) SetState(invocation string, state session.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set(invocation, state)
}

func (l *Ledger) set(invocation string, state session.State) {
	if _, heard := l.order[invocation]; !heard {
		l.order[invocation] = len(l.order)
	}
	l.states[invocation] = state
}

// State returns where an invocation stands, proposed if the ledger has not heard
// of it.
func (l *Ledger) State(invocation string) session.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state(invocation)
}

func (l *Ledger) state(invocation string) session.State {
	if s, ok := l.states[invocation]; ok {
		return s
	}
	return session.StateProposed
}

// Events returns the events of a session in order.
func (l *Ledger) Events(sessionID string) []event.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.events[sessionID])
}

// change runs f under the lock and then tells Moved which invocations f moved.
func (l *Ledger) change(ctx context.Context, method string, f func(moved map[string]session.State) error) error {
	moved := map[string]session.State{}
	err := func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := l.failures[method]; err != nil {
			return err
		}
		return f(moved)
	}()
	if err != nil {
		return err
	}
	for id, state := range moved {
		if l.Moved != nil {
			l.Moved(id, state)
		}
	}
	return nil
}

func (l *Ledger) move(moved map[string]session.State, invocation string, state session.State) {
	l.set(invocation, state)
	moved[invocation] = state
}

// AddRequest stores a pending request.
func (l *Ledger) AddRequest(ctx context.Context, r approval.Request) error {
	return l.change(ctx, "AddRequest", func(moved map[string]session.State) error {
		if _, taken := l.requests[r.ID]; taken {
			return errors.New("the request is there already")
		}
		if err := l.mayWait(r.InvocationID); err != nil {
			return err
		}
		r.Status = approval.StatusPending
		var err error
		if r.Card, err = cardHash(r); err != nil {
			return err
		}
		l.requests[r.ID] = r
		l.move(moved, r.InvocationID, session.StateWaiting)
		l.tell(event.ApprovalRequested, r, r.CreatedAt)
		return nil
	})
}

// cardHash is the hash of what a person is shown of a request.
func cardHash(r approval.Request) (string, error) {
	card, err := record.CardOf(r)
	return card.Hash, err
}

// mayWait says whether an invocation can be made to wait: it has neither started
// nor ended.
func (l *Ledger) mayWait(invocation string) error {
	switch s := l.state(invocation); {
	case s.Ended():
		return session.ErrEnded
	case s == session.StateRunning:
		return session.ErrNotReady
	}
	return nil
}

// Request returns one request.
func (l *Ledger) Request(ctx context.Context, id string) (r approval.Request, err error) {
	err = l.change(ctx, "Request", func(map[string]session.State) error {
		r, err = l.find(id)
		return err
	})
	return r, err
}

func (l *Ledger) find(id string) (approval.Request, error) {
	r, ok := l.requests[id]
	if !ok {
		return approval.Request{}, approval.ErrNoRequest
	}
	return r, nil
}

// Pending returns the requests that wait, without their canonical arguments.
func (l *Ledger) Pending(ctx context.Context, sessionID string) (out []approval.Request, err error) {
	err = l.change(ctx, "Pending", func(map[string]session.State) error {
		for _, r := range l.requests {
			if r.Status == approval.StatusPending && (sessionID == "" || sessionID == r.SessionID) {
				r.Canonical, r.Card, r.Changed = nil, "", withoutArguments(r.Changed)
				out = append(out, r)
			}
		}
		slices.SortFunc(out, func(a, b approval.Request) int {
			return cmp.Or(cmp.Compare(l.order[a.InvocationID], l.order[b.InvocationID]), cmp.Compare(a.ID, b.ID))
		})
		return nil
	})
	return out, err
}

// withoutArguments is what a list tells of a change.
func withoutArguments(c *approval.Changed) *approval.Changed {
	if c == nil {
		return nil
	}
	listed := *c
	listed.Canonical = nil
	return &listed
}

// Resolve ends a pending request.
func (l *Ledger) Resolve(ctx context.Context, id string, end approval.End, grants []policy.Grant) (r approval.Request, changed bool, err error) {
	err = l.change(ctx, "Resolve", func(moved map[string]session.State) error {
		if r, err = l.find(id); err != nil || r.Status != approval.StatusPending || end.Shown != "" && end.Shown != r.ArgumentsHash {
			return err
		}
		if end.Status == approval.StatusPending {
			return errors.New("pending is no end")
		}
		if end.Card != "" && end.Card != r.Card {
			return nil
		}
		r, changed = l.end(moved, r, end), true
		for _, g := range grants {
			l.grant(g)
		}
		return nil
	})
	return r, changed, err
}

// end moves a pending request to its end.
func (l *Ledger) end(moved map[string]session.State, r approval.Request, end approval.End) approval.Request {
	at := end.At
	r.Status, r.Resolution, r.ResolvedAt, r.ResolvedBy = end.Status, end.Resolution, &at, end.By
	r.Keep, r.Words, r.Reason, r.BatchID = end.Keep, tool.Mark(end.Words), end.Reason, end.BatchID
	l.requests[r.ID] = r
	l.tell(event.ApprovalResolved, r, at)
	if r.LeftWhy == "interrupted" {
		l.endInterrupted(moved, r.InvocationID, afterAnswer(end.Status))
	}
	return r
}

// endInterrupted ends a waiting invocation whose program is gone: nobody else will.
func (l *Ledger) endInterrupted(moved map[string]session.State, invocation string, state session.State) {
	if l.state(invocation) == session.StateWaiting {
		l.move(moved, invocation, state)
	}
}

// afterAnswer is how an interrupted call ends once its request has: a yes is kept
// for a retry, so the call itself is cancelled.
func afterAnswer(s approval.Status) session.State {
	if s == approval.StatusDenied || s == approval.StatusExpired {
		return session.StateDenied
	}
	return session.StateCancelled
}

// Refresh puts the present decision on a pending request.
func (l *Ledger) Refresh(ctx context.Context, id string, decision tool.Decision, policyVersion, moved string) error {
	return l.change(ctx, "Refresh", func(map[string]session.State) error {
		r, err := l.find(id)
		if err != nil {
			return err
		}
		if r.Status != approval.StatusPending {
			return approval.ErrNoRequest
		}
		r.Decision, r.PolicyVersion, r.Moved = decision, policyVersion, moved
		if r.Card, err = cardHash(r); err != nil {
			return err
		}
		l.requests[id] = r
		l.tell(event.ApprovalChanged, r, r.CreatedAt)
		return nil
	})
}

// Revise puts another call in the place of what a pending request shows.
func (l *Ledger) Revise(ctx context.Context, r approval.Request, shown string) error {
	return l.change(ctx, "Revise", func(map[string]session.State) error {
		old, err := l.find(r.ID)
		if err != nil {
			return err
		}
		if old.Status != approval.StatusPending || old.ArgumentsHash != shown {
			return approval.ErrNoRequest
		}
		r.SessionID, r.InvocationID, r.CreatedAt = old.SessionID, old.InvocationID, old.CreatedAt
		r.Status, r.CallerLeft, r.LeftWhy = old.Status, old.CallerLeft, old.LeftWhy
		if r.Card, err = cardHash(r); err != nil {
			return err
		}
		l.requests[r.ID] = r
		l.tell(event.ApprovalChanged, r, r.CreatedAt)
		return nil
	})
}

// MarkLeft says that nobody waits any more. The request may have been answered in
// the same moment: its answer is then kept.
func (l *Ledger) MarkLeft(ctx context.Context, id, why string) error {
	return l.change(ctx, "MarkLeft", func(map[string]session.State) error {
		r, err := l.find(id)
		if err != nil || r.Consumed || (r.CallerLeft && r.LeftWhy == why) {
			return err
		}
		r.CallerLeft, r.LeftWhy = true, why
		l.requests[id] = r
		l.tell(event.ApprovalLeft, r, r.CreatedAt)
		return nil
	})
}

// Void says on an approved request why its call did not run.
func (l *Ledger) Void(ctx context.Context, id, words string) error {
	return l.change(ctx, "Void", func(map[string]session.State) error {
		r, err := l.find(id)
		if err != nil || r.Status != approval.StatusApproved || r.Voided != "" {
			return err
		}
		r.Voided = words
		l.requests[id] = r
		l.tell(event.ApprovalChanged, r, r.CreatedAt)
		return nil
	})
}

// Rejoin gives a pending request to the invocation that waits now.
func (l *Ledger) Rejoin(ctx context.Context, id, invocation string) error {
	return l.change(ctx, "Rejoin", func(moved map[string]session.State) error {
		r, err := l.find(id)
		if err != nil {
			return err
		}
		if r.Status != approval.StatusPending {
			return approval.ErrNoRequest
		}
		if err := l.mayWait(invocation); err != nil {
			return err
		}
		if r.InvocationID != invocation && r.LeftWhy == "interrupted" {
			l.endInterrupted(moved, r.InvocationID, session.StateCancelled)
		}
		r.CallerLeft, r.LeftWhy, r.InvocationID = false, "", invocation
		l.requests[id] = r
		l.move(moved, invocation, session.StateWaiting)
		l.tell(event.ApprovalRejoined, r, r.CreatedAt)
		return nil
	})
}

// Kept returns an answer that waits for a retry, the latest if there are several.
func (l *Ledger) Kept(ctx context.Context, sessionID, toolID, askedHash string, now time.Time) (kept approval.Request, err error) {
	err = l.change(ctx, "Kept", func(map[string]session.State) error {
		found := false
		for _, r := range l.requests {
			answered := (r.Status == approval.StatusApproved || r.Status == approval.StatusDenied) && r.Resolution != ""
			if r.SessionID != sessionID || r.ToolID != toolID || r.AskedHash() != askedHash ||
				!answered || r.Consumed || !r.CallerLeft || !r.ExpiresAt.After(now) {
				continue
			}
			if !found || r.ResolvedAt.After(*kept.ResolvedAt) {
				kept, found = r, true
			}
		}
		if !found {
			return approval.ErrNoRequest
		}
		return nil
	})
	return kept, err
}

// Consume uses up an answer.
func (l *Ledger) Consume(ctx context.Context, id string) (used bool, err error) {
	err = l.change(ctx, "Consume", func(map[string]session.State) error {
		r, err := l.find(id)
		if err != nil || r.Consumed || r.Resolution == "" || (r.Status != approval.StatusApproved && r.Status != approval.StatusDenied) {
			return err
		}
		r.Consumed, used = true, true
		l.requests[id] = r
		return nil
	})
	return used, err
}

func (l *Ledger) tell(kind event.Type, r approval.Request, at time.Time) {
	text, err := json.Marshal(event.Approval{
		Approval: r.ID, Invocation: r.InvocationID, Tool: r.ToolID, Risk: string(r.Risk),
		Status: string(r.Status), By: r.ResolvedBy,
	})
	if err != nil {
		panic(err)
	}
	l.events[r.SessionID] = append(l.events[r.SessionID], event.Event{
		SessionID: r.SessionID, Seq: int64(len(l.events[r.SessionID]) + 1), At: at, Type: kind, Ref: r.ID, Payload: text,
	})
}
