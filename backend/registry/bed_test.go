package registry_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/registry"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

type moving struct{}

func (moving) Now() time.Time { return time.Now().UTC() }

// bed is a registry with everything around it in memory.
type bed struct {
	journal *registrytest.Journal
	desk    *approval.Desk
	*registry.Registry
	context *registry.Context
	mu      sync.Mutex
	rules   session.Rules
	trusted bool
	steps   []registry.Step
}

func newBed(t *testing.T, specs ...tool.Spec) *bed {
	t.Helper()
	return newBedOver(t, approvaltest.NewLedger(), specs...)
}

func newBedOver(t *testing.T, ledger approval.Ledger, specs ...tool.Spec) *bed {
	t.Helper()
	return makeBed(t, ledger, nil, specs...)
}

// newHookedBed is a bed with hooks.
func newHookedBed(t *testing.T, hooks func() registry.Hooks, specs ...tool.Spec) *bed {
	t.Helper()
	return makeBed(t, approvaltest.NewLedger(), hooks, specs...)
}

func makeBed(t *testing.T, ledger approval.Ledger, hooks func() registry.Hooks, specs ...tool.Spec) *bed {
	t.Helper()
	b := &bed{
		journal: registrytest.NewJournal(), trusted: true,
		rules: session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"exact", "demo"}},
	}
	names := ids{}
	b.desk = approval.NewDesk(ledger, moving{}, names)
	r, err := registry.New(registry.Options{
		Specs: specs, Journal: b.journal, Desk: b.desk, Clock: moving{}, IDs: names, Log: slog.New(slog.DiscardHandler), Hooks: hooks,
		Observe: func(_ context.Context, s registry.Step) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.steps = append(b.steps, s)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Registry = r
	b.context = &registry.Context{
		SessionID: "s1", Workspace: "/w", TrustRoot: "/w", UserHome: "/home/u", OwnHome: "/home/u/.countersign", Asks: true,
		Rules:   func() session.Rules { b.mu.Lock(); defer b.mu.Unlock(); return b.rules },
		Trusted: func(context.Context) bool { b.mu.Lock(); defer b.mu.Unlock(); return b.trusted },
		Memory:  registry.NewMemory(nil), Scopes: []string{"demo.write"},
	}
	return b
}

func (b *bed) set(f func(*session.Rules)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.rules)
}

func (b *bed) call(ctx context.Context, name, arguments string) tool.Outcome {
	return b.Dispatch(ctx, b.context, tool.Call{ID: "1", Name: name, Arguments: []byte(arguments)})
}

// answer answers the only waiting request.
func (b *bed) answer(t *testing.T, r approval.Resolution, words string) approval.Result {
	t.Helper()
	q := b.waiting(t)
	got, err := b.desk.Answer(t.Context(), q.ID, approval.Answer{Resolution: r, Words: words, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (b *bed) waiting(t *testing.T) approval.Request {
	t.Helper()
	all, err := b.desk.Pending(t.Context(), "")
	if err != nil || len(all) != 1 {
		t.Fatalf("%d requests wait (%v), want 1", len(all), err)
	}
	return all[0]
}

// external is a tool that always asks, and counts its runs.
func external(runs *int, change ...func(*tool.Spec)) tool.Spec {
	all := append([]func(*tool.Spec){func(s *tool.Spec) {
		s.Set, s.Catalogs = "demo", []tool.Catalog{tool.CatalogWork}
		s.Class.SideEffect, s.Class.Risk, s.Class.Idempotency = tool.EffectExternalWrite, tool.RiskHigh, tool.IdempotencyNone
		s.Target = anywhere
		s.Run = func(ctx context.Context, env tool.Env, _ tool.Args) (tool.Result, error) {
			if err := env.EffectStarts(ctx); err != nil {
				return tool.Result{}, err
			}
			*runs++
			return tool.Result{Content: []tool.Part{tool.TextPart("recorded")}}, nil
		}
	}}, change...)
	return spec("demo.send", all...)
}

func want(t *testing.T, o tool.Outcome, status tool.Status, code tool.Code) {
	t.Helper()
	if o.Status != status || o.ReasonCode != code {
		t.Errorf("got %s %s, want %s %s", o.Status, o.ReasonCode, status, code)
	}
}

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

func (*links) Entries(context.Context, tool.Path) ([]tool.Entry, error) { return nil, errNoFiles }

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

func (h *hooked) Grants(ctx context.Context, s, w string, now time.Time) ([]policy.Grant, error) {
	h.once("Grants")
	return h.Ledger.Grants(ctx, s, w, now)
}

func (h *hooked) Rejoin(ctx context.Context, id, invocation string) error {
	h.once("Rejoin")
	return h.Ledger.Rejoin(ctx, id, invocation)
}

func (h *hooked) Refresh(ctx context.Context, id string, d tool.Decision, version, moved string) error {
	h.once("Refresh")
	return h.Ledger.Refresh(ctx, id, d, version, moved)
}

func (h *hooked) Resolve(ctx context.Context, id string, end approval.End, g []policy.Grant) (approval.Request, bool, error) {
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
