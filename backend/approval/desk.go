package approval

import (
	"context"
	"errors"
	"sync"
	"time"

	"countersign/backend/policy"
	"countersign/backend/tool"
)

// Causes of a context that ends while a call waits. They decide what becomes of the card.
var (
	// ErrCallerLeft means that the client let go: the card stays and says so.
	ErrCallerLeft = errors.New("the caller left")
	// ErrInterrupted means that the program ends: the card stays as interrupted.
	ErrInterrupted = errors.New("the desk closed")
	// ErrStopped means that the person stopped the turn: the card is cancelled.
	ErrStopped = errors.New("the turn was stopped")
)

// IDs makes new ids.
type IDs interface {
	NewID() string
}

// Desk is where calls wait. It is safe for concurrent use and starts no goroutine.
type Desk struct {
	ledger Ledger
	clock  tool.Clock
	ids    IDs

	// opening makes "look for the same question, else open one" a single step.
	opening sync.Mutex

	mu      sync.Mutex
	waiting map[string]*seat
}

// seat is the waiters of one request. A wake-up closes news; waiters then read the
// request again and sit down on the next seat if it is still open.
type seat struct {
	waiters int
	news    chan struct{}
}

// NewDesk makes a desk over a ledger.
func NewDesk(ledger Ledger, clock tool.Clock, ids IDs) *Desk {
	return &Desk{ledger: ledger, clock: clock, ids: ids, waiting: map[string]*seat{}}
}

// Verdict is what Ask came back with.
type Verdict struct {
	Request Request
	// Reconsider says that the rules changed and the call must be decided again; the
	// request still waits.
	Reconsider bool
}

// Ask waits until r is answered. If the same call (session, tool, arguments as sent)
// already waits, it joins that request instead of opening another. waiting, if given,
// is called once the request is stored. When ctx ends, its cause decides what the
// card becomes, and the cause is returned.
func (d *Desk) Ask(ctx context.Context, r Request, waiting func(Request)) (Verdict, error) {
	if err := d.open(ctx, &r); err != nil {
		return Verdict{}, err
	}
	if waiting != nil {
		waiting(r)
	}
	return d.wait(ctx, r.ID)
}

// open stores r, or joins the request that already asks the same.
func (d *Desk) open(ctx context.Context, r *Request) error {
	d.opening.Lock()
	defer d.opening.Unlock()
	pending, err := d.Pending(ctx, r.SessionID)
	if err != nil {
		return err
	}
	for _, p := range pending {
		if p.ToolID != r.ToolID || p.ArgumentsHash != r.ArgumentsHash {
			continue
		}
		full, err := d.ledger.Request(ctx, p.ID)
		if err != nil || string(full.Canonical) != string(r.Canonical) {
			continue
		}
		if err := d.ledger.Rejoin(ctx, full.ID, r.InvocationID); err != nil {
			return err
		}
		*r = full
		return nil
	}
	r.ID = d.ids.NewID()
	r.Status = StatusPending
	r.CreatedAt = d.clock.Now()
	r.ExpiresAt = r.CreatedAt.Add(Lifetime(r.Risk))
	return d.ledger.AddRequest(ctx, *r)
}

// sit returns the channel that is closed at the next news of a request.
func (d *Desk) sit(id string) (news <-chan struct{}, leave func() (last bool)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.waiting[id]
	if s == nil {
		s = &seat{news: make(chan struct{})}
		d.waiting[id] = s
	}
	s.waiters++
	return s.news, func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		s.waiters--
		if s.waiters == 0 && d.waiting[id] == s {
			delete(d.waiting, id)
		}
		return s.waiters == 0
	}
}

// wake tells the waiters of a request that something happened.
func (d *Desk) wake(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.waiting[id]; s != nil {
		close(s.news)
		delete(d.waiting, id)
	}
}

// Reconsider wakes every waiting call, so that each is decided again under the rules of
// now.
func (d *Desk) Reconsider() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, s := range d.waiting {
		close(s.news)
		delete(d.waiting, id)
	}
}

