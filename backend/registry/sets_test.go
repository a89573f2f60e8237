package registry_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// shelf holds what is loaded of the tool sets of a workspace.
type shelf struct {
	mu     sync.Mutex
	now    *registry.SetCatalog
	loaded chan struct{}
}

func newShelf() *shelf { return &shelf{loaded: make(chan struct{})} }

func (s *shelf) Now() *registry.SetCatalog {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *shelf) Loaded(ctx context.Context) (*registry.SetCatalog, error) {
	s.mu.Lock()
	loaded := s.loaded
	s.mu.Unlock()
	select {
	case <-loaded:
		return s.Now(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// forget has the sets looked at anew, as when a workspace comes to be trusted.
func (s *shelf) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now, s.loaded = nil, make(chan struct{})
}

// load puts the tools of sets onto the shelf and returns what was left out.
func (s *shelf) load(t *testing.T, b *bed, specs ...tool.Spec) []registry.LeftOut {
	t.Helper()
	next, left := b.Compile(specs)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		close(s.loaded)
	}
	s.now = next
	return left
}

// made is what a set is made of, which a test changes.
type made struct {
	mu      sync.Mutex
	changed bool
}

func (m *made) change(to bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changed = to
}

func (m *made) intact(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changed {
		return tool.Errorf(tool.CodePolicySetChanged, "it changed")
	}
	return nil
}

// setTool is a tool of the set "mine" of the home that says its version.
func setTool(name, fingerprint string, change ...func(*tool.Spec)) tool.Spec {
	return spec(name, append([]func(*tool.Spec){func(s *tool.Spec) {
		s.Source, s.Set, s.Origin, s.Fingerprint = tool.SourceSet, "mine", "home", fingerprint
		s.Intact = func(context.Context) error { return nil }
		s.Class.SideEffect, s.Class.Target, s.Class.Risk = tool.EffectCodeExecution, tool.TargetHost, tool.RiskMedium
		s.Class.Idempotency, s.Class.OutputTrust = tool.IdempotencyNone, tool.TrustExternalUntrusted
		s.Target = anywhere
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{Content: []tool.Part{tool.TextPart("ran " + fingerprint)}}, nil
		}
	}}, change...)...)
}

// newSetBed is a bed with a shelf.
func newSetBed(t *testing.T, builtin ...tool.Spec) (*bed, *shelf) {
	t.Helper()
	b, s := newBed(t, builtin...), newShelf()
	b.context.Sets = s
	return b, s
}

func textOf(o tool.Outcome) string {
	text := ""
	for _, p := range o.Content {
		text += p.Text.Open()
	}
	return text
}

// spec: CT-18
func TestASetToolThatCannotBeRegisteredIsLeftOutAlone(t *testing.T) {
	b, s := newSetBed(t, spec("math.test"))
	for name, bad := range map[string]tool.Spec{
		"a built-in name":         setTool("math_test", "1"),
		"a built-in id":           setTool("math.test", "1"),
		"no code":                 setTool("x", "1", func(s *tool.Spec) { s.Run = nil }),
		"a milder class":          setTool("x", "1", func(s *tool.Spec) { s.Class.SideEffect = tool.EffectWorkspaceRead }),
		"a class by the call":     setTool("x", "1", func(s *tool.Spec) { s.Effect = func(tool.Args) tool.SideEffect { return tool.EffectNone } }),
		"another place":           setTool("x", "1", func(s *tool.Spec) { s.Class.Target = tool.TargetInProcess }),
		"trusted output":          setTool("x", "1", func(s *tool.Spec) { s.Class.OutputTrust = tool.TrustInternalTool }),
		"no origin":               setTool("x", "1", func(s *tool.Spec) { s.Origin = "" }),
		"no fingerprint":          setTool("x", ""),
		"nobody who looks":        setTool("x", "1", func(s *tool.Spec) { s.Intact = nil }),
		"not of a set":            setTool("x", "1", func(s *tool.Spec) { s.Source = tool.SourceBuiltin }),
		"a schema that is broken": setTool("x", "1", func(s *tool.Spec) { s.Input = []byte(`{"type":1}`) }),
		"a code of its own": setTool("x", "1", func(s *tool.Spec) {
			s.Reasons = []tool.Reason{{Code: "tool.x.y", Status: tool.StatusFailed, Sentence: "No."}}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			fresh := newShelf()
			left := fresh.load(t, b, setTool("good", "1"), bad, setTool("better", "1"))
			if len(left) != 1 || left[0].Set != bad.Set || left[0].Cause == nil {
				t.Errorf("left out: %+v", left)
			}
			if got := len(fresh.Now().Specs()); got != 2 {
				t.Errorf("%d tools", got)
			}
		})
	}
	left := s.load(t, b, setTool("deploy", "first"), setTool("deploy", "second", func(s *tool.Spec) { s.Set = "other" }))
	if got, _ := s.Now().Lookup("deploy"); len(left) != 1 || left[0].Set != "other" || got.Fingerprint != "first" {
		t.Errorf("of two sets with one name %+v is left out", left)
	}
}

