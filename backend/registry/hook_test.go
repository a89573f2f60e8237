package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/hook"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// guard is a hook that answers in turn, and keeps what it was asked. The last answer stands
// for all that follow.
type guard struct {
	name    string
	answers []string
	err     error

	mu    sync.Mutex
	asked []hook.Question
}

func (h *guard) hook() registry.Hook {
	return registry.Hook{Name: h.name, Ask: func(ctx context.Context, _ *registry.Context, question []byte) ([]byte, error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		var q hook.Question
		if err := json.Unmarshal(question, &q); err != nil {
			panic(err)
		}
		answer := h.answers[min(len(h.asked), len(h.answers)-1)]
		h.asked = append(h.asked, q)
		if answer == "hangs" {
			<-ctx.Done()
		}
		return []byte(answer), h.err
	}}
}

// arguments are those that it was asked about, in order.
func (h *guard) arguments() (out []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, q := range h.asked {
		out = append(out, string(q.Arguments))
	}
	return out
}

func before(answers ...string) *guard { return &guard{name: "guard", answers: answers} }

// guarded is a bed with hooks before calls, and a tool that records what runs.
func guarded(t *testing.T, r *recorder, effect tool.SideEffect, hooks ...*guard) *bed {
	t.Helper()
	return newHookedBed(t, func() (out registry.Hooks) {
		for _, h := range hooks {
			out.BeforeCall = append(out.BeforeCall, h.hook())
		}
		return out
	}, r.spec(func(s *tool.Spec) {
		if s.Class.SideEffect, s.Class.Risk = effect, tool.RiskLow; effect == tool.EffectNone {
			s.Target = nil
		}
	}))
}

const sendAll, sendAda = `{"text":"to all"}`, `{"text":"to Ada"}`

func linksOf(o tool.Outcome, layer tool.Layer) (out []string) {
	for _, l := range o.Decision.Chain {
		if l.Layer == layer {
			out = append(out, string(l.Verdict)+": "+l.Reason)
		}
	}
	return out
}

func TestAHookIsToldOfTheCallAndDecidesNothingByPassing(t *testing.T) {
	var r recorder
	h := before(`{}`)
	b := guarded(t, &r, tool.EffectNone, h)
	b.context.Caller = func() session.Caller { return session.Caller{Kind: session.CallerMCP, Name: tool.Mark("claude-code")} }
	o := b.call(t.Context(), "demo.send", sendAll)
	want(t, o, tool.StatusSucceeded, "")
	if d := cmp.Diff([]string{`allow: Hook "guard" has nothing against it.`}, linksOf(o, tool.LayerHook)); d != "" {
		t.Error(d)
	}
	q := h.asked[0]
	if q.Event != hook.BeforeCall || q.Tool != "demo.send" || q.Session != "s1" || q.Workspace != "/w" || q.Caller != (hook.Caller{Kind: "mcp", Name: "claude-code"}) ||
		string(q.Arguments) != sendAll || q.Decision.Verdict != tool.VerdictAllow || q.Call != o.InvocationID {
		t.Errorf("%+v", q)
	}
}

func TestWhatIsNoAnswerDeniesTheCall(t *testing.T) {
	for _, answer := range []string{``, `garbage`, `{"decision":"allow"}`, `{"arguments":{"text":1}}`, `{"arguments":{"other":"x"}}`, "hangs", "error"} {
		t.Run(answer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var r recorder
				h, next := before(answer), before(`{}`)
				if answer == "error" {
					h.err = errors.New("it ended with code 1")
				}
				b := guarded(t, &r, tool.EffectNone, h, next)
				start := time.Now()
				o := b.call(t.Context(), "demo.send", sendAll)
				want(t, o, tool.StatusDenied, tool.CodePolicyHookFailed)
				if took := time.Since(start); took > hook.Limit {
					t.Errorf("it took %v", took)
				}
				if len(r.all()) > 0 || len(next.asked) > 0 {
					t.Errorf("%v ran, and the next hook was asked %d times", r.all(), len(next.asked))
				}
				if why := linksOf(o, tool.LayerHook); len(why) != 1 || !strings.HasPrefix(why[0], `deny: Hook "guard" gave no answer`) {
					t.Errorf("%q", why)
				}
				if strings.Contains(text(o), "guard") || strings.Contains(o.Message, "guard") {
					t.Errorf("the caller is told %q", text(o))
				}
			})
		})
	}
}

