package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/schema"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// recorder is a tool that asks and remembers the arguments that it ran with.
type recorder struct {
	mu  sync.Mutex
	ran []string
}

func (r *recorder) spec(change ...func(*tool.Spec)) tool.Spec {
	runs := 0
	return external(&runs, append([]func(*tool.Spec){func(s *tool.Spec) {
		s.Run = func(ctx context.Context, env tool.Env, a tool.Args) (tool.Result, error) {
			if err := env.EffectStarts(ctx); err != nil {
				return tool.Result{}, err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			// What is handed on as it was written says the same as what was judged.
			written, err := schema.Read(a.Written)
			if err != nil {
				return tool.Result{}, err
			}
			if again, err := schema.AppendCanonical(nil, written); err != nil || !bytes.Equal(again, a.Canonical) {
				panic("other arguments were written than were judged")
			}
			r.ran = append(r.ran, string(a.Canonical))
			return tool.Result{Content: []tool.Part{tool.TextPart("recorded")}}, nil
		}
	}}, change...)...)
}

func (r *recorder) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.ran...)
}

func (b *bed) change(t *testing.T, q approval.Request, arguments string) approval.Result {
	t.Helper()
	got, err := b.desk.Change(t.Context(), q.ID, approval.Change{Arguments: []byte(arguments), ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func text(o tool.Outcome) string {
	var all []string
	for _, p := range o.Content {
		all = append(all, p.Text.Open())
	}
	return strings.Join(all, "\n")
}

// spec: VS-15
func TestChangedCallIsShownBeforeItRunsAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec())
		done := dispatch(t.Context(), b, "demo.send", `{"text":"to all"}`)
		first := b.waiting(t)
		got := b.change(t, first, ` {"text": "to Ada"} `)
		synctest.Wait()
		if got.Outcome != approval.OutcomeChanged || len(r.all()) > 0 {
			t.Fatalf("the change came back as %s, and %v ran", got.Outcome, r.all())
		}
		q := got.Request
		if q.ID != first.ID || q.ArgumentsHash == first.ArgumentsHash || string(q.Canonical) != `{"text":"to Ada"}` || q.Status != approval.StatusPending {
			t.Errorf("the card is %s %s %s", q.ID, q.Canonical, q.Status)
		}
		if c := q.Changed; !c.Person() || c.Hash != first.ArgumentsHash || string(c.Canonical) != `{"text":"to all"}` || cmp.Diff([]string{"text"}, c.Fields) != "" {
			t.Errorf("the card says %+v of the change", c)
		}
		// An answer to what the card showed before is none to what it shows.
		if late, err := b.desk.Answer(t.Context(), first.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: first.ArgumentsHash}); err != nil || late.Outcome != approval.OutcomeConflict {
			t.Errorf("the answer to the card as it was came back as %s, %v", late.Outcome, err)
		}
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{`{"text":"to Ada"}`}, r.all()); d != "" {
			t.Error(d)
		}
		told := "The user changed the arguments of this call before allowing it. Changed: text.\nThese arguments were used: {\"text\":\"to Ada\"}\nrecorded"
		if text(o) != told {
			t.Errorf("the caller is told %q", text(o))
		}
		chain := o.Decision.Chain
		if len(chain) < 2 || chain[len(chain)-2].Layer != tool.LayerOperator || !strings.Contains(chain[len(chain)-2].Reason, "You changed the arguments") {
			t.Errorf("the chain is %+v", chain)
		}
		inv, _ := b.journal.Invocation(o.InvocationID)
		if inv.ChangedBy != "person" || inv.AskedHash != first.ArgumentsHash || inv.ArgumentsHash != q.ArgumentsHash || string(inv.Raw) != `{"text":"to all"}` {
			t.Errorf("the record says %q %q %q %s", inv.ChangedBy, inv.AskedHash, inv.ArgumentsHash, inv.Raw)
		}
	})
}

