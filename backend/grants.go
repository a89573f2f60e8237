package backend

import (
	"context"
	"time"

	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// LedgerGrant is a grant as the ledger tells it.
type LedgerGrant struct {
	policy.Grant
	// Words says what it lets through: "Runs commands that begin with `git log`".
	Words string
	// State says whether it counts under the settings and tools of now, and Why, as a sentence,
	// why not.
	State policy.GrantState
	Why   string
	// SweptAt is when it ends if it is not used until then; nil where it does not.
	SweptAt *time.Time
	// CallID is the call whose card made it, "" when that is not kept any more.
	CallID string
}

// Grants returns the grants that have not ended and those that ended in the last thirty days,
// the latest first.
func (e *Engine) Grants(ctx context.Context) ([]LedgerGrant, error) {
	all, err := e.desk.AllGrants(ctx)
	if err != nil {
		return nil, err
	}
	requests := make([]string, len(all))
	for i := range all {
		requests[i] = all[i].ApprovalID
	}
	calls, err := e.store.CallsAsked(ctx, requests)
	if err != nil {
		return nil, err
	}
	now, unused := e.options.Clock.Now(), e.Settings().UnusedGrants
	limits := map[string]session.Rules{}
	out := make([]LedgerGrant, 0, len(all))
	for _, g := range all {
		rules := e.Rules()
		if g.Life == policy.GrantSession {
			of, known := limits[g.SessionID]
			if !known {
				of = e.rulesIn(ctx, g.SessionID)
				limits[g.SessionID] = of
			}
			rules = of
		}
		one := LedgerGrant{Grant: g, Words: g.Matches(), CallID: calls[g.ApprovalID]}
		one.State, one.Why = e.stateOf(ctx, &g, rules, now)
		if g.Life == policy.GrantWorkspace && g.EndedAt == nil && unused > 0 {
			at := g.CreatedAt.Add(unused)
			if g.LastUsed != nil {
				at = g.LastUsed.Add(unused)
			}
			one.SweptAt = &at
		}
		out = append(out, one)
	}
	return out, nil
}

// rulesIn are the rules by which calls of a session are decided now. One that cannot be read
// has the settings alone.
func (e *Engine) rulesIn(ctx context.Context, sessionID string) session.Rules {
	e.mu.Lock()
	s := e.sessions[sessionID]
	e.mu.Unlock()
	if s != nil {
		return s.rules()
	}
	record, err := e.store.Session(ctx, sessionID)
	if err != nil {
		return e.Rules()
	}
	return e.Rules().Tightened(record.Limits)
}

// stateOf says whether a grant counts under rules and for the tool as it is now.
func (e *Engine) stateOf(ctx context.Context, g *policy.Grant, rules session.Rules, now time.Time) (policy.GrantState, string) {
	spec, known := e.specAt(ctx, g.Workspace, g.ToolID)
	if !known {
		if g.EndedAt != nil {
			return g.State(policy.GrantPlace{Rules: rules, Now: now})
		}
		return policy.GrantResting, "Its tool is not there now."
	}
	return g.State(placeOf(spec, rules, now))
}

func placeOf(spec *tool.Spec, rules session.Rules, now time.Time) policy.GrantPlace {
	p := policy.GrantPlace{
		Rules: rules, Now: now, Source: spec.Source, Set: spec.Set, SetOrigin: spec.Origin, Fingerprint: spec.Fingerprint, Risk: spec.Class.Risk,
	}
	if spec.Effect == nil {
		p.Effect = spec.Class.SideEffect
	}
	return p
}

// RevokeGrant takes a grant back from the next decision on; what it let run goes on. changed
// is false when it had ended before. The error is approval.ErrNoGrant when there is none.
func (e *Engine) RevokeGrant(ctx context.Context, id string) (changed bool, err error) {
	_, changed, err = e.desk.Revoke(ctx, id)
	if changed {
		e.grantsChanged()
	}
	return changed, err
}

// RevokeSessionGrants takes back every grant that holds in one session alone, and returns how
// many there were.
func (e *Engine) RevokeSessionGrants(ctx context.Context, sessionID string) (revoked int, err error) {
	all, err := e.desk.AllGrants(ctx)
	if err != nil {
		return 0, err
	}
	for _, g := range all {
		if g.SessionID != sessionID || g.Life != policy.GrantSession || g.EndedAt != nil {
			continue
		}
		changed, err := e.RevokeGrant(ctx, g.ID)
		if err != nil {
			return revoked, err
		}
		if changed {
			revoked++
		}
	}
	return revoked, nil
}

// sweepGrants ends the grants that nobody used for as long as the settings say.
func (e *Engine) sweepGrants(ctx context.Context) {
	n, err := e.desk.SweepGrants(ctx, e.Settings().UnusedGrants)
	if n > 0 {
		e.options.Log.Info("grants that were not used were swept away", "grants", n)
		e.grantsChanged()
	}
	if err != nil && ctx.Err() == nil {
		e.options.Log.Warn("grants that were not used were not swept away", "cause", err)
	}
}

func (e *Engine) grantsChanged() {
	e.hub.Emit(event.Event{Type: event.GrantsChanged, At: e.options.Clock.Now()})
}
