package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// changing are the columns that steps of a call write, in the order of
// invocationColumns. What an earlier step made durable stays when a later one does
// not carry it.
const (
	insertInvocation = `INSERT INTO invocations (
		id, session_num, ordinal, call_id, turn, name, attempt_number, caller_tag, origin_trust, proposed_at, parallel_group, state,
		tool_id, tool_version, tool_set, tool_source, server_id, side_effect, risk, idempotency_class,
		effective_arguments_hash, asked_arguments_hash, changed_by, idempotency_key, policy_version, decision, decided_by,
		authorized_at, started_at, effect_sent_at, ended_at,
		outcome_status, reason_code, output_trust, output_bytes, truncated, duration_ms, metadata)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,  ?, ?, ?, ?, ?, ?, ?, ?,  ?, ?, ?, ?, ?, ?, ?,  ?, ?, ?, ?,  ?, ?, ?, ?, ?, ?, ?)`

	updateInvocation = `UPDATE invocations SET
		tool_id = ?, tool_version = ?, tool_set = ?, tool_source = ?, server_id = ?, side_effect = ?, risk = ?, idempotency_class = ?,
		effective_arguments_hash = ?, asked_arguments_hash = ?, changed_by = ?, idempotency_key = ?, policy_version = ?, decision = ?, decided_by = ?,
		authorized_at = COALESCE(?, authorized_at), started_at = COALESCE(started_at, ?),
		effect_sent_at = COALESCE(effect_sent_at, ?), ended_at = ?,
		outcome_status = ?, reason_code = ?, output_trust = ?, output_bytes = ?, truncated = ?, duration_ms = ?, metadata = ?,
		state = ?, suspended_kind = NULL, suspended_ref = NULL WHERE num = ?`

	selectInvocation = `SELECT i.ordinal, i.id, s.id, i.call_id, i.turn, i.name, i.attempt_number, i.caller_tag, i.origin_trust, i.proposed_at,
		i.parallel_group, i.state,
		i.tool_id, i.tool_version, i.tool_set, i.tool_source, i.server_id, i.side_effect, i.risk, i.idempotency_class,
		i.effective_arguments_hash, i.asked_arguments_hash, i.changed_by, i.idempotency_key, i.policy_version, i.decision, i.decided_by,
		i.authorized_at, i.started_at, i.effect_sent_at, i.ended_at,
		i.outcome_status, i.reason_code, i.output_trust, i.output_bytes, i.truncated, i.duration_ms,
		COALESCE((SELECT a.id FROM approvals a WHERE a.invocation_id = i.id ORDER BY a.num DESC LIMIT 1), '')`
)

// Call is an invocation in the timeline of its session.
type Call struct {
	session.Invocation
	// Ordinal is the number of the event that told of the proposal. Messages have such
	// a number too, so that both can be put in one order.
	Ordinal int64
	// ApprovalID is the latest request that was made for the call, "" without one.
	ApprovalID string
}

// invocationColumns are the values of the columns that steps write.
func invocationColumns(inv session.Invocation) ([]any, error) {
	decision, err := jsonOrNull(inv.Decision, inv.Decision == nil)
	if err != nil {
		return nil, err
	}
	brief := inv.Metadata
	brief.Diff, brief.Extra = nil, figures(inv.Metadata.Extra)
	metadata, err := json.Marshal(brief)
	if err != nil {
		return nil, fmt.Errorf("%w: marshal metadata: %w", errRefused, err)
	}
	return []any{
		inv.ToolID, inv.Version, inv.Set, string(inv.Source), inv.ServerID,
		string(inv.SideEffect), string(inv.Risk), string(inv.Idempotency),
		inv.ArgumentsHash, inv.AskedHash, inv.ChangedBy, inv.IdempotencyKey, inv.PolicyVersion, decision, inv.DecidedBy,
		msOrNull(inv.AuthorizedAt), msOrNull(inv.StartedAt), msOrNull(inv.EffectSentAt), msOrNull(inv.EndedAt),
		string(inv.Status), string(inv.ReasonCode), string(inv.OutputTrust), inv.OutputBytes, inv.Truncated, inv.DurationMs,
		string(metadata),
	}, nil
}

