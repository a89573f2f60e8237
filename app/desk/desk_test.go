package desk

import (
	"bufio"
	"context"
	"strings"
	"testing"
	"time"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/mcp"
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

// talk joins a desk as a client and sends it lines; what it gives reads the answers.
func talk(t *testing.T, home, workspace string, lines ...string) *bufio.Scanner {
	t.Helper()
	conn, err := mcp.Dial(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	stream, err := mcp.Open(t.Context(), conn, mcp.Opening{Session: "11111111-1111-4111-8111-111111111111", Workspace: workspace})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if _, err := stream.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	return bufio.NewScanner(stream)
}

// A desk that closes tells the agent of a call that waited that nothing of it was done, and
// keeps its card.
func TestACallThatNeverBeganIsSaidSoWhenTheDeskCloses(t *testing.T) {
	p := Places{Home: t.TempDir(), Workspace: t.TempDir()}
	d, err := Open(t.Context(), p, Opening{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Welcome(nil); err != nil {
		t.Fatal(err)
	}
	answers := talk(t, d.Paths().Home, p.Workspace,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{"file_path":"a.txt","content":"one"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write","arguments":{"file_path":"b.txt","content":"two"}}}`,
	)
	comes(t, d, 2)
	if err := d.AnswerTrust(t.Context(), d.TrustQuestions()[0].Root, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	comes(t, d, 2)
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	heard := map[string]string{}
	for answers.Scan() {
		for _, id := range []string{`"id":2`, `"id":3`} {
			if strings.Contains(answers.Text(), id) {
				heard[id] = answers.Text()
			}
		}
	}
	for id, text := range heard {
		if !strings.Contains(text, "tool.unavailable") || !strings.Contains(text, "before this call began") {
			t.Errorf("the call %s heard %s", id, text)
		}
	}
	if len(heard) != 2 {
		t.Errorf("%d calls were answered", len(heard))
	}
}

// A call waits once: behind the question about its folder, then with a card of its own.
func TestWaitingCountsWhatAPersonIsAwaitedFor(t *testing.T) {
	p := Places{Home: t.TempDir(), Workspace: t.TempDir()}
	d, err := Open(t.Context(), p, Opening{Name: "test"})
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
