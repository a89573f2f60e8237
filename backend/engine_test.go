package backend

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/clock"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// place is a home and a workspace of one test.
type place struct{ home, workspace string }

func newPlace(t *testing.T) place {
	t.Helper()
	return place{filepath.Join(t.TempDir(), "home"), t.TempDir()}
}

// with returns the options of a desk at the place, with changes.
func (p place) with(changes ...func(*Options)) Options {
	o := Options{
		Paths: config.Paths{Home: p.home, UserHome: filepath.Dir(p.home)}, Clock: clock.System(), Desk: true, Workspace: p.workspace,
		Environ: config.Environment(), Log: slog.New(slog.DiscardHandler),
	}
	for _, change := range changes {
		change(&o)
	}
	return o
}

// start opens a desk that the test closes.
func (p place) start(t *testing.T, changes ...func(*Options)) *Engine {
	t.Helper()
	e, err := Open(t.Context(), p.with(changes...))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// open opens an engine that is closed after the test.
func (p place) open(t *testing.T, desk bool, model string) *Engine {
	t.Helper()
	e := p.start(t, func(o *Options) { o.Desk, o.Model = desk, model })
	t.Cleanup(func() { p.close(t, e) })
	return e
}

func (place) close(t *testing.T, e *Engine) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := e.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

func (p place) session(t *testing.T, e *Engine, id string, trust bool) *Session {
	t.Helper()
	rules := session.Rules{
		Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding", "demo", "exact"},
	}
	s, err := e.OpenSession(t.Context(), SessionRequest{
		ID: id, Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, Rules: &rules,
		TrustWorkspace: trust,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// next waits for an event of a type.
func next(t *testing.T, events <-chan event.Event, kind event.Type) event.Event {
	t.Helper()
	for {
		select {
		case ev := <-events:
			if ev.Type == kind {
				return ev
			}
		case <-t.Context().Done():
			t.Fatal("the test ended before the event came")
		}
	}
}

func answerCard(t *testing.T, e *Engine, id string, r approval.Resolution, words string) approval.Result {
	t.Helper()
	q, err := e.Desk().Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Desk().Answer(t.Context(), id, approval.Answer{Resolution: r, Words: words, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func write(path, content string) tool.Call {
	return tool.Call{Name: "write", Arguments: []byte(`{"file_path":"` + path + `","content":"` + content + `"}`)}
}

// spec: CS-13
func TestWriteWaitsBehindTheTrustQuestionThenForItsAnswer(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", false)
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), nil) }()
	next(t, events, event.TrustAsked)
	q := e.TrustQuestions()
	if len(q) != 1 || q[0].Waiting != 1 || q[0].AskedBy.Name.Open() != "client" {
		t.Fatalf("questions: %+v", q)
	}
	if err := e.AnswerTrust(t.Context(), q[0].Root, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	card := next(t, events, event.ApprovalRequested)
	if got := answerCard(t, e, card.Ref, approval.AllowOnce, ""); got.Outcome != approval.OutcomeDone {
		t.Errorf("got %s", got.Outcome)
	}
	if o := <-done; o.Status != tool.StatusSucceeded {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
	if b, err := os.ReadFile(filepath.Join(p.workspace, "a.txt")); err != nil || string(b) != "hi" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

func TestUntrustedWorkspaceStaysReadOnly(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", false)
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 2)
	said := make(chan string, 8)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), func(text string) { said <- text }) }()
	next(t, events, event.TrustAsked)
	if text := <-said; text != registry.Waiting {
		t.Errorf("the caller was told %q", text)
	}
	if err := e.AnswerTrust(t.Context(), s.record.TrustRoot, approval.TrustLater); err != nil {
		t.Fatal(err)
	}
	next(t, events, event.TrustAnswered)
	go func() { done <- s.Call(t.Context(), write("b.txt", "hi"), nil) }()
	next(t, events, event.TrustAsked)
	if q := e.TrustQuestions(); len(q) != 1 || !q[0].Postponed || q[0].Waiting != 2 || len(done) > 0 {
		t.Fatalf("after Later: %+v, %d calls ended", q, len(done))
	}
	if err := e.AnswerTrust(t.Context(), s.record.TrustRoot, approval.TrustNo); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if o := <-done; o.Status != tool.StatusDenied || o.ReasonCode != tool.CodePolicyWorkspaceUntrusted {
			t.Errorf("got %s %s", o.Status, o.ReasonCode)
		}
	}
	if o := s.Call(t.Context(), write("a.txt", "hi"), nil); o.ReasonCode != tool.CodePolicyWorkspaceUntrusted {
		t.Errorf("after No: got %s %s", o.Status, o.ReasonCode)
	}
	if entries, _ := os.ReadDir(p.workspace); len(entries) != 0 {
		t.Error("something was written")
	}
}

// The lock decides a call that waits behind the trust question, whose answer it does not need.
func TestTheLockEndsACallBehindTheTrustQuestion(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), nil) }()
	next(t, events, event.TrustAsked)
	on := true
	if err := e.SetRules(t.Context(), config.Patch{ReadOnly: &on}); err != nil {
		t.Fatal(err)
	}
	if o := <-done; o.Status != tool.StatusDenied || o.ReasonCode != tool.CodePolicyReadOnly {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
}

