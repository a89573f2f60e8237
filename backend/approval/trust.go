package approval

import (
	"context"
	"slices"
	"sync"
	"time"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// TrustAnswer is what a person says to the trust question of a workspace.
type TrustAnswer string

// The answers. Later leaves the question open and puts it behind the cards: calls that wait
// behind it go on waiting, and so do those that come meanwhile.
const (
	TrustYes   TrustAnswer = "yes"
	TrustNo    TrustAnswer = "no"
	TrustLater TrustAnswer = "later"
)

// TrustBook keeps the answers by root: the git root of a workspace, else the workspace.
type TrustBook interface {
	// Trust returns the stored answer; answered is false when there is none.
	Trust(ctx context.Context, root string) (yes, answered bool, err error)
	// SetTrust stores an answer.
	SetTrust(ctx context.Context, root string, yes bool) error
}

// Question is an open trust question.
type Question struct {
	Root      string
	Workspace string
	AskedBy   session.Caller
	SessionID string
	CreatedAt time.Time
	// Waiting is how many calls wait behind it.
	Waiting int
	// Postponed says that the person answered Later. The question is still open.
	Postponed bool
}

// TrustDesk asks once for each root and keeps the calls that wait behind the question.
// It is safe for concurrent use and starts no goroutine.
type TrustDesk struct {
	book    TrustBook
	clock   tool.Clock
	changed func(asked bool)

	mu   sync.Mutex
	open []*question
}

type question struct {
	Question
	answered chan struct{}
	// news is closed, and made anew, when the rules may have changed.
	news chan struct{}
	// sessions counts the calls that wait, by their session.
	sessions map[string]int
}

// NewTrustDesk makes a desk over a book. changed is told when a question opens (asked) and
// when one is answered.
func NewTrustDesk(book TrustBook, clock tool.Clock, changed func(asked bool)) *TrustDesk {
	return &TrustDesk{book: book, clock: clock, changed: changed}
}

// Trusted reports whether a root was answered with Yes. A store that cannot answer means
// no.
func (d *TrustDesk) Trusted(ctx context.Context, root string) bool {
	yes, answered, err := d.book.Trust(ctx, root)
	return err == nil && answered && yes
}

// Ask waits behind the question of q.Root, opening it if nobody has, and reports whether the
// root is trusted now. A root that was answered before is answered at once. revise is asked
// when the call begins to wait and whenever the rules may have changed; its error ends the
// wait. It may be nil.
func (d *TrustDesk) Ask(ctx context.Context, q Question, revise func(context.Context) error) (bool, error) {
	yes, answered, err := d.book.Trust(ctx, q.Root)
	if err != nil {
		return false, tool.Errorf(tool.CodeStorageUnavailable, "read the trust answers: %w", err)
	}
	if answered {
		return yes, nil
	}
	asked := d.join(q)
	d.changed(true)
	defer d.leave(asked, q.SessionID)
	// The answer may have come between the look into the book and the question.
	if yes, answered, err = d.book.Trust(ctx, q.Root); err == nil && answered {
		d.close(q.Root)
		return yes, nil
	}
	for {
		news := d.newsOf(asked)
		if revise != nil {
			if err := revise(ctx); err != nil {
				return false, err
			}
		}
		select {
		case <-asked.answered:
			return d.Trusted(ctx, q.Root), nil
		case <-ctx.Done():
			return false, ctx.Err()
		case <-news:
		}
	}
}

// newsOf returns the channel that is closed when the rules may have changed. It is taken
// before the rules are read, so that nothing falls between the two.
func (d *TrustDesk) newsOf(o *question) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return o.news
}

// Reconsider has every call that waits behind a question judged again.
func (d *TrustDesk) Reconsider() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		close(o.news)
		o.news = make(chan struct{})
	}
}

func (d *TrustDesk) join(q Question) *question {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o := d.find(q.Root); o != nil {
		o.Waiting++
		o.sessions[q.SessionID]++
		return o
	}
	o := &question{Question: q, answered: make(chan struct{}), news: make(chan struct{}), sessions: map[string]int{q.SessionID: 1}}
	o.CreatedAt, o.Waiting = d.clock.Now(), 1
	d.open = append(d.open, o)
	return o
}

func (d *TrustDesk) leave(o *question, session string) {
	d.mu.Lock()
	o.Waiting--
	o.sessions[session]--
	d.mu.Unlock()
	d.changed(false)
}

func (d *TrustDesk) find(root string) *question {
	for _, o := range d.open {
		if o.Root == root {
			return o
		}
	}
	return nil
}

// Questions returns the open questions, oldest first. One whose callers all left stays: it
// still needs an answer.
func (d *TrustDesk) Questions() []Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]Question, 0, len(d.open))
	for _, o := range d.open {
		out = append(out, o.Question)
	}
	return out
}

// Waiting returns how many calls of a session wait behind open questions.
func (d *TrustDesk) Waiting(session string) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.open {
		n += o.sessions[session]
	}
	return n
}

// Answer gives the person's answer. Yes and No are stored before anyone is told; Later only
// marks the question as postponed. A root with
// no open question may be answered too: that is how a stored answer is changed.
func (d *TrustDesk) Answer(ctx context.Context, root string, a TrustAnswer) error {
	if a != TrustLater {
		if err := d.book.SetTrust(ctx, root, a == TrustYes); err != nil {
			return err
		}
	}
	if a == TrustLater {
		d.postpone(root)
	} else {
		d.close(root)
	}
	d.changed(false)
	return nil
}

// postpone marks a question. The calls behind it go on waiting.
func (d *TrustDesk) postpone(root string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o := d.find(root); o != nil {
		o.Postponed = true
	}
}

// close ends a question that was answered.
func (d *TrustDesk) close(root string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.find(root)
	if o == nil {
		return
	}
	close(o.answered)
	d.open = slices.DeleteFunc(d.open, func(other *question) bool { return other == o })
}
