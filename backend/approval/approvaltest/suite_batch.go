package approvaltest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// asked makes pending requests that are the calls of two sessions in turn.
func asked(t *testing.T, s Subject, ids ...string) []approval.Shown {
	t.Helper()
	var batch []approval.Shown
	for i, id := range ids {
		sessionID := fmt.Sprintf("s%d", i%2+1)
		s.Invocation(t, sessionID, "call-"+id)
		must(t, s.Ledger.AddRequest(t.Context(), Asked(id, sessionID, "call-"+id)))
		batch = append(batch, approval.Shown{ID: id, ArgumentsHash: strings.Repeat("a", 64)})
	}
	return batch
}

func batchEnds(t *testing.T, s Subject) {
	ctx, at := t.Context(), t0.Add(time.Minute)
	batch := asked(t, s, "a1", "a2", "a3")
	must(t, s.Ledger.MarkLeft(ctx, "a2", "left"))
	must(t, s.Ledger.MarkLeft(ctx, "a3", "interrupted"))
	end := deny(at)
	end.BatchID = "b1"
	got, changed, err := s.Ledger.ResolveAll(ctx, batch, end)
	must(t, err)
	if !changed || len(got) != 3 {
		t.Fatalf("changed=%v, %d requests", changed, len(got))
	}
	for i, r := range got {
		want := Asked(batch[i].ID, fmt.Sprintf("s%d", i%2+1), "call-"+batch[i].ID)
		want.Status, want.Resolution, want.ResolvedAt, want.ResolvedBy = approval.StatusDenied, approval.Deny, &at, "person"
		want.Words, want.BatchID = tool.Mark(foreign+" words"), "b1"
		want.CallerLeft, want.LeftWhy = i > 0, []string{"", "left", "interrupted"}[i]
		same(t, r, want)
		stored, err := s.Ledger.Request(ctx, batch[i].ID)
		must(t, err)
		same(t, stored, want)
	}
	if state := s.State(t, "call-a3"); state != session.StateDenied {
		t.Errorf("the interrupted call is %s", state)
	}
	for sessionID, want := range map[string]int{"s1": 2, "s2": 1} {
		told := 0
		for _, e := range s.Events(t, sessionID) {
			if e.Type == event.ApprovalResolved {
				told++
			}
		}
		if told != want {
			t.Errorf("%s was told of %d ends, want %d", sessionID, told, want)
		}
	}
	// An answer to one request alone belongs to no batch.
	asked(t, s, "a4")
	one, _, err := s.Ledger.Resolve(ctx, "a4", deny(at), nil)
	must(t, err)
	if one.BatchID != "" {
		t.Errorf("it belongs to %q", one.BatchID)
	}
}

func batchSpoiled(t *testing.T, s Subject) {
	ctx, at := t.Context(), t0.Add(time.Minute)
	for name, spoil := range map[string]func(batch []approval.Shown, end *approval.End) error{
		"ended": func(batch []approval.Shown, _ *approval.End) error {
			_, _, err := s.Ledger.Resolve(ctx, batch[1].ID, deny(at), nil)
			return err
		},
		"changed": func(batch []approval.Shown, _ *approval.End) error {
			batch[2].ArgumentsHash = strings.Repeat("b", 64)
			return nil
		},
		"shown otherwise": func(batch []approval.Shown, _ *approval.End) error {
			batch[0].Card = strings.Repeat("c", 64)
			return nil
		},
		"expired": func(_ []approval.Shown, end *approval.End) error {
			end.At = t0.Add(4 * time.Hour)
			return nil
		},
		"unknown": func(batch []approval.Shown, _ *approval.End) error {
			batch[2].ID = "nobody"
			return nil
		},
		"pending": func(_ []approval.Shown, end *approval.End) error {
			end.Status = approval.StatusPending
			return nil
		},
	} {
		batch := asked(t, s, name+"1", name+"2", name+"3")
		end := allow(at)
		end.BatchID = "batch-" + name
		must(t, spoil(batch, &end))
		var want []approval.Request
		for n := range 3 {
			r, err := s.Ledger.Request(ctx, fmt.Sprintf("%s%d", name, n+1))
			must(t, err)
			want = append(want, r)
		}
		got, changed, err := s.Ledger.ResolveAll(ctx, batch, end)
		switch name {
		case "unknown":
			is(t, err, approval.ErrNoRequest)
		case "pending":
			if err == nil {
				t.Error("pending was taken for an end")
			}
		default:
			must(t, err)
			for i := range want {
				same(t, got[i], want[i])
			}
		}
		if changed {
			t.Errorf("%s: the batch was answered", name)
		}
		for i := range want {
			r, err := s.Ledger.Request(ctx, want[i].ID)
			must(t, err)
			same(t, r, want[i])
		}
	}
}