func TestSessionGrantCoversThisFileAndNoOther(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	events, cancel := e.Subscribe()
	defer cancel()
	call := func(c tool.Call) chan tool.Outcome {
		done := make(chan tool.Outcome, 1)
		go func() { done <- s.Call(t.Context(), c, nil) }()
		return done
	}
	first := call(write("a.txt", "one"))
	card := next(t, events, event.ApprovalRequested)
	answerCard(t, e, card.Ref, approval.AllowSession, "")
	if o := <-first; o.Status != tool.StatusSucceeded {
		t.Fatalf("got %s %s", o.Status, o.ReasonCode)
	}
	if o := s.Call(t.Context(), write("a.txt", "two"), nil); o.Status != tool.StatusSucceeded {
		t.Errorf("the grant does not cover the same file: %s %s", o.Status, o.ReasonCode)
	}
	other := call(write("b.txt", "one"))
	card = next(t, events, event.ApprovalRequested)
	answerCard(t, e, card.Ref, approval.Deny, "Not this one.")
	o := <-other
	if o.ReasonCode != tool.CodeApprovalUserRejected || len(o.Content) != 1 || o.Content[0].Text.Open() != "Not this one." {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
}

func TestFileThatChangesUnderTheCardEndsTheWriteAsStale(t *testing.T) {
	p := newPlace(t)
	file := filepath.Join(p.workspace, "a.txt")
	if err := os.WriteFile(file, []byte("first\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	events, cancel := e.Subscribe()
	defer cancel()
	if o := s.Call(t.Context(), tool.Call{Name: "read", Arguments: []byte(`{"file_path":"a.txt"}`)}, nil); o.Status != tool.StatusSucceeded {
		t.Fatalf("read: %s %s", o.Status, o.ReasonCode)
	}
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "mine"), nil) }()
	card := next(t, events, event.ApprovalRequested)
	if err := os.WriteFile(file, []byte("somebody else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	answerCard(t, e, card.Ref, approval.AllowOnce, "")
	if o := <-done; o.ReasonCode != tool.CodeStale {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
	if b, _ := os.ReadFile(file); string(b) != "somebody else\n" {
		t.Errorf("the file holds %q", b)
	}
}

func TestAnswerGivenAfterARestartServesTheRetryOnce(t *testing.T) {
	p := newPlace(t)
	const id = "11111111-1111-7111-8111-111111111111"
	e := p.open(t, true, "")
	s := p.session(t, e, id, true)
	events, cancel := e.Subscribe()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), nil) }()
	card := next(t, events, event.ApprovalRequested)
	cancel()
	p.close(t, e)
	if o := <-done; o.Status != tool.StatusCancelled {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}

	again := p.open(t, true, "")
	q, err := again.Desk().Get(t.Context(), card.Ref)
	if err != nil || q.Status != approval.StatusPending || !q.CallerLeft || q.LeftWhy != "interrupted" {
		t.Fatalf("after the restart: %+v, %v", q, err)
	}
	if got := answerCard(t, again, card.Ref, approval.AllowOnce, ""); got.Outcome != approval.OutcomeKept {
		t.Errorf("got %s", got.Outcome)
	}
	if _, err := os.Stat(filepath.Join(p.workspace, "a.txt")); err == nil {
		t.Fatal("the answer ran the call by itself")
	}
	s = p.session(t, again, id, true)
	if o := s.Call(t.Context(), write("a.txt", "hi"), nil); o.Status != tool.StatusSucceeded {
		t.Errorf("the retry: %s %s", o.Status, o.ReasonCode)
	}
}

