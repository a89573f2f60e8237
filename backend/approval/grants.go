package approval

import (
	"context"
	"time"

	"countersign/backend/policy"
)

// MaxGrantDays is how many days a grant for a workspace may be given for.
const MaxGrantDays = 3650

// What is said of an answer whose grants are not made.
const (
	refusedOnce = "This call can only be allowed once."
	refusedDays = "A grant may be given for 1 to 3650 days, or for as long as it is not taken back."
)

// grantsFor makes the grants of an answer, none for one that allows once or denies.
func (d *Desk) grantsFor(r Request, a Answer) ([]policy.Grant, *policy.Refusal) {
	life := a.Resolution.Life()
	switch {
	case life == "":
		return nil, nil
	case len(r.Offers) == 0 || r.Restricted:
		return nil, &policy.Refusal{Words: refusedOnce}
	case a.Days < 0 || a.Days > MaxGrantDays:
		return nil, &policy.Refusal{Words: refusedDays}
	}
	chosen, refusal := policy.Choose(r.Offers, life, a.Chosen)
	if refusal != nil {
		return nil, refusal
	}
	now := d.clock.Now()
	out := make([]policy.Grant, 0, len(chosen))
	for _, c := range chosen {
		g := r.Granting
		g.ID, g.SessionID, g.ApprovalID, g.By = d.ids.NewID(), r.SessionID, r.ID, "person"
		g.Life, g.Kind, g.Value = life, c.Kind, c.Value
		g.CreatedAt, g.PolicyVersion = now, r.PolicyVersion
		if life == policy.GrantWorkspace && a.Days > 0 {
			expires := now.Add(time.Duration(a.Days) * 24 * time.Hour)
			g.ExpiresAt = &expires
		}
		out = append(out, g)
	}
	return out, nil
}

// Grants returns the grants that hold in a session of a workspace.
func (d *Desk) Grants(ctx context.Context, session, workspace string) ([]policy.Grant, error) {
	return d.ledger.Grants(ctx, session, workspace, d.clock.Now())
}

// endedShown is how long a grant that ended is still listed.
const endedShown = 30 * 24 * time.Hour

// AllGrants returns the grants that have not ended and those that ended lately, the latest
// first.
func (d *Desk) AllGrants(ctx context.Context) ([]policy.Grant, error) {
	return d.ledger.AllGrants(ctx, d.clock.Now().Add(-endedShown))
}

// Revoke takes a grant back. What it let run goes on; every call that waits is judged again.
// changed is false when it had ended before, and err is ErrNoGrant when there is none.
func (d *Desk) Revoke(ctx context.Context, id string) (g policy.Grant, changed bool, err error) {
	g, changed, err = d.ledger.EndGrant(ctx, id, policy.GrantRevoked, d.clock.Now())
	if changed {
		d.Reconsider()
	}
	return g, changed, err
}

// SweepGrants ends the grants for workspaces that were not used for so long, and returns how
// many. 0 keeps all.
func (d *Desk) SweepGrants(ctx context.Context, unused time.Duration) (int, error) {
	if unused <= 0 {
		return 0, nil
	}
	now := d.clock.Now()
	n, err := d.ledger.SweepGrants(ctx, now.Add(-unused), now)
	if n > 0 {
		d.Reconsider()
	}
	return n, err
}
