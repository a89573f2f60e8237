package desk

import (
	"context"
	"testing"
	"time"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// comes waits until so many calls wait.
func comes(t *testing.T, d *Desk, want int) {
	t.Helper()
	events, stop := d.Subscribe()
	defer stop()
	limit := time.After(10 * time.Second)
	for {
		n, err := d.Waiting(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == want {
			return
		}
		select {
		case <-events:
		case <-limit:
			t.Fatalf("%d calls wait, want %d", n, want)
		}
	}
}

// A call waits once: behind the question about its folder, then with a card of its own.
func TestWaitingCountsWhatAPersonIsAwaitedFor(t *testing.T) {
	p := Places{Home: t.TempDir(), Workspace: t.TempDir()}
	d, err := Open(t.Context(), p, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	comes(t, d, 0)
	s, err := d.OpenSession(t.Context(), backend.SessionRequest{Workspace: p.Workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancelCause(t.Context())
	done := make(chan tool.Outcome, 1)
	go func() {
		call := tool.Call{ID: "1", Name: "write", Arguments: []byte(`{"file_path":"a.txt","content":"one"}`)}
		done <- s.Call(ctx, call, func(string) {})
	}()
	comes(t, d, 1)
	questions := d.TrustQuestions()
	if len(questions) != 1 {
		t.Fatalf("%d questions", len(questions))
	}
	if err := d.AnswerTrust(t.Context(), questions[0].Root, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	comes(t, d, 1)
	leave(approval.ErrCallerLeft)
	<-done
	comes(t, d, 0)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}
