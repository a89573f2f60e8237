package approvaltest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

func firstAnswer(t *testing.T, s Subject) {
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(t.Context(), want))
	at := t0.Add(time.Minute)
	got, changed, err := s.Ledger.Resolve(t.Context(), "a1", deny(at), nil)
	must(t, err)
	want.Status, want.Resolution, want.ResolvedAt, want.ResolvedBy = approval.StatusDenied, approval.Deny, &at, "person"
	want.Words = tool.Mark(foreign + " words")
	if !changed {
		t.Error("the first answer changed nothing")
	}
	same(t, got, want)
	for name, end := range map[string]approval.End{"same": deny(at.Add(time.Hour)), "other": allow(at.Add(time.Hour))} {
		got, changed, err = s.Ledger.Resolve(t.Context(), "a1", end, nil)
		must(t, err)
		if changed {
			t.Errorf("the %s answer changed an answered request", name)
		}
		same(t, got, want)
	}
	got, err = s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	same(t, got, want)
}

// choiceKept says that what an answer left out is known as long as the answer is.
func choiceKept(t *testing.T, s Subject) {
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(t.Context(), want))
	at := t0.Add(time.Minute)
	end := allow(at)
	end.Keep = [][]int{{0, 2}}
	got, changed, err := s.Ledger.Resolve(t.Context(), "a1", end, nil)
	must(t, err)
	want.Status, want.Resolution, want.ResolvedAt, want.ResolvedBy = approval.StatusApproved, approval.AllowOnce, &at, "person"
	want.Keep = [][]int{{0, 2}}
	if !changed {
		t.Error("the answer changed nothing")
	}
	same(t, got, want)
	got, err = s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	same(t, got, want)
}

// The rules may change between the look at a card and the answer to it.
func answerToCard(t *testing.T, s Subject) {
	ctx := t.Context()
	asked := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, asked))
	seen, err := s.Ledger.Request(ctx, "a1")
	must(t, err)
	must(t, s.Ledger.Refresh(ctx, "a1", asked.Decision, "policy-2", "the rules"))
	yes := allow(t0)
	yes.Card = seen.Card
	stored, changed, err := s.Ledger.Resolve(ctx, "a1", yes, nil)
	must(t, err)
	if changed || stored.Status != approval.StatusPending || stored.Card == seen.Card {
		t.Errorf("an answer to what the card does not show any more: changed %t, %s", changed, stored.Status)
	}
	yes.Card = stored.Card
	if stored, changed, err = s.Ledger.Resolve(ctx, "a1", yes, nil); err != nil || !changed || stored.Status != approval.StatusApproved {
		t.Errorf("an answer to what it shows: changed %t, %s, %v", changed, stored.Status, err)
	}
}

func answerRace(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	wins := make(chan approval.Status, 16)
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			end := allow(t0)
			if n%2 == 0 {
				end = deny(t0)
			}
			r, changed, err := s.Ledger.Resolve(t.Context(), "a1", end, nil)
			if err != nil {
				t.Error(err)
			}
			if changed {
				wins <- r.Status
			}
		})
	}
	group.Wait()
	close(wins)
	var won []approval.Status
	for w := range wins {
		won = append(won, w)
	}
	stored, err := s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	if len(won) != 1 || won[0] != stored.Status {
		t.Fatalf("winners %v, stored %s", won, stored.Status)
	}
}

func cancelledIsNotDenied(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	got, changed, err := s.Ledger.Resolve(t.Context(), "a1", approval.End{Status: approval.StatusCancelled, By: "caller", At: t0}, nil)
	must(t, err)
	if !changed || got.Status != approval.StatusCancelled || got.Resolution != "" {
		t.Fatalf("changed=%v status=%s resolution=%q", changed, got.Status, got.Resolution)
	}
}

// What the rules answered is no answer of a person: it is neither kept nor used up.
func endedByRules(t *testing.T, s Subject) {
	ctx, at := t.Context(), t0.Add(time.Minute)
	for id, end := range map[string]approval.End{
		"a1": {Status: approval.StatusApproved, By: "grant:g1", At: at},
		"a2": {Status: approval.StatusDenied, By: approval.BySettings, Reason: "The lock is on.", At: at},
		"a3": {Status: approval.StatusCancelled, By: approval.ByFiles, Reason: "A file changed.", At: at},
	} {
		s.Invocation(t, "s1", "call-"+id)
		want := Asked(id, "s1", "call-"+id)
		must(t, s.Ledger.AddRequest(ctx, want))
		_, _, err := s.Ledger.Resolve(ctx, id, end, nil)
		must(t, err)
		must(t, s.Ledger.MarkLeft(ctx, id, "left"))
		want.Status, want.ResolvedAt, want.ResolvedBy, want.Reason = end.Status, &at, end.By, end.Reason
		want.CallerLeft, want.LeftWhy = true, "left"
		got, err := s.Ledger.Request(ctx, id)
		must(t, err)
		same(t, got, want)
		if used, err := s.Ledger.Consume(ctx, id); err != nil || used {
			t.Errorf("%s was used as an answer: %v, %v", id, used, err)
		}
	}
	_, err := s.Ledger.Kept(ctx, "s1", "suite.write", strings.Repeat("c", 64), t0)
	is(t, err, approval.ErrNoRequest)
}

func voided(t *testing.T, s Subject) {
	ctx, at := t.Context(), t0.Add(time.Minute)
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, want))
	must(t, s.Ledger.Void(ctx, "a1", "too early"))
	_, _, err := s.Ledger.Resolve(ctx, "a1", allow(at), nil)
	must(t, err)
	must(t, s.Ledger.Void(ctx, "a1", "A file changed."))
	must(t, s.Ledger.Void(ctx, "a1", "Something else."))
	want.Status, want.Resolution, want.ResolvedAt, want.ResolvedBy = approval.StatusApproved, approval.AllowOnce, &at, "person"
	want.Voided = "A file changed."
	got, err := s.Ledger.Request(ctx, "a1")
	must(t, err)
	same(t, got, want)
	told := 0
	for _, e := range s.Events(t, "s1") {
		if e.Type == event.ApprovalChanged && e.Ref == "a1" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("it was told %d times", told)
	}
	is(t, s.Ledger.Void(ctx, "nobody", "words"), approval.ErrNoRequest)
	s.Invocation(t, "s1", "i2")
	must(t, s.Ledger.AddRequest(ctx, Asked("a2", "s1", "i2")))
	_, _, err = s.Ledger.Resolve(ctx, "a2", deny(at), nil)
	must(t, err)
	must(t, s.Ledger.Void(ctx, "a2", "words"))
	if got, err = s.Ledger.Request(ctx, "a2"); err != nil || got.Voided != "" {
		t.Errorf("a denial was voided: %q, %v", got.Voided, err)
	}
}

func pendingIsNoEnd(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	if _, changed, err := s.Ledger.Resolve(t.Context(), "a1", approval.End{Status: approval.StatusPending, At: t0}, nil); err == nil || changed {
		t.Fatalf("changed=%v err=%v", changed, err)
	}
}