// spec: CT-12, CT-28
func TestANameThatIsNotBuiltInWaitsForTheFirstLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newSetBed(t, spec("math.test"))
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusSucceeded, "")
		if n := len(b.Advertised(b.rules, s.Now())); n != 1 {
			t.Errorf("%d tools are offered while the sets load", n)
		}
		ctx, cancel := context.WithCancel(t.Context())
		given := dispatch(ctx, b, "deploy", `{}`)
		cancel()
		want(t, <-given, tool.StatusCancelled, tool.CodeCancelled)
		done, unknown := dispatch(t.Context(), b, "deploy", `{}`), dispatch(t.Context(), b, "depoly", `{}`)
		s.load(t, b, setTool("deploy", "1"))
		o := <-done
		want(t, o, tool.StatusSucceeded, "")
		if o.OutputTrust != tool.TrustExternalUntrusted || o.Action != "deploy" {
			t.Errorf("got %+v", o)
		}
		o = <-unknown
		want(t, o, tool.StatusDenied, tool.CodeNotFound)
		if text := textOf(o); !strings.Contains(text, "math_test, deploy") {
			t.Errorf("offered: %s", text)
		}
	})
}

func TestARunningCallKeepsTheDefinitionThatItBeganWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newSetBed(t)
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		running, going := make(chan struct{}), make(chan struct{})
		s.load(t, b, setTool("deploy", "old", func(s *tool.Spec) {
			run := s.Run
			s.Run = func(ctx context.Context, env tool.Env, a tool.Args) (tool.Result, error) {
				close(running)
				<-going
				return run(ctx, env, a)
			}
		}))
		first := dispatch(t.Context(), b, "deploy", `{}`)
		<-running
		s.load(t, b, setTool("deploy", "new"))
		close(going)
		if o := <-first; textOf(o) != "ran old" {
			t.Errorf("the running call: %s %s", o.Status, textOf(o))
		}
		b.context.Memory = registry.NewMemory(nil)
		if o := b.call(t.Context(), "deploy", `{}`); textOf(o) != "ran new" {
			t.Errorf("the next call: %s %s", o.Status, textOf(o))
		}
	})
}

