package approvaltest

import (
	"strings"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

// other returns what a request of Asked would show after a change.
func other(id string) approval.Request {
	r := Asked(id, "s9", "i9")
	r.ArgumentsHash, r.Canonical = strings.Repeat("d", 64), []byte(`{"a":"other"}`)
	r.Verb, r.Command, r.Risk, r.Decision.ReasonCode = "Run other", tool.Mark("other"), tool.RiskCritical, ""
	r.PolicyVersion, r.Moved, r.Offers, r.Diffs = "policy-2", "", nil, nil
	r.Changed = &approval.Changed{
		By: []tool.Layer{tool.LayerOperator}, At: t0.Add(time.Minute), Hash: strings.Repeat("c", 64),
		Canonical: []byte(`{"a":"sent"}`), Fields: []string{"a", "b"},
	}
	r.CreatedAt, r.ExpiresAt = t0.Add(2*time.Hour), t0.Add(3*time.Hour)
	return r
}

func revised(t *testing.T, s Subject) {
	ctx := t.Context()
	asked := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, asked))
	want := other("a1")
	is(t, s.Ledger.Revise(ctx, want, "other"), approval.ErrNoRequest)
	must(t, s.Ledger.Revise(ctx, want, asked.ArgumentsHash))
	// Where it belongs and when it was asked stay.
	want.SessionID, want.InvocationID, want.CreatedAt = "s1", "i1", t0
	want.Card = mustShow(want)
	got, err := s.Ledger.Request(ctx, "a1")
	must(t, err)
	same(t, got, want)
	told := s.Events(t, "s1")
	if last := told[len(told)-1]; last.Type != event.ApprovalChanged || last.Ref != "a1" || strings.Contains(string(last.Payload), "other") {
		t.Errorf("the change is told by %s %s", last.Type, last.Payload)
	}
	// It may be what was sent again.
	want.Changed = nil
	must(t, s.Ledger.Revise(ctx, want, want.ArgumentsHash))
	if got, err = s.Ledger.Request(ctx, "a1"); err != nil || got.Changed != nil {
		t.Errorf("it still says what was sent: %v", err)
	}
	_, _, err = s.Ledger.Resolve(ctx, "a1", deny(t0), nil)
	must(t, err)
	is(t, s.Ledger.Revise(ctx, want, want.ArgumentsHash), approval.ErrNoRequest)
	is(t, s.Ledger.Revise(ctx, other("nobody"), ""), approval.ErrNoRequest)
}

// An answer and a change in one moment: the answer was for what is not shown any more.
func answeredAsShown(t *testing.T, s Subject) {
	ctx := t.Context()
	asked := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, asked))
	must(t, s.Ledger.Revise(ctx, other("a1"), asked.ArgumentsHash))
	end := allow(t0)
	end.Shown = asked.ArgumentsHash
	got, changed, err := s.Ledger.Resolve(ctx, "a1", end, nil)
	if err != nil || changed || got.Status != approval.StatusPending || got.ArgumentsHash != other("a1").ArgumentsHash {
		t.Fatalf("the old answer made it %s (%v, %v)", got.Status, changed, err)
	}
	end.Shown = got.ArgumentsHash
	if got, changed, err = s.Ledger.Resolve(ctx, "a1", end, nil); err != nil || !changed || got.Status != approval.StatusApproved {
		t.Errorf("the answer to what is shown made it %s (%v, %v)", got.Status, changed, err)
	}
}

// A caller that comes back asks what it had sent.
func keptAsAsked(t *testing.T, s Subject) {
	ctx := t.Context()
	asked := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, asked))
	must(t, s.Ledger.Revise(ctx, other("a1"), asked.ArgumentsHash))
	must(t, s.Ledger.MarkLeft(ctx, "a1", "left"))
	_, _, err := s.Ledger.Resolve(ctx, "a1", allow(t0.Add(time.Second)), nil)
	must(t, err)
	_, err = s.Ledger.Kept(ctx, "s1", asked.ToolID, other("a1").ArgumentsHash, t0.Add(time.Minute))
	is(t, err, approval.ErrNoRequest)
	got, err := s.Ledger.Kept(ctx, "s1", asked.ToolID, asked.AskedHash(), t0.Add(time.Minute))
	if err != nil || got.ID != "a1" || string(got.Changed.Canonical) != `{"a":"sent"}` {
		t.Errorf("the retry found %q, %v", got.ID, err)
	}
}
