package approval

import (
	"context"
	"errors"
	"slices"
	"time"
)

// sit gives a call a place at a card.
func (d *Desk) sit(r *Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[r.ID]
	if t == nil {
		t = &table{session: r.SessionID, news: make(chan struct{})}
		d.tables[r.ID] = t
	}
	t.present++
}

// stand gives the place up and reports whether nobody is left at the card, which is as r then.
func (d *Desk) stand(id string, r *Request) (last bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[id]
	t.present--
	if t.present == 0 {
		delete(d.tables, id)
		t.judgings.hear(r)
		t.watching.hear(r)
		for _, w := range t.wishes {
			w.told <- errNotMade
		}
	}
	return t.present == 0
}

// news returns the channel that is closed at the next news of a card at which a call sits, and
// who is to be told what the caller finds the card to be now.
func (d *Desk) news(id string) (<-chan struct{}, judgings) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[id]
	told := t.judgings
	t.judgings = nil
	return t.news, told
}

// wake tells the calls at a card that something happened.
func (d *Desk) wake(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tables[id].tell()
}

func (t *table) tell() {
	if t != nil {
		close(t.news)
		t.news = make(chan struct{})
	}
}

// Reconsider wakes every waiting call, so that each is decided again under the rules of
// now. What becomes of them is told to who waits for it.
func (d *Desk) Reconsider() *Judging {
	j := d.Watch()
	d.Judge(j)
	return j
}

// Watch begins to follow the cards of now, before the rules change: a call that looks at its
// card in the moment of the change is followed, too. Judge must come after it.
func (d *Desk) Watch() *Judging {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := &Judging{left: len(d.tables), done: make(chan struct{})}
	if j.left == 0 {
		close(j.done)
	}
	for _, t := range d.tables {
		t.watching = append(t.watching, j)
	}
	return j
}

// Judge wakes every waiting call for a change of the rules that j was begun for.
func (d *Desk) Judge(j *Judging) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.tables {
		if i := slices.Index(t.watching, j); i >= 0 {
			t.watching = slices.Delete(t.watching, i, i+1)
			t.judgings = append(t.judgings, j)
		}
		t.tell()
	}
}

// ReconsiderSession is Reconsider for the calls of one session, where a grant came or a file
// changed.
func (d *Desk) ReconsiderSession(session string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.tables {
		if t.session == session {
			t.tell()
		}
	}
}

// wait stays at a card until it has ended. The channel of the next news is always taken
// before the card is read, so that nothing falls between the two.
func (d *Desk) wait(ctx context.Context, id string, h Hooks) (Verdict, error) {
	// The end of ctx must not keep the card from being read and settled.
	keep := context.WithoutCancel(ctx)
	for {
		news, told := d.news(id)
		r, err := d.look(ctx, id, h)
		told.hear(&r)
		if err != nil {
			return Verdict{}, err
		}
		if r.Status != StatusPending {
			return d.use(keep, r)
		}
		due := time.NewTimer(r.ExpiresAt.Sub(d.clock.Now()))
		select {
		case <-news:
		case <-ctx.Done():
		case <-due.C:
			_, _, err = d.ledger.Resolve(keep, id, d.end(StatusExpired, "expiry"), nil)
			d.wake(id)
		}
		due.Stop()
		if err != nil {
			return Verdict{}, err
		}
	}
}

// look returns the card as the rules of now, and what the person changes, make it.
func (d *Desk) look(ctx context.Context, id string, h Hooks) (Request, error) {
	r, err := d.Get(context.WithoutCancel(ctx), id)
	if err != nil {
		return Request{}, err
	}
	if err := context.Cause(ctx); err != nil {
		return Request{}, err
	}
	if r.Status == StatusPending && h.Revise != nil {
		if r, err = d.revise(ctx, r, h.Revise); err != nil {
			return Request{}, err
		}
	}
	if r, err = d.change(ctx, r, h.Change); err != nil {
		return Request{}, err
	}
	return r, nil
}

// revise puts what the rules of now say on a card that waits, or ends it by them, and
// returns the card as it is then. An answer that was quicker stands.
func (d *Desk) revise(ctx context.Context, r Request, ask func(context.Context, Request) (Revision, error)) (Request, error) {
	now, err := ask(ctx, r)
	if err != nil {
		return r, err
	}
	keep := context.WithoutCancel(ctx)
	switch {
	case now.Status != "":
		end := d.end(now.Status, now.By)
		end.Reason = now.Reason
		closed, _, err := d.ledger.Resolve(keep, r.ID, end, nil)
		d.wake(r.ID)
		return closed, err
	case now.PolicyVersion == r.PolicyVersion:
		return r, nil
	}
	err = d.ledger.Refresh(keep, r.ID, now.Decision, now.PolicyVersion, now.Moved)
	if err != nil && !errors.Is(err, ErrNoRequest) {
		return r, err
	}
	return d.ledger.Request(keep, r.ID)
}

// use takes the answer of a card that has ended for the call that waited. What the rules
// said is no answer: it holds for every call at the card.
func (d *Desk) use(ctx context.Context, r Request) (Verdict, error) {
	if r.Resolution == "" {
		return Verdict{Request: r}, nil
	}
	used, err := d.ledger.Consume(ctx, r.ID)
	return Verdict{Request: r, Used: used}, err
}

// leave gives a call's place up. When the call goes without the end of its card and was
// the last one there, the cause of ctx decides what becomes of the card. An answer that
// came in the same moment is kept for a retry.
func (d *Desk) leave(ctx context.Context, id string, done bool, r *Request) error {
	if done {
		d.stand(id, r)
		return nil
	}
	d.opening.Lock()
	defer d.opening.Unlock()
	if !d.stand(id, r) {
		return nil
	}
	keep, cause := context.WithoutCancel(ctx), context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrStopped):
		_, _, err := d.ledger.Resolve(keep, id, d.end(StatusCancelled, "person"), nil)
		return err
	case errors.Is(cause, ErrInterrupted):
		return d.ledger.MarkLeft(keep, id, "interrupted")
	}
	return d.ledger.MarkLeft(keep, id, "left")
}
