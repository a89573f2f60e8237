package approval_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
)

// book keeps trust answers in memory; afterRead runs once, when an answer has been read.
type book struct {
	mu        sync.Mutex
	answers   map[string]bool
	afterRead func()
}

func (b *book) Trust(_ context.Context, root string) (yes, answered bool, err error) {
	b.mu.Lock()
	yes, answered = b.answers[root]
	f := b.afterRead
	b.afterRead = nil
	b.mu.Unlock()
	if f != nil {
		f()
	}
	return yes, answered, nil
}

func (b *book) SetTrust(_ context.Context, root string, yes bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[root] = yes
	return nil
}

func trustDesk() (*approval.TrustDesk, *book) {
	b := &book{answers: map[string]bool{}}
	return approval.NewTrustDesk(b, now{}, func(bool) {}), b
}

// An answer that comes while a call is on its way behind the question is not missed.
func TestTrustAnswerIsNotMissedByACallThatComes(t *testing.T) {
	for _, yes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			d, b := trustDesk()
			answer := approval.TrustNo
			if yes {
				answer = approval.TrustYes
			}
			b.afterRead = func() {
				if err := d.Answer(t.Context(), "/w", answer); err != nil {
					t.Error(err)
				}
			}
			got, err := d.Ask(t.Context(), approval.Question{Root: "/w"}, nil)
			if err != nil || got != yes || len(d.Questions()) > 0 {
				t.Errorf("got %v, %v, %d questions", got, err, len(d.Questions()))
			}
		})
	}
}

func TestTrustQuestionIsAskedOnceForAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := trustDesk()
		got := make(chan bool, 3)
		for range 3 {
			go func() {
				yes, err := d.Ask(t.Context(), approval.Question{Root: "/w"}, nil)
				if err != nil {
					t.Error(err)
				}
				got <- yes
			}()
		}
		synctest.Wait()
		if q := d.Questions(); len(q) != 1 || q[0].Waiting != 3 {
			t.Fatalf("got %+v", q)
		}
		if err := d.Answer(t.Context(), "/w", approval.TrustYes); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if !<-got {
				t.Error("a call that waited was not let through")
			}
		}
	})
}

// Later denies nothing: the question stays, and what waits behind it goes on waiting.
func TestPostponedTrustQuestionKeepsItsCallsWaiting(t *testing.T) {
	for _, yes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			d, _ := trustDesk()
			got := make(chan bool, 2)
			ask := func() {
				go func() {
					yes, err := d.Ask(t.Context(), approval.Question{Root: "/w"}, nil)
					if err != nil {
						t.Error(err)
					}
					got <- yes
				}()
				synctest.Wait()
			}
			ask()
			for range 2 {
				if err := d.Answer(t.Context(), "/w", approval.TrustLater); err != nil {
					t.Fatal(err)
				}
			}
			ask()
			if q := d.Questions(); len(q) != 1 || q[0].Waiting != 2 || !q[0].Postponed || len(got) > 0 {
				t.Fatalf("got %+v, %d calls went on", q, len(got))
			}
			answer := approval.TrustNo
			if yes {
				answer = approval.TrustYes
			}
			if err := d.Answer(t.Context(), "/w", answer); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if <-got != yes {
					t.Errorf("%s was not what the calls heard", answer)
				}
			}
			if len(d.Questions()) > 0 {
				t.Error("the question is still open")
			}
		})
	}
}

func TestCallLeavesTheTrustQuestionOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := trustDesk()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := d.Ask(ctx, approval.Question{Root: "/w"}, nil)
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if q := d.Questions(); len(q) != 1 || q[0].Waiting != 0 {
			t.Errorf("got %+v", q)
		}
	})
}

// What waits behind a question is judged when it begins to wait and at every change of the
// rules, and leaves when these have decided it.
func TestACallBehindTheTrustQuestionIsJudgedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := trustDesk()
		refused, judged, rules := errors.New("refused"), 0, error(nil)
		ended := make(chan error, 1)
		go func() {
			_, err := d.Ask(t.Context(), approval.Question{Root: "/w"}, func(context.Context) error {
				judged++
				return rules
			})
			ended <- err
		}()
		synctest.Wait()
		d.Reconsider()
		synctest.Wait()
		if judged != 2 || len(ended) > 0 {
			t.Fatalf("judged %d times, ended %d", judged, len(ended))
		}
		rules = refused
		d.Reconsider()
		if err := <-ended; !errors.Is(err, refused) || judged != 3 {
			t.Errorf("got %v after %d", err, judged)
		}
		if q := d.Questions(); len(q) != 1 || q[0].Waiting != 0 {
			t.Errorf("the question is %+v", q)
		}
	})
}
