package bridge

import (
	"context"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/veil"
)

// Waiting is a call, or a question about a folder, that somebody waits for the person to
// decide. It says who and with what, and nothing of what would be done.
type Waiting struct {
	// Key tells it from all else that waits.
	Key string
	// ID names the request, Tool its tool; both are "" for a question.
	ID, Tool string
	// Session is what the session goes by.
	Session string
	// Calls is how many calls wait for the answer.
	Calls int
}

// WaitingOf returns what waits now, the oldest first. What nobody waits for any more is not
// in it, nor is a question that the person has put off.
func WaitingOf(ctx context.Context, a *API) ([]Waiting, error) {
	pending, err := a.engine.Pending(ctx)
	if err != nil {
		return nil, err
	}
	var out []Waiting
	known := map[string]session.Session{}
	for _, r := range pending {
		if r.CallerLeft {
			continue
		}
		s, err := a.owner(ctx, known, r.SessionID)
		if err != nil {
			return nil, err
		}
		out = append(out, waitingCall(r, s))
	}
	questions, err := a.engine.TrustQuestions(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		if !q.Postponed {
			out = append(out, Waiting{Key: "trust " + q.Root, Session: callerWords(q.AskedBy), Calls: q.Waiting})
		}
	}
	return out, nil
}

func waitingCall(r approval.Brief, s session.Session) Waiting {
	return Waiting{Key: r.ID, ID: r.ID, Tool: r.ToolID, Session: veil.Text(s.ID, titleOf(s)), Calls: 1}
}
