package bridge

import (
	"context"
	"errors"
	"slices"

	"countersign/backend/approval"
	"countersign/backend/session"
)

// maxSessions is how many sessions a snapshot holds.
const maxSessions = 200

func (a *API) snapshot(ctx context.Context) (Snapshot, error) {
	sessions, err := a.engine.Sessions(ctx, maxSessions)
	if err != nil {
		return Snapshot{}, err
	}
	out := Snapshot{}
	known := map[string]session.Session{}
	for _, s := range sessions {
		known[s.ID] = s
		out.Sessions = append(out.Sessions, a.row(s))
	}
	if out.Desk, err = a.desk(ctx, out.Sessions); err != nil {
		return Snapshot{}, err
	}
	pending, err := a.engine.Pending(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	for _, r := range pending {
		s, err := a.owner(ctx, known, r.SessionID)
		if err != nil {
			return Snapshot{}, err
		}
		out.Approvals = append(out.Approvals, approvalRow(r, s))
	}
	questions, err := a.engine.TrustQuestions(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	for _, q := range questions {
		out.Trust = append(out.Trust, trustQuestion(q, a.engine.Rules()))
	}
	return out, nil
}

// owner is the session of a request, which may be older than those of the list.
func (a *API) owner(ctx context.Context, known map[string]session.Session, id string) (session.Session, error) {
	if s, ok := known[id]; ok {
		return s, nil
	}
	s, err := a.engine.Session(ctx, id)
	if err == nil {
		known[id] = s
	}
	return s, err
}

func (a *API) row(s session.Session) SessionRow {
	return sessionRow(s, a.engine.Rules(), a.engine.Connected(s.ID), a.engine.Busy(s.ID))
}

// desk is the state of the rail and the status line; sessions may be nil, then they are read.
func (a *API) desk(ctx context.Context, sessions []SessionRow) (Desk, error) {
	if sessions == nil {
		stored, err := a.engine.Sessions(ctx, maxSessions)
		if err != nil {
			return Desk{}, err
		}
		for _, s := range stored {
			sessions = append(sessions, a.row(s))
		}
	}
	rules := a.engine.Rules()
	d := Desk{
		Version: a.version, Workspace: a.workspace, Home: a.home,
		Preset: string(rules.Preset), Catalog: string(rules.Catalog), Profile: string(rules.Profile),
		ReadOnly: rules.ReadOnly, Theme: a.engine.Theme(), Presets: presetChoices(),
		Running: a.engine.Running(),
		Agent:   a.model != "", Model: a.model, Now: stamp(a.clock.Now()),
	}
	d.StoreHealthy, d.StoreWords = a.engine.StoreHealth()
	running, err := a.engine.RunningProcesses(ctx)
	if err != nil {
		return Desk{}, err
	}
	d.Processes = running
	for _, s := range sessions {
		if s.Connected && s.CallerKind == string(session.CallerMCP) && !slices.Contains(d.Callers, s.Caller) {
			d.Callers = append(d.Callers, s.Caller)
		}
	}
	return d, nil
}

// name gives a call that the store holds without its tool the one that its name stands
// for, so that it is told like any other. A call is stored with its tool only once it is
// authorized.
func (a *API) name(inv *session.Invocation) {
	if inv == nil || inv.ToolID != "" {
		return
	}
	if spec, ok := a.engine.Spec(inv.Name.Open()); ok {
		inv.ToolID = spec.ID
	}
}

func (a *API) call(ctx context.Context, id string) (CallDetail, error) {
	if len(id) > maxID {
		return CallDetail{}, invalid("id", "is too long")
	}
	inv, err := a.engine.Invocation(ctx, id)
	if err != nil {
		return CallDetail{}, err
	}
	s, err := a.engine.Session(ctx, inv.SessionID)
	if err != nil {
		return CallDetail{}, err
	}
	var request *approval.Request
	switch r, err := a.engine.RequestOf(ctx, id); {
	case err == nil:
		request = &r
	case !errors.Is(err, ErrNotFound):
		return CallDetail{}, err
	}
	a.name(&inv)
	spec, _ := a.engine.Spec(inv.ToolID)
	outputs, err := a.engine.OutputsOf(ctx, id)
	if err != nil {
		return CallDetail{}, err
	}
	d := detail(&inv, s.Workspace, spec, request, a.engine.Reasons())
	for _, o := range outputs {
		d.Outputs = append(d.Outputs, outputRow(o))
	}
	return d, a.imageRows(ctx, inv.SessionID, d.Read)
}

func (a *API) approval(ctx context.Context, id string) (ApprovalCard, error) {
	if len(id) > maxID {
		return ApprovalCard{}, invalid("id", "is too long")
	}
	r, err := a.engine.Request(ctx, id)
	if err != nil {
		return ApprovalCard{}, err
	}
	c, err := a.cardOf(ctx, r)
	if err == nil && r.Status == approval.StatusPending && a.engine.Drifted(ctx, r) {
		c.Drift = "The file changed since this card was made. Allow will not run what is shown here."
	}
	return c, err
}

func (a *API) cardOf(ctx context.Context, r approval.Request) (ApprovalCard, error) {
	s, err := a.engine.Session(ctx, r.SessionID)
	if err != nil {
		return ApprovalCard{}, err
	}
	spec, _ := a.engine.Spec(r.ToolID)
	c := card(r, s, spec)
	if r.Status != approval.StatusPending {
		// A call that cannot be read leaves out only what its decision would add.
		inv, _ := a.engine.Invocation(ctx, r.InvocationID)
		c.Ended = endedWords(r, inv.Decision)
	}
	return c, nil
}
