package approval_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/tool"
)

type now struct{}

func (now) Now() time.Time { return time.Now().UTC() }

type ids struct{ n int }

func (i *ids) NewID() string {
	i.n++
	return strconv.Itoa(i.n)
}

func request() approval.Request {
	return approval.Request{
		SessionID: "s", InvocationID: "i", ToolID: "t", Risk: tool.RiskLow, ArgumentsHash: "h", Canonical: []byte("{}"),
	}
}

// A context that ends at the very moment at which the card is stored still settles the card.
func TestCardIsSettledWhereverTheCallerLeaves(t *testing.T) {
	for _, c := range []struct {
		cause  error
		status approval.Status
		why    string
	}{
		{approval.ErrCallerLeft, approval.StatusPending, "left"},
		{approval.ErrInterrupted, approval.StatusPending, "interrupted"},
		{approval.ErrStopped, approval.StatusCancelled, ""},
		{nil, approval.StatusPending, "left"},
	} {
		ledger := approvaltest.NewLedger()
		d := approval.NewDesk(ledger, now{}, &ids{})
		ctx, cancel := context.WithCancelCause(t.Context())
		var card string
		_, err := d.Ask(ctx, request(), approval.Hooks{Waiting: func(r approval.Request) {
			card = r.ID
			cancel(c.cause)
		}})
		if c.cause != nil && !errors.Is(err, c.cause) || err == nil {
			t.Errorf("%v: got %v", c.cause, err)
		}
		q, err := d.Get(t.Context(), card)
		if err != nil || q.Status != c.status || q.LeftWhy != c.why {
			t.Errorf("%v: the card is %s %q, %v", c.cause, q.Status, q.LeftWhy, err)
		}
	}
}

func TestWordsAreKeptUpToTheirLimit(t *testing.T) {
	ledger := approvaltest.NewLedger()
	d := approval.NewDesk(ledger, now{}, &ids{})
	ctx, cancel := context.WithCancel(t.Context())
	var card string
	_, _ = d.Ask(ctx, request(), approval.Hooks{Waiting: func(r approval.Request) { card = r.ID; cancel() }})
	long := make([]rune, approval.MaxWords+5)
	for i := range long {
		long[i] = 'é'
	}
	got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: approval.Deny, Words: string(long), ArgumentsHash: "h"})
	if err != nil || got.Outcome != approval.OutcomeKept {
		t.Fatalf("got %s, %v", got.Outcome, err)
	}
	if n := len([]rune(got.Request.Words.Open())); n != approval.MaxWords {
		t.Errorf("%d characters were kept", n)
	}
}

func TestUnknownAnswerIsRefused(t *testing.T) {
	d := approval.NewDesk(approvaltest.NewLedger(), now{}, &ids{})
	if _, err := d.Answer(t.Context(), "x", approval.Answer{Resolution: "maybe"}); err == nil {
		t.Error("an unknown answer was taken")
	}
	if _, err := d.Answer(t.Context(), "x", approval.Answer{Resolution: approval.Deny}); !errors.Is(err, approval.ErrNoRequest) {
		t.Errorf("got %v", err)
	}
}

// What is dismissed is what nobody waits for in one session. No answer of it is kept.
func TestOnlyCardsWhoseCallerLeftAreDismissed(t *testing.T) {
	ledger := approvaltest.NewLedger()
	d := approval.NewDesk(ledger, now{}, &ids{})
	ask := func(ctx context.Context, session, hash string, waiting func()) string {
		r := request()
		r.SessionID, r.InvocationID, r.ArgumentsHash = session, session+hash, hash
		card := make(chan string, 1)
		go func() {
			_, _ = d.Ask(ctx, r, approval.Hooks{Waiting: func(r approval.Request) { card <- r.ID; waiting() }})
		}()
		return <-card
	}
	gone := func(session, hash string) string {
		ctx, cancel := context.WithCancel(t.Context())
		id := ask(ctx, session, hash, cancel)
		for {
			if q, err := d.Get(t.Context(), id); err != nil || q.CallerLeft {
				return id
			}
		}
	}
	one, two, other := gone("s", "1"), gone("s", "2"), gone("o", "3")
	live := ask(t.Context(), "s", "4", func() {})
	if n, err := d.DismissLeft(t.Context(), "s"); n != 2 || err != nil {
		t.Errorf("%d dismissed, %v", n, err)
	}
	if n, err := d.DismissLeft(t.Context(), ""); n != 0 || err != nil {
		t.Errorf("without a session %d dismissed, %v", n, err)
	}
	for id, want := range map[string]approval.Status{
		one: approval.StatusCancelled, two: approval.StatusCancelled, other: approval.StatusPending, live: approval.StatusPending,
	} {
		q, err := d.Get(t.Context(), id)
		if err != nil || q.Status != want {
			t.Errorf("card %s is %s, %v", id, q.Status, err)
		}
		if want == approval.StatusCancelled && (q.ResolvedBy != "person" || q.Resolution != "") {
			t.Errorf("card %s ended by %q with %q", id, q.ResolvedBy, q.Resolution)
		}
	}
}
