package registry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: VS-4, RL-8, RL-12, RS-5, CT-31
func TestQuestionWithoutAPersonIsDenied(t *testing.T) {
	runs := 0
	b := newBed(t, external(&runs))
	b.context.Asks = false
	o := b.call(t.Context(), "demo.send", `{}`)
	want(t, o, tool.StatusDenied, tool.CodeApprovalNoOperator)
	if o.Decision == nil || o.Decision.Verdict != tool.VerdictAsk || runs != 0 {
		t.Errorf("got decision %+v, %d runs", o.Decision, runs)
	}
}

// spec: VS-18, VS-19, RL-9
func TestPersonDecides(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer approval.Resolution
		words  string
		status tool.Status
		code   tool.Code
		runs   int
	}{
		{"allow", approval.AllowOnce, "", tool.StatusSucceeded, "", 1},
		{"deny", approval.Deny, "", tool.StatusDenied, tool.CodeApprovalUserRejected, 0},
		{"deny with words", approval.Deny, "Use the test server.", tool.StatusDenied, tool.CodeApprovalUserRejected, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				b := newBed(t, external(&runs))
				var o tool.Outcome
				done := make(chan struct{})
				go func() { defer close(done); o = b.call(t.Context(), "demo.send", `{}`) }()
				synctest.Wait()
				if runs != 0 {
					t.Error("it ran before the answer")
				}
				b.answer(t, c.answer, c.words)
				<-done
				want(t, o, c.status, c.code)
				if runs != c.runs {
					t.Errorf("%d runs, want %d", runs, c.runs)
				}
				if c.words != "" && (len(o.Content) != 1 || o.Content[0].Text.Open() != c.words) {
					t.Errorf("the words did not arrive: %v", len(o.Content))
				}
				if c.runs == 1 {
					last := o.Decision.Chain[len(o.Decision.Chain)-1]
					if last.Layer != tool.LayerOperator || o.Decision.Verdict != tool.VerdictAllow {
						t.Errorf("chain ends with %+v, verdict %s", last, o.Decision.Verdict)
					}
				}
			})
		})
	}
}

// spec: VS-19, VS-27
func TestGate9FirstAnswerWinsAndTheSameAgainIsASuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		done := make(chan tool.Outcome, 1)
		go func() { done <- b.call(t.Context(), "demo.send", `{}`) }()
		synctest.Wait()
		q := b.waiting(t)
		for _, step := range []struct {
			answer approval.Resolution
			hash   string
			want   approval.Outcome
		}{
			{approval.AllowOnce, "another", approval.OutcomeConflict},
			{approval.AllowSession, q.ArgumentsHash, approval.OutcomeRefused},
			{approval.AllowWorkspace, q.ArgumentsHash, approval.OutcomeRefused},
			{approval.AllowOnce, q.ArgumentsHash, approval.OutcomeDone},
			{approval.AllowOnce, q.ArgumentsHash, approval.OutcomeSame},
			{approval.Deny, q.ArgumentsHash, approval.OutcomeConflict},
		} {
			got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: step.answer, ArgumentsHash: step.hash})
			if err != nil || got.Outcome != step.want {
				t.Errorf("%s: got %s (%v), want %s", step.answer, got.Outcome, err, step.want)
			}
		}
		want(t, <-done, tool.StatusSucceeded, "")
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

// spec: VS-20
func TestUnansweredRequestExpiresAndIsNeverAllowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		start := time.Now()
		o := b.call(t.Context(), "demo.send", `{}`)
		want(t, o, tool.StatusDenied, tool.CodeApprovalExpired)
		if waited := time.Since(start); waited != 4*time.Hour || runs != 0 {
			t.Errorf("waited %s, %d runs", waited, runs)
		}
	})
}

func TestHoldEndsAsPendingAndTheAnswerIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		b.context.MaxHold = time.Minute
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalPending)
		if got := b.answer(t, approval.AllowOnce, ""); got.Outcome != approval.OutcomeKept {
			t.Errorf("got %s", got.Outcome)
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusSucceeded, "")
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

