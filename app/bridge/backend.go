package bridge

import (
	"context"
	"errors"
	"fmt"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/session"
)

// Of is an engine as the page needs it.
func Of(e *backend.Engine) Engine { return &desk{e} }

// desk puts the engine's parts together for the page and says ErrNotFound where one of
// them says so in its own words.
type desk struct{ *backend.Engine }

func (d *desk) Theme() string { return string(d.Settings().Theme) }

func (d *desk) ToolTotals(ctx context.Context) (map[string]ToolTotal, error) {
	totals, err := d.Engine.ToolTotals(ctx)
	out := make(map[string]ToolTotal, len(totals))
	for _, t := range totals {
		out[t.ToolID] = ToolTotal{Calls: t.Calls, FailedAt: t.FailedAt, FailedBy: t.FailedBy}
	}
	return out, err
}

func (d *desk) StoreHealth() (ok bool, words string) {
	h := d.Store().Health()
	return h.OK, h.Words
}

func (d *desk) Sessions(ctx context.Context, limit int) ([]session.Session, error) {
	return d.Store().Sessions(ctx, limit, "")
}

func (d *desk) Session(ctx context.Context, id string) (session.Session, error) {
	s, err := d.Store().Session(ctx, id)
	return s, absent(err)
}

func (d *desk) Invocation(ctx context.Context, id string) (session.Invocation, error) {
	c, err := d.Store().Invocation(ctx, id)
	return c.Invocation, absent(err)
}

func (d *desk) Request(ctx context.Context, id string) (approval.Request, error) {
	r, err := d.Desk().Get(ctx, id)
	return r, absent(err)
}

func (d *desk) RequestOf(ctx context.Context, invocationID string) (approval.Request, error) {
	c, err := d.Store().Invocation(ctx, invocationID)
	if err != nil {
		return approval.Request{}, absent(err)
	}
	if c.ApprovalID == "" {
		return approval.Request{}, ErrNotFound
	}
	return d.Request(ctx, c.ApprovalID)
}

func (d *desk) Revealed(ctx context.Context, id, hash string) (approval.Request, error) {
	r, err := d.Engine.Revealed(ctx, id, hash)
	return r, absent(err)
}

func (d *desk) WouldMatch(ctx context.Context, q backend.MatchQuery) (backend.Matching, error) {
	m, err := d.Engine.WouldMatch(ctx, q)
	return m, absent(err)
}

func (d *desk) Answer(ctx context.Context, id string, a approval.Answer) (Answered, error) {
	r, err := d.Engine.Answer(ctx, id, a)
	if err != nil {
		return Answered{}, absent(err)
	}
	return Answered{Outcome: string(r.Outcome), Words: r.Words, Request: r.Request}, nil
}

func (d *desk) AnswerBatch(ctx context.Context, a approval.BatchAnswer) (approval.BatchResult, error) {
	return d.Desk().AnswerBatch(ctx, a)
}

func (d *desk) Changeable(ctx context.Context, id string, reveal bool) (backend.Changeable, error) {
	c, err := d.Engine.Changeable(ctx, id, reveal)
	return c, absent(err)
}

func (d *desk) ChangeArguments(ctx context.Context, id string, c backend.Changes) (approval.Result, error) {
	done, err := d.Engine.ChangeArguments(ctx, id, c)
	return done, absent(err)
}

func (d *desk) RevokeGrant(ctx context.Context, id string) (bool, error) {
	changed, err := d.Engine.RevokeGrant(ctx, id)
	return changed, absent(err)
}

func (d *desk) TrustQuestions(context.Context) ([]Question, error) {
	out := []Question{}
	for _, q := range d.Engine.TrustQuestions() {
		out = append(out, Question(q))
	}
	return out, nil
}

func (d *desk) AnswerTrust(ctx context.Context, root, answer string) error {
	return d.Engine.AnswerTrust(ctx, root, approval.TrustAnswer(answer))
}

func (d *desk) Trusts(ctx context.Context) ([]Trust, error) {
	answers, err := d.Engine.Trusts(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Trust, 0, len(answers))
	for _, t := range answers {
		row := Trust{Root: t.Root, Answer: "no", At: t.At}
		if t.Yes {
			row.Answer = "yes"
		}
		out = append(out, row)
	}
	return out, nil
}

func (d *desk) EnabledSets() []string {
	if sets := d.Rules().Sets; sets != nil {
		return sets
	}
	return session.DefaultSets()
}

func (d *desk) StartTask(ctx context.Context, sessionID, text string) (string, error) {
	id, err := d.Engine.StartTask(ctx, sessionID, text)
	switch {
	case errors.Is(err, backend.ErrBusy):
		return "", Fault(CodeBusy, "The agent is at work in this session. Wait until its turn ends, or stop it.")
	case errors.Is(err, backend.ErrNoAgent):
		return "", Fault(CodeUnavailable, "No model is set up, so the built-in agent cannot work. Connect an agent through countersign mcp.")
	}
	return id, absent(err)
}

func (d *desk) DismissLeft(ctx context.Context, sessionID string) error {
	n, err := d.Engine.Desk().DismissLeft(ctx, sessionID)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}

func (d *desk) StopTurn(sessionID string) error {
	if !d.Busy(sessionID) {
		return ErrNotFound
	}
	return d.Engine.StopTurn(sessionID)
}

func (d *desk) StopCall(invocationID string) error {
	if !d.Engine.StopCall(invocationID) {
		return ErrNotFound
	}
	return nil
}

// absent turns every way of saying that something is not there into ErrNotFound.
func absent(err error) error {
	for _, known := range []error{session.ErrNoSession, session.ErrNoInvocation, session.ErrNoProcess, approval.ErrNoRequest, approval.ErrNoGrant} {
		if errors.Is(err, known) {
			return fmt.Errorf("%w: %w", ErrNotFound, err)
		}
	}
	return err
}
