package bridge

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// leftRequest is a question whose caller left; how ends it afterwards.
func leftRequest(status approval.Status, by string) approval.Request {
	r := approval.Request{ID: "a1", SessionID: "s1", InvocationID: "i1", Status: status, ResolvedBy: by, CallerLeft: true, LeftWhy: "left"}
	if by == "person" {
		r.Resolution = approval.AllowOnce
	}
	if status == approval.StatusDenied {
		r.Resolution = approval.Deny
	}
	if by != "" {
		at := noon.Add(time.Minute)
		r.ResolvedAt = &at
	}
	return r
}

func TestAnOpenedCallSaysWhatBecameOfItsQuestion(t *testing.T) {
	asked := &tool.Decision{Verdict: tool.VerdictAsk}
	closed, stopped, used := leftRequest(approval.StatusDenied, "person"), leftRequest(approval.StatusCancelled, "person"), leftRequest(approval.StatusApproved, "person")
	closed.LeftWhy, used.Consumed = "interrupted", true
	for name, c := range map[string]struct {
		inv                    session.Invocation
		r                      approval.Request
		undecided, verdict, by string
		at                     string
	}{
		"waits": {
			session.Invocation{State: session.StateWaiting}, approval.Request{ID: "a1", Status: approval.StatusPending}, "", "Allowed", "", "",
		},
		"left": {
			session.Invocation{State: session.StateCancelled, DecidedBy: "policy", Decision: asked}, leftRequest(approval.StatusPending, ""),
			"Asked. The caller left before an answer.", "Allowed", "", "",
		},
		"left and denied": {
			session.Invocation{State: session.StateCancelled, DecidedBy: "policy", Decision: asked}, leftRequest(approval.StatusDenied, "person"),
			"Asked. The caller left before the answer.", "Later denied", "you", "2026-07-25T12:01:00Z",
		},
		"left and allowed": {
			session.Invocation{State: session.StateCancelled, Decision: asked}, leftRequest(approval.StatusApproved, "person"),
			"Asked. The caller left before the answer.", "Later allowed", "you", "2026-07-25T12:01:00Z",
		},
		"left, allowed and used": {
			session.Invocation{State: session.StateCancelled}, used,
			"Asked. The caller left before the answer. The same call, made again, used it.", "Later allowed", "you", "2026-07-25T12:01:00Z",
		},
		"left and expired": {
			session.Invocation{State: session.StateCancelled}, leftRequest(approval.StatusExpired, "expiry"),
			"Asked. The caller left, and no answer came in time.", "Allowed", "", "",
		},
		"desk closed": {
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalUserRejected}, closed, "", "Denied", "you", "2026-07-25T12:01:00Z",
		},
		"stopped": {
			session.Invocation{State: session.StateCancelled}, stopped, "Asked. Stopped by you before an answer.", "Allowed", "", "",
		},
		"asked on another card": {
			session.Invocation{State: session.StateCancelled, Decision: asked}, approval.Request{}, "It needed an answer and ended before one.", "Allowed", "", "",
		},
		"waited for trust": {
			session.Invocation{State: session.StateCancelled, DecidedBy: "policy", Decision: &tool.Decision{Verdict: tool.VerdictDeny}}, approval.Request{},
			"", "Allowed", "", "",
		},
		"no answer in time": {
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalExpired, DecidedBy: "policy"}, approval.Request{},
			"Asked. No answer came in time.", "Denied", "", "",
		},
		"nobody to ask": {
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalNoOperator}, approval.Request{},
			"It needed an answer, and there was nobody to ask.", "Denied", "", "",
		},
		"changed after the yes": {
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalInvalidated, DecidedBy: "person"}, approval.Request{},
			"", "Allowed", "you", "",
		},
		"ran": {
			session.Invocation{State: session.StateSucceeded, DecidedBy: "policy", AuthorizedAt: &noon}, approval.Request{},
			"", "Allowed", "the rules, without a question", "2026-07-25T12:00:00Z",
		},
		"refused": {
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodePolicyBlocked, DecidedBy: "policy"}, approval.Request{},
			"", "Denied", "the rules, without a question", "",
		},
	} {
		var request *approval.Request
		if c.r.ID != "" {
			request = &c.r
		}
		got := detail(&c.inv, "/w", nil, request, nil)
		if got.Undecided != c.undecided || got.Verdict != c.verdict || got.DecidedBy != c.by || got.DecidedAt != c.at {
			t.Errorf("%s: %q %q by %q at %q", name, got.Undecided, got.Verdict, got.DecidedBy, got.DecidedAt)
		}
	}
}

// The lists tell the answer that came after the caller had left.
func TestAListTellsALateAnswer(t *testing.T) {
	denied := leftRequest(approval.StatusDenied, "person")
	denied.Words = tool.Mark("use the\n helper")
	for name, c := range map[string]struct {
		r                        approval.Request
		ending                   session.Ending
		decider                  session.Decider
		state, figure, by, words string
	}{
		"open":    {leftRequest(approval.StatusPending, ""), session.EndingCancelled, session.DeciderNobody, "cancelled", "the caller left", "the caller left", ""},
		"allowed": {leftRequest(approval.StatusApproved, "person"), session.EndingCancelled, session.DeciderPerson, "cancelled", "the caller left, allowed by you afterwards", "allowed once by you, after the caller left", ""},
		"denied":  {denied, session.EndingDenied, session.DeciderPerson, "denied", "by you, after the caller left, “use the helper”", "denied by you, after the caller left", "use the helper"},
	} {
		past := pastCall()
		past.State, past.ReasonCode, past.DecidedBy, past.Ending, past.Decider = session.StateCancelled, tool.CodeCancelled, "", c.ending, c.decider
		past.Request = &session.HistoryRequest{
			ID: "a1", Status: string(c.r.Status), Resolution: string(c.r.Resolution), ResolvedBy: c.r.ResolvedBy, LeftWhy: "left", CallerLeft: true, Words: c.r.Words,
		}
		inv := past.Invocation
		f := &fakeEngine{
			sessions: []session.Session{writeSession()}, past: session.HistoryPage{Calls: []session.HistoryCall{past}},
			entries: []Entry{{Cursor: "1", At: noon, Invocation: &inv, Heads: past.Heads, Request: &c.r}},
		}
		page, err := newAPI(t, f).History(HistoryQuery{})
		if err != nil {
			t.Fatal(err)
		}
		row := page.Rows[0]
		if row.Call.State != c.state || row.Call.Figure != c.figure || row.By != c.by || row.Words != c.words || row.Note != "" {
			t.Errorf("%s: the history says %+v", name, row)
		}
		view, err := newAPI(t, f).SessionPage(newest("s1"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(row.Call, *view.Items[0].Call); d != "" {
			t.Errorf("%s: the timeline tells it otherwise: %s", name, d)
		}
	}
}
