package registry_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/approval"
	"countersign/backend/registry"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: RL-34
func TestCallThatWasCancelledBeforeItRunsNeverEnters(t *testing.T) {
	ran := false
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			ran = true
			return tool.Result{}, nil
		}
	}))
	ctx, cancel := context.WithCancel(t.Context())
	b.journal.Observe(func(method string) {
		if method == "Claim" {
			cancel()
		}
	})
	want(t, b.call(ctx, "math.test", `{}`), tool.StatusCancelled, tool.CodeCancelled)
	if ran {
		t.Error("it ran")
	}
}

// marking is a tool that is not idempotent and ends in some way after the effect mark.
func marking(end func(context.Context) error) tool.Spec {
	runs := 0
	return external(&runs, func(s *tool.Spec) {
		s.Run = func(ctx context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
			if err := env.EffectStarts(ctx); err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Content: []tool.Part{tool.TextPart("done")}, Structured: []byte(`{}`)}, end(ctx)
		}
	})
}

// spec: VS-6, RL-16
func TestEndAfterTheEffectMark(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    func() error
		status tool.Status
		code   tool.Code
	}{
		{"a failure that the tool knows", func() error { return tool.Errorf(tool.CodeUnavailable, "refused") }, tool.StatusUnavailable, tool.CodeUnavailable},
		{"a failure that nobody knows", func() error { return errors.New("broken pipe") }, tool.StatusUncertain, tool.CodeUncertain},
		{"a panic", func() error { panic("no") }, tool.StatusUncertain, tool.CodeUncertain},
		{"a result that may not be shown", func() error { return nil }, tool.StatusFailed, tool.CodeOutputInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBed(t, marking(func(context.Context) error { return c.end() }))
				done := dispatch(t.Context(), b, "demo.send", `{}`)
				b.answer(t, approval.AllowOnce, "")
				want(t, <-done, c.status, c.code)
			})
		})
	}
}

// A call that did its work is not called cancelled because its caller left afterwards.
func TestCancellationAfterTheWorkDoesNotHideIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := newBed(t, marking(func(context.Context) error { cancel(); return nil }))
		done := dispatch(ctx, b, "demo.send", `{}`)
		b.answer(t, approval.AllowOnce, "")
		want(t, <-done, tool.StatusFailed, tool.CodeOutputInvalid)
	})
}

// A tool that ended all that it had begun says so by its code, and where the output is.
//
// spec: KH-16
func TestACancelledCallSaysWhereItsOutputIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := newBed(t, marking(func(ctx context.Context) error {
			cancel()
			return tool.Errorf(tool.CodeCancelled, "ended").WithText("Output so far: /o/x.txt")
		}))
		done := dispatch(ctx, b, "demo.send", `{}`)
		b.answer(t, approval.AllowOnce, "")
		o := <-done
		want(t, o, tool.StatusCancelled, tool.CodeCancelled)
		if len(o.Content) != 1 || o.Content[0].Text.Open() != "[Tool execution cancelled by user]\nOutput so far: /o/x.txt" || !o.IsError {
			t.Errorf("%+v", o)
		}
	})
}

// spec: KH-14, RL-17
func TestPanicOfAToolEndsItsCallAlone(t *testing.T) {
	const secret = "hunter2-Zq8"
	for name, change := range map[string]func(*tool.Spec){
		"run": func(s *tool.Spec) {
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) { panic(secret) }
		},
		"effect": func(s *tool.Spec) { s.Effect = func(tool.Args) tool.SideEffect { panic(secret) } },
		"target": func(s *tool.Spec) {
			s.Target = func(tool.Args) (tool.TargetRequest, error) { panic(errors.New(secret)) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			journal := registrytest.NewJournal()
			r, err := registry.New(registry.Options{
				Specs: []tool.Spec{spec("math.test", func(s *tool.Spec) { s.Target = anywhere }, change)}, Journal: journal,
				Clock: fixedClock{}, IDs: ids{}, Log: slog.New(slog.NewTextHandler(&log, nil)),
			})
			if err != nil {
				t.Fatal(err)
			}
			b := newBed(t)
			o := r.Dispatch(t.Context(), b.context, tool.Call{ID: "1", Name: "math.test", Arguments: []byte(`{}`)})
			want(t, o, tool.StatusFailed, tool.CodeExecutionFailed)
			inv, _ := journal.Invocation(o.InvocationID)
			if inv.State != session.StateFailed {
				t.Errorf("stored as %s", inv.State)
			}
			if text := log.String() + inv.Detail; strings.Contains(text, secret) || !strings.Contains(text, "panic") {
				t.Errorf("the log says %q", text)
			}
		})
	}
}

