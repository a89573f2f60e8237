package registry_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Whatever callers, answers, changed rules and departures come in whatever order: no more
// calls run than answers allowed, every call ends, and no card claims a caller that is gone.
//
// spec: VS-27
func TestGate3NoCallRunsWithoutAnAnswerOfItsOwn(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			var runs, allowed atomic.Int64
			one := 0
			b := newBed(t, external(&one, func(s *tool.Spec) {
				s.Run = func(ctx context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
					runs.Add(1)
					return tool.Result{}, env.EffectStarts(ctx)
				}
			}))
			var calls sync.WaitGroup
			var leave []context.CancelFunc
			for range 60 {
				switch random.IntN(5) {
				case 0, 1:
					ctx, cancel := context.WithCancel(t.Context())
					leave = append(leave, cancel)
					arguments := []string{`{}`, `{"text":"a"}`}[random.IntN(2)]
					calls.Go(func() { b.call(ctx, "demo.send", arguments) })
				case 2:
					n := random.IntN(3)
					calls.Go(func() { answerAny(t, b, n, &allowed) })
				case 3:
					preset := session.Presets()[random.IntN(5)]
					b.set(func(r *session.Rules) { r.Preset = preset })
					calls.Go(func() { b.desk.Reconsider() })
				case 4:
					if len(leave) > 0 {
						leave[random.IntN(len(leave))]()
					}
				}
				if random.IntN(2) == 0 {
					synctest.Wait()
				}
			}
			for _, cancel := range leave {
				cancel()
			}
			calls.Wait()
			if runs.Load() > allowed.Load() {
				t.Errorf("seed %d: %d runs by %d answers", seed, runs.Load(), allowed.Load())
			}
			left, err := b.desk.Pending(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range left {
				if !q.CallerLeft {
					t.Errorf("seed %d: a card claims a caller that is gone", seed)
				}
			}
		})
	}
}

// answerAny answers one of the waiting cards, if there is one, and counts what it allows.
func answerAny(t *testing.T, b *bed, n int, allowed *atomic.Int64) {
	all, err := b.desk.Pending(t.Context(), "")
	if err != nil || len(all) == 0 {
		return
	}
	q := all[n%len(all)]
	r := approval.AllowOnce
	if n == 2 {
		r = approval.Deny
	}
	// Counted before, since the call may run before the answer returns.
	if r == approval.AllowOnce {
		allowed.Add(1)
	}
	got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: r, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Error(err)
	}
	if r == approval.AllowOnce && got.Outcome != approval.OutcomeDone && got.Outcome != approval.OutcomeKept {
		allowed.Add(-1)
	}
}