func TestACallThatWaitsFollowsItsSet(t *testing.T) {
	again := func(changed bool, fingerprint string, more ...func(*tool.Spec)) func(*testing.T, *bed, *shelf, *made) {
		return func(t *testing.T, b *bed, s *shelf, m *made) {
			t.Helper()
			m.change(changed)
			s.load(t, b, setTool("deploy", fingerprint, more...))
		}
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, *bed, *shelf, *made)
		// asked says how often a person is asked, and ran what ran then.
		asked int
		ran   string
		code  tool.Code
	}{
		{"loaded again as it was", again(false, "old"), 1, "ran old", ""},
		{"changed, and accepted", again(true, "new"), 2, "ran new", ""},
		{"changed, and not accepted", again(true, "new", func(s *tool.Spec) { s.Intact = (&made{changed: true}).intact }), 1, "", tool.CodePolicySetChanged},
		{"changed on disk", func(_ *testing.T, _ *bed, _ *shelf, m *made) { m.change(true) }, 1, "", tool.CodePolicySetChanged},
		{"gone", func(t *testing.T, b *bed, s *shelf, _ *made) { s.load(t, b) }, 1, "", tool.CodeNotEnabled},
		{"another set of the name", again(false, "old", func(s *tool.Spec) { s.Origin = "project" }), 1, "", tool.CodeNotEnabled},
		{"other arguments wanted", again(true, "new", func(s *tool.Spec) {
			s.Input = []byte(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`)
		}), 1, "", tool.CodeArgumentsInvalid},
	} {
		for _, rejudged := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b, s := newSetBed(t)
					m := &made{}
					s.load(t, b, setTool("deploy", "old", func(s *tool.Spec) { s.Intact = m.intact }))
					done := dispatch(t.Context(), b, "deploy", `{}`)
					c.change(t, b, s, m)
					if rejudged {
						b.desk.Judge(b.desk.Watch())
						synctest.Wait()
					}
					asked := 1
					if !rejudged {
						b.answer(t, approval.AllowOnce, "")
						synctest.Wait()
					}
					for range 2 {
						if all, _ := b.desk.Pending(t.Context(), ""); len(all) == 1 {
							if !rejudged || all[0].Moved != "" {
								asked++
							}
							b.answer(t, approval.AllowOnce, "")
							synctest.Wait()
						}
					}
					o := <-done
					if o.ReasonCode != c.code || c.code == "" && textOf(o) != c.ran || asked != c.asked {
						t.Errorf("rejudged %v: %s %q, asked %d times", rejudged, o.ReasonCode, textOf(o), asked)
					}
				})
			})
		}
	}
}

// While the sets of a workspace are looked at anew, a call that waits is not refused: it waits for them.
func TestACallThatWaitsIsJudgedWhenItsSetsAreThereAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newSetBed(t)
		s.load(t, b, setTool("deploy", "old"))
		done := dispatch(t.Context(), b, "deploy", `{}`)
		synctest.Wait()
		s.forget()
		b.desk.Judge(b.desk.Watch())
		synctest.Wait()
		select {
		case o := <-done:
			t.Fatalf("%s %s", o.Status, o.ReasonCode)
		default:
		}
		s.load(t, b, setTool("deploy", "old"))
		synctest.Wait()
		b.answer(t, approval.AllowOnce, "")
		if o := <-done; textOf(o) != "ran old" {
			t.Errorf("%s %s", o.Status, o.ReasonCode)
		}
	})
}

// A set that changes between the answer and the moment in which the call would run stops it there.
func TestTheSetIsLookedAtOnceMoreAtTheClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newSetBed(t)
		b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
		looked, ran := 0, false
		s.load(t, b, setTool("deploy", "1", func(s *tool.Spec) {
			s.Intact = func(context.Context) error {
				if looked++; looked > 1 {
					return errors.New("it cannot be read")
				}
				return nil
			}
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) { ran = true; return tool.Result{}, nil }
		}))
		want(t, b.call(t.Context(), "deploy", `{}`), tool.StatusDenied, tool.CodePolicySetChanged)
		if ran {
			t.Error("it ran")
		}
	})
}

// spec: CT-26, CT-30
func TestWhatASetToolSaysOfACallOnlyRaises(t *testing.T) {
	for name, c := range map[string]struct {
		raise func(context.Context, tool.Args) (tool.Raise, error)
		want  tool.Status
		code  tool.Code
	}{
		"nothing":       {func(context.Context, tool.Args) (tool.Raise, error) { return tool.Raise{}, nil }, tool.StatusSucceeded, ""},
		"a lower risk":  {func(context.Context, tool.Args) (tool.Raise, error) { return tool.Raise{Risk: tool.RiskLow}, nil }, tool.StatusSucceeded, ""},
		"a person":      {func(context.Context, tool.Args) (tool.Raise, error) { return tool.Raise{Person: true}, nil }, tool.StatusDenied, tool.CodeApprovalNoOperator},
		"an error":      {func(context.Context, tool.Args) (tool.Raise, error) { return tool.Raise{}, errors.New("no") }, tool.StatusDenied, tool.CodePolicyUnclassifiable},
		"a panic":       {func(context.Context, tool.Args) (tool.Raise, error) { panic("no") }, tool.StatusDenied, tool.CodePolicyUnclassifiable},
		"no known risk": {func(context.Context, tool.Args) (tool.Raise, error) { return tool.Raise{Risk: "tiny"}, nil }, tool.StatusDenied, tool.CodePolicyUnclassifiable},
		"no end of time": {func(ctx context.Context, _ tool.Args) (tool.Raise, error) {
			<-ctx.Done()
			return tool.Raise{}, ctx.Err()
		}, tool.StatusDenied, tool.CodePolicyUnclassifiable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, s := newSetBed(t)
				b.set(func(r *session.Rules) { r.Preset = session.PresetFull })
				b.context.Asks = false
				s.load(t, b, setTool("deploy", "1", func(s *tool.Spec) { s.Raise = c.raise }))
				want(t, b.call(t.Context(), "deploy", `{}`), c.want, c.code)
			})
		})
	}
}

// A grant for a tool of a set holds until the tool says that a call of it is more than that.
func TestARaisedCallIsAskedForThoughItsToolIsGranted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, s := newSetBed(t)
		raised := tool.Raise{}
		s.load(t, b, setTool("deploy", "1", func(s *tool.Spec) {
			s.Raise = func(context.Context, tool.Args) (tool.Raise, error) { return raised, nil }
		}))
		call := func() <-chan tool.Outcome {
			b.context.Memory = registry.NewMemory(nil)
			return dispatch(t.Context(), b, "deploy", `{}`)
		}
		done := call()
		if verb := b.waiting(t).Verb; verb != "Call deploy from mine (home tool set)" {
			t.Errorf("the card says %q", verb)
		}
		b.answer(t, approval.AllowSession, "")
		want(t, <-done, tool.StatusSucceeded, "")
		want(t, <-call(), tool.StatusSucceeded, "")
		for _, raised = range []tool.Raise{{Risk: tool.RiskHigh}, {Person: true}} {
			done = call()
			b.answer(t, approval.Deny, "")
			want(t, <-done, tool.StatusDenied, tool.CodeApprovalUserRejected)
		}
	})
}

// The printed form of a grant for a tool of a set is its name.
func TestAGrantForThisRunNamesASetTool(t *testing.T) {
	for rule, code := range map[string]tool.Code{"deploy": "", "deploy now": tool.CodeApprovalNoOperator, "other": tool.CodeApprovalNoOperator} {
		b, s := newSetBed(t)
		s.load(t, b, setTool("deploy", "1"))
		b.context.Asks, b.context.Allow = false, []string{rule}
		if o := b.call(t.Context(), "deploy", `{}`); o.ReasonCode != code {
			t.Errorf("%q: %s", rule, o.ReasonCode)
		}
	}
}
