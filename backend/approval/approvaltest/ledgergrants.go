package approvaltest

import (
	"context"
	"slices"
	"time"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/session"
)

// grant keeps a grant in the place of one that says the same.
func (l *Ledger) grant(g policy.Grant) {
	for i := range l.grants {
		have := &l.grants[i]
		if have.EndedAt == nil && have.Life == g.Life && (g.Life == policy.GrantWorkspace || have.SessionID == g.SessionID) && have.Workspace == g.Workspace &&
			have.Kind == g.Kind && have.ToolID == g.ToolID && have.Effect == g.Effect && have.Value == g.Value {
			at := g.CreatedAt
			have.EndedAt, have.EndedBy = &at, policy.GrantReplaced
		}
	}
	l.grants = append(l.grants, g)
}

// Grants returns the grants that hold in a session and its workspace.
func (l *Ledger) Grants(ctx context.Context, sessionID, workspace string, now time.Time) (out []policy.Grant, err error) {
	err = l.change(ctx, "Grants", func(map[string]session.State) error {
		for _, g := range l.grants {
			holds := g.Life == policy.GrantSession && g.SessionID == sessionID || g.Life == policy.GrantWorkspace && g.Workspace == workspace
			if holds && g.EndedAt == nil && (g.ExpiresAt == nil || g.ExpiresAt.After(now)) {
				out = append(out, g)
			}
		}
		return nil
	})
	return out, err
}

// AllGrants returns the grants that have not ended and those that ended after since.
func (l *Ledger) AllGrants(ctx context.Context, since time.Time) (out []policy.Grant, err error) {
	err = l.change(ctx, "AllGrants", func(map[string]session.State) error {
		for _, g := range slices.Backward(l.grants) {
			if len(out) < approval.MaxGrants && (g.EndedAt == nil || g.EndedAt.After(since)) {
				out = append(out, g)
			}
		}
		return nil
	})
	return out, err
}

// EndGrant ends a grant.
func (l *Ledger) EndGrant(ctx context.Context, id string, by policy.GrantEnd, at time.Time) (g policy.Grant, changed bool, err error) {
	err = l.change(ctx, "EndGrant", func(map[string]session.State) error {
		i := slices.IndexFunc(l.grants, func(g policy.Grant) bool { return g.ID == id })
		if i < 0 {
			return approval.ErrNoGrant
		}
		if l.grants[i].EndedAt == nil {
			l.grants[i].EndedAt, l.grants[i].EndedBy, changed = &at, by, true
		}
		g = l.grants[i]
		return nil
	})
	return g, changed, err
}

// SweepGrants ends the grants for workspaces that were neither given nor used since unused.
func (l *Ledger) SweepGrants(ctx context.Context, unused, at time.Time) (swept int, err error) {
	err = l.change(ctx, "SweepGrants", func(map[string]session.State) error {
		for i := range l.grants {
			g := &l.grants[i]
			last := g.CreatedAt
			if g.LastUsed != nil {
				last = *g.LastUsed
			}
			if g.Life == policy.GrantWorkspace && g.EndedAt == nil && last.Before(unused) {
				g.EndedAt, g.EndedBy = &at, policy.GrantUnused
				swept++
			}
		}
		return nil
	})
	return swept, err
}

// Use counts a use of grants, as the journal does that shares a store with the ledger. It
// counts nothing and returns false when one of them does not hold any more.
func (l *Ledger) Use(ids []string, at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var used []*policy.Grant
	for i := range l.grants {
		g := &l.grants[i]
		if slices.Contains(ids, g.ID) && g.EndedAt == nil && (g.ExpiresAt == nil || g.ExpiresAt.After(at)) {
			used = append(used, g)
		}
	}
	if len(used) != len(ids) {
		return false
	}
	for _, g := range used {
		g.Uses++
		g.LastUsed = &at
	}
	return true
}
