package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// leftCall stores a write that asked, whose caller left, and that a person denied afterwards.
func (b *bench) leftCall(ctx context.Context, t *testing.T, at time.Time) (id string) {
	t.Helper()
	p := &program{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, places: places{home: b.home, workspace: b.workspace}}
	e, err := p.openEngine(ctx, "test", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	s := e.Store()
	made, err := s.CreateSession(ctx, session.Session{ID: "left", Workspace: b.workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	ended := at.Add(time.Second)
	inv := session.Invocation{
		ID: "call", SessionID: made.ID, Name: tool.Mark("write"), ToolID: "write", Raw: []byte(`{"file_path":"/x"}`), ProposedAt: at,
		Decision: &tool.Decision{Verdict: tool.VerdictAsk}, OriginTrust: tool.TrustUser,
	}
	for _, step := range []func() error{
		func() error { return s.Propose(ctx, inv) },
		func() error {
			return s.AddRequest(ctx, approval.Request{
				ID: "card", SessionID: made.ID, InvocationID: inv.ID, ToolID: "write", CreatedAt: at, ExpiresAt: at.Add(time.Hour),
			})
		},
		func() error { return s.MarkLeft(ctx, "card", "left") },
		func() error {
			inv.Status, inv.ReasonCode, inv.EndedAt = tool.StatusCancelled, tool.CodeCancelled, &ended
			inv.Content = []tool.Part{tool.TextPart("[Tool execution cancelled by user]")}
			return s.Finish(ctx, inv, nil, nil)
		},
		func() error {
			_, _, err := s.Resolve(ctx, "card", approval.End{
				Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", At: at.Add(time.Minute), Words: "not\x1b there",
			}, nil)
			return err
		},
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return made.ID
}

func TestAnExportTellsTheAnswerThatCameAfterTheCallerHadLeft(t *testing.T) {
	b := newBench(t)
	id := b.leftCall(t.Context(), t, time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC))
	lines := outcomes(t, b.run(t, nil, "sessions", "export", id).stdout)
	call := lines[len(lines)-1]
	got, err := json.Marshal(map[string]any{"state": call["state"], "decided_by": call["decided_by"], "approval": call["approval"]})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"approval":{"asked_at":"2026-07-25T12:00:00Z","caller_left":true,"consumed":false,"id":"card","left_why":"left","reason":"",` +
		`"resolution":"deny","resolved_at":"2026-07-25T12:01:00Z","resolved_by":"person","status":"denied","voided":"","words":"not\u001b there"},` +
		`"decided_by":"","state":"cancelled"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	told := "asked 2026-07-25T12:00:00Z, the caller left before it had its answer, denied by person 2026-07-25T12:01:00Z"
	for _, args := range [][]string{{"sessions", "show", id}, {"sessions", "export", id, "--format", "markdown"}} {
		if got := b.run(t, nil, args...); got.code != exitOK || !strings.Contains(got.stdout, told) || strings.Contains(got.stdout, "\x1b") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestAQuestionIsToldByWhatBecameOfIt(t *testing.T) {
	at := time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)
	for want, r := range map[string]*approval.Request{
		"": nil,
		"asked 2026-07-25T12:00:00Z, not answered": {CreatedAt: at, Status: approval.StatusPending},
		"asked 2026-07-25T12:00:00Z, the desk closed before the call had its answer, not answered": {
			CreatedAt: at, Status: approval.StatusPending, CallerLeft: true, LeftWhy: "interrupted",
		},
		"asked 2026-07-25T12:00:00Z, approved by person 2026-07-25T12:00:00Z": {CreatedAt: at, Status: approval.StatusApproved, ResolvedBy: "person", ResolvedAt: &at},
	} {
		if got := questionText(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
