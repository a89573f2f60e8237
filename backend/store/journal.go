package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"countersign/backend/event"
	"countersign/backend/record"
	"countersign/backend/redact"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Propose stores a new invocation with its raw arguments. Besides the errors of
// registry.Journal it returns session.ErrNoSession, and session.ErrNotOwned for a
// session of another program.
func (s *Store) Propose(ctx context.Context, inv session.Invocation) error {
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.owned(inv.SessionID, s.program.id)
		if err != nil {
			return err
		}
		if taken, err := t.there(`SELECT 1 FROM invocations WHERE id = ?`, inv.ID); err != nil || taken {
			return errors.Join(err, when(taken, registry.ErrDuplicate))
		}
		inv.State = session.StateProposed
		seq, err := t.tell(r, event.CallProposed, inv.ID, inv.ProposedAt, callPayload(inv))
		if err != nil {
			return err
		}
		c, err := invocationColumns(inv)
		if err != nil {
			return err
		}
		num, err := t.insert(insertInvocation, append([]any{
			inv.ID, r.num, seq, inv.CallID, inv.Turn, inv.Name.Open(), inv.Attempt, inv.CallerTag,
			string(inv.OriginTrust), ms(inv.ProposedAt), inv.ParallelGroup, string(inv.State),
		}, c...)...)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO arguments (invocation_num, raw, canonical) VALUES (?, ?, ?)`, num, inv.Raw, inv.Canonical)
		if err != nil {
			return err
		}
		return t.argumentHeads(num, inv)
	})
}

// Authorize stores the intent. Besides registry.ErrDuplicate and registry.ErrGrantGone it returns
// session.ErrNoInvocation, session.ErrEnded, session.ErrNotReady for a call that
// runs already, and session.ErrNotOwned.
func (s *Store) Authorize(ctx context.Context, inv session.Invocation) error {
	var decision record.Entry
	if inv.AuthorizedAt != nil {
		decision = record.Authorized(&inv)
	}
	return s.writer.do(ctx, func(t *tx) error {
		c, err := t.call(inv.ID)
		switch {
		case err != nil:
			return err
		case c.state.Ended():
			return session.ErrEnded
		case c.state == session.StateRunning || inv.AuthorizedAt == nil:
			return session.ErrNotReady
		case c.owner != s.program.id:
			return session.ErrNotOwned
		}
		var key any
		if inv.IdempotencyKey != "" {
			taken, err := t.there(`SELECT 1 FROM invocations WHERE authorized_key = ? AND num <> ?`, inv.IdempotencyKey, c.num)
			if err != nil || taken {
				return errors.Join(err, when(taken, registry.ErrDuplicate))
			}
			key = inv.IdempotencyKey
		}
		if err := t.update(c, inv, session.StateAuthorized); err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE invocations SET authorized_key = ? WHERE num = ?`, key, c.num); err != nil {
			return err
		}
		if err := t.useGrants(inv.Grants, *inv.AuthorizedAt); err != nil {
			return err
		}
		if err := t.decided(c.ref, decision); err != nil {
			return err
		}
		return t.tellCall(c.ref, event.CallAuthorized, inv.ID, *inv.AuthorizedAt)
	})
}

// Claim moves an authorized invocation to running. It returns
// session.ErrNoInvocation for an unknown one.
func (s *Store) Claim(ctx context.Context, id string, at time.Time) (won bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		won = false
		c, err := t.call(id)
		if err != nil || c.state != session.StateAuthorized || c.owner != s.program.id {
			return err
		}
		if _, err := t.exec(`UPDATE invocations SET state = 'running', started_at = ? WHERE num = ?`, ms(at), c.num); err != nil {
			return err
		}
		won = true
		return t.tellCall(c.ref, event.CallStarted, id, at)
	})
	return won && err == nil, err
}

