package registry_test

import (
	"context"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// An answer is for what its card showed. A path that leads elsewhere when the call is made
// again is another question.
func TestKeptAnswerDoesNotFollowALink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read []string
		files := &links{to: map[string]string{"/home/u/link": "/home/u/harmless"}}
		b := newBed(t, reader(&read))
		b.context.Host.Files = files
		ctx, cancel := context.WithCancel(t.Context())
		done := dispatch(ctx, b, "workspace.look", `{}`)
		cancel()
		<-done
		b.answer(t, approval.AllowOnce, "")
		files.point("/home/u/link", "/home/u/private")
		again := dispatch(t.Context(), b, "workspace.look", `{}`)
		if len(read) > 0 {
			t.Fatalf("it read %v by an answer for another file", read)
		}
		b.answer(t, approval.Deny, "")
		want(t, <-again, tool.StatusDenied, tool.CodeApprovalUserRejected)
	})
}

func TestCallDoesNotJoinACardAboutAnotherPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read []string
		files := &links{to: map[string]string{"/home/u/link": "/home/u/harmless"}}
		b := newBed(t, reader(&read))
		b.context.Host.Files = files
		first := dispatch(t.Context(), b, "workspace.look", `{}`)
		card := b.waiting(t)
		files.point("/home/u/link", "/home/u/private")
		second := dispatch(t.Context(), b, "workspace.look", `{}`)
		if all, err := b.desk.Pending(t.Context(), ""); err != nil || len(all) != 2 {
			t.Fatalf("%d cards (%v), want one for each place", len(all), err)
		}
		if _, err := b.desk.Answer(t.Context(), card.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: card.ArgumentsHash}); err != nil {
			t.Fatal(err)
		}
		want(t, <-first, tool.StatusDenied, tool.CodePolicyPathMoved)
		b.answer(t, approval.Deny, "")
		<-second
		if len(read) > 0 {
			t.Errorf("it read %v", read)
		}
	})
}

// An answer that was kept does not cover a tool whose class rose meanwhile, as an update of
// the program can make it.
func TestKeptAnswerDiesWhenTheClassRises(t *testing.T) {
	for name, rise := range map[string]func(*tool.Spec){
		"risk":   func(s *tool.Spec) { s.Class.Risk = tool.RiskCritical },
		"effect": func(s *tool.Spec) { s.Class.SideEffect = tool.EffectFinancial },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				ledger := approvaltest.NewLedger()
				before := newBedOver(t, ledger, external(&runs))
				ctx, cancel := context.WithCancel(t.Context())
				done := dispatch(ctx, before, "demo.send", `{}`)
				cancel()
				<-done
				card := before.answer(t, approval.AllowOnce, "").Request.ID
				after := newBedOver(t, ledger, external(&runs, rise))
				again := dispatch(t.Context(), after, "demo.send", `{}`)
				if runs != 0 {
					t.Fatal("it ran by an answer for less")
				}
				if q, err := after.desk.Get(t.Context(), card); err != nil || q.Voided == "" {
					t.Errorf("the card of the answer says %q, %v", q.Voided, err)
				}
				after.answer(t, approval.Deny, "")
				want(t, <-again, tool.StatusDenied, tool.CodeApprovalUserRejected)
			})
		})
	}
}

// An answer that comes while the rules are looked at again still counts.
func TestAnswerWinsOverRulesThatChangeAtTheSameMoment(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     string
		preset session.Preset
		answer approval.Resolution
		status tool.Status
		code   tool.Code
		runs   int
	}{
		{"denied while the rules would let it run", "Close", session.PresetEdit, approval.Deny, tool.StatusDenied, tool.CodeApprovalUserRejected, 0},
		{"denied while the card is refreshed", "Refresh", session.PresetAudit, approval.Deny, tool.StatusDenied, tool.CodeApprovalUserRejected, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				b, h := newHooked(t, writer(&runs))
				done := dispatch(t.Context(), b, "demo.send", `{}`)
				h.before[c.at] = answerNow(t, b, b.waiting(t), c.answer)
				b.set(func(r *session.Rules) { r.Preset = c.preset })
				b.desk.Reconsider()
				synctest.Wait()
				if all, _ := b.desk.Pending(t.Context(), ""); len(all) > 0 {
					t.Fatalf("it is asked again")
				}
				want(t, <-done, c.status, c.code)
				if runs != c.runs {
					t.Errorf("%d runs, want %d", runs, c.runs)
				}
			})
		})
	}
}

// The answer was for the rules that the card showed: under others it is asked again.
func TestAllowUnderOldRulesIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b, h := newHooked(t, writer(&runs))
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		h.before["Refresh"] = answerNow(t, b, b.waiting(t), approval.AllowOnce)
		b.set(func(r *session.Rules) { r.Preset = session.PresetAudit })
		b.desk.Reconsider()
		synctest.Wait()
		if q := b.waiting(t); q.Moved == "" || runs != 0 {
			t.Errorf("the card says %q, %d runs", q.Moved, runs)
		}
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusSucceeded, "")
	})
}

// A retry that joins a card in the moment of its answer gets the answer.
func TestRetryThatJoinsInTheMomentOfTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b, h := newHooked(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		first := dispatch(ctx, b, "demo.send", `{}`)
		cancel()
		<-first
		q := b.waiting(t)
		h.before["Rejoin"] = func() {
			if _, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash}); err != nil {
				t.Error(err)
			}
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusSucceeded, "")
		if runs != 1 {
			t.Errorf("%d runs", runs)
		}
	})
}

// However a call stops waiting, its card does not go on saying that somebody waits.
func TestCardIsSettledHoweverItsCallEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b, h := newHooked(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		done := dispatch(ctx, b, "demo.send", `{}`)
		h.before["Refresh"] = cancel
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		b.desk.Reconsider()
		want(t, <-done, tool.StatusCancelled, tool.CodeCancelled)
		if q := b.waiting(t); !q.CallerLeft {
			t.Error("the card says that its caller waits")
		}
	})
}

// spec: VS-21
func TestToolThatWasSwitchedOffWhileItsCallWaitedDoesNotRun(t *testing.T) {
	for name, change := range map[string]func(*session.Rules){
		"catalog": func(r *session.Rules) { r.Catalog = tool.CatalogPlan },
		"set":     func(r *session.Rules) { r.Sets = []string{"exact"} },
	} {
		for _, wakes := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					runs := 0
					b := newBed(t, external(&runs))
					done := dispatch(t.Context(), b, "demo.send", `{}`)
					q := b.waiting(t)
					b.set(change)
					if wakes {
						b.desk.Reconsider()
						synctest.Wait()
						if all, _ := b.desk.Pending(t.Context(), ""); len(all) > 0 {
							t.Error("the card is still open")
						}
					} else {
						answerNow(t, b, q, approval.AllowOnce)()
					}
					want(t, <-done, tool.StatusDenied, tool.CodeNotEnabled)
					if runs != 0 {
						t.Errorf("%d runs", runs)
					}
				})
			})
		}
	}
}
