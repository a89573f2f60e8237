package approval_test

import (
	"context"
	"errors"
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