// MarkEffect stores the effect mark; a second one changes nothing. The mark has no
// event of its own: the end of the call tells of it. It returns
// session.ErrNoInvocation, session.ErrEnded, session.ErrNotReady for a call that
// does not run, and session.ErrNotOwned.
func (s *Store) MarkEffect(ctx context.Context, id string, at time.Time) error {
	return s.writer.do(ctx, func(t *tx) error {
		c, err := t.call(id)
		switch {
		case err != nil:
			return err
		case c.state.Ended():
			return session.ErrEnded
		case c.state != session.StateRunning:
			return session.ErrNotReady
		case c.owner != s.program.id:
			return session.ErrNotOwned
		}
		_, err = t.exec(`UPDATE invocations SET effect_sent_at = ? WHERE num = ? AND effect_sent_at IS NULL`, ms(at), c.num)
		return err
	})
}

// Finish stores the end of an invocation. It returns session.ErrNoInvocation,
// session.ErrEnded for a second end, and session.ErrNotReady when inv has no end.
func (s *Store) Finish(ctx context.Context, inv session.Invocation, files []tool.FileRecord, outputs []session.Output) error {
	words := searchable(callText(inv))
	var decision record.Entry
	denied := inv.Status == tool.StatusDenied && inv.EndedAt != nil
	if denied {
		decision = record.Denied(&inv)
	}
	return s.writer.do(ctx, func(t *tx) error {
		c, err := t.call(inv.ID)
		switch {
		case err != nil:
			return err
		case c.state.Ended():
			return session.ErrEnded
		case !session.StateOf(inv.Status).Ended() || inv.EndedAt == nil:
			return session.ErrNotReady
		}
		if err := t.update(c, inv, session.StateOf(inv.Status)); err != nil {
			return err
		}
		if err := t.result(c, inv); err != nil {
			return err
		}
		if err := t.files(c, inv, files); err != nil {
			return err
		}
		for _, o := range outputs {
			if err := t.output(c.ref, o); err != nil {
				return err
			}
		}
		if denied {
			if err := t.decided(c.ref, decision); err != nil {
				return err
			}
		}
		if err := t.index(c.ref, docCall, inv.ID, words); err != nil {
			return err
		}
		return t.tellCall(c.ref, endEvent(inv.Status), inv.ID, *inv.EndedAt)
	})
}

