package approval_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/tool"
)

// waiting is a desk at which calls wait.
type waiting struct {
	t      *testing.T
	desk   *approval.Desk
	ledger *approvaltest.Ledger

	mu       sync.Mutex
	verdicts map[string]approval.Verdict
	errs     map[string]error
}

func newWaiting(t *testing.T) *waiting {
	ledger := approvaltest.NewLedger()
	return &waiting{
		t: t, ledger: ledger, desk: approval.NewDesk(ledger, now{}, &ids{}),
		verdicts: map[string]approval.Verdict{}, errs: map[string]error{},
	}
}

// ask lets a call wait, as change makes its request, and returns how its card was shown.
func (w *waiting) ask(ctx context.Context, name string, change func(*approval.Request)) approval.Shown {
	w.t.Helper()
	r := request()
	r.SessionID, r.InvocationID, r.ArgumentsHash, r.Canonical = "s-"+name[:1], name, "hash-"+name, []byte(name)
	if change != nil {
		change(&r)
	}
	var id string
	go func() {
		v, err := w.desk.Ask(ctx, r, approval.Hooks{Waiting: func(r approval.Request) { id = r.ID }})
		w.mu.Lock()
		defer w.mu.Unlock()
		w.verdicts[name], w.errs[name] = v, err
	}()
	synctest.Wait()
	return approval.Shown{ID: id, ArgumentsHash: r.ArgumentsHash, Seen: true}
}

func allowAll(batch ...approval.Shown) approval.BatchAnswer {
	return approval.BatchAnswer{Requests: batch, Resolution: approval.AllowOnce}
}

func TestABatchAnswersTheCallsOfSeveralSessionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t)
		batch := []approval.Shown{w.ask(t.Context(), "a1", nil), w.ask(t.Context(), "b1", nil), w.ask(t.Context(), "a2", nil)}
		other := w.ask(t.Context(), "b2", nil)
		got, err := w.desk.AnswerBatch(t.Context(), allowAll(batch...))
		if err != nil || got.ID == "" || len(got.Results) != 3 || got.Objections != nil {
			t.Fatalf("got %+v, %v", got, err)
		}
		synctest.Wait()
		for i, name := range []string{"a1", "b1", "a2"} {
			v, result := w.verdicts[name], got.Results[i]
			if !v.Used || v.Request.Resolution != approval.AllowOnce || v.Request.BatchID != got.ID {
				t.Errorf("%s: the caller was told %+v", name, v)
			}
			if result.Outcome != approval.OutcomeDone || result.Request.ID != batch[i].ID {
				t.Errorf("%s: %s of %s", name, result.Outcome, result.Request.ID)
			}
		}
		if q, err := w.desk.Get(t.Context(), other.ID); err != nil || q.Status != approval.StatusPending {
			t.Errorf("a call that was not in the batch is %s, %v", q.Status, err)
		}
		words := strings.Repeat("w", approval.MaxWords+1)
		deny := approval.BatchAnswer{Requests: []approval.Shown{{ID: other.ID, ArgumentsHash: other.ArgumentsHash}}, Resolution: approval.Deny, Words: words}
		if got, err := w.desk.AnswerBatch(t.Context(), deny); err != nil || got.ID == "" {
			t.Fatalf("what was not seen to its end can be denied: %+v, %v", got, err)
		}
		synctest.Wait()
		if v := w.verdicts["b2"]; v.Request.Status != approval.StatusDenied || v.Request.Words.Len() != approval.MaxWords {
			t.Errorf("the caller was told %s, %d characters", v.Request.Status, v.Request.Words.Len())
		}
	})
}

// An answer to a call whose caller left is kept for its retry, in a batch as well.
func TestABatchKeepsWhatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWaiting(t)
		ctx, leave := context.WithCancel(t.Context())
		batch := []approval.Shown{w.ask(t.Context(), "a1", nil), w.ask(ctx, "b1", nil)}
		leave()
		synctest.Wait()
		got, err := w.desk.AnswerBatch(t.Context(), allowAll(batch...))
		if err != nil || len(got.Results) != 2 || got.Results[0].Outcome != approval.OutcomeDone || got.Results[1].Outcome != approval.OutcomeKept {
			t.Fatalf("got %+v, %v", got, err)
		}
		if w.ask(t.Context(), "b1", nil); !w.verdicts["b1"].Used {
			t.Errorf("the retry was told %+v", w.verdicts["b1"])
		}
	})
}

