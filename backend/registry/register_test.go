package registry_test

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"countersign/backend/registry"
	"countersign/backend/registry/registrytest"
	"countersign/backend/tool"
)

const openObject = `{"type":"object","properties":{"text":{"type":"string","maxLength":64}},"additionalProperties":false}`

// spec returns a complete specification of a tool that changes nothing.
func spec(id string, change ...func(*tool.Spec)) tool.Spec {
	s := tool.Spec{
		ID: id, Version: "1.0.0", Source: tool.SourceBuiltin, Set: "exact", Description: "Says what it was given.",
		Input: []byte(openObject),
		Class: tool.Class{
			SideEffect: tool.EffectNone, Risk: tool.RiskLow, Idempotency: tool.IdempotencyReadOnly, Action: tool.ActionToolCall,
			OutputTrust: tool.TrustInternalTool, Target: tool.TargetInProcess, Timeout: time.Second, OnTimeout: tool.TimeoutKill,
			MaxBytes: 4096, Parallel: true,
		},
		Catalogs: []tool.Catalog{tool.CatalogPlan, tool.CatalogWork}, Preview: tool.PreviewArguments,
		Run: func(_ context.Context, _ tool.Env, a tool.Args) (tool.Result, error) {
			return tool.Result{Content: []tool.Part{tool.TextPart(string(a.Canonical))}}, nil
		},
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

// ids never gives an id again, so that two registries can share a ledger.
type ids struct{}

var lastID atomic.Int64

func (ids) NewID() string { return strconv.FormatInt(lastID.Add(1), 10) }

type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2026, 7, 25, 13, 3, 11, 0, time.UTC) }

func newRegistry(specs ...tool.Spec) (*registry.Registry, error) {
	return registry.New(registry.Options{
		Specs: specs, Journal: registrytest.NewJournal(), Clock: fixedClock{}, IDs: ids{}, Log: slog.New(slog.DiscardHandler),
	})
}

func anywhere(tool.Args) (tool.TargetRequest, error) { return tool.TargetRequest{}, nil }

