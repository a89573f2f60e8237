package approvaltest

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/policy"
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

func grants(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	grant := Granted("g1", "a1")
	end := allow(t0)
	end.Resolution = approval.AllowSession
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", end, &grant)
	must(t, err)
	late := grant
	late.ID = "g2"
	_, _, err = s.Ledger.Resolve(t.Context(), "a1", end, &late)
	must(t, err)
	got, err := s.Ledger.Grants(t.Context(), "s1", t0)
	must(t, err)
	if d := cmp.Diff([]policy.Grant{grant}, got, compare); d != "" {
		t.Errorf("grants (-want +got)\n%s", d)
	}
	if got, err = s.Ledger.Grants(t.Context(), "s2", t0); err != nil || len(got) != 0 {
		t.Errorf("another session has %d grants, %v", len(got), err)
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

func pendingIsNoEnd(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	if _, changed, err := s.Ledger.Resolve(t.Context(), "a1", approval.End{Status: approval.StatusPending, At: t0}, nil); err == nil || changed {
		t.Fatalf("changed=%v err=%v", changed, err)
	}
}