func TestCallerThatLeftIsNeverRunLaterByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan tool.Outcome, 1)
		go func() { done <- b.call(ctx, "demo.send", `{}`) }()
		synctest.Wait()
		cancel()
		want(t, <-done, tool.StatusCancelled, tool.CodeCancelled)
		q := b.waiting(t)
		if !q.CallerLeft || q.LeftWhy != "left" {
			t.Errorf("the card says %v %q", q.CallerLeft, q.LeftWhy)
		}
		if got := b.answer(t, approval.AllowOnce, ""); got.Outcome != approval.OutcomeKept || runs != 0 {
			t.Errorf("got %s, %d runs", got.Outcome, runs)
		}
		want(t, b.call(t.Context(), "demo.send", `{"text":"other"}`), tool.StatusDenied, tool.CodeApprovalExpired)
		if runs != 0 {
			t.Error("the answer was used for other arguments")
		}
	})
}

func TestRetryPicksUpTheKeptAnswerOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan tool.Outcome, 1)
		go func() { done <- b.call(ctx, "demo.send", `{}`) }()
		synctest.Wait()
		cancel()
		<-done
		b.answer(t, approval.AllowOnce, "")
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusSucceeded, "")
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalExpired)
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

func TestRetryJoinsTheOpenCard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		first, second := make(chan tool.Outcome, 1), make(chan tool.Outcome, 1)
		go func() { first <- b.call(ctx, "demo.send", `{}`) }()
		synctest.Wait()
		card := b.waiting(t).ID
		cancel()
		<-first
		go func() { second <- b.call(t.Context(), "demo.send", `{}`) }()
		synctest.Wait()
		q := b.waiting(t)
		if q.ID != card || q.CallerLeft {
			t.Errorf("another card, or one that says that its caller left: %v", q.CallerLeft)
		}
		b.answer(t, approval.AllowOnce, "")
		want(t, <-second, tool.StatusSucceeded, "")
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

// One answer lets one call run, however many of the same wait behind the card.
func TestAllowOnceRunsOneOfTwoThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		done := make(chan tool.Outcome, 2)
		for range 2 {
			go func() { done <- b.call(t.Context(), "demo.send", `{}`) }()
		}
		synctest.Wait()
		b.answer(t, approval.AllowOnce, "")
		synctest.Wait()
		if runs != 1 {
			t.Fatalf("%d runs after one answer", runs)
		}
		b.answer(t, approval.Deny, "")
		<-done
		<-done
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

// A denial that its caller has received is used up: the same call later is asked again.
func TestDeliveredDenialIsUsedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		card := b.waiting(t).ID
		b.answer(t, approval.Deny, "")
		<-done
		if q, err := b.desk.Get(t.Context(), card); err != nil || !q.Consumed {
			t.Errorf("consumed %v, %v", q.Consumed, err)
		}
	})
}

// A caller that asks again for an answer, as it was told to, is not punished for it.
func TestAskingAgainForAnAnswerIsNoRepeatedDenial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		b.context.MaxHold = time.Minute
		for range 10 {
			want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalPending)
		}
	})
}

// The hold is one for the whole call, whatever happens to its card.
func TestHoldIsNotLengthenedByRulesThatChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		b.context.MaxHold = time.Minute
		start := time.Now()
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		time.Sleep(40 * time.Second)
		b.desk.Reconsider()
		want(t, <-done, tool.StatusDenied, tool.CodeApprovalPending)
		if waited := time.Since(start); waited != time.Minute {
			t.Errorf("held for %s", waited)
		}
	})
}

func TestHoldEndsBehindTheTrustQuestionToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		b.trusted = false
		b.context.MaxHold = time.Minute
		b.context.AskTrust = func(ctx context.Context, _ func(context.Context) error) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalPending)
	})
}

// A call behind the trust question is refused as soon as the rules refuse it anyhow.
func TestACallBehindTheTrustQuestionFollowsTheRules(t *testing.T) {
	for code, change := range map[tool.Code]func(*session.Rules){
		tool.CodePolicyReadOnly: func(r *session.Rules) { r.ReadOnly = true },
		tool.CodeNotEnabled:     func(r *session.Rules) { r.Catalog = tool.CatalogPlan },
	} {
		runs := 0
		b := newBed(t, external(&runs))
		b.trusted = false
		b.context.AskTrust = func(ctx context.Context, revise func(context.Context) error) (bool, error) {
			if err := revise(ctx); err != nil {
				t.Errorf("%s: it did not wait: %v", code, err)
			}
			change(&b.rules)
			if err := revise(ctx); err != nil {
				return false, err
			}
			return false, errors.New("it went on waiting")
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, code)
		if runs != 0 {
			t.Errorf("%s: it ran", code)
		}
	}
}