// spec: VB-25, VB-27, VB-28, VB-35, VS-11d, VS-9, RL-2, RL-18, RL-1
func TestRegistrationRefuses(t *testing.T) {
	set := func(f func(*tool.Spec)) tool.Spec { return spec("math.test", f) }
	reason := func(code tool.Code, sentence string) tool.Spec {
		return set(func(s *tool.Spec) {
			s.Reasons = []tool.Reason{{Code: code, Status: tool.StatusFailed, Sentence: sentence}}
		})
	}
	for _, c := range []struct {
		name  string
		specs []tool.Spec
		want  string
	}{
		{"name grammar", []tool.Spec{spec("Math.Test")}, "form of a tool id"},
		{"name length", []tool.Spec{spec("math." + strings.Repeat("a", 92))}, "form of a tool id"},
		{"wire length", []tool.Spec{spec("math." + strings.Repeat("a", 60))}, "wire name"},
		{"domain mcp", []tool.Spec{spec("mcp.test")}, `domain "mcp" is not for built-in tools`},
		{"domain device", []tool.Spec{spec("device.test")}, `domain "device" is not for built-in tools`},
		{"unknown domain", []tool.Spec{spec("weather.test")}, "not in the table"},
		{"source outside its domain", []tool.Spec{set(func(s *tool.Spec) { s.Source = tool.SourceMCP })}, "domain of its source"},
		{"same id and version", []tool.Spec{spec("math.test"), spec("math.test")}, "registered twice"},
		{"two equal wire names", []tool.Spec{spec("math.test"), spec("system.other", func(s *tool.Spec) { s.Wire = "math_test" })}, `belongs to "math.test"`},
		{"wire name that is another id", []tool.Spec{spec("math.test"), spec("system.other", func(s *tool.Spec) { s.Wire = "read" }), spec("read")}, `belongs to "system.other"`},
		{"version", []tool.Spec{set(func(s *tool.Spec) { s.Version = "1.0" })}, "three numbers"},
		{"input schema", []tool.Spec{set(func(s *tool.Spec) { s.Input = []byte(`{"type":7}`) })}, "does not compile"},
		{"remote reference", []tool.Spec{set(func(s *tool.Spec) { s.Input = []byte(`{"$ref":"https://example.com/x"}`) })}, "does not compile"},
		{"open input", []tool.Spec{set(func(s *tool.Spec) { s.Input = []byte(`{"type":"object"}`) })}, "allows unknown properties"},
		{"open output", []tool.Spec{set(func(s *tool.Spec) { s.Output = []byte(`{"type":"object"}`) })}, "allows unknown properties"},
		{"side effect", []tool.Spec{set(func(s *tool.Spec) { s.Class.SideEffect = "harmless" })}, "side effect is missing"},
		{"risk", []tool.Spec{set(func(s *tool.Spec) { s.Class.Risk = "" })}, "risk is missing"},
		{"idempotency", []tool.Spec{set(func(s *tool.Spec) { s.Class.Idempotency = "" })}, "idempotency is missing"},
		{"action", []tool.Spec{set(func(s *tool.Spec) { s.Class.Action = "" })}, "action is missing"},
		{"output trust", []tool.Spec{set(func(s *tool.Spec) { s.Class.OutputTrust = "" })}, "output trust is missing"},
		{"target kind", []tool.Spec{set(func(s *tool.Spec) { s.Class.Target = "" })}, "target kind is missing"},
		{"timeout", []tool.Spec{set(func(s *tool.Spec) { s.Class.Timeout = 0 })}, "timeout is missing"},
		{"answer to a timeout", []tool.Spec{set(func(s *tool.Spec) { s.Class.OnTimeout = "" })}, "answer to a timeout"},
		{"byte limit", []tool.Spec{set(func(s *tool.Spec) { s.Class.MaxBytes = 0 })}, "byte limit is missing"},
		{"byte ceiling", []tool.Spec{set(func(s *tool.Spec) { s.Class.MaxBytes = tool.MaxBytesCeiling + 1 })}, "over the ceiling"},
		{"preview", []tool.Spec{set(func(s *tool.Spec) { s.Preview = "" })}, "preview kind is missing"},
		{"source", []tool.Spec{set(func(s *tool.Spec) { s.Source = "" })}, "source is missing"},
		{"forced trust by place", []tool.Spec{set(func(s *tool.Spec) { s.Class.Target = tool.TargetSandbox })}, "must be EXTERNAL_UNTRUSTED"},
		{"forced trust by source", []tool.Spec{spec("mcp.files.read", func(s *tool.Spec) { s.Source, s.ServerID = tool.SourceMCP, "files" })}, "must be EXTERNAL_UNTRUSTED"},
		{"write without target", []tool.Spec{set(func(s *tool.Spec) {
			s.Class.SideEffect, s.Class.Idempotency = tool.EffectWorkspaceWrite, tool.IdempotencyIdempotent
			s.Catalogs = []tool.Catalog{tool.CatalogWork}
		})}, "must say what its calls reach"},
		{"egress without target", []tool.Spec{set(func(s *tool.Spec) { s.Class.SideEffect = tool.EffectNetworkRead })}, "must say what its calls reach"},
		{"process without target", []tool.Spec{set(func(s *tool.Spec) {
			s.Class.SideEffect, s.Class.Idempotency = tool.EffectCodeExecution, tool.IdempotencyNone
			s.Catalogs = []tool.Catalog{tool.CatalogWork}
		})}, "must say what its calls reach"},
		{"plan that changes", []tool.Spec{set(func(s *tool.Spec) {
			s.Class.SideEffect, s.Class.Idempotency, s.Target = tool.EffectWorkspaceWrite, tool.IdempotencyIdempotent, anywhere
		})}, "cannot be in the catalog plan"},
		{"read-only to repeat", []tool.Spec{set(func(s *tool.Spec) { s.Class.SideEffect, s.Target = tool.EffectExternalWrite, anywhere })}, "cannot be read-only to repeat"},
		{"scope grammar", []tool.Spec{set(func(s *tool.Spec) { s.Class.Scopes = []string{"*"} })}, "form of a scope"},
		{"scope of another server", []tool.Spec{spec("mcp.files.read", func(s *tool.Spec) {
			s.Source, s.ServerID, s.Class.OutputTrust = tool.SourceMCP, "files", tool.TrustExternalUntrusted
			s.Class.Scopes = []string{"workspace.read"}
		})}, "scopes of its own server"},
		{"no code", []tool.Spec{set(func(s *tool.Spec) { s.Run = nil })}, "no code to run"},
		{"no description", []tool.Spec{set(func(s *tool.Spec) { s.Description = " " })}, "description is missing"},
		{"no set", []tool.Spec{set(func(s *tool.Spec) { s.Set = "" })}, "tool set is missing"},
		{"no catalogs", []tool.Spec{set(func(s *tool.Spec) { s.Catalogs = nil })}, "catalogs are missing"},
		{"unknown catalog", []tool.Spec{set(func(s *tool.Spec) { s.Catalogs = []tool.Catalog{"all"} })}, "unknown or named twice"},
		{"diff without a drawing", []tool.Spec{set(func(s *tool.Spec) { s.Preview = tool.PreviewDiff })}, "needs code that draws it"},
		{"alias of nothing", []tool.Spec{set(func(s *tool.Spec) { s.Aliases = map[string]string{"words": "body"} })}, "must stand for a property"},
		{"alias that is a property", []tool.Spec{set(func(s *tool.Spec) { s.Aliases = map[string]string{"text": "text"} })}, "must stand for a property"},
		{"code form", []tool.Spec{reason("Bad", "Sentence.")}, "form of a tool's code"},
		{"code of policy", []tool.Spec{reason("policy.mine", "Sentence.")}, "form of a tool's code"},
		{"no sentence", []tool.Spec{reason("tool.failed.x", "")}, "has a place for input"},
		{"sentence with input", []tool.Spec{reason("tool.failed.x", "No such path %s.")}, "has a place for input"},
		{"another sentence for a code", []tool.Spec{reason(tool.CodeUnavailable, "Not now.")}, "another sentence already"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := newRegistry(c.specs...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want a refusal with %q", err, c.want)
			}
		})
	}
	if _, err := newRegistry(spec("math.test"), spec("math.test", func(s *tool.Spec) { s.Version = "1.1.0" })); err != nil {
		t.Errorf("a second version was refused: %v", err)
	}
}

// spec: VB-45
func TestLookupTakesTheLatestVersionByNumber(t *testing.T) {
	at := func(v string) tool.Spec { return spec("math.test", func(s *tool.Spec) { s.Version = v }) }
	r, err := newRegistry(at("1.9.0"), at("1.10.0"), at("1.2.0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"math.test", "math_test"} {
		if got, ok := r.Lookup(name); !ok || got.Version != "1.10.0" {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if _, ok := r.Lookup("math.tes"); ok {
		t.Error("a name that is almost right was found")
	}
	if n := len(r.Specs()); n != 1 {
		t.Errorf("%d tools are listed, want 1", n)
	}
}

func TestEveryRefusalIsNamedAtOnce(t *testing.T) {
	_, err := newRegistry(spec("Bad"), spec("math.test", func(s *tool.Spec) { s.Run, s.Set = nil, "" }))
	for _, want := range []string{`"Bad"`, "no code to run", "tool set is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}
