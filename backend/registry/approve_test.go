package registry_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// links is a file system of names that lead somewhere, outside the workspace.
type links struct {
	mu sync.Mutex
	to map[string]string
}

func (*links) Root() string { return "/w" }

func (l *links) Resolve(arg string) (tool.Path, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	real := arg
	if to, ok := l.to[arg]; ok {
		real = to
	}
	return tool.Path{Arg: arg, Abs: arg, Real: real, Zone: tool.ZoneOutside, Kind: tool.KindFile, Linked: real != arg}, nil
}

func (l *links) point(name, to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to[name] = to
}

var errNoFiles = errors.New("no files here")

func (*links) Open(context.Context, tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	return nil, tool.FileInfo{}, errNoFiles
}
func (*links) Entries(context.Context, tool.Path) ([]tool.Entry, error)  { return nil, errNoFiles }
func (*links) Similar(context.Context, tool.Path, int) ([]string, error) { return nil, errNoFiles }
func (*links) Write(context.Context, tool.Path, []byte, string, func(context.Context) error) (tool.Stamp, error) {
	return tool.Stamp{}, errNoFiles
}

// reader is a tool that reads one path and remembers where it led.
func reader(read *[]string) tool.Spec {
	return spec("workspace.look", func(s *tool.Spec) {
		s.Class.SideEffect = tool.EffectWorkspaceRead
		s.Target = func(tool.Args) (tool.TargetRequest, error) {
			return tool.TargetRequest{Paths: []tool.PathUse{{Arg: "/home/u/link", Access: tool.AccessRead}}}, nil
		}
		s.Run = func(_ context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
			*read = append(*read, env.Target.Touches[0].Path.Real)
			return tool.Result{Content: []tool.Part{tool.TextPart("read")}}, nil
		}
	})
}

func dispatch(ctx context.Context, b *bed, name, arguments string) <-chan tool.Outcome {
	done := make(chan tool.Outcome, 1)
	go func() { done <- b.call(ctx, name, arguments) }()
	synctest.Wait()
	return done
}

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
				before.answer(t, approval.AllowOnce, "")
				after := newBedOver(t, ledger, external(&runs, rise))
				again := dispatch(t.Context(), after, "demo.send", `{}`)
				if runs != 0 {
					t.Fatal("it ran by an answer for less")
				}
				after.answer(t, approval.Deny, "")
				want(t, <-again, tool.StatusDenied, tool.CodeApprovalUserRejected)
			})
		})
	}
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

// hooked runs a function before a method of the ledger does anything.
type hooked struct {
	*approvaltest.Ledger
	mu     sync.Mutex
	before map[string]func()
}

func (h *hooked) once(method string) {
	h.mu.Lock()
	f := h.before[method]
	delete(h.before, method)
	h.mu.Unlock()
	if f != nil {
		f()
	}
}

func (h *hooked) Grants(ctx context.Context, s string, now time.Time) ([]policy.Grant, error) {
	h.once("Grants")
	return h.Ledger.Grants(ctx, s, now)
}

func (h *hooked) Rejoin(ctx context.Context, id, invocation string) error {
	h.once("Rejoin")
	return h.Ledger.Rejoin(ctx, id, invocation)
}

func (h *hooked) Refresh(ctx context.Context, id string, d tool.Decision, version, moved string) error {
	h.once("Refresh")
	return h.Ledger.Refresh(ctx, id, d, version, moved)
}

func (h *hooked) Resolve(ctx context.Context, id string, end approval.End, g *policy.Grant) (approval.Request, bool, error) {
	if end.By == "settings" {
		h.once("Close")
	}
	return h.Ledger.Resolve(ctx, id, end, g)
}

func newHooked(t *testing.T, specs ...tool.Spec) (*bed, *hooked) {
	t.Helper()
	h := &hooked{Ledger: approvaltest.NewLedger(), before: map[string]func(){}}
	return newBedOver(t, h, specs...), h
}

func answerNow(t *testing.T, b *bed, q approval.Request, r approval.Resolution) func() {
	return func() {
		got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: r, ArgumentsHash: q.ArgumentsHash})
		if err != nil || got.Outcome != approval.OutcomeDone {
			t.Errorf("the answer came back as %s, %v", got.Outcome, err)
		}
	}
}

// writer is a tool whose calls a preset can run.
func writer(runs *int) tool.Spec {
	return external(runs, func(s *tool.Spec) {
		s.Class.SideEffect, s.Class.Risk, s.Class.Idempotency = tool.EffectWorkspaceWrite, tool.RiskMedium, tool.IdempotencyIdempotent
	})
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
		b.context.AskTrust = func(ctx context.Context) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalPending)
	})
}