// What keeps one request from being answered keeps all.
func TestABatchIsAnsweredWholeOrNotAtAll(t *testing.T) {
	restrict := func(r *approval.Request) { r.Restricted = true }
	cut := func(r *approval.Request) { r.Diffs = []tool.FileDiff{{Path: "a", Additions: 1}} }
	hide := func(r *approval.Request) { r.Hidden = []tool.Hidden{{Kind: "token", Count: 1}} }
	end := func(e approval.End) func(*waiting, *approval.Shown) {
		return func(w *waiting, s *approval.Shown) {
			if _, _, err := w.ledger.Resolve(w.t.Context(), s.ID, e, nil); err != nil {
				w.t.Error(err)
			}
		}
	}
	for words, c := range map[string]struct {
		made  func(*approval.Request)
		spoil func(*waiting, *approval.Shown)
	}{
		"It is restricted, so it is answered on its own card.":                        {made: restrict},
		"A change of it is too large to be shown, so it is answered on its own card.": {made: cut},
		"A part of it is hidden, so it is answered on its own card.":                  {made: hide},
		"Its end was not in view.":                                                    {spoil: func(_ *waiting, s *approval.Shown) { s.Seen = false }},
		"It has changed since it was shown.":                                          {spoil: func(_ *waiting, s *approval.Shown) { s.ArgumentsHash = "other" }},
		"It is not there any more.":                                                   {spoil: func(_ *waiting, s *approval.Shown) { s.ID = "nobody" }},
		"It was allowed meanwhile.":                                                   {spoil: end(approval.End{Status: approval.StatusApproved, Resolution: approval.AllowOnce})},
		"It was denied meanwhile.":                                                    {spoil: end(approval.End{Status: approval.StatusDenied, Resolution: approval.Deny})},
		"It ended meanwhile without an answer.":                                       {spoil: end(approval.End{Status: approval.StatusDenied, By: approval.BySettings})},
		"It waited too long and expired.":                                             {spoil: func(*waiting, *approval.Shown) { time.Sleep(2 * time.Hour) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWaiting(t)
			first, third := w.ask(t.Context(), "a1", nil), w.ask(t.Context(), "a3", nil)
			second := w.ask(t.Context(), "b2", func(r *approval.Request) {
				r.Risk = tool.RiskCritical
				if c.made != nil {
					c.made(r)
				}
			})
			id := second.ID
			if c.spoil != nil {
				c.spoil(w, &second)
			}
			before, err := w.ledger.Request(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			got, err := w.desk.AnswerBatch(t.Context(), allowAll(first, second, third))
			if err != nil || got.ID != "" || got.Results != nil || len(got.Objections) != 1 {
				t.Fatalf("%s: got %+v, %v", words, got, err)
			}
			if o := got.Objections[0]; o.Words != words || o.Request.ID != second.ID {
				t.Errorf("%s: got %q of %s", words, o.Words, o.Request.ID)
			}
			for _, one := range []approval.Shown{first, third} {
				if q, err := w.desk.Get(t.Context(), one.ID); err != nil || q.Status != approval.StatusPending {
					t.Errorf("%s: another one is %s, %v", words, q.Status, err)
				}
			}
			after, err := w.ledger.Request(t.Context(), id)
			expired := words == "It waited too long and expired."
			if expired && (after.Status != approval.StatusExpired || after.ResolvedBy != "expiry") {
				t.Errorf("what is past its expiry is %s by %q", after.Status, after.ResolvedBy)
			}
			if d := cmp.Diff(before.Status, after.Status); err != nil || (!expired && d != "") {
				t.Errorf("%s: %v %s", words, err, d)
			}
			end(approval.End{Status: approval.StatusCancelled})(w, &first)
			end(approval.End{Status: approval.StatusCancelled})(w, &third)
			w.finish()
		})
	}
}

// finish lets every call go that still waits.
func (w *waiting) finish() {
	all, err := w.desk.Pending(w.t.Context(), "")
	if err != nil {
		w.t.Error(err)
	}
	for _, r := range all {
		_, _ = w.desk.Answer(w.t.Context(), r.ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: r.ArgumentsHash})
	}
	w.desk.Reconsider()
	synctest.Wait()
}

// late is a ledger in which something happens just before a batch is stored, or that fails or
// stores nothing without a reason.
type late struct {
	*approvaltest.Ledger
	before func()
	fails  error
	mute   bool
}

func (l *late) ResolveAll(ctx context.Context, batch []approval.Shown, end approval.End) ([]approval.Request, bool, error) {
	if l.fails != nil || l.mute {
		return nil, false, l.fails
	}
	l.before()
	return l.Ledger.ResolveAll(ctx, batch, end)
}

func TestABatchSaysWhatCameBeforeItInTheLastMoment(t *testing.T) {
	ledger := approvaltest.NewLedger()
	l := &late{Ledger: ledger, before: func() {}}
	d := approval.NewDesk(l, now{}, &ids{})
	var batch []approval.Shown
	for _, name := range []string{"one", "two"} {
		ctx, leave := context.WithCancel(t.Context())
		r := request()
		r.ArgumentsHash = name
		_, _ = d.Ask(ctx, r, approval.Hooks{Waiting: func(r approval.Request) {
			batch = append(batch, approval.Shown{ID: r.ID, ArgumentsHash: name, Seen: true})
			leave()
		}})
	}
	broken := errors.New("the disk is full")
	l.fails = broken
	if got, err := d.AnswerBatch(t.Context(), allowAll(batch...)); !errors.Is(err, broken) || got.ID != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	l.fails, l.mute = nil, true
	if got, err := d.AnswerBatch(t.Context(), allowAll(batch...)); err == nil {
		t.Errorf("nobody knows why it was not answered: %+v", got)
	}
	l.mute = false
	l.before = func() {
		if _, err := d.Answer(t.Context(), batch[1].ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: "two"}); err != nil {
			t.Error(err)
		}
	}
	got, err := d.AnswerBatch(t.Context(), allowAll(batch...))
	if err != nil || got.ID != "" || len(got.Objections) != 1 || got.Objections[0].Words != "It was denied meanwhile." || got.Objections[0].Request.ID != batch[1].ID {
		t.Errorf("got %+v, %v", got, err)
	}
	if q, err := d.Get(t.Context(), batch[0].ID); err != nil || q.Status != approval.StatusPending {
		t.Errorf("the other is %s, %v", q.Status, err)
	}
}