func (d *Desk) wait(ctx context.Context, id string) (Verdict, error) {
	news, leave := d.sit(id)
	// The answer may have come between storing and sitting down; so may the end of ctx,
	// which must not keep the card from being settled below.
	keep := context.WithoutCancel(ctx)
	r, err := d.ledger.Request(keep, id)
	if err != nil {
		leave()
		return Verdict{}, err
	}
	if r.Status != StatusPending {
		leave()
		return Verdict{Request: r}, nil
	}
	timer := time.NewTimer(r.ExpiresAt.Sub(d.clock.Now()))
	defer timer.Stop()
	select {
	case <-news:
		leave()
		r, err := d.ledger.Request(keep, id)
		return Verdict{Request: r, Reconsider: r.Status == StatusPending}, err
	case <-timer.C:
		leave()
		r, _, err := d.ledger.Resolve(keep, id, d.end(StatusExpired, "expiry"), nil)
		d.wake(id)
		return Verdict{Request: r}, err
	case <-ctx.Done():
		last := leave()
		return d.abandoned(ctx, id, last)
	}
}

// abandoned settles the card of a call whose context ended. An answer that won the
// race is returned as such.
func (d *Desk) abandoned(ctx context.Context, id string, last bool) (Verdict, error) {
	cause := context.Cause(ctx)
	keep := context.WithoutCancel(ctx)
	if !last {
		return Verdict{}, cause
	}
	var err error
	switch {
	case errors.Is(cause, ErrStopped):
		_, _, err = d.ledger.Resolve(keep, id, d.end(StatusCancelled, "person"), nil)
		d.wake(id)
	case errors.Is(cause, ErrInterrupted):
		err = d.ledger.MarkLeft(keep, id, "interrupted")
	default:
		err = d.ledger.MarkLeft(keep, id, "left")
	}
	return Verdict{}, errors.Join(cause, err)
}

func (d *Desk) end(s Status, by string) End {
	return End{Status: s, By: by, At: d.clock.Now()}
}

// Get returns a request; one that is past its expiry is ended first.
func (d *Desk) Get(ctx context.Context, id string) (Request, error) {
	r, err := d.ledger.Request(ctx, id)
	if err != nil || r.Status != StatusPending || d.clock.Now().Before(r.ExpiresAt) {
		return r, err
	}
	r, _, err = d.ledger.Resolve(ctx, id, d.end(StatusExpired, "expiry"), nil)
	d.wake(id)
	return r, err
}

// Pending returns the requests that wait, oldest first, after ending those past their
// expiry. session "" means all.
func (d *Desk) Pending(ctx context.Context, session string) ([]Request, error) {
	all, err := d.ledger.Pending(ctx, session)
	if err != nil {
		return nil, err
	}
	now, out := d.clock.Now(), all[:0]
	for _, r := range all {
		if now.Before(r.ExpiresAt) {
			out = append(out, r)
			continue
		}
		if _, err := d.Get(ctx, r.ID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Kept returns an answer that was given after the caller had left, for the same call
// made again, and uses it up. ok is false without one.
func (d *Desk) Kept(ctx context.Context, session, toolID, argumentsHash string, sent []byte) (Request, bool, error) {
	r, err := d.ledger.Kept(ctx, session, toolID, argumentsHash, d.clock.Now())
	if errors.Is(err, ErrNoRequest) {
		return Request{}, false, nil
	}
	if err != nil || string(r.Canonical) != string(sent) {
		return Request{}, false, err
	}
	used, err := d.ledger.Consume(ctx, r.ID)
	return r, used, err
}

// Consume uses up an answer for the call that it was given to. It is false when another
// call that waited on the same card took it.
func (d *Desk) Consume(ctx context.Context, id string) (bool, error) {
	return d.ledger.Consume(ctx, id)
}

// Refresh puts the decision of now on a request that still waits.
func (d *Desk) Refresh(ctx context.Context, id string, decision tool.Decision, policyVersion, moved string) error {
	return d.ledger.Refresh(ctx, id, decision, policyVersion, moved)
}

// Close ends a request that nobody needs to answer any more, because the rules or the files
// of the call changed.
func (d *Desk) Close(ctx context.Context, id, by string) error {
	_, _, err := d.ledger.Resolve(ctx, id, d.end(StatusCancelled, by), nil)
	d.wake(id)
	return err
}

// Grants returns the live grants of a session.
func (d *Desk) Grants(ctx context.Context, session string) ([]policy.Grant, error) {
	return d.ledger.Grants(ctx, session, d.clock.Now())
}