func TestChangeThatTheCallDoesNotTakeLeavesTheCard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec(func(s *tool.Spec) {
			s.Preview = tool.PreviewArguments
			s.Draw = func(_ context.Context, _ tool.Env, a tool.Args) (tool.Preview, error) {
				if strings.Contains(string(a.Canonical), "nobody") {
					return tool.Preview{}, tool.Errorf(tool.CodeFileNotFound, "no such receiver").WithText("There is no such receiver.")
				}
				return tool.Preview{Verb: "Send"}, nil
			}
			s.Target = func(a tool.Args) (tool.TargetRequest, error) {
				if strings.Contains(string(a.Canonical), "metadata") {
					return tool.TargetRequest{URL: "https://169.254.169.254/"}, nil
				}
				return tool.TargetRequest{}, nil
			}
		}))
		done := dispatch(t.Context(), b, "demo.send", `{"text":"a"}`)
		q := b.waiting(t)
		for _, c := range []struct {
			name, arguments, words string
			problems               []approval.Problem
		}{
			{"not JSON", `{"text":`, "The tool does not take these", nil},
			{"twice", `{"text":"a","text":"b"}`, "The tool does not take these", []approval.Problem{{Field: "text", Words: "is given more than once"}}},
			{"lone surrogate", `{"text":"\ud800"}`, "The tool does not take these", nil},
			{"unknown field", `{"text":"a","to":"b"}`, "The tool does not take these", nil},
			{"wrong type", `{"text":7}`, "The tool does not take these", nil},
			{"the same", `{ "text" : "a" }`, "These are the arguments that the card shows already.", nil},
			{"blocked", `{"text":"metadata"}`, "The rules do not let the changed call run", nil},
			{"would fail", `{"text":"nobody"}`, "There is no such receiver.", nil},
		} {
			got := b.change(t, q, c.arguments)
			if got.Outcome != approval.OutcomeRefused || !strings.Contains(got.Words, c.words) {
				t.Errorf("%s: %s, %q", c.name, got.Outcome, got.Words)
			}
			if strings.HasPrefix(c.words, "The tool does not take") && len(got.Problems) == 0 {
				t.Errorf("%s: nothing is said of a field", c.name)
			}
			if c.problems != nil && cmp.Diff(c.problems, got.Problems) != "" {
				t.Errorf("%s: %+v", c.name, got.Problems)
			}
			if now := b.waiting(t); now.ArgumentsHash != q.ArgumentsHash || now.Changed != nil {
				t.Errorf("%s: the card changed", c.name)
			}
		}
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{`{"text":"a"}`}, r.all()); d != "" || text(o) != "recorded" {
			t.Errorf("%s%q", d, text(o))
		}
	})
}

// A preset that would run the call as it is now, and one that is chosen afterwards, do not
// answer for the person who has not seen it.
func TestNothingButThePersonAnswersAChangedCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec(func(s *tool.Spec) {
			s.Class.SideEffect, s.Class.Risk, s.Class.Idempotency = tool.EffectWorkspaceWrite, tool.RiskMedium, tool.IdempotencyIdempotent
		}))
		done := dispatch(t.Context(), b, "demo.send", `{"text":"a"}`)
		got := b.change(t, b.waiting(t), `{"text":"b"}`)
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		b.desk.Reconsider()
		synctest.Wait()
		if q := b.waiting(t); q.ArgumentsHash != got.Request.ArgumentsHash || len(r.all()) > 0 {
			t.Fatalf("it ran %v", r.all())
		}
		// What the caller sent is a change as well, once it was something else.
		back := b.change(t, b.waiting(t), `{"text":"a"}`)
		b.desk.Reconsider()
		synctest.Wait()
		if back.Request.Changed != nil || len(r.all()) > 0 {
			t.Errorf("the card says %+v, and %v ran", back.Request.Changed, r.all())
		}
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if text(o) != "recorded" {
			t.Errorf("the caller is told %q of a call that ran as it was sent", text(o))
		}
	})
}

func TestRetryJoinsTheChangedCardAndRunsWhatItShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec())
		ctx, leave := context.WithCancel(t.Context())
		first := dispatch(ctx, b, "demo.send", `{"text":"a"}`)
		q := b.change(t, b.waiting(t), `{"text":"b"}`).Request
		second := dispatch(t.Context(), b, "demo.send", `{"text":"a"}`)
		if now := b.waiting(t); now.ID != q.ID {
			t.Fatal("the retry got a card of its own")
		}
		leave()
		<-first
		// The one that came later takes a change as the first did.
		b.change(t, b.waiting(t), `{"text":"c"}`)
		b.answer(t, approval.AllowOnce, "")
		o := <-second
		want(t, o, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{`{"text":"c"}`}, r.all()); d != "" || !strings.HasPrefix(text(o), "The user changed") {
			t.Errorf("%s%q", d, text(o))
		}
	})
}

