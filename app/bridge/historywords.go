package bridge

import (
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// historyBy says who or what decided a call, as the end of a sentence.
func historyBy(c session.HistoryCall) string {
	r := historyRequest(c)
	switch c.Decider {
	case session.DeciderPerson:
		if c.CallerTag == session.TagPerson {
			return "done by you"
		}
		said := "allowed once by you"
		switch {
		case c.ReasonCode == tool.CodeApprovalUserRejected, c.Ending == session.EndingDenied && answeredLate(c.State, r):
			said = "denied by you"
		case r.Resolution == approval.AllowSession:
			said = "allowed for the session by you"
		case r.Resolution == approval.AllowWorkspace:
			said = "allowed always by you"
		}
		if answeredLate(c.State, r) {
			return said + ", after " + cancelledWhy(r)
		}
		return said
	case session.DeciderGrant:
		return "allowed by a grant"
	case session.DeciderReviewer:
		return "decided by the reviewer"
	case session.DeciderRules:
		switch {
		case c.Ending == session.EndingDenied:
			return "denied by the rules"
		case r.ResolvedBy == approval.BySettings:
			return "allowed by a change of settings"
		}
		return "no approval needed"
	case session.DeciderNobody:
		return historyUndecided(c, r)
	}
	return ""
}

// historyUndecided says why nobody decided.
func historyUndecided(c session.HistoryCall, r approval.Request) string {
	switch c.Ending {
	case session.EndingWaiting:
		return "not decided yet"
	case session.EndingExpired:
		return "no answer in time"
	case session.EndingCancelled:
		return cancelledWhy(r)
	case session.EndingDenied:
		return "nobody to ask"
	case session.EndingFailed:
		return "ended before a decision"
	case session.EndingRunning, session.EndingSucceeded, session.EndingUncertain:
		return ""
	}
	return ""
}

// endingWords are the words of the page for how a call stands or ended.
func endingWords(e session.Ending) string {
	switch e {
	case session.EndingSucceeded:
		return "Done"
	case session.EndingFailed:
		return "Failed"
	case session.EndingDenied:
		return "Denied"
	case session.EndingExpired:
		return "No answer in time"
	case session.EndingCancelled:
		return "Cancelled"
	case session.EndingUncertain:
		return "Outcome unknown"
	case session.EndingWaiting:
		return "Waiting"
	case session.EndingRunning:
		return "Running"
	}
	return "Unknown"
}

func historyDeciderWords(d session.Decider) string {
	switch d {
	case session.DeciderPerson:
		return "You"
	case session.DeciderRules:
		return "The rules"
	case session.DeciderGrant:
		return "A grant"
	case session.DeciderReviewer:
		return "The reviewer"
	case session.DeciderNobody:
		return "Nobody"
	}
	return "Unknown"
}
