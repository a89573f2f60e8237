package registrytest

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func claimUnauthorized(t *testing.T, s Subject) {
	_, err := s.Journal.Claim(t.Context(), "nobody", t0)
	is(t, err, session.ErrNoInvocation)
	must(t, s.Journal.Propose(t.Context(), Proposed("i1")))
	won, err := s.Journal.Claim(t.Context(), "i1", t0)
	must(t, err)
	if won {
		t.Fatal("a proposed call was claimed")
	}
	same(t, "untouched", s.Invocation(t, "i1"), Proposed("i1"))
}

func foreignSession(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))))
	must(t, s.Journal.Propose(ctx, Proposed("i2")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i2"))))
	won, err := s.Journal.Claim(ctx, "i2", t0)
	must(t, err)
	if !won {
		t.Fatal("the claim was not won")
	}
	s.Disown(t, "s1")
	won, err = s.Journal.Claim(ctx, "i1", t0)
	must(t, err)
	if won {
		t.Fatal("a call of another program's session was claimed")
	}
	is(t, s.Journal.MarkEffect(ctx, "i2", t0), session.ErrNotOwned)
	is(t, s.Journal.Propose(ctx, Proposed("i3")), session.ErrNotOwned)
	is(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))), session.ErrNotOwned)
	// What runs already may still come to its end.
	must(t, s.Journal.Finish(ctx, Finished(Authorized(Proposed("i2")), tool.StatusSucceeded), nil, nil))
}

func claimRace(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))))
	wins := make(chan bool, 16)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			won, err := s.Journal.Claim(ctx, "i1", t0)
			if err != nil {
				t.Error(err)
			}
			wins <- won
		})
	}
	group.Wait()
	close(wins)
	n := 0
	for won := range wins {
		if won {
			n++
		}
	}
	if n != 1 {
		t.Fatalf("%d claims were won", n)
	}
}

func markStates(t *testing.T, s Subject) {
	ctx := t.Context()
	is(t, s.Journal.MarkEffect(ctx, "nobody", t0), session.ErrNoInvocation)
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	is(t, s.Journal.MarkEffect(ctx, "i1", t0), session.ErrNotReady)
	must(t, s.Journal.Finish(ctx, Finished(Proposed("i1"), tool.StatusCancelled), nil, nil))
	is(t, s.Journal.MarkEffect(ctx, "i1", t0), session.ErrEnded)
}

func ends(t *testing.T, s Subject) {
	var want []told
	for _, end := range []struct {
		status tool.Status
		kind   event.Type
	}{
		{tool.StatusSucceeded, event.CallCompleted},
		{tool.StatusFailed, event.CallFailed},
		{tool.StatusDenied, event.CallDenied},
		{tool.StatusUnavailable, event.CallFailed},
		{tool.StatusUncertain, event.CallUncertain},
		{tool.StatusCancelled, event.CallCancelled},
	} {
		id := "i-" + string(end.status)
		must(t, s.Journal.Propose(t.Context(), Proposed(id)))
		inv := Finished(Proposed(id), end.status)
		must(t, s.Journal.Finish(t.Context(), inv, nil, nil))
		same(t, string(end.status), s.Invocation(t, id), inv)
		want = append(want,
			told{event.CallProposed, id, t0, event.Call{Invocation: id, ParallelGroup: "g1"}},
			told{end.kind, id, *inv.EndedAt, event.Call{
				Invocation: id, Outcome: string(end.status), ReasonCode: string(inv.ReasonCode),
				DurationMs: 2000, OutputBytes: 12345, Truncated: true, ParallelGroup: "g1",
			}})
	}
	sameEvents(t, s, want)
}

func finishTwice(t *testing.T, s Subject) {
	ctx := t.Context()
	is(t, s.Journal.Finish(ctx, Finished(Proposed("nobody"), tool.StatusFailed), nil, nil), session.ErrNoInvocation)
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	open := Finished(Proposed("i1"), tool.StatusFailed)
	open.Status = "running"
	is(t, s.Journal.Finish(ctx, open, nil, nil), session.ErrNotReady)
	first := Finished(Proposed("i1"), tool.StatusFailed)
	must(t, s.Journal.Finish(ctx, first, nil, nil))
	is(t, s.Journal.Finish(ctx, Finished(Proposed("i1"), tool.StatusSucceeded), nil, nil), session.ErrEnded)
	same(t, "first end", s.Invocation(t, "i1"), first)
}

func deniedEarly(t *testing.T, s Subject) {
	must(t, s.Journal.Propose(t.Context(), Proposed("i1")))
	inv := Authorized(Proposed("i1"))
	inv.AuthorizedAt = nil
	inv = Finished(inv, tool.StatusDenied)
	must(t, s.Journal.Finish(t.Context(), inv, nil, nil))
	same(t, "denied", s.Invocation(t, "i1"), inv)
	won, err := s.Journal.Claim(t.Context(), "i1", t0)
	must(t, err)
	if won {
		t.Fatal("a denied call was claimed")
	}
}

func stamps(t *testing.T, s Subject) {
	ctx := t.Context()
	s.Session(t, "s2")
	finish := func(id, sessionID string, files ...tool.FileRecord) {
		inv := Proposed(id)
		inv.SessionID = sessionID
		must(t, s.Journal.Propose(ctx, inv))
		must(t, s.Journal.Finish(ctx, Finished(inv, tool.StatusSucceeded), files, nil))
	}
	finish("i1", "s1", tool.FileRecord{Op: tool.FileRead, Stamp: stampOf("/w/a", "1")}, tool.FileRecord{Op: tool.FileRead, Stamp: stampOf("/w/b", "1")})
	finish("i2", "s1", tool.FileRecord{Op: tool.FileModified, Stamp: stampOf("/w/a", "2")})
	finish("i3", "s2", tool.FileRecord{Op: tool.FileRead, Stamp: stampOf("/w/a", "3")})
	for id, want := range map[string]map[string]tool.Stamp{
		"s1": {"/w/a": stampOf("/w/a", "2"), "/w/b": stampOf("/w/b", "1")},
		"s2": {"/w/a": stampOf("/w/a", "3")},
		"s3": {},
	} {
		got, err := s.Journal.Stamps(ctx, id)
		must(t, err)
		if d := cmp.Diff(want, got, compare); d != "" {
			t.Errorf("stamps of %s (-want +got)\n%s", id, d)
		}
	}
}

func gapless(t *testing.T, s Subject) {
	const writers = 64
	var group sync.WaitGroup
	for n := range writers {
		group.Go(func() {
			id := "w" + string(rune('A'+n%26)) + string(rune('a'+n/26))
			if err := s.Journal.Propose(t.Context(), Proposed(id)); err != nil {
				t.Error(err)
			}
			if err := s.Journal.Finish(t.Context(), Finished(Proposed(id), tool.StatusCancelled), nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for i, e := range s.Events(t, "s1") {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		if e.Type == event.CallCancelled {
			seen[e.Ref] = true
		}
	}
	if len(seen) != writers {
		t.Fatalf("%d of %d ends were told", len(seen), writers)
	}
}

func cancelled(t *testing.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := len(s.Events(t, "s1"))
	is(t, s.Journal.Propose(ctx, Proposed("i1")), context.Canceled)
	if got := len(s.Events(t, "s1")); got != before {
		t.Fatalf("%d events were appended for a cancelled caller", got-before)
	}
}
