package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

// selectRequest selects what scanRequest reads. The card holds the request as it was
// asked; what changes afterwards is in columns and wins.
const (
	selectRequest = `SELECT k.card, k.canonical, k.canonical_asked,
		COALESCE((SELECT c.hash FROM shown_cards c WHERE c.approval_num = a.num), '')` + fromRequest
	// selectCard leaves the arguments out, which can be large.
	selectCard  = `SELECT k.card, NULL, NULL, ''` + fromRequest
	fromRequest = `, a.invocation_id, a.status, a.caller_left, a.left_why, a.resolution, a.keep, a.words,
	a.resolved_at, a.resolved_by, a.reason, a.voided, a.batch_id, a.consumed, a.session_num
	FROM approvals a JOIN approval_cards k ON k.approval_num = a.num`
)

func scanRequest(rows *sql.Rows) (approval.Request, error) {
	r, _, err := scanRequestNum(rows)
	return r, err
}

func scanRequestNum(rows *sql.Rows) (r approval.Request, session int64, err error) {
	var card, keep, words string
	var resolved sql.NullInt64
	var canonical, asked []byte
	var v approval.Request
	err = rows.Scan(&card, &canonical, &asked, &v.Card, &v.InvocationID, &v.Status, &v.CallerLeft, &v.LeftWhy, &v.Resolution, &keep, &words,
		&resolved, &v.ResolvedBy, &v.Reason, &v.Voided, &v.BatchID, &v.Consumed, &session)
	if err != nil {
		return r, 0, err
	}
	if err := json.Unmarshal([]byte(card), &r); err != nil {
		return r, 0, fmt.Errorf("read a card: %w", err)
	}
	if r.Changed != nil {
		r.Changed.Canonical, r.Changed.At = asked, instant(ms(r.Changed.At))
	}
	if keep != "" {
		if err := json.Unmarshal([]byte(keep), &r.Keep); err != nil {
			return r, 0, fmt.Errorf("read what an answer kept: %w", err)
		}
	}
	r.Canonical, r.InvocationID, r.Status, r.CallerLeft, r.LeftWhy = canonical, v.InvocationID, v.Status, v.CallerLeft, v.LeftWhy
	r.Resolution, r.Words, r.ResolvedAt, r.ResolvedBy, r.Consumed = v.Resolution, tool.Mark(words), instantOrNil(resolved), v.ResolvedBy, v.Consumed
	r.Reason, r.Voided, r.BatchID, r.Card = v.Reason, v.Voided, v.BatchID, v.Card
	r.CreatedAt, r.ExpiresAt = instant(ms(r.CreatedAt)), instant(ms(r.ExpiresAt))
	return r, session, nil
}

func (t *tx) addRequest(c call, r approval.Request) error {
	card, err := jsonOrNull(r, false)
	if err != nil {
		return err
	}
	num, err := t.insert(`INSERT INTO approvals (id, session_num, invocation_id, tool_id, risk, arguments_hash, asked_hash, policy_version, status,
		created_at, expires_at, caller_left, left_why, resolution, words, resolved_by, reason, voided, consumed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, 0, '', '', '', '', '', '', 0)`,
		r.ID, c.ref.num, r.InvocationID, r.ToolID, string(r.Risk), r.ArgumentsHash, r.AskedHash(), r.PolicyVersion, ms(r.CreatedAt), ms(r.ExpiresAt))
	if err != nil {
		return err
	}
	if _, err = t.exec(`INSERT INTO approval_cards (approval_num, canonical, canonical_asked, card) VALUES (?, ?, ?, ?)`, num, r.Canonical, askedCanonical(r), card); err != nil {
		return err
	}
	head, err := jsonOrNull(briefOf(r), false)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO approval_heads (approval_num, head) VALUES (?, ?)`, num, head)
	return err
}

// askedCanonical is what is stored of the arguments as the caller sent them, beside those that
// the card shows.
func askedCanonical(r approval.Request) []byte {
	if r.Changed == nil {
		return nil
	}
	return r.Changed.Canonical
}

// Revise puts another call in the place of what a pending request shows.
func (s *Store) Revise(ctx context.Context, r approval.Request, shown string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		old, ref, err := t.request(r.ID)
		if err != nil {
			return err
		}
		if old.Status != approval.StatusPending || old.ArgumentsHash != shown {
			return approval.ErrNoRequest
		}
		next := r
		next.SessionID, next.InvocationID, next.CreatedAt = old.SessionID, old.InvocationID, old.CreatedAt
		next.Status, next.CallerLeft, next.LeftWhy = old.Status, old.CallerLeft, old.LeftWhy
		if err := t.revise(next); err != nil {
			return err
		}
		return t.tellRequest(ref, event.ApprovalChanged, next, now)
	})
}

// revise writes what a request shows over what it showed.
func (t *tx) revise(r approval.Request) error {
	card, err := jsonOrNull(r, false)
	if err != nil {
		return err
	}
	head, err := jsonOrNull(briefOf(r), false)
	if err != nil {
		return err
	}
	var num int64
	err = t.row(`UPDATE approvals SET risk = ?, arguments_hash = ?, policy_version = ?, expires_at = ? WHERE id = ? RETURNING num`,
		[]any{string(r.Risk), r.ArgumentsHash, r.PolicyVersion, ms(r.ExpiresAt), r.ID}, &num)
	if err != nil {
		return err
	}
	_, err = t.exec(`UPDATE approval_cards SET canonical = ?, canonical_asked = ?, card = ? WHERE approval_num = ?`, r.Canonical, askedCanonical(r), card, num)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO approval_heads (approval_num, head) VALUES (?, ?) ON CONFLICT (approval_num) DO UPDATE SET head = excluded.head`, num, head)
	if err != nil {
		return err
	}
	r.Card = ""
	_, err = t.shown(r)
	return err
}

// request finds a request with its session.
func (t *tx) request(id string) (approval.Request, ref, error) {
	rows, err := t.rows(selectRequest+` WHERE a.id = ?`, id)
	if err != nil {
		return approval.Request{}, ref{}, err
	}
	var r approval.Request
	var s ref
	err = walk(rows, func(rows *sql.Rows) (err error) {
		r, s.num, err = scanRequestNum(rows)
		return err
	})
	if err == nil && r.ID == "" {
		err = approval.ErrNoRequest
	}
	if err != nil {
		return r, s, err
	}
	return r, s, t.row(`SELECT id, COALESCE(owner, ''), status FROM sessions WHERE num = ?`, []any{s.num}, &s.id, &s.owner, &s.status)
}

func (t *tx) tellRequest(s ref, kind event.Type, r approval.Request, at time.Time) error {
	_, err := t.tell(s, kind, r.ID, at, event.Approval{
		Approval: r.ID, Invocation: r.InvocationID, Tool: r.ToolID, Risk: string(r.Risk), Status: string(r.Status), By: r.ResolvedBy,
	})
	return err
}
