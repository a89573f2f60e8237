package approvaltest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/session"
)

func leaveAndRejoin(t *testing.T, s Subject) {
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(t.Context(), want))
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	want.CallerLeft, want.LeftWhy = true, "left"
	got, err := s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	same(t, got, want)

	s.Invocation(t, "s1", "i2")
	must(t, s.Ledger.Rejoin(t.Context(), "a1", "i2"))
	want.CallerLeft, want.LeftWhy, want.InvocationID = false, "", "i2"
	got, err = s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	same(t, got, want)
	if state := s.State(t, "i2"); state != session.StateWaiting {
		t.Errorf("the retry is %s", state)
	}
	// The call that left is ended by its own pipeline, which knows when.
	if state := s.State(t, "i1"); state != session.StateWaiting {
		t.Errorf("the call that left is %s", state)
	}
}

func interrupted(t *testing.T, s Subject) {
	ctx := t.Context()
	for i, row := range []struct {
		end  approval.Status
		want session.State
	}{
		{approval.StatusApproved, session.StateCancelled},
		{approval.StatusDenied, session.StateDenied},
		{approval.StatusExpired, session.StateDenied},
		{approval.StatusCancelled, session.StateCancelled},
	} {
		request, invocation := "a"+string(rune('1'+i)), "j"+string(rune('1'+i))
		s.Invocation(t, "s1", invocation)
		must(t, s.Ledger.AddRequest(ctx, Asked(request, "s1", invocation)))
		must(t, s.Ledger.MarkLeft(ctx, request, "interrupted"))
		if state := s.State(t, invocation); state != session.StateWaiting {
			t.Errorf("an interrupted call is %s", state)
		}
		_, _, err := s.Ledger.Resolve(ctx, request, approval.End{Status: row.end, By: "person", At: t0}, nil)
		must(t, err)
		if state := s.State(t, invocation); state != row.want {
			t.Errorf("after %s the interrupted call is %s, want %s", row.end, state, row.want)
		}
	}
	must(t, s.Ledger.AddRequest(ctx, Asked("b1", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(ctx, "b1", "interrupted"))
	s.Invocation(t, "s1", "i2")
	must(t, s.Ledger.Rejoin(ctx, "b1", "i2"))
	if state := s.State(t, "i1"); state != session.StateCancelled {
		t.Errorf("the interrupted call is %s after a retry took its place", state)
	}
}

func rejoinEnded(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", allow(t0), nil)
	must(t, err)
	s.Invocation(t, "s1", "i2")
	is(t, s.Ledger.Rejoin(t.Context(), "a1", "i2"), approval.ErrNoRequest)
	if state := s.State(t, "i2"); state != session.StateProposed {
		t.Errorf("the retry is %s", state)
	}
}

func rejoinClosed(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	s.Invocation(t, "s1", "i2")
	s.End(t, "i2")
	is(t, s.Ledger.Rejoin(t.Context(), "a1", "i2"), session.ErrEnded)
	got, err := s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	if !got.CallerLeft || got.InvocationID != "i1" {
		t.Errorf("the request was given to an ended call")
	}
}

func leaveTwice(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	n := 0
	for _, e := range s.Events(t, "s1") {
		if e.Type == event.ApprovalLeft {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("leaving was told %d times", n)
	}
}

// answered makes a request whose caller left and which was answered.
func answered(t *testing.T, s Subject, id, invocation string, end approval.End) {
	t.Helper()
	s.Invocation(t, "s1", invocation)
	must(t, s.Ledger.AddRequest(t.Context(), Asked(id, "s1", invocation)))
	must(t, s.Ledger.MarkLeft(t.Context(), id, "left"))
	_, _, err := s.Ledger.Resolve(t.Context(), id, end, nil)
	must(t, err)
}

func keptForRetry(t *testing.T, s Subject) {
	ctx, hash := t.Context(), strings.Repeat("c", 64)
	_, err := s.Ledger.Kept(ctx, "s1", "suite.write", hash, t0)
	is(t, err, approval.ErrNoRequest)
	must(t, s.Ledger.AddRequest(ctx, Asked("open", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(ctx, "open", "left"))
	s.Invocation(t, "s1", "i2")
	must(t, s.Ledger.AddRequest(ctx, Asked("stayed", "s1", "i2")))
	_, _, err = s.Ledger.Resolve(ctx, "stayed", allow(t0), nil)
	must(t, err)
	_, err = s.Ledger.Kept(ctx, "s1", "suite.write", hash, t0)
	is(t, err, approval.ErrNoRequest)

	answered(t, s, "a1", "i3", deny(t0.Add(time.Second)))
	answered(t, s, "a2", "i4", allow(t0.Add(2*time.Second)))
	for name, other := range map[string][3]string{
		"session": {"s2", "suite.write", hash}, "tool": {"s1", "suite.read", hash}, "hash": {"s1", "suite.write", "c"},
	} {
		if _, err := s.Ledger.Kept(ctx, other[0], other[1], other[2], t0); !errors.Is(err, approval.ErrNoRequest) {
			t.Errorf("an answer was kept for another %s: %v", name, err)
		}
	}
	_, err = s.Ledger.Kept(ctx, "s1", "suite.write", hash, t0.Add(4*time.Hour))
	is(t, err, approval.ErrNoRequest)
	for _, want := range []string{"a2", "a1"} {
		got, err := s.Ledger.Kept(ctx, "s1", "suite.write", hash, t0.Add(4*time.Hour-time.Millisecond))
		must(t, err)
		if got.ID != want || string(got.Canonical) != string(Asked("", "", "").Canonical) {
			t.Fatalf("kept is %s, want %s with its arguments", got.ID, want)
		}
		used, err := s.Ledger.Consume(ctx, got.ID)
		must(t, err)
		if !used {
			t.Fatal("the kept answer could not be used")
		}
	}
	_, err = s.Ledger.Kept(ctx, "s1", "suite.write", hash, t0)
	is(t, err, approval.ErrNoRequest)
}

func answeredThenLeft(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", allow(t0), nil)
	must(t, err)
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	got, err := s.Ledger.Kept(t.Context(), "s1", "suite.write", strings.Repeat("c", 64), t0)
	must(t, err)
	if got.ID != "a1" {
		t.Fatalf("kept is %s", got.ID)
	}
}

func consumedOnce(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	use := func(want bool) {
		t.Helper()
		used, err := s.Ledger.Consume(t.Context(), "a1")
		must(t, err)
		if used != want {
			t.Fatalf("used is %v, want %v", used, want)
		}
	}
	use(false)
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", allow(t0), nil)
	must(t, err)
	use(true)
	use(false)
	must(t, s.Ledger.MarkLeft(t.Context(), "a1", "left"))
	got, err := s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	if !got.Consumed || got.CallerLeft {
		t.Errorf("a used answer is consumed=%v left=%v", got.Consumed, got.CallerLeft)
	}
}

func expiredNotKept(t *testing.T, s Subject) {
	answered(t, s, "a1", "i2", approval.End{Status: approval.StatusExpired, By: "expiry", At: t0})
	answered(t, s, "a2", "i3", approval.End{Status: approval.StatusCancelled, By: "settings", At: t0})
	_, err := s.Ledger.Kept(t.Context(), "s1", "suite.write", strings.Repeat("c", 64), t0)
	is(t, err, approval.ErrNoRequest)
	for _, id := range []string{"a1", "a2"} {
		used, err := s.Ledger.Consume(t.Context(), id)
		must(t, err)
		if used {
			t.Errorf("%s could be used", id)
		}
	}
}