func TestAnswerToAChangedCardIsKeptForWhatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec())
		ctx, leave := context.WithCancel(t.Context())
		done := dispatch(ctx, b, "demo.send", `{"text":"a"}`)
		b.change(t, b.waiting(t), `{"text":"b"}`)
		leave()
		<-done
		left := b.change(t, b.waiting(t), `{"text":"c"}`)
		if left.Outcome != approval.OutcomeRefused || !strings.Contains(left.Words, "Nobody waits") {
			t.Errorf("a change that nobody can judge came back as %s %q", left.Outcome, left.Words)
		}
		if got := b.answer(t, approval.AllowOnce, ""); got.Outcome != approval.OutcomeKept {
			t.Fatalf("the answer was %s", got.Outcome)
		}
		want(t, b.call(t.Context(), "demo.send", `{"text":"a"}`), tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{`{"text":"b"}`}, r.all()); d != "" {
			t.Error(d)
		}
	})
}

// A path that leads elsewhere, an answer or another change that was quicker, an end.
func TestChangeThatComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := newBed(t, r.spec())
		done := dispatch(t.Context(), b, "demo.send", `{"text":"a"}`)
		q := b.waiting(t)
		b.change(t, q, `{"text":"b"}`)
		if got := b.change(t, q, `{"text":"c"}`); got.Outcome != approval.OutcomeConflict || got.Request.ArgumentsHash == q.ArgumentsHash {
			t.Errorf("the second change of one card came back as %s", got.Outcome)
		}
		now := b.waiting(t)
		b.answer(t, approval.Deny, "No.")
		if got := b.change(t, now, `{"text":"c"}`); got.Outcome != approval.OutcomeGone {
			t.Errorf("the change of a card that ended came back as %s", got.Outcome)
		}
		o := <-done
		want(t, o, tool.StatusDenied, tool.CodeApprovalUserRejected)
		if text(o) != "No." {
			t.Errorf("a denial says %q", text(o))
		}
		if _, err := b.desk.Change(t.Context(), "nobody", approval.Change{}); !errors.Is(err, approval.ErrNoRequest) {
			t.Errorf("got %v", err)
		}
	})
}

// Whatever callers, changes, answers, rules and departures come in whatever order: what runs is
// what an answered card showed, and no more often than it was allowed.
func TestChangedCallRunsExactlyWhatItsCardShowed(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 2))
			var r recorder
			b := newBed(t, r.spec(func(s *tool.Spec) {
				s.Class.SideEffect, s.Class.Risk = tool.EffectExternalWrite, tool.RiskMedium
			}))
			var mu sync.Mutex
			allowed := map[string]int{}
			var calls sync.WaitGroup
			var leave []context.CancelFunc
			for range 60 {
				n := random.IntN(3)
				switch random.IntN(6) {
				case 0, 1:
					ctx, cancel := context.WithCancel(t.Context())
					leave = append(leave, cancel)
					calls.Go(func() { b.call(ctx, "demo.send", fmt.Sprintf(`{"text":"%d"}`, n)) })
				case 2:
					calls.Go(func() { allowAny(t, b, n, &mu, allowed) })
				case 3, 4:
					calls.Go(func() { changeAny(t, b, n) })
				case 5:
					if len(leave) > 0 {
						leave[random.IntN(len(leave))]()
					}
					calls.Go(func() { b.desk.Reconsider() })
				}
				if random.IntN(2) == 0 {
					synctest.Wait()
				}
			}
			for _, cancel := range leave {
				cancel()
			}
			calls.Wait()
			for _, arguments := range r.all() {
				if allowed[arguments]--; allowed[arguments] < 0 {
					t.Errorf("seed %d: %s ran without an answer to a card that showed it", seed, arguments)
				}
			}
		})
	}
}

// allowAny allows one of the waiting cards, if there is one, and counts what it showed.
func allowAny(t *testing.T, b *bed, n int, mu *sync.Mutex, allowed map[string]int) {
	q, ok := anyCard(t, b, n)
	if !ok {
		return
	}
	mu.Lock()
	allowed[string(q.Canonical)]++
	mu.Unlock()
	got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Error(err)
	}
	if got.Outcome != approval.OutcomeDone && got.Outcome != approval.OutcomeKept {
		mu.Lock()
		allowed[string(q.Canonical)]--
		mu.Unlock()
	}
}

func changeAny(t *testing.T, b *bed, n int) {
	if q, ok := anyCard(t, b, n); ok {
		b.change(t, q, fmt.Sprintf(`{"text":"changed %d"}`, n))
	}
}

func anyCard(t *testing.T, b *bed, n int) (approval.Request, bool) {
	all, err := b.desk.Pending(t.Context(), "")
	if err != nil || len(all) == 0 {
		return approval.Request{}, false
	}
	q, err := b.desk.Get(t.Context(), all[n%len(all)].ID)
	return q, err == nil
}
