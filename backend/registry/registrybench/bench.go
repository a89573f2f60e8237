// Package registrybench measures what the pipeline itself costs. Only the bench command
// imports it.
package registrybench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Figures are the cost of one dispatched call.
type Figures struct {
	PerCall time.Duration
	Allocs  int64
	Bytes   int64
}

// silent is a journal that keeps nothing, so that only the pipeline is measured.
type silent struct{}

func (silent) Propose(context.Context, session.Invocation) error             { return nil }
func (silent) Authorize(context.Context, session.Invocation) error           { return nil }
func (silent) Claim(context.Context, string, time.Time) (bool, error)        { return true, nil }
func (silent) MarkEffect(context.Context, string, time.Time) error           { return nil }
func (silent) Stamps(context.Context, string) (map[string]tool.Stamp, error) { return nil, nil }
func (silent) Finish(context.Context, session.Invocation, []tool.FileRecord, []session.Output) error {
	return nil
}

type counter struct{ n int }

func (c *counter) NewID() string {
	c.n++
	return strconv.Itoa(c.n)
}

type still struct{}

func (still) Now() time.Time { return time.Unix(1784984591, 0).UTC() }

// Dispatch measures one call of a tool that does nothing, from its JSON text to its
// outcome, without a store.
func Dispatch() (Figures, error) {
	r, err := registry.New(registry.Options{
		Specs: []tool.Spec{idle()}, Journal: silent{}, Clock: still{}, IDs: &counter{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		return Figures{}, err
	}
	s := &registry.Context{
		SessionID: "session", Workspace: "/w", TrustRoot: "/w", UserHome: "/home/u", OwnHome: "/home/u/.countersign",
		Rules: func() session.Rules {
			return session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop}
		},
		Trusted: func(context.Context) bool { return true },
		Memory:  registry.NewMemory(nil),
	}
	call := tool.Call{ID: "1", Name: "math_idle", Arguments: []byte(`{"expression": "17 * 23"}`)}
	var failed error
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if o := r.Dispatch(b.Context(), s, call); o.Status != tool.StatusSucceeded {
				failed = fmt.Errorf("the call ended as %s %s", o.Status, o.ReasonCode)
				b.FailNow()
			}
		}
	})
	if failed == nil && result.N == 0 {
		failed = errors.New("nothing was measured")
	}
	return Figures{
		PerCall: time.Duration(result.NsPerOp()), Allocs: result.AllocsPerOp(), Bytes: result.AllocedBytesPerOp(),
	}, failed
}

func idle() tool.Spec {
	answer := []tool.Part{tool.TextPart("391")}
	structured := []byte(`{"result":"391"}`)
	return tool.Spec{
		ID: "math.idle", Version: "1.0.0", Source: tool.SourceBuiltin, Set: "exact", Description: "Does nothing.",
		Input: []byte(`{"type":"object","properties":{"expression":{"type":"string","maxLength":1024}},"required":["expression"],
			"additionalProperties":false}`),
		Output: []byte(`{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"additionalProperties":false}`),
		Class: tool.Class{
			SideEffect: tool.EffectNone, Risk: tool.RiskLow, Idempotency: tool.IdempotencyReadOnly, Action: tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool, Target: tool.TargetInProcess, Timeout: 2 * time.Second,
			OnTimeout: tool.TimeoutKill, MaxBytes: 4096, Parallel: true,
		},
		Catalogs: []tool.Catalog{tool.CatalogPlan, tool.CatalogWork}, Preview: tool.PreviewArguments,
		Run: func(context.Context, tool.Env, tool.Args) (tool.Result, error) {
			content := []tool.Part{answer[0]}
			return tool.Result{Content: content, Structured: structured}, nil
		},
	}
}