func TestADeniedCallIsToldInTheFixedSentenceAlone(t *testing.T) {
	var r recorder
	b := guarded(t, &r, tool.EffectNone, before(`{"decision":"deny","reason":"not on Fridays"}`))
	o := b.call(t.Context(), "demo.send", sendAll)
	want(t, o, tool.StatusDenied, tool.CodePolicyHookDenied)
	if strings.Contains(text(o)+o.Message, "Friday") || len(r.all()) > 0 {
		t.Errorf("the caller is told %q", text(o)+o.Message)
	}
	if d := cmp.Diff([]string{`deny: Hook "guard" denies it. It says: not on Fridays`}, linksOf(o, tool.LayerHook)); d != "" {
		t.Error(d)
	}
}

func TestAHookRaisesAQuestionThatNoPresetAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		h := before(`{"decision":"ask","reason":"look at this"}`)
		b := guarded(t, &r, tool.EffectNone, h)
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		done := dispatch(t.Context(), b, "demo.send", sendAll)
		q := b.waiting(t)
		if len(q.Offers) > 0 || len(r.all()) > 0 {
			t.Errorf("a grant is offered: %+v", q.Offers)
		}
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{sendAll}, h.arguments()); d != "" {
			t.Errorf("it was asked more than once: %s", d)
		}
	})
}

func TestARewriteIsAskedAboutAndTheNextHookSeesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		first, second := before(`{"arguments":`+sendAda+`}`), before(`{}`)
		b := guarded(t, &r, tool.EffectNone, first, second)
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		done := dispatch(t.Context(), b, "demo.send", sendAll)
		q, err := b.desk.Get(t.Context(), b.waiting(t).ID)
		if err != nil {
			t.Fatal(err)
		}
		if string(q.Canonical) != sendAda || q.Changed == nil || cmp.Diff([]tool.Layer{tool.LayerHook}, q.Changed.By) != "" {
			t.Errorf("the card shows %s, %+v", q.Canonical, q.Changed)
		}
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{sendAda}, r.all()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{sendAda}, second.arguments()); d != "" {
			t.Error(d)
		}
		if !strings.Contains(text(o), "A hook of the user's changed the arguments") {
			t.Errorf("the caller is told %q", text(o))
		}
	})
}

func TestWhatThePersonWritesIsShownToTheHooksToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		h := before(`{"decision":"ask"}`, `{"decision":"deny"}`, `{}`)
		b := guarded(t, &r, tool.EffectNone, h)
		done := dispatch(t.Context(), b, "demo.send", sendAll)
		q := b.waiting(t)
		if got := b.change(t, q, sendAda); got.Outcome != approval.OutcomeRefused {
			t.Errorf("the change came back as %s", got.Outcome)
		}
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusSucceeded, "")
		if d := cmp.Diff([]string{sendAll, sendAda}, h.arguments()); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{sendAll}, r.all()); d != "" {
			t.Error(d)
		}
	})
}

func TestHooksAreNotAskedAboutWhatIsDeniedAnyway(t *testing.T) {
	var r recorder
	h := before(`{}`)
	b := guarded(t, &r, tool.EffectExternalWrite, h)
	b.set(func(r *session.Rules) { r.ReadOnly = true })
	want(t, b.call(t.Context(), "demo.send", sendAll), tool.StatusDenied, tool.CodePolicyReadOnly)
	if len(h.asked) > 0 {
		t.Error("it was asked")
	}
}