// plainWord is the form of a word that can say how something stands, and carry no message.
var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,15}$`)

// figures are the numbers and plain words among what a tool says of its result. A list tells
// them; text stays with the result.
func figures(extra map[string]any) map[string]any {
	var out map[string]any
	for name, value := range extra {
		switch v := value.(type) {
		case int, int64, float64, bool:
		case string:
			if !plainWord.MatchString(v) {
				continue
			}
		default:
			continue
		}
		if out == nil {
			out = map[string]any{}
		}
		out[name] = value
	}
	return out
}

// jsonOrNull is a value as it is stored, null for none.
func jsonOrNull(v any, none bool) (any, error) {
	if none {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("%w: marshal: %w", errRefused, err)
	}
	return string(b), nil
}

// scanCall reads what selectInvocation and the columns in more select.
func scanCall(rows *sql.Rows, more ...any) (Call, error) {
	var c Call
	var name string
	var decision sql.NullString
	var proposed int64
	var authorized, started, sent, ended sql.NullInt64
	err := rows.Scan(append([]any{
		&c.Ordinal, &c.ID, &c.SessionID, &c.CallID, &c.Turn, &name, &c.Attempt, &c.CallerTag, &c.OriginTrust, &proposed,
		&c.ParallelGroup, &c.State,
		&c.ToolID, &c.Version, &c.Set, &c.Source, &c.ServerID, &c.SideEffect, &c.Risk, &c.Idempotency,
		&c.ArgumentsHash, &c.AskedHash, &c.ChangedBy, &c.IdempotencyKey, &c.PolicyVersion, &decision, &c.DecidedBy,
		&authorized, &started, &sent, &ended,
		&c.Status, &c.ReasonCode, &c.OutputTrust, &c.OutputBytes, &c.Truncated, &c.DurationMs,
		&c.ApprovalID,
	}, more...)...)
	if err != nil {
		return c, err
	}
	c.Name, c.ProposedAt = tool.Mark(name), instant(proposed)
	c.AuthorizedAt, c.StartedAt = instantOrNil(authorized), instantOrNil(started)
	c.EffectSentAt, c.EndedAt = instantOrNil(sent), instantOrNil(ended)
	if decision.Valid {
		c.Decision = &tool.Decision{}
		return c, json.Unmarshal([]byte(decision.String), c.Decision)
	}
	return c, nil
}

// Invocation returns a call with its arguments, content and full metadata, or
// session.ErrNoInvocation.
func (s *Store) Invocation(ctx context.Context, id string) (Call, error) {
	var found Call
	err := s.each(ctx, selectInvocation+`, a.raw, a.canonical, r.content, r.structured, COALESCE(r.metadata, i.metadata), COALESCE(r.detail, '')
		FROM invocations i JOIN sessions s ON s.num = i.session_num
		LEFT JOIN arguments a ON a.invocation_num = i.num LEFT JOIN results r ON r.invocation_num = i.num
		WHERE i.id = ?`, []any{id}, func(rows *sql.Rows) error {
		var raw, canonical, structured []byte
		var content sql.NullString
		var metadata, detail string
		c, err := scanCall(rows, &raw, &canonical, &content, &structured, &metadata, &detail)
		if err != nil {
			return err
		}
		c.Raw, c.Canonical, c.Structured, c.Detail = raw, canonical, structured, detail
		if content.Valid {
			if err := json.Unmarshal([]byte(content.String), &c.Content); err != nil {
				return err
			}
		}
		found = c
		return json.Unmarshal([]byte(metadata), &found.Metadata)
	})
	if err == nil && found.ID == "" {
		err = session.ErrNoInvocation
	}
	return found, err
}

// Invocations returns calls of a session, the latest first, without arguments,
// content, diff and cause. before is the ordinal that the page ends before, 0 for
// the end of the session; limit is at most 1,000.
func (s *Store) Invocations(ctx context.Context, sessionID string, before int64, limit int) ([]Call, error) {
	var out []Call
	err := s.each(ctx, selectInvocation+`, i.metadata FROM sessions s JOIN invocations i ON i.session_num = s.num
		WHERE s.id = ? AND i.ordinal < ? ORDER BY i.ordinal DESC LIMIT ?`,
		[]any{sessionID, beforeOrEnd(before), pageOf(limit)}, func(rows *sql.Rows) error {
			var metadata string
			c, err := scanCall(rows, &metadata)
			if err != nil {
				return err
			}
			err = json.Unmarshal([]byte(metadata), &c.Metadata)
			out = append(out, c)
			return err
		})
	return out, err
}
