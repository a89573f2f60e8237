package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/registry"
)

const selectGrant = `SELECT g.id, g.given_in, g.workspace, g.life, g.kind, g.tool_id, g.tool_source, g.tool_set, g.set_origin, g.fingerprint,
	g.side_effect, g.value, g.risk, g.policy_version, g.packaged, g.created_at, g.approval_id, g.given_by,
	g.expires_at, g.last_used_at, g.uses, g.ended_at, g.ended_by FROM grants g`

func scanGrant(rows *sql.Rows) (g policy.Grant, err error) {
	var at int64
	var expires, used, ended sql.NullInt64
	err = rows.Scan(&g.ID, &g.SessionID, &g.Workspace, &g.Life, &g.Kind, &g.ToolID, &g.Source, &g.Set, &g.SetOrigin, &g.Fingerprint,
		&g.Effect, &g.Value, &g.Risk, &g.PolicyVersion, &g.Packaged, &at, &g.ApprovalID, &g.By,
		&expires, &used, &g.Uses, &ended, &g.EndedBy)
	g.CreatedAt, g.ExpiresAt, g.LastUsed, g.EndedAt = instant(at), instantOrNil(expires), instantOrNil(used), instantOrNil(ended)
	return g, err
}

// grants reads the grants that a query selects.
func (s *Store) grants(ctx context.Context, where string, args ...any) (out []policy.Grant, err error) {
	err = s.each(ctx, selectGrant+where, args, func(rows *sql.Rows) error {
		g, err := scanGrant(rows)
		out = append(out, g)
		return err
	})
	return out, err
}

const heldGrants = ` WHERE (g.expires_at IS NULL OR g.expires_at > ?1) AND g.num IN (
	SELECT num FROM grants WHERE session_num = (SELECT num FROM sessions WHERE id = ?2 AND status <> 'ended') AND ended_at IS NULL
	UNION ALL SELECT num FROM grants WHERE life = 'workspace' AND workspace = ?3 AND ended_at IS NULL) ORDER BY g.num`

// Grants returns the grants that hold in a session that has not ended and in its workspace.
func (s *Store) Grants(ctx context.Context, sessionID, workspace string, now time.Time) ([]policy.Grant, error) {
	return s.grants(ctx, heldGrants, ms(now), sessionID, workspace)
}

// AllGrants returns the grants that have not ended and those that ended after since, the latest
// first.
func (s *Store) AllGrants(ctx context.Context, since time.Time) ([]policy.Grant, error) {
	return s.grants(ctx, ` LEFT JOIN sessions s ON s.num = g.session_num WHERE (g.ended_at IS NULL OR g.ended_at > ?)
		AND COALESCE(s.status, '') <> 'ended' ORDER BY g.num DESC LIMIT ?`, ms(since), approval.MaxGrants)
}

// EndGrant ends a grant. It returns approval.ErrNoGrant for an unknown one.
func (s *Store) EndGrant(ctx context.Context, id string, by policy.GrantEnd, at time.Time) (g policy.Grant, changed bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE grants SET ended_at = ?, ended_by = ? WHERE id = ? AND ended_at IS NULL`, ms(at), string(by), id)
		if changed = n == 1; err != nil {
			return err
		}
		rows, err := t.rows(selectGrant+` WHERE g.id = ?`, id)
		if err != nil {
			return err
		}
		g = policy.Grant{}
		err = walk(rows, func(rows *sql.Rows) (err error) {
			g, err = scanGrant(rows)
			return err
		})
		return errors.Join(err, when(err == nil && g.ID == "", approval.ErrNoGrant))
	})
	return g, changed && err == nil, err
}

// SweepGrants ends the grants for workspaces that were neither given nor used since unused.
func (s *Store) SweepGrants(ctx context.Context, unused, at time.Time) (swept int, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		n, err := t.exec(`UPDATE grants SET ended_at = ?, ended_by = ? WHERE life = 'workspace' AND ended_at IS NULL
			AND COALESCE(last_used_at, created_at) < ?`, ms(at), string(policy.GrantUnused), ms(unused))
		swept = int(n)
		return err
	})
	return swept, err
}

// grant stores what an answer grants, in the place of a grant that says the same.
func (t *tx) grant(s ref, g policy.Grant) error {
	if g.SessionID != s.id {
		return errors.Join(errRefused, errors.New("a grant for another session"))
	}
	var session any
	if g.Life == policy.GrantSession {
		session = s.num
	}
	at := ms(g.CreatedAt)
	_, err := t.exec(`UPDATE grants SET ended_at = ?, ended_by = ? WHERE ended_at IS NULL AND life = ? AND session_num IS ? AND workspace = ?
		AND kind = ? AND tool_id = ? AND side_effect = ? AND value = ?`,
		at, string(policy.GrantReplaced), string(g.Life), session, g.Workspace, string(g.Kind), g.ToolID, string(g.Effect), g.Value)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO grants (id, session_num, life, workspace, kind, tool_id, tool_source, tool_set, set_origin, fingerprint,
		side_effect, value, risk, policy_version, packaged, created_at, given_in, approval_id, given_by, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		g.ID, session, string(g.Life), g.Workspace, string(g.Kind), g.ToolID, string(g.Source), g.Set, g.SetOrigin, g.Fingerprint,
		string(g.Effect), g.Value, string(g.Risk), g.PolicyVersion, g.Packaged, at, g.SessionID, g.ApprovalID, g.By, msOrNull(g.ExpiresAt))
	return err
}

// useGrants counts a use of each grant. One that ended meanwhile lets nothing run.
func (t *tx) useGrants(ids []string, at time.Time) error {
	for _, id := range ids {
		n, err := t.exec(`UPDATE grants SET uses = uses + 1, last_used_at = ?1 WHERE id = ?2 AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > ?1)`, ms(at), id)
		if err != nil {
			return err
		}
		if n != 1 {
			return registry.ErrGrantGone
		}
	}
	return nil
}

// CallsAsked returns the calls that requests were about, by the request. One that is not there
// is left out.
func (s *Store) CallsAsked(ctx context.Context, requests []string) (map[string]string, error) {
	list, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(requests))
	err = s.each(ctx, `SELECT id, invocation_id FROM approvals WHERE id IN (SELECT value FROM json_each(?))`, []any{string(list)}, func(rows *sql.Rows) error {
		var request, call string
		err := rows.Scan(&request, &call)
		out[request] = call
		return err
	})
	return out, err
}