func TestExplainAsksNoHookAndSaysSo(t *testing.T) {
	var r recorder
	h := before(`{"decision":"deny"}`)
	b := guarded(t, &r, tool.EffectNone, h)
	e := b.Explain(t.Context(), b.context, tool.Call{ID: "1", Name: "demo.send", Arguments: []byte(sendAll)})
	if e.Decision == nil || e.Decision.Verdict != tool.VerdictAllow || len(h.asked) > 0 {
		t.Fatalf("%+v, asked %d times", e.Decision, len(h.asked))
	}
	if why := linksOf(tool.Outcome{Decision: e.Decision}, tool.LayerHook); len(why) != 1 || !strings.Contains(why[0], "It was not asked now") {
		t.Errorf("%q", why)
	}
}

func TestACallThatIsCancelledWhileAHookLooksIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := guarded(t, &r, tool.EffectNone, before("hangs"))
		ctx, cancel := context.WithCancel(t.Context())
		done := dispatch(ctx, b, "demo.send", sendAll)
		cancel()
		want(t, <-done, tool.StatusCancelled, tool.CodeCancelled)
	})
}

// The effect is done when a result is looked at, so how the call ended stays true.
func TestAResultIsWithheldAndTheCallStaysDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for answer, told := range map[string]string{
			`{}`:               "recorded",
			`{"text":"other"}`: "A hook of the user's changed this result.\nother",
			`{"decision":"withhold","reason":"a key"}`: "The call was done, and a hook of the user's withheld its result. Do not repeat the call to see it; ask the user.",
			`garbage`: "The call was done, and a hook of the user's withheld its result. Do not repeat the call to see it; ask the user.",
			`hangs`:   "The call was done, and a hook of the user's withheld its result. Do not repeat the call to see it; ask the user.",
		} {
			var r recorder
			h := before(answer)
			b := newHookedBed(t, func() registry.Hooks { return registry.Hooks{AfterResult: []registry.Hook{h.hook()}} },
				r.spec(func(s *tool.Spec) { s.Class.SideEffect, s.Target = tool.EffectNone, nil }))
			o := b.call(t.Context(), "demo.send", sendAll)
			want(t, o, tool.StatusSucceeded, "")
			if d := cmp.Diff(told, text(o)); d != "" || len(r.all()) != 1 {
				t.Errorf("%s: %s", answer, d)
			}
			if (answer == `{}`) != (len(linksOf(o, tool.LayerHook)) == 0) || o.Decision.Verdict != tool.VerdictAllow {
				t.Errorf("%s: %+v", answer, o.Decision)
			}
			if q := h.asked[0]; q.Event != hook.AfterResult || q.Result == nil || q.Result.Text != "recorded" || q.Result.Failed {
				t.Errorf("%+v", q)
			}
			stored, _ := b.journal.Invocation(o.InvocationID)
			if answer != `{}` && strings.Contains(text(tool.Outcome{Content: stored.Content}), "recorded") {
				t.Errorf("%s: what was withheld is stored", answer)
			}
		}
	})
}

func TestWhatAFailedToolSaysIsLookedAtToo(t *testing.T) {
	var r recorder
	h := before(`{"decision":"withhold"}`)
	b := newHookedBed(t, func() registry.Hooks { return registry.Hooks{AfterResult: []registry.Hook{h.hook()}} },
		r.spec(func(s *tool.Spec) {
			s.Class.SideEffect, s.Target = tool.EffectNone, nil
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
				return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "x").WithText("a secret")
			}
		}))
	o := b.call(t.Context(), "demo.send", sendAll)
	want(t, o, tool.StatusFailed, tool.CodeExecutionFailed)
	if strings.Contains(text(o), "secret") || len(h.asked) != 1 || !h.asked[0].Result.Failed {
		t.Errorf("%q, %+v", text(o), h.asked)
	}
}
