package approval_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
)

// One of two callers that leaves does not make the card say that nobody waits, not even
// when the other has only just come.
func TestCardOfTwoCallersWaitsAsLongAsOneDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := approvaltest.NewLedger()
		d := approval.NewDesk(ledger, now{}, &ids{})
		ctx, leave := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() {
			_, err := d.Ask(ctx, request(), approval.Hooks{})
			first <- err
		}()
		synctest.Wait()
		second := make(chan approval.Verdict, 1)
		go func() {
			v, err := d.Ask(t.Context(), request(), approval.Hooks{Waiting: func(approval.Request) {
				leave()
				if err := <-first; !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}})
			if err != nil {
				t.Error(err)
			}
			second <- v
		}()
		synctest.Wait()
		all, err := d.Pending(t.Context(), "s")
		if err != nil || len(all) != 1 || all[0].CallerLeft {
			t.Fatalf("got %+v, %v", all, err)
		}
		got, err := d.Answer(t.Context(), all[0].ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: "h"})
		if err != nil || got.Outcome != approval.OutcomeDone {
			t.Errorf("got %s, %v", got.Outcome, err)
		}
		if v := <-second; !v.Used || v.Request.ID != all[0].ID {
			t.Errorf("got %+v", v)
		}
	})
}

// An answer that finds its caller just gone is kept.
func TestAnswerToACallerThatIsJustLeavingIsKept(t *testing.T) {
	ledger := approvaltest.NewLedger()
	d := approval.NewDesk(ledger, now{}, &ids{})
	ctx, leave := context.WithCancel(t.Context())
	_, err := d.Ask(ctx, request(), approval.Hooks{Waiting: func(r approval.Request) {
		if _, err := d.Answer(t.Context(), r.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: "h"}); err != nil {
			t.Error(err)
		}
		leave()
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	v, err := d.Ask(t.Context(), request(), approval.Hooks{})
	if err != nil || !v.Used || v.Request.Resolution != approval.AllowOnce {
		t.Errorf("got %+v, %v", v, err)
	}
}

// Whoever cannot be heard because the store fails leaves no card behind that claims a
// caller.
func TestWaitThatCannotGoOnLeavesTheCard(t *testing.T) {
	ledger := approvaltest.NewLedger()
	d := approval.NewDesk(ledger, now{}, &ids{})
	broken := errors.New("the grants cannot be read")
	var card string
	_, err := d.Ask(t.Context(), request(), approval.Hooks{
		Waiting: func(r approval.Request) { card = r.ID },
		Revise:  func(context.Context, approval.Request) (approval.Revision, error) { return approval.Revision{}, broken },
	})
	if !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if q, err := d.Get(t.Context(), card); err != nil || !q.CallerLeft {
		t.Errorf("got %+v, %v", q, err)
	}
}

// A card that looks at the new rules before it is told of them is one that they closed.
func TestAChangeOfRulesCountsTheCardThatSawItFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := approval.NewDesk(approvaltest.NewLedger(), now{}, &ids{})
		var changed atomic.Bool
		go func() {
			_, _ = d.Ask(t.Context(), request(), approval.Hooks{Revise: func(context.Context, approval.Request) (approval.Revision, error) {
				if changed.Load() {
					return approval.Revision{Status: approval.StatusDenied, By: approval.BySettings}, nil
				}
				return approval.Revision{}, nil
			}})
		}()
		synctest.Wait()
		watched := d.Watch()
		changed.Store(true)
		d.ReconsiderSession(request().SessionID)
		synctest.Wait()
		d.Judge(watched)
		if got := watched.Wait(t.Context()); got != (approval.Judged{Denied: 1}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAChangeOfRulesCountsWhatItDidToTheCardsThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := approvaltest.NewLedger()
		d := approval.NewDesk(ledger, now{}, &ids{})
		var changed atomic.Bool
		makes := map[string]approval.Revision{
			"run": {Status: approval.StatusApproved, By: approval.BySettings}, "grant": {Status: approval.StatusApproved, By: approval.ByGrant + "g"},
			"deny": {Status: approval.StatusDenied, By: approval.BySettings}, "files": {Status: approval.StatusCancelled, By: approval.ByFiles},
			"wait": {}, "two": {Status: approval.StatusDenied, By: approval.BySettings},
		}
		ask := func(name string) {
			r := request()
			r.ArgumentsHash, r.Canonical = name, []byte(name)
			go func() {
				_, _ = d.Ask(t.Context(), r, approval.Hooks{Revise: func(context.Context, approval.Request) (approval.Revision, error) {
					if !changed.Load() {
						return approval.Revision{}, nil
					}
					return makes[name], nil
				}})
			}()
			synctest.Wait()
		}
		if got := d.Reconsider().Wait(t.Context()); got != (approval.Judged{}) {
			t.Errorf("nothing waits: %+v", got)
		}
		for _, name := range []string{"run", "grant", "deny", "files", "wait", "two", "two"} {
			ask(name)
		}
		if got := d.Reconsider().Wait(t.Context()); got != (approval.Judged{Waiting: 6}) {
			t.Errorf("nothing changed: %+v", got)
		}
		changed.Store(true)
		if got := d.Reconsider().Wait(t.Context()); got != (approval.Judged{Allowed: 2, Denied: 2, Waiting: 1}) {
			t.Errorf("got %+v", got)
		}
		// A card that takes its time is waited for as long as the caller likes.
		ask("slow")
		blocked := make(chan struct{})
		r := request()
		r.ArgumentsHash, r.Canonical = "blocked", []byte("blocked")
		first := true
		go func() {
			_, _ = d.Ask(t.Context(), r, approval.Hooks{Revise: func(context.Context, approval.Request) (approval.Revision, error) {
				if !first {
					<-blocked
				}
				first = false
				return approval.Revision{}, nil
			}})
		}()
		synctest.Wait()
		ctx, stop := context.WithTimeout(t.Context(), 3)
		defer stop()
		if got := d.Reconsider().Wait(ctx); got != (approval.Judged{Waiting: 2}) {
			t.Errorf("got %+v", got)
		}
		close(blocked)
		for _, name := range []string{"wait", "slow", "blocked"} {
			all, err := d.Pending(t.Context(), "s")
			if err != nil || len(all) == 0 {
				t.Fatalf("%s: %+v, %v", name, all, err)
			}
			if _, err := d.Answer(t.Context(), all[0].ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: all[0].ArgumentsHash}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
	})
}