// spec: KH-19, KH-20
func TestBackstopHoldsOverAllPartsAndForFailures(t *testing.T) {
	repeat := func(times int, text string) (out []tool.Part) {
		for range times {
			out = append(out, tool.TextPart(text))
		}
		return out
	}
	parts := func() []tool.Part { return repeat(4, strings.Repeat("a line of text\n", 3000)) }
	fitting := func() []tool.Part { return append(repeat(3, strings.Repeat("x", 21<<10)), parts()...) }
	for name, run := range map[string]func(context.Context, tool.Env, tool.Args) (tool.Result, error){
		"result": func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{Content: parts()}, nil
		},
		"parts that leave no room": func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{Content: fitting()}, nil
		},
		"failure": func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{}, &tool.Error{Code: tool.CodeExecutionFailed, Content: parts()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t, spec("math.test", func(s *tool.Spec) { s.Class.MaxBytes, s.Run = 1<<20, run }))
			o := b.call(t.Context(), "math.test", `{}`)
			total := 0
			for _, p := range o.Content {
				total += p.Text.Len()
			}
			if total == 0 || total > 64<<10 || o.Metadata.Truncation == nil {
				t.Errorf("%d bytes are shown, truncation %v", total, o.Metadata.Truncation)
			}
			if stored, _ := b.journal.Invocation(o.InvocationID); !stored.Truncated {
				t.Error("the record does not say that it was cut")
			}
		})
	}
}

// What a tool says of foreign text in a failure is as foreign as in a result.
func TestFailureCarriesTheLabelOfItsTool(t *testing.T) {
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Class.OutputTrust = tool.TrustExternalUntrusted
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{}, tool.Errorf(tool.CodeExecutionFailed, "no").WithText("a page from somewhere")
		}
	}))
	if o := b.call(t.Context(), "math.test", `{}`); o.OutputTrust != tool.TrustExternalUntrusted {
		t.Errorf("labelled %s", o.OutputTrust)
	}
	if got := b.context.Memory.Origin(); got != tool.TrustExternalUntrusted {
		t.Errorf("the session counts as %s", got)
	}
	before := newBed(t, spec("math.test"))
	if o := before.call(t.Context(), "math.test", `{"more":1}`); o.OutputTrust != tool.TrustInternalTool {
		t.Errorf("a refusal of ours is labelled %s", o.OutputTrust)
	}
}

// A file that was changed is told of, whatever becomes of the result.
func TestChangedFileIsRecordedThoughTheResultIsWithheld(t *testing.T) {
	stamp := tool.Stamp{Path: "/w/a", SHA256: "x"}
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			return tool.Result{Structured: []byte(`{}`), Files: []tool.FileRecord{{Op: tool.FileModified, Stamp: stamp}}}, nil
		}
	}))
	want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeOutputInvalid)
	if got, ok := b.context.Memory.Get("/w/a"); !ok || got != stamp {
		t.Errorf("remembered %+v", got)
	}
	stamps, err := b.journal.Stamps(t.Context(), "s1")
	if err != nil || stamps["/w/a"].SHA256 != "x" {
		t.Errorf("stored %+v, %v", stamps, err)
	}
}

// spec: KH-21
func TestWhatACallWritesIsKnownBeforeItEnds(t *testing.T) {
	stamp := tool.Stamp{Path: "/w/a", SHA256: "x"}
	var b *bed
	b = newBed(t, spec("math.test", func(s *tool.Spec) {
		s.Run = func(_ context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
			env.Stamps.Put(stamp)
			if got, ok := b.context.Memory.Get("/w/a"); !ok || got != stamp {
				t.Errorf("remembered %+v", got)
			}
			return tool.Result{Structured: []byte(`{"n":1}`)}, nil
		}
	}))
	b.call(t.Context(), "math.test", `{}`)
	if _, ok := b.context.Memory.Get("/w/a"); !ok {
		t.Error("forgotten")
	}
}

func TestNameOfAnUnknownToolIsNotRepeatedAtLength(t *testing.T) {
	b := newBed(t)
	o := b.call(t.Context(), strings.Repeat("ä", 1<<20), `{}`)
	if len(o.Action) > 256 || !strings.HasPrefix(strings.Repeat("ä", 200), o.Action) {
		t.Errorf("%d bytes", len(o.Action))
	}
}
