package record

import (
	"strings"
	"time"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Kind says what an entry tells.
type Kind string

// The kinds of entries. Begun and Closed are the first and the last line of a record that is
// given away; the others are decisions.
const (
	KindBegun Kind = "record.begun"
	// KindResolved is the end of a request: a person's answer, or what closed its card.
	KindResolved Kind = "approval.resolved"
	// KindVoided says why a person's yes did not run the call after all.
	KindVoided Kind = "approval.voided"
	// KindAuthorized is a call that was let run, KindDenied one that was denied.
	KindAuthorized Kind = "tool.call.authorized"
	KindDenied     Kind = "tool.call.denied"
	KindClosed     Kind = "record.closed"
)

// Entry is a decision before it has a place in a chain.
type Entry struct {
	Kind       Kind
	Invocation string
	// Approval is the request that the decision is about or comes from, "" for none.
	Approval string
	members  map[string]any
}

// entry makes an entry of what all have.
func entry(k Kind, at time.Time, by, invocation, request string) Entry {
	e := Entry{Kind: k, Invocation: invocation, Approval: request, members: map[string]any{
		"at": timeText(at), "by": by, "invocation": invocation,
	}}
	if request != "" {
		e.members["approval"] = request
	}
	return e
}

// hiding makes copies of the texts of a session.
func hiding(sessionID string) copying {
	mark := redact.MarkOf(sessionID)
	return copying{
		func(s string) string { return redact.Text(s, mark) },
		func(s string) string { copied, _ := redact.JSON(s, mark); return copied },
	}
}

// Resolved is the end of a request. shown is the hash of its card as it was when it ended, and
// grants are those that the end made. Whatever the end says is told.
func Resolved(q *approval.Request, shown string, end approval.End, grants []policy.Grant) Entry {
	c := hiding(q.SessionID)
	e := entry(KindResolved, end.At, end.By, q.InvocationID, q.ID)
	e.members["tool"], e.members["arguments"], e.members["policy"] = q.ToolID, q.ArgumentsHash, q.PolicyVersion
	e.members["shown"], e.members["decision"], e.members["end"] = shown, tree(q.Decision, c), tree(end, c)
	if len(grants) > 0 {
		e.members["grants"] = tree(grants, c)
	}
	return e
}

// Voided says why an answer that allowed a call did not run it.
func Voided(q *approval.Request, words string, at time.Time) Entry {
	e := entry(KindVoided, at, "policy", q.InvocationID, q.ID)
	e.members["tool"], e.members["arguments"] = q.ToolID, q.ArgumentsHash
	e.members["words"] = hiding(q.SessionID).text(words)
	return e
}

// Authorized is a call that is let run.
func Authorized(inv *session.Invocation) Entry {
	return ofCall(KindAuthorized, inv, *inv.AuthorizedAt)
}

// Denied is a call that ended as denied.
func Denied(inv *session.Invocation) Entry { return ofCall(KindDenied, inv, *inv.EndedAt) }

// ofCall tells a call as far as it was decided about. What it gave is no part of that.
func ofCall(k Kind, inv *session.Invocation, at time.Time) Entry {
	call := *inv
	call.Content, call.Structured, call.Metadata = nil, nil, tool.Metadata{}
	e := entry(k, at, deciderOf(inv), inv.ID, inv.Answered)
	e.members["call"] = tree(call, hiding(inv.SessionID))
	return e
}

// deciderOf names who decided a call: the rules where nobody is named, and nobody where consent
// could not be had.
func deciderOf(inv *session.Invocation) string {
	switch {
	case inv.DecidedBy != "":
		return inv.DecidedBy
	case strings.HasPrefix(string(inv.ReasonCode), "approval."):
		return "nobody"
	}
	return "policy"
}
