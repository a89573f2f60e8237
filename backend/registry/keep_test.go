package registry_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// chooser is a tool that shows two changes and remembers what of them it was to make.
func chooser(given *[][]tool.Kept) tool.Spec {
	runs := 0
	return external(&runs, func(s *tool.Spec) {
		s.Class.SideEffect, s.Class.Risk, s.Class.Idempotency = tool.EffectWorkspaceWrite, tool.RiskMedium, tool.IdempotencyIdempotent
		s.Preview = tool.PreviewDiff
		s.Draw = func(_ context.Context, env tool.Env, _ tool.Args) (tool.Preview, error) {
			if env.Keep != nil {
				return tool.Preview{}, tool.Errorf(tool.CodeExecutionFailed, "a preview of a part")
			}
			return tool.Preview{Verb: "Send", Diffs: []tool.FileDiff{{Path: "a", Unified: "shown", Changes: 2}}}, nil
		}
		run := s.Run
		s.Run = func(ctx context.Context, env tool.Env, args tool.Args) (tool.Result, error) {
			*given = append(*given, env.Keep)
			return run(ctx, env, args)
		}
	})
}

// shownHash is the sha256 of what the chooser shows.
const shownHash = "baaf53622a51d975235f276287bdc1b64aa4640c77142cbca076877d9eac6815"

func (b *bed) keep(t *testing.T, kept ...int) approval.Result {
	t.Helper()
	q := b.waiting(t)
	got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, Keep: [][]int{kept}, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The tool is given just what was kept, and nothing where a call runs by anything but that
// answer.
func TestAChoiceReachesTheToolOfItsCallAlone(t *testing.T) {
	kept := []tool.Kept{{Shown: shownHash, Changes: []int{1}}}
	for _, c := range []struct {
		name string
		do   func(*testing.T, *bed)
		want [][]tool.Kept
	}{
		{"the call that was asked about", func(t *testing.T, b *bed) {
			done := dispatch(t.Context(), b, "demo.send", `{}`)
			b.keep(t, 1)
			want(t, <-done, tool.StatusSucceeded, "")
			again := dispatch(t.Context(), b, "demo.send", `{}`)
			b.answer(t, approval.AllowOnce, "")
			want(t, <-again, tool.StatusSucceeded, "")
		}, [][]tool.Kept{kept, nil}},
		{"the same call made again after its caller left", func(t *testing.T, b *bed) {
			ctx, cancel := context.WithCancel(t.Context())
			done := dispatch(ctx, b, "demo.send", `{}`)
			cancel()
			<-done
			if got := b.keep(t, 1); got.Outcome != approval.OutcomeKept {
				t.Errorf("the answer is %s", got.Outcome)
			}
			want(t, <-dispatch(t.Context(), b, "demo.send", `{}`), tool.StatusSucceeded, "")
		}, [][]tool.Kept{kept}},
		{"a call that the rules let run", func(t *testing.T, b *bed) {
			b.set(func(r *session.Rules) { r.Preset = session.PresetEdit })
			want(t, <-dispatch(t.Context(), b, "demo.send", `{}`), tool.StatusSucceeded, "")
		}, [][]tool.Kept{nil}},
		{"an answer for all", func(t *testing.T, b *bed) {
			done := dispatch(t.Context(), b, "demo.send", `{}`)
			b.keep(t, 0, 1)
			want(t, <-done, tool.StatusSucceeded, "")
		}, [][]tool.Kept{nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var given [][]tool.Kept
				b := newBed(t, chooser(&given))
				c.do(t, b)
				if d := cmp.Diff(c.want, given); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

// An answer that leaves changes out does not survive other rules, as no answer does.
func TestAChoiceUnderOldRulesIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given [][]tool.Kept
		b, h := newHooked(t, chooser(&given))
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		h.before["Refresh"] = func() { b.keep(t, 1) }
		b.set(func(r *session.Rules) { r.Preset = session.PresetAudit })
		b.desk.Reconsider()
		synctest.Wait()
		if q := b.waiting(t); q.Keep != nil || len(given) != 0 {
			t.Errorf("the card says %v, %d runs", q.Keep, len(given))
		}
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusSucceeded, "")
		if d := cmp.Diff([][]tool.Kept{nil}, given); d != "" {
			t.Error(d)
		}
	})
}
