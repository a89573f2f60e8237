package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// elsewhereCases need a tool that is not there yet: run_command, or one that reaches addresses.
var elsewhereCases = map[string]bool{"exec-311": true, "exec-335": true, "exec-336": true, "exec-339": true, "exec-342": true}

var dispatchCases = map[string]func(*testing.T){
	"exec-316": func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		done := dispatch(t.Context(), b, "demo.send", `{}`)
		b.answer(t, approval.Deny, "")
		want(t, <-done, tool.StatusDenied, tool.CodeApprovalUserRejected)
		if all, err := b.desk.Pending(t.Context(), ""); err != nil || len(all) != 0 || runs != 0 {
			t.Errorf("%d cards, %d runs, %v", len(all), runs, err)
		}
	},
	"exec-321": func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		o := b.call(ctx, "demo.send", `{}`)
		want(t, o, tool.StatusCancelled, tool.CodeCancelled)
		stored, there := b.journal.Invocation(o.InvocationID)
		if !there || stored.State != session.StateCancelled || stored.CallID != "1" || runs != 0 {
			t.Errorf("%+v, %d runs", stored, runs)
		}
	},
	"exec-324": func(t *testing.T) {
		runs := 0
		b := newBed(t, external(&runs, func(s *tool.Spec) {
			s.Input = []byte(`{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}`)
		}))
		want(t, b.call(t.Context(), "demo.send", `{"path":5}`), tool.StatusFailed, tool.CodeArgumentsInvalid)
		if all, err := b.desk.Pending(t.Context(), ""); err != nil || len(all) != 0 || runs != 0 {
			t.Errorf("%d cards, %d runs, %v", len(all), runs, err)
		}
	},
	"exec-326": func(t *testing.T) {
		var read []string
		b := newBed(t, reader(&read))
		o := b.call(t.Context(), "workspace.look", `{}`)
		want(t, o, tool.StatusUnavailable, tool.CodeUnavailable)
		if len(o.Content) != 1 || !strings.Contains(o.Content[0].Text.Open(), "access to files") {
			t.Errorf("%+v", o.Content)
		}
	},
	"exec-329": func(t *testing.T) {
		fails := true
		b := newBed(t, spec("math.test", func(s *tool.Spec) {
			s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
				if fails {
					return tool.Result{}, errors.New("not now")
				}
				return tool.Result{Content: []tool.Part{tool.TextPart("read")}}, nil
			}
		}))
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusFailed, tool.CodeExecutionFailed)
		fails = false
		want(t, b.call(t.Context(), "math.test", `{}`), tool.StatusSucceeded, "")
	},
	"exec-332": func(t *testing.T) {
		for cut := range 8 {
			text := strings.Repeat("a", 4096-cut) + "😀" + strings.Repeat("b", 4096)
			b := newBed(t, spec("math.test", func(s *tool.Spec) {
				s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
					return tool.Result{Content: []tool.Part{tool.TextPart(text)}}, nil
				}
			}))
			o := b.call(t.Context(), "math.test", `{}`)
			for _, p := range o.Content {
				if s := p.Text.Open(); !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError) {
					t.Errorf("cut %d: half a character is left", cut)
				}
			}
		}
	},
	"exec-333": func(t *testing.T) {
		for _, structured := range []string{`{"text":`, `[cyclic]`, "\xff"} {
			b := newBed(t, spec("math.test", func(s *tool.Spec) {
				s.Output = []byte(openObject)
				s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
					return tool.Result{Content: []tool.Part{tool.TextPart("ok")}, Structured: json.RawMessage(structured)}, nil
				}
			}))
			o := b.call(t.Context(), "math.test", `{}`)
			if o.Status != tool.StatusFailed || o.ReasonCode != tool.CodeOutputInvalid {
				t.Errorf("%q: %s %s", structured, o.Status, o.ReasonCode)
			}
			if _, err := json.Marshal(o); err != nil {
				t.Errorf("%q: %v", structured, err)
			}
		}
	},
}

// spec: VS-4, VS-2, RL-7, RL-34
func TestCasesOfDispatch(t *testing.T) {
	data, err := os.ReadFile("../../tools/testdata/cases/exec.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var c struct{ ID, Area, Title string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Area != "dispatch" || elsewhereCases[c.ID] {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			check, ok := dispatchCases[c.ID]
			if !ok {
				t.Fatalf("nothing shows this case: %s", c.Title)
			}
			synctest.Test(t, check)
		})
	}
	if n != len(dispatchCases) {
		t.Errorf("%d cases are shown, %d there", len(dispatchCases), n)
	}
}
