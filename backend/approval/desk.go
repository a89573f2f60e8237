package approval

import (
	"context"
	"errors"
	"sync"

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

// BySettings is what ResolvedBy says of a card that closed because the rules changed.
const BySettings = "settings"

// ByFiles is what ResolvedBy says of a card that closed because a file of it changed.
const ByFiles = "files"

// ByGrant begins what ResolvedBy says of a card whose call grants let run; their ids follow,
// with a space between.
const ByGrant = "grant:"

// MaxWaiting is how many cards of one session wait at most. More would be work for a
// person that no person does, and each holds its arguments.
const MaxWaiting = 200

// ErrFull means that a session has MaxWaiting cards that wait.
var ErrFull = errors.New("too many calls of the session wait already")

// IDs makes new ids.
type IDs interface {
	NewID() string
}

// Desk is where calls wait. It is safe for concurrent use and starts no goroutine.
type Desk struct {
	ledger Ledger
	clock  tool.Clock
	ids    IDs

	// opening makes "look for the same question, else open one" a single step, and so is
	// "the last one left, so say so on the card". It is never held while a call waits.
	opening sync.Mutex

	mu     sync.Mutex
	tables map[string]*table
}

// table is the calls that wait at one card, and how they hear news of it.
type table struct {
	session string
	present int
	news    chan struct{}
	// judgings are told of the card once it was judged again, watching only if it ends.
	judgings, watching judgings
	// wishes are changes of the arguments that a call at the card is to look at.
	wishes []*wish
}

// NewDesk makes a desk over a ledger.
func NewDesk(ledger Ledger, clock tool.Clock, ids IDs) *Desk {
	return &Desk{ledger: ledger, clock: clock, ids: ids, tables: map[string]*table{}}
}

// Hooks are what a waiting call wants to be asked and told.
type Hooks struct {
	// Waiting is called once the card is stored or joined.
	Waiting func(Request)
	// Revise is called with the card when the call begins to wait, and again whenever the
	// rules or the files may have changed. Its error ends the wait.
	Revise func(context.Context, Request) (Revision, error)
	// Change is called with the card and the arguments that a person would have instead. It
	// returns what the card shows then. A *RefusedChange leaves the card as it is; any other
	// error ends the wait. Nil where no call takes a change.
	Change func(ctx context.Context, q Request, arguments []byte) (Request, error)
}

// Revision is what the rules and files of now make of a card that waits.
type Revision struct {
	// Status, unless it is "", ends the card: approved when the call runs without an answer,
	// denied when no answer could let it run, cancelled when the card asks the wrong
	// question now. By and Reason go with it, as in Request.
	Status Status
	By     string
	Reason string
	// Decision and PolicyVersion, where the version differs from the card's, are put on
	// the card; Moved says in words what changed.
	Decision      tool.Decision
	PolicyVersion string
	Moved         string
}

// Verdict is how the wait ended.
type Verdict struct {
	Request Request
	// Used says that an answer was used up for this call. An answer that another call
	// used up first has no power over this one.
	Used bool
}

// Ask waits until r is answered. An answer that was kept for the same call (session,
// tool, arguments as sent, places that they lead to) is used at once; a card that asks
// the same is joined; else one is opened. When ctx ends, its cause decides what the card
// becomes, and the cause is returned. Whatever error is returned, the card does not go
// on saying that this call waits.
func (d *Desk) Ask(ctx context.Context, r Request, h Hooks) (v Verdict, err error) {
	kept, err := d.open(ctx, &r)
	if err != nil || kept {
		return Verdict{Request: r, Used: kept}, err
	}
	done := false
	defer func() {
		if left := d.leave(ctx, r.ID, done, &v.Request); left != nil {
			err = errors.Join(err, left)
		}
	}()
	if h.Waiting != nil {
		h.Waiting(r)
	}
	v, err = d.wait(ctx, r.ID, h)
	done = err == nil
	return v, err
}

// open finds out where r is asked: at a card that asks the same, by an answer that was
// kept for it (kept is true, and it is used up), or at a new card. The order matters: an
// answer turns a pending card into a kept answer, never the other way.
func (d *Desk) open(ctx context.Context, r *Request) (kept bool, err error) {
	d.opening.Lock()
	defer d.opening.Unlock()
	joined, err := d.join(ctx, r)
	if err != nil || joined {
		return false, err
	}
	if kept, err = d.kept(ctx, r); err != nil || kept {
		return kept, err
	}
	r.ID = d.ids.NewID()
	r.Status = StatusPending
	r.CreatedAt = d.clock.Now()
	r.ExpiresAt = r.CreatedAt.Add(Lifetime(r.Risk))
	// The place is taken first: whoever sees the card can count on somebody at it.
	d.sit(r)
	if err := d.ledger.AddRequest(ctx, *r); err != nil {
		d.stand(r.ID, &Request{})
		return false, err
	}
	return false, nil
}

// join sits down at a card that asks the same as r and still waits.
func (d *Desk) join(ctx context.Context, r *Request) (bool, error) {
	pending, err := d.Pending(ctx, r.SessionID)
	if err != nil {
		return false, err
	}
	for _, p := range pending {
		if p.ToolID != r.ToolID || p.AskedHash() != r.AskedHash() {
			continue
		}
		full, err := d.ledger.Request(ctx, p.ID)
		if err != nil {
			return false, err
		}
		if !full.asks(r) {
			continue
		}
		err = d.ledger.Rejoin(ctx, full.ID, r.InvocationID)
		if errors.Is(err, ErrNoRequest) {
			// Answered in this moment: if nobody waited for the answer, it is kept.
			continue
		}
		if err != nil {
			return false, err
		}
		*r = full
		d.sit(r)
		return true, nil
	}
	if len(pending) >= MaxWaiting {
		return false, ErrFull
	}
	return false, nil
}

// kept uses up an answer that was given after the caller had left, for the same call made
// again.
func (d *Desk) kept(ctx context.Context, r *Request) (bool, error) {
	answer, err := d.ledger.Kept(ctx, r.SessionID, r.ToolID, r.AskedHash(), d.clock.Now())
	if errors.Is(err, ErrNoRequest) {
		return false, nil
	}
	if err != nil || !answer.asks(r) {
		return false, err
	}
	used, err := d.ledger.Consume(ctx, answer.ID)
	if err == nil && used {
		*r = answer
	}
	return used, err
}

// asks reports whether the card q asks what r asks: the same arguments as they were sent,
// and the same places that they lead to. A link may lead elsewhere than it did. A card on which
// the person changed them stands for the call as it was sent; its places are its own.
func (q *Request) asks(r *Request) bool {
	if string(q.asked()) != string(r.asked()) {
		return false
	}
	if string(q.Canonical) != string(r.Canonical) {
		return q.Changed.Person()
	}
	return q.Command == r.Command && q.URL == r.URL && tool.SamePlaces(q.Paths, r.Paths)
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

// Pending returns the requests that wait, in the order in which their calls came, after
// ending those past their expiry. session "" means all.
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

// Void says on an approved request why its call did not run after all.
func (d *Desk) Void(ctx context.Context, id, words string) error {
	return d.ledger.Void(ctx, id, words)
}

func (d *Desk) end(s Status, by string) End {
	return End{Status: s, By: by, At: d.clock.Now()}
}
