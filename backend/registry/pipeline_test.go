package registry_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: VS-4, VS-11d, KH-11
func TestStepsRunInOrderOnce(t *testing.T) {
	b := newBed(t, spec("math.test"))
	o := b.call(t.Context(), "math_test", `{"text":"a"}`)
	want(t, o, tool.StatusSucceeded, "")
	if !slices.Equal(b.steps, registry.Steps()) {
		t.Errorf("got %v", b.steps)
	}
	if got, want := b.journal.Calls(), []string{"Propose", "Authorize", "Claim", "Finish"}; !slices.Equal(got, want) {
		t.Errorf("journal: got %v, want %v", got, want)
	}
}

// spec: VS-4, RL-7, VS-13, VS-24
func TestEachRefusalComesFromItsStepAndStopsThere(t *testing.T) {
	needs := spec("system.guarded", func(s *tool.Spec) { s.Class.Scopes = []string{"secret.read"} })
	runs := 0
	for _, c := range []struct {
		name, tool, arguments string
		status                tool.Status
		code                  tool.Code
		last                  int
	}{
		{"unknown name", "math_tes", `{}`, tool.StatusDenied, tool.CodeNotFound, 0},
		{"a set that is off", "workspace_off", `{}`, tool.StatusDenied, tool.CodeNotEnabled, 1},
		{"a scope that is not held", "system.guarded", `{}`, tool.StatusDenied, tool.CodePolicyScopeMissing, 2},
		{"arguments", "math.test", `{"text":5}`, tool.StatusFailed, tool.CodeArgumentsInvalid, 3},
		{"duplicate keys", "math.test", `{"text":"a","text":"b"}`, tool.StatusFailed, tool.CodeArgumentsInvalid, 3},
		{"10 MB", "math.test", `{"text":"` + strings.Repeat("a", 10<<20) + `"}`, tool.StatusFailed, tool.CodeArgumentsInvalid, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBed(t, spec("math.test"), spec("workspace.off", func(s *tool.Spec) { s.Set = "workspace" }), needs, external(&runs))
			o := b.call(t.Context(), c.tool, c.arguments)
			want(t, o, c.status, c.code)
			if len(b.steps) != c.last {
				t.Errorf("steps done: %v, want %d", b.steps, c.last)
			}
			if o.Decision != nil || !o.IsError {
				t.Errorf("got decision %v, is_error %v", o.Decision, o.IsError)
			}
			stored, _ := b.journal.Invocation(o.InvocationID)
			if stored.ReasonCode != c.code {
				t.Errorf("stored %q, want %q", stored.ReasonCode, c.code)
			}
		})
	}
}

// spec: VS-2, VB-26, RL-17
func TestRefusalNeverEchoesInput(t *testing.T) {
	secret := "hunter2-Zq8"
	b := newBed(t, spec("math.test"))
	for _, arguments := range []string{
		`{"text":7,"` + secret + `!":1}`, `{"other":"` + secret + `"}`, `{"text":"` + strings.Repeat(secret, 20) + `"}`, `{"text":"` + secret,
		`["` + secret + `"]`, `{"text":"` + secret + `\u0000"}`,
	} {
		o := b.call(t.Context(), "math.test", arguments)
		want(t, o, tool.StatusFailed, tool.CodeArgumentsInvalid)
		text := o.Message
		for _, p := range o.Content {
			text += p.Text.Open()
		}
		if strings.Contains(text, secret) {
			t.Errorf("%q repeats the input", text)
		}
	}
	o := b.call(t.Context(), secret, `{}`)
	for _, p := range o.Content {
		if strings.Contains(p.Text.Open(), secret) || !strings.Contains(p.Text.Open(), "math_test") {
			t.Errorf("unknown tool: got %q", p.Text.Open())
		}
	}
}

// spec: KH-15
func TestInvalidArgumentsGetRepairProse(t *testing.T) {
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Input = []byte(`{"type":"object","properties":{"old_string":{"type":"string"}},"required":["old_string"],"additionalProperties":false}`)
	}))
	o := b.call(t.Context(), "math.test", `{}`)
	want := `Invalid input for tool "math_test": parameter "old_string" is required. Please rewrite the input so it satisfies the expected schema.`
	if len(o.Content) != 1 || o.Content[0].Text.Open() != want {
		t.Errorf("got %v", o.Content[0].Text.Open())
	}
}