func TestABatchThatCannotBeGivenIsRefused(t *testing.T) {
	d := approval.NewDesk(approvaltest.NewLedger(), now{}, &ids{})
	one := approval.Shown{ID: "1", ArgumentsHash: "h", Seen: true}
	many := make([]approval.Shown, approval.MaxBatch+1)
	for i := range many {
		many[i].ID = fmt.Sprint(i)
	}
	for name, a := range map[string]approval.BatchAnswer{
		"for the session":   {Requests: []approval.Shown{one}, Resolution: approval.AllowSession},
		"for the workspace": {Requests: []approval.Shown{one}, Resolution: approval.AllowWorkspace},
		"unknown":           {Requests: []approval.Shown{one}, Resolution: "maybe"},
		"of none":           {Resolution: approval.Deny},
		"of too many":       {Requests: many, Resolution: approval.Deny},
		"of one twice":      {Requests: []approval.Shown{one, one}, Resolution: approval.Deny},
	} {
		if got, err := d.AnswerBatch(t.Context(), a); err == nil {
			t.Errorf("an answer %s was taken: %+v", name, got)
		}
	}
}

// Whatever happens in the same moment, all calls of a batch have its answer or none has, the
// result says which, and no caller goes on waiting at a card that has ended.
func TestABatchIsNeverPartlyAnswered(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) { raceBatch(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func raceBatch(t *testing.T, chance *rand.Rand) {
	w := newWaiting(t)
	var all []approval.Shown
	leaves := map[string]context.CancelFunc{}
	for i := range 3 + chance.IntN(5) {
		ctx, leave := context.WithCancel(t.Context())
		one := w.ask(ctx, fmt.Sprintf("%c%d", 'a'+rune(i%2), i), func(r *approval.Request) {
			r.Risk = []tool.Risk{tool.RiskLow, tool.RiskHigh, tool.RiskCritical}[chance.IntN(3)]
		})
		leaves[one.ID] = leave
		all = append(all, one)
	}
	if chance.IntN(3) == 0 {
		// Just before the most risky of them expire.
		time.Sleep(time.Hour - time.Millisecond)
	}
	batch := all[:2+chance.IntN(len(all)-1)]
	var acts []func()
	for range 1 + chance.IntN(4) {
		one := all[chance.IntN(len(all))]
		later := time.Duration(chance.IntN(2)) * time.Millisecond
		acts = append(acts, []func(){
			func() {
				_, _ = w.desk.Answer(t.Context(), one.ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: one.ArgumentsHash})
			},
			func() {
				_, _, _ = w.ledger.Resolve(t.Context(), one.ID, approval.End{Status: approval.StatusDenied, By: approval.BySettings, At: time.Now()}, nil)
			},
			func() { _ = w.ledger.Refresh(t.Context(), one.ID, tool.Decision{}, "policy-2", "the rules") },
			leaves[one.ID],
			func() { _, _ = w.desk.DismissLeft(t.Context(), "s-a") },
			func() { w.desk.Reconsider() },
			func() { time.Sleep(later) },
		}[chance.IntN(7)])
	}
	var got approval.BatchResult
	var err error
	var group sync.WaitGroup
	begins := time.Duration(chance.IntN(2)) * time.Millisecond
	group.Go(func() {
		time.Sleep(begins)
		got, err = w.desk.AnswerBatch(t.Context(), allowAll(batch...))
	})
	for _, act := range acts {
		group.Go(act)
	}
	group.Wait()
	synctest.Wait()
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for _, one := range batch {
		q, err := w.ledger.Request(t.Context(), one.ID)
		if err != nil {
			t.Fatal(err)
		}
		if q.BatchID != "" && q.BatchID == got.ID && q.Resolution == approval.AllowOnce {
			answered++
		} else if q.BatchID != "" {
			t.Errorf("%s belongs to %q, the result is %q", q.ID, q.BatchID, got.ID)
		}
	}
	switch {
	case got.ID != "" && (answered != len(batch) || len(got.Results) != len(batch) || len(got.Objections) > 0):
		t.Errorf("%d of %d were answered: %+v", answered, len(batch), got)
	case got.ID == "" && (answered != 0 || len(got.Objections) == 0 || got.Results != nil):
		t.Errorf("none was to be answered, %d were: %+v", answered, got)
	}
	w.finish()
	for _, leave := range leaves {
		leave()
	}
	synctest.Wait()
	if len(w.errs) != len(all) {
		t.Errorf("%d of %d calls go on", len(w.errs), len(all))
	}
}