// batchRaces lets batches that overlap, answers to single requests, rules that close or change
// them, and callers that go, meet in any order.
func batchRaces(t *testing.T, s Subject) {
	const rounds, requests = 20, 6
	for round := range rounds {
		chance := rand.New(rand.NewPCG(uint64(round), 6))
		ids := make([]string, requests)
		for i := range ids {
			ids[i] = fmt.Sprintf("r%d-%d", round, i)
		}
		all := asked(t, s, ids...)
		chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		raceOver(t, s, all, round, chance.IntN(5))
	}
}

// given is a batch and whether it was answered.
type given struct {
	batch   []approval.Shown
	end     approval.End
	changed bool
}

func raceOver(t *testing.T, s Subject, all []approval.Shown, round, kind int) {
	t.Helper()
	ctx, at := t.Context(), t0.Add(time.Minute)
	batches := []given{{batch: all[:4], end: allow(at)}, {batch: all[2:], end: deny(at)}}
	var group sync.WaitGroup
	for i := range batches {
		b := &batches[i]
		b.end.BatchID = fmt.Sprintf("b%d-%d", round, i)
		group.Go(func() {
			var err error
			if _, b.changed, err = s.Ledger.ResolveAll(ctx, b.batch, b.end); err != nil {
				t.Error(err)
			}
		})
	}
	group.Go(func() {
		var err error
		switch one := all[round%len(all)].ID; kind {
		case 0:
			_, _, err = s.Ledger.Resolve(ctx, one, deny(at), nil)
		case 1:
			_, _, err = s.Ledger.Resolve(ctx, one, approval.End{Status: approval.StatusApproved, By: approval.BySettings, At: at}, nil)
		case 2:
			err = s.Ledger.MarkLeft(ctx, one, "left")
		case 3:
			_, _, err = s.Ledger.Resolve(ctx, one, approval.End{Status: approval.StatusExpired, By: "expiry", At: at}, nil)
		default:
			// A request that has ended is not refreshed any more.
			_ = s.Ledger.Refresh(ctx, one, tool.Decision{Verdict: tool.VerdictAsk}, "policy-2", "the rules")
		}
		if err != nil {
			t.Error(err)
		}
	})
	group.Wait()
	for _, b := range batches {
		of := 0
		for _, shown := range b.batch {
			r, err := s.Ledger.Request(ctx, shown.ID)
			must(t, err)
			if r.BatchID != b.end.BatchID {
				continue
			}
			of++
			if r.Status != b.end.Status || r.Resolution != b.end.Resolution {
				t.Errorf("round %d: %s is %s, %s", round, r.ID, r.Status, r.Resolution)
			}
		}
		if want := map[bool]int{true: len(b.batch)}[b.changed]; of != want {
			t.Errorf("round %d: %d of %d were answered by %s, changed is %v", round, of, len(b.batch), b.end.BatchID, b.changed)
		}
	}
	if batches[0].changed && batches[1].changed {
		t.Errorf("round %d: two batches answered the same requests", round)
	}
	if kind == 2 || kind > 3 {
		// Nothing but the other batch ended any of them, so one of the two was the first.
		if !batches[0].changed && !batches[1].changed {
			t.Errorf("round %d: none of two batches was answered", round)
		}
	}
}