// Stamps returns the stamps of a session, by real path.
func (s *Store) Stamps(ctx context.Context, sessionID string) (map[string]tool.Stamp, error) {
	out := map[string]tool.Stamp{}
	err := s.each(ctx, `SELECT path, mtime_ns, size, sha256, at FROM file_stamps
		WHERE session_num = (SELECT num FROM sessions WHERE id = ?)`, []any{sessionID}, func(rows *sql.Rows) error {
		var f tool.Stamp
		var mtime, at int64
		if err := rows.Scan(&f.Path, &mtime, &f.Size, &f.SHA256, &at); err != nil {
			return err
		}
		f.ModTime, f.At = time.Unix(0, mtime).UTC(), instant(at)
		out[f.Path] = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// call is an invocation as a step of it needs it.
type call struct {
	ref
	num       int64
	state     session.State
	workspace string
}

// call finds an invocation with its session.
func (t *tx) call(id string) (call, error) {
	var c call
	err := t.row(`SELECT i.num, i.state, s.num, s.id, COALESCE(s.owner, ''), s.status, s.workspace
		FROM invocations i JOIN sessions s ON s.num = i.session_num WHERE i.id = ?`, []any{id},
		&c.num, &c.state, &c.ref.num, &c.ref.id, &c.owner, &c.status, &c.workspace)
	if errors.Is(err, sql.ErrNoRows) {
		return c, session.ErrNoInvocation
	}
	return c, err
}

// owned finds a session that must belong to a program.
func (t *tx) owned(id, program string) (ref, error) {
	r, err := t.session(id)
	if err == nil && r.owner != program {
		err = session.ErrNotOwned
	}
	return r, err
}

// there reports whether a query has a row.
func (t *tx) there(text string, args ...any) (bool, error) {
	var one int
	err := t.row(text, args, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func when(is bool, err error) error {
	if is {
		return err
	}
	return nil
}

// update writes what the pipeline knows of a call by now over what is stored.
func (t *tx) update(c call, inv session.Invocation, state session.State) error {
	columns, err := invocationColumns(inv)
	if err != nil {
		return err
	}
	if _, err := t.exec(updateInvocation, append(columns, string(state), c.num)...); err != nil {
		return err
	}
	if inv.Canonical == nil {
		return nil
	}
	n, err := t.exec(`UPDATE arguments SET canonical = ? WHERE invocation_num = ? AND canonical IS NOT ?`, inv.Canonical, c.num, inv.Canonical)
	if err != nil || n == 0 {
		return err
	}
	return t.argumentHeads(c.num, inv)
}

func (t *tx) result(c call, inv session.Invocation) error {
	content, err := jsonOrNull(inv.Content, inv.Content == nil)
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(inv.Metadata)
	if err != nil {
		return fmt.Errorf("%w: marshal metadata: %w", errRefused, err)
	}
	_, err = t.exec(`INSERT INTO results (invocation_num, content, structured, metadata, detail) VALUES (?, ?, ?, ?, ?)`,
		c.num, content, []byte(inv.Structured), string(metadata), inv.Detail)
	return err
}

// files stores the stamps of files with the events that tell of them.
func (t *tx) files(c call, inv session.Invocation, files []tool.FileRecord) error {
	for _, f := range files {
		_, err := t.exec(`INSERT INTO file_stamps (session_num, path, mtime_ns, size, sha256, at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (session_num, path) DO UPDATE SET mtime_ns = excluded.mtime_ns, size = excluded.size, sha256 = excluded.sha256, at = excluded.at`,
			c.ref.num, f.Stamp.Path, f.Stamp.ModTime.UnixNano(), f.Stamp.Size, f.Stamp.SHA256, ms(f.Stamp.At))
		if err != nil {
			return err
		}
		kind := event.FileRead
		if f.Op == tool.FileModified {
			kind = event.FileModified
		}
		_, err = t.tell(c.ref, kind, inv.ID, *inv.EndedAt, event.File{
			Path: redact.Text(within(c.workspace, f.Stamp.Path), redact.MarkOf(inv.SessionID)), Lines: f.Lines, Additions: f.Additions, Deletions: f.Deletions, Created: f.Created, Strategy: f.Strategy,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// within returns a path relative to the workspace if it lies inside, else as it is.
func within(workspace, path string) string {
	rel, err := filepath.Rel(workspace, path)
	if workspace == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.ToSlash(rel)
}

// tellCall appends an event of a call with what is stored of it.
func (t *tx) tellCall(r ref, kind event.Type, id string, at time.Time) error {
	var p event.Call
	err := t.row(`SELECT id, tool_id, tool_version, tool_source, side_effect, risk, idempotency_class, outcome_status, reason_code,
		effect_sent_at IS NOT NULL, duration_ms, output_bytes, truncated, parallel_group FROM invocations WHERE id = ?`, []any{id},
		&p.Invocation, &p.Tool, &p.Version, &p.Source, &p.SideEffect, &p.Risk, &p.Idempotency, &p.Outcome, &p.ReasonCode,
		&p.EffectSent, &p.DurationMs, &p.OutputBytes, &p.Truncated, &p.ParallelGroup)
	if err != nil {
		return err
	}
	_, err = t.tell(r, kind, id, at, p)
	return err
}

func callPayload(inv session.Invocation) event.Call {
	return event.Call{
		Invocation: inv.ID, Tool: inv.ToolID, Version: inv.Version, Source: string(inv.Source),
		SideEffect: string(inv.SideEffect), Risk: string(inv.Risk), Idempotency: string(inv.Idempotency),
		Outcome: string(inv.Status), ReasonCode: string(inv.ReasonCode), EffectSent: inv.EffectSentAt != nil,
		DurationMs: inv.DurationMs, OutputBytes: inv.OutputBytes, Truncated: inv.Truncated, ParallelGroup: inv.ParallelGroup,
	}
}
