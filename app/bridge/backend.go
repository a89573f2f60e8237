package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Of is an engine as the page needs it.
func Of(e *backend.Engine) Engine { return &desk{e} }

// desk puts the engine's parts together for the page and says ErrNotFound where one of
// them says so in its own words.
type desk struct{ *backend.Engine }

func (d *desk) Theme() string { return string(d.Settings().Theme) }

func (d *desk) SetRules(ctx context.Context, p RulesPatch) error {
	patch := config.Patch{Preset: session.Preset(p.Preset), Catalog: tool.Catalog(p.Catalog), Theme: config.Theme(p.Theme)}
	if p.ReadOnly != "" {
		on := p.ReadOnly == "on"
		patch.ReadOnly = &on
	}
	return d.Engine.SetRules(ctx, patch)
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

// Timeline reads each call whole: a line shows what the call acts on, and the list of
// calls comes without arguments.
func (d *desk) Timeline(ctx context.Context, sessionID, before string, limit int) (Page, error) {
	end := int64(0)
	if before != "" {
		var err error
		if end, err = strconv.ParseInt(before, 10, 64); err != nil || end <= 0 {
			return Page{}, invalid("before", "is not a cursor of an earlier answer")
		}
	}
	entries, err := d.Store().Timeline(ctx, sessionID, end, limit)
	if err != nil {
		return Page{}, absent(err)
	}
	out := Page{}
	for _, e := range slices.Backward(entries) {
		row := Entry{Cursor: strconv.FormatInt(e.Seq, 10)}
		switch {
		case e.Call != nil:
			call, err := d.Store().Invocation(ctx, e.Call.ID)
			if err != nil {
				return Page{}, absent(err)
			}
			row.At, row.Invocation, row.ApprovalID = call.ProposedAt, &call.Invocation, call.ApprovalID
		case e.Message != nil:
			row.At, row.Message = e.Message.At, e.Message
		}
		out.Entries = append(out.Entries, row)
	}
	if len(entries) == limit {
		out.Before = out.Entries[0].Cursor
	}
	return out, nil
}

func (d *desk) Invocation(ctx context.Context, id string) (session.Invocation, error) {
	c, err := d.Store().Invocation(ctx, id)
	return c.Invocation, absent(err)
}

// Pending reads requests whole where only the arguments say what they are about: the
// list comes without them.
func (d *desk) Pending(ctx context.Context) ([]approval.Request, error) {
	list, err := d.Desk().Pending(ctx, "")
	for i, r := range list {
		if len(r.Paths) > 0 || r.Command.Len() > 0 || r.URL.Len() > 0 {
			continue
		}
		if whole, err := d.Store().Request(ctx, r.ID); err == nil {
			list[i] = whole
		}
	}
	return list, err
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

func (d *desk) Answer(ctx context.Context, id string, a approval.Answer) (Answered, error) {
	r, err := d.Engine.Answer(ctx, id, a)
	if err != nil {
		return Answered{}, absent(err)
	}
	return Answered{Outcome: string(r.Outcome), Request: r.Request}, nil
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

func (d *desk) StopTurn(sessionID string) error {
	if !d.Busy(sessionID) {
		return ErrNotFound
	}
	return d.Engine.StopTurn(sessionID)
}

// absent turns every way of saying that something is not there into ErrNotFound.
func absent(err error) error {
	for _, known := range []error{session.ErrNoSession, session.ErrNoInvocation, approval.ErrNoRequest} {
		if errors.Is(err, known) {
			return fmt.Errorf("%w: %w", ErrNotFound, err)
		}
	}
	return err
}