func TestSessionMovesOnlyWhenItIsFree(t *testing.T) {
	p := newPlace(t)
	const id = "11111111-1111-7111-8111-111111111111"
	alone, desk := p.open(t, false, ""), p.open(t, true, "")
	s := p.session(t, alone, id, true)
	if o := s.Call(t.Context(), write("a.txt", "hi"), nil); o.ReasonCode != tool.CodeApprovalNoOperator {
		t.Errorf("alone: got %s %s", o.Status, o.ReasonCode)
	}
	if _, err := desk.OpenSession(t.Context(), SessionRequest{ID: id, Workspace: p.workspace}); !errors.Is(err, session.ErrNotOwned) {
		t.Errorf("got %v", err)
	}
	s.Close()
	if _, err := desk.OpenSession(t.Context(), SessionRequest{ID: id, Workspace: t.TempDir()}); err == nil {
		t.Error("the session moved to another workspace")
	}
	moved := p.session(t, desk, id, true)
	if _, err := desk.OpenSession(t.Context(), SessionRequest{ID: id, Workspace: p.workspace}); !errors.Is(err, ErrSessionOpen) {
		t.Errorf("opened twice: got %v", err)
	}
	if o := moved.Call(t.Context(), tool.Call{Name: "math_calculate", Arguments: []byte(`{"expression":"1+1"}`)}, nil); o.Status != tool.StatusSucceeded {
		t.Errorf("moved: got %s %s", o.Status, o.ReasonCode)
	}
	calls, err := desk.Store().Invocations(t.Context(), id, 0, 10)
	if err != nil || len(calls) != 2 {
		t.Errorf("%d calls, %v", len(calls), err)
	}
}

func TestOnlyOneDeskOpensAHome(t *testing.T) {
	p := newPlace(t)
	p.open(t, true, "")
	if _, err := Open(t.Context(), p.with()); !errors.Is(err, store.ErrDeskTaken) {
		t.Errorf("got %v", err)
	}
}

// A grant for this run may name its tool, as the page prints grants; it then lets no other
// tool through.
func TestExplainedGrantIsForTheToolThatItNames(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, false, "")
	rules := session.Rules{Preset: session.PresetDefault, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding"}}
	for rule, want := range map[string]tool.Verdict{
		"a.txt": tool.VerdictAllow, "write a.txt": tool.VerdictAllow, "read a.txt": tool.VerdictAsk, "write b.txt": tool.VerdictAsk, "b.txt": tool.VerdictAsk,
	} {
		s, err := e.OpenSession(t.Context(), SessionRequest{
			Workspace: p.workspace, Rules: &rules, TrustWorkspace: true, Allow: []string{rule}, Unstored: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Explain(t.Context(), write("a.txt", "x")); got.Decision == nil || got.Decision.Verdict != want {
			t.Errorf("%q: got %+v, want %s", rule, got.Decision, want)
		}
		s.Close()
	}
}
