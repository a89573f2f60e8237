package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

func TestScriptedTaskIsDeniedOnceAndAdapts(t *testing.T) {
	p := newPlace(t)
	if err := os.CopyFS(p.workspace, os.DirFS("../build/samples/demo")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.home, 0o700); err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile("../build/samples/demo.config.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.home, "config.json"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, "scripted:../build/samples/demo.task.json")
	events, cancel := e.Subscribe()
	defer cancel()
	id, err := e.StartTask(t.Context(), "", "Look after the cart.")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.StartTask(t.Context(), id, "And again."); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	next(t, events, event.TrustAsked)
	if err := e.AnswerTrust(t.Context(), p.workspace, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	var diff string
	for _, r := range []approval.Resolution{approval.Deny, approval.AllowOnce, approval.AllowOnce} {
		card := next(t, events, event.ApprovalRequested)
		q, err := e.Desk().Get(t.Context(), card.Ref)
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Diffs) > 0 && diff == "" {
			diff = q.Diffs[0].Unified
		}
		answerCard(t, e, card.Ref, r, "")
	}
	for e.Busy(id) {
		next(t, events, event.TurnChanged)
	}
	if !strings.Contains(diff, "+  return toCents(") {
		t.Errorf("the first card showed no real diff:\n%s", diff)
	}
	log, err := conversation{e, id}.Messages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := log[len(log)-1].Text.Open()
	if !strings.HasPrefix(last, "Done.") {
		t.Errorf("the task ended with %q", last)
	}
	if _, err := os.Stat(filepath.Join(p.workspace, "docs", "rounding.md")); err != nil {
		t.Error(err)
	}
}

func TestStoppedTurnCancelsItsCard(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, playing(t, `{"title":"t","steps":[{"id":"a","say":"s","calls":[{"tool":"write","arguments":{"file_path":"a.txt","content":"x"}}]}]}`))
	if err := e.AnswerTrust(t.Context(), p.workspace, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	id, err := e.StartTask(t.Context(), "", "go")
	if err != nil {
		t.Fatal(err)
	}
	card := next(t, events, event.ApprovalRequested)
	if err := e.StopTurn(id); err != nil {
		t.Fatal(err)
	}
	for e.Busy(id) {
		next(t, events, event.TurnChanged)
	}
	q, err := e.Desk().Get(t.Context(), card.Ref)
	if err != nil || q.Status != approval.StatusCancelled {
		t.Errorf("the card is %s, %v", q.Status, err)
	}
	if got, err := e.Desk().Answer(t.Context(), card.Ref, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash}); err != nil ||
		got.Outcome != approval.OutcomeGone {
		t.Errorf("a late answer: %s, %v", got.Outcome, err)
	}
}

// The denial reaches its call with the words; then the turn ends, and what it still had to
// do is cancelled.
// spec: VS-19
func TestDenyAndStopEndsTheCallAsDeniedThenTheTurn(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, playing(t, `{"title":"t","steps":[{"id":"a","say":"s","calls":[
		{"tool":"write","arguments":{"file_path":"a.txt","content":"x"}},
		{"tool":"write","arguments":{"file_path":"b.txt","content":"x"}}]},{"id":"b","say":"never"}]}`))
	if err := e.AnswerTrust(t.Context(), p.workspace, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	id, err := e.StartTask(t.Context(), "", "go")
	if err != nil {
		t.Fatal(err)
	}
	card := next(t, events, event.ApprovalRequested)
	q, err := e.Desk().Get(t.Context(), card.Ref)
	if err != nil {
		t.Fatal(err)
	}
	a := approval.Answer{Resolution: approval.Deny, Words: "Not like this.", ArgumentsHash: q.ArgumentsHash, Stop: true}
	if got, err := e.Answer(t.Context(), q.ID, a); err != nil || got.Outcome != approval.OutcomeDone {
		t.Fatalf("got %s, %v", got.Outcome, err)
	}
	for e.Busy(id) {
		next(t, events, event.TurnChanged)
	}
	denied, err := e.Store().Invocation(t.Context(), q.InvocationID)
	if err != nil || denied.Status != tool.StatusDenied || denied.ReasonCode != tool.CodeApprovalUserRejected ||
		denied.DecidedBy != "person" || len(denied.Content) != 1 || denied.Content[0].Text.Open() != "Not like this." {
		t.Errorf("the call ended as %s %s by %s, %v", denied.Status, denied.ReasonCode, denied.DecidedBy, err)
	}
	calls, err := e.Store().Invocations(t.Context(), id, 0, 10)
	if err != nil || len(calls) != 2 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	for _, c := range calls {
		if c.ID != q.InvocationID && c.Status != tool.StatusCancelled {
			t.Errorf("the other call ended as %s", c.Status)
		}
	}
	if q, err = e.Desk().Get(t.Context(), q.ID); err != nil || q.Status != approval.StatusDenied || !q.Consumed {
		t.Errorf("the card is %s, used %v, %v", q.Status, q.Consumed, err)
	}
	log, err := conversation{e, id}.Messages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range log {
		if m.Text.Open() == "never" {
			t.Error("the turn went on")
		}
	}
}

func TestNoTurnBeginsInAnEngineThatEnds(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, playing(t, `{"title":"t","steps":[{"id":"a","say":"s"}]}`))
	id, err := e.StartTask(t.Context(), "", "go")
	if err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	for e.Busy(id) {
		next(t, events, event.TurnChanged)
	}
	e.Interrupt()
	if _, err := e.StartTask(t.Context(), id, "go"); err == nil || e.Busy(id) {
		t.Errorf("got %v, busy %v", err, e.Busy(id))
	}
}

// playing returns the model that plays a task.
func playing(t *testing.T, task string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "task.json")
	if err := os.WriteFile(path, []byte(task), 0o600); err != nil {
		t.Fatal(err)
	}
	return "scripted:" + path
}
