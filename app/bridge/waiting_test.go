package bridge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestWhatWaitsIsToldWithoutWhatItWouldDo(t *testing.T) {
	client := session.Caller{Kind: session.CallerMCP, Name: tool.Mark("claude-code")}
	f := &fakeEngine{
		sessions: []session.Session{{ID: "s1", Title: tool.Mark("Fix it with key AKIA" + "IOSFODNN7EXAMPLE"), Workspace: "/w", Caller: client}},
		pending: []approval.Request{
			{ID: "a1", SessionID: "s1", ToolID: "bash", Command: tool.Mark("rm -rf secret")},
			{ID: "a2", SessionID: "s1", ToolID: "write", CallerLeft: true},
		},
		questions: []Question{
			{Root: "/w", AskedBy: client, Waiting: 2},
			{Root: "/later", AskedBy: client, Waiting: 1, Postponed: true},
		},
	}
	got, err := WaitingOf(t.Context(), newAPI(t, f))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > 0 {
		if got[0].Session == "Fix it with key AKIA"+"IOSFODNN7EXAMPLE" {
			t.Error("a secret is told")
		}
		got[0].Session = ""
	}
	want := []Waiting{{Key: "a1", ID: "a1", Tool: "bash", Calls: 1}, {Key: "trust /w", Session: "claude-code", Calls: 2}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
