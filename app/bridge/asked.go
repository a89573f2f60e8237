package bridge

import (
	"strings"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// answeredLate reports whether a person answered the question about a call whose caller did
// not stay for the answer.
func answeredLate(state session.State, r approval.Request) bool {
	return state == session.StateCancelled && r.ResolvedBy == "person" && (r.CallerLeft || r.LeftWhy != "") &&
		(r.Status == approval.StatusDenied || r.Status == approval.StatusApproved)
}

func deniedByPerson(inv *session.Invocation) bool {
	return inv.State == session.StateDenied && inv.ReasonCode == tool.CodeApprovalUserRejected
}

// endRow adds to the line of a call what only its request knows: the words of a denial, why
// the call was cancelled, and an answer that came afterwards. request is nil without one.
func endRow(row *CallRow, inv *session.Invocation, request *approval.Request) {
	switch {
	case request == nil:
	case deniedByPerson(inv):
		row.Figure = deniedWith(row.Figure, *request)
	case inv.State == session.StateCancelled:
		cancelledRow(row, *request)
	}
}

// cancelledRow tells the line of a cancelled call by what became of its question. One that a
// person denied afterwards is told as denied.
func cancelledRow(row *CallRow, r approval.Request) {
	why := cancelledWhy(r)
	switch {
	case !answeredLate(session.State(row.State), r):
		row.Figure = why
	case r.Status == approval.StatusDenied:
		row.State, row.Figure = string(session.StateDenied), deniedWith("by you, after "+why, r)
	default:
		row.Figure = why + ", allowed by you afterwards"
	}
}

// deciding is what an opened call says of who decided it.
type deciding struct {
	// verdict and by are "Allowed" by whom; by is "" where nobody decided.
	verdict, by string
	// undecided says what kept the question from being answered while the call waited for
	// it, "" where nothing did.
	undecided string
}

// decidingOf says who decided a call. request is the one it waited for, nil without one.
func decidingOf(inv *session.Invocation, request *approval.Request) deciding {
	d := deciding{verdict: "Allowed", by: deciderWords(inv.DecidedBy)}
	switch {
	case inv.CallerTag == session.TagPerson:
		d.verdict = "Done"
		return d
	case inv.State == session.StateDenied:
		return deniedDeciding(inv, d)
	case !inv.State.Ended() || inv.AuthorizedAt != nil:
		return d
	case inv.DecidedBy == "person":
		// What stood in the way of the call, as its card had said, ended it after a yes.
		return d
	}
	if d.by = ""; request == nil {
		if asks(inv.Decision) {
			d.undecided = "It needed an answer and ended before one."
		}
		return d
	}
	return leftDeciding(inv, *request, d)
}

func asks(d *tool.Decision) bool {
	return d != nil && (d.Verdict == tool.VerdictAsk || d.Verdict == tool.VerdictReview)
}

func deniedDeciding(inv *session.Invocation, d deciding) deciding {
	d.verdict = "Denied"
	switch inv.ReasonCode {
	case tool.CodeApprovalUserRejected:
		d.by = "you"
	case tool.CodeApprovalInvalidated:
		d.verdict = "Allowed"
	case tool.CodeApprovalExpired:
		d.by, d.undecided = "", "Asked. No answer came in time."
	case tool.CodeApprovalNoOperator:
		d.by, d.undecided = "", "It needed an answer, and there was nobody to ask."
	case tool.CodeApprovalPending:
		d.by, d.undecided = "", "Asked. No answer came for as long as the caller waits."
	case tool.CodeApprovalTooMany:
		d.by, d.undecided = "", "It needed an answer, and too many calls of the session waited for one."
	}
	return d
}

// leftDeciding tells a call that asked and ended without an answer, and the answer that came
// afterwards.
func leftDeciding(inv *session.Invocation, r approval.Request, d deciding) deciding {
	why := cancelledWhy(r)
	if why == "" {
		why = "the call ended"
	}
	why = strings.ToUpper(why[:1]) + why[1:]
	if !answeredLate(inv.State, r) {
		d.undecided = "Asked. " + why + " before an answer."
		if r.Status == approval.StatusExpired {
			d.undecided = "Asked. " + why + ", and no answer came in time."
		}
		return d
	}
	d.verdict, d.by = "Later denied", "you"
	if r.Status == approval.StatusApproved {
		d.verdict = "Later allowed"
	}
	d.undecided = "Asked. " + why + " before the answer."
	if r.Consumed {
		d.undecided += " The same call, made again, used it."
	}
	return d
}