func TestAliasIsFoldedBeforeValidationAndHashing(t *testing.T) {
	aliased := spec("math.test", func(s *tool.Spec) { s.Aliases = map[string]string{"words": "text"} })
	b := newBed(t, aliased)
	one := b.call(t.Context(), "math.test", `{"words":"a"}`)
	two := b.call(t.Context(), "math.test", `{"text":"a"}`)
	want(t, one, tool.StatusSucceeded, "")
	first, _ := b.journal.Invocation(one.InvocationID)
	second, _ := b.journal.Invocation(two.InvocationID)
	if first.ArgumentsHash != second.ArgumentsHash {
		t.Error("the same arguments in another spelling have another hash")
	}
	want(t, b.call(t.Context(), "math.test", `{"text":"a","words":"a"}`), tool.StatusFailed, tool.CodeArgumentsInvalid)
}

// spec: VS-21
func TestRulesThatChangeWhileACallWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*session.Rules)
		status tool.Status
		code   tool.Code
		waits  int
	}{
		{"locked", func(r *session.Rules) { r.ReadOnly = true }, tool.StatusDenied, tool.CodePolicyEscalated, 0},
		{"still asked", func(r *session.Rules) { r.Preset = session.PresetFull }, tool.StatusSucceeded, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				b := newBed(t, external(&runs))
				done := make(chan tool.Outcome, 1)
				go func() { done <- b.call(t.Context(), "demo.send", `{}`) }()
				synctest.Wait()
				before := b.waiting(t)
				b.set(c.change)
				b.desk.Reconsider()
				synctest.Wait()
				if all, err := b.desk.Pending(t.Context(), ""); err != nil || len(all) != c.waits {
					t.Fatalf("%d wait (%v), want %d", len(all), err, c.waits)
				}
				if c.waits > 0 {
					q := b.waiting(t)
					if q.ID != before.ID || q.PolicyVersion == before.PolicyVersion || q.Moved == "" {
						t.Errorf("the card was not refreshed: %+v", q)
					}
					b.answer(t, approval.AllowOnce, "")
				}
				want(t, <-done, c.status, c.code)
			})
		})
	}
}

// spec: VS-8
func TestRepeatedDenialsAndLoopsAreEnded(t *testing.T) {
	fails := spec("math.test", func(s *tool.Spec) {
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{}, errors.New("no")
		}
	})
	b := newBed(t, fails)
	for range 5 {
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeExecutionFailed)
	}
	want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusDenied, tool.CodeLoopDetected)
	want(t, b.call(t.Context(), "math.test", `{"text":"b"}`), tool.StatusFailed, tool.CodeExecutionFailed)
	b.context.Memory.Forgive()
	want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeExecutionFailed)

	runs := 0
	d := newBed(t, external(&runs))
	d.context.Asks = false
	for range 3 {
		want(t, d.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeApprovalNoOperator)
	}
	want(t, d.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeRepeatedDenial)
}

// spec: VS-6, VS-11d
func TestEffectMarkDecidesBetweenFailedAndUncertain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		slow := external(&runs, func(s *tool.Spec) {
			s.Run = func(ctx context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
				if err := env.EffectStarts(ctx); err != nil {
					return tool.Result{}, err
				}
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}
		})
		b := newBed(t, slow)
		done := make(chan tool.Outcome, 1)
		go func() { done <- b.call(t.Context(), "demo.send", `{}`) }()
		synctest.Wait()
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusUncertain, tool.CodeUncertain)
		stored, _ := b.journal.Invocation(o.InvocationID)
		if stored.EffectSentAt == nil {
			t.Error("there is no effect mark")
		}
		want(t, b.call(t.Context(), "demo.send", `{}`), tool.StatusDenied, tool.CodeRepeatedDenial)
		b.context.Memory.Forgive()
		o = b.call(t.Context(), "demo.send", `{}`)
		want(t, o, tool.StatusDenied, tool.CodeRepeatedDenial)
		if !strings.Contains(o.Message, "an effect that is not known") {
			t.Errorf("nobody denied it, but it is told %q", o.Message)
		}
	})
}

func TestTimeoutPanicAndStoreFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBed(t, spec("math.test", func(s *tool.Spec) {
			s.Run = func(ctx context.Context, _ tool.Env, _ tool.Args) (tool.Result, error) {
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}
		}), spec("math.panic", func(s *tool.Spec) {
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) { panic("secret") }
		}), spec("math.good"))
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeTimeout)
		want(t, b.call(t.Context(), "math.panic", `{}`), tool.StatusFailed, tool.CodeExecutionFailed)
		for method, code := range map[string]tool.Code{
			"Propose": tool.CodeStorageUnavailable, "Authorize": tool.CodeStorageUnavailable, "Claim": tool.CodeStorageUnavailable,
			"Finish": tool.CodeStorageUnavailable,
		} {
			b.journal.Fail(method, errors.New("disk full"))
			o := b.call(t.Context(), "math.good", `{"text":"`+method+`"}`)
			want(t, o, tool.StatusUnavailable, code)
			if len(o.Content) != 0 {
				t.Errorf("%s: something was shown that was not stored", method)
			}
			b.journal.Fail(method, nil)
		}
		b.journal.Fail("Authorize", registry.ErrDuplicate)
		want(t, b.call(t.Context(), "math.good", `{}`), tool.StatusDenied, tool.CodeDuplicateCall)
	})
}

func TestCancelledBeforeItStartsIsRecordedAsCancelled(t *testing.T) {
	b := newBed(t, spec("math.test"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := b.call(ctx, "math.test", `{}`)
	want(t, o, tool.StatusCancelled, tool.CodeCancelled)
	if len(o.Content) != 1 || o.Content[0].Text.Open() != "[Tool execution cancelled by user]" {
		t.Errorf("got %+v", o.Content)
	}
	if stored, _ := b.journal.Invocation(o.InvocationID); stored.State != session.StateCancelled {
		t.Errorf("stored as %s", stored.State)
	}
}

// spec: VS-1, VB-25
func TestResultIsHeldAgainstItsDeclaration(t *testing.T) {
	out := func(structured string, trust tool.Trust) tool.Spec {
		return spec("math.test", func(s *tool.Spec) {
			s.Output = []byte(openObject)
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
				return tool.Result{Content: []tool.Part{tool.TextPart("ok")}, Structured: []byte(structured), Trust: trust}, nil
			}
		})
	}
	for _, c := range []struct {
		structured string
		trust      tool.Trust
		status     tool.Status
		want       tool.Trust
	}{
		{`{"text":"a"}`, "", tool.StatusSucceeded, tool.TrustInternalTool},
		{`{"text":"a"}`, tool.TrustExternalUntrusted, tool.StatusSucceeded, tool.TrustExternalUntrusted},
		{`{"text":"a"}`, tool.TrustPlatform, tool.StatusSucceeded, tool.TrustInternalTool},
		{`{"text":1}`, "", tool.StatusFailed, tool.TrustInternalTool},
		{`{"more":1}`, "", tool.StatusFailed, tool.TrustInternalTool},
		{``, "", tool.StatusFailed, tool.TrustInternalTool},
	} {
		b := newBed(t, out(c.structured, c.trust))
		o := b.call(t.Context(), "math.test", `{}`)
		if o.Status != c.status || o.OutputTrust != c.want {
			t.Errorf("%s %s: got %s %s %s", c.structured, c.trust, o.Status, o.ReasonCode, o.OutputTrust)
		}
	}
}

// spec: KH-19, VS-7, RL-13
func TestLongResultIsCutAndTooMuchIsWithheld(t *testing.T) {
	long := func(n int, max int64) tool.Spec {
		return spec("math.test", func(s *tool.Spec) {
			s.Class.MaxBytes = max
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
				return tool.Result{Content: []tool.Part{tool.TextPart(strings.Repeat("a line\n", n))}}, nil
			}
		})
	}
	b := newBed(t, long(20000, 1<<20))
	o := b.call(t.Context(), "math.test", `{}`)
	want(t, o, tool.StatusSucceeded, "")
	if n := o.Content[0].Text.Len(); n > 64<<10 || o.Metadata.Truncation == nil {
		t.Errorf("%d bytes, %v", n, o.Metadata.Truncation)
	}
	b = newBed(t, long(1000, 1000))
	want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeOutputTooLarge)
}

func TestSessionCannotFillTheInboxWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan tool.Outcome, approval.MaxWaiting)
		for i := range approval.MaxWaiting {
			go func() { done <- b.call(ctx, "demo.send", `{"text":"`+strconv.Itoa(i)+`"}`) }()
		}
		synctest.Wait()
		want(t, b.call(ctx, "demo.send", `{"text":"more"}`), tool.StatusDenied, tool.CodeApprovalTooMany)
		cancel()
		for range approval.MaxWaiting {
			<-done
		}
		if runs != 0 {
			t.Errorf("%d runs", runs)
		}
	})
}
