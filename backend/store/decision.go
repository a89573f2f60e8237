package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/record"
)

const (
	selectStart = `SELECT after, calls FROM record_starts WHERE session_num = ?`
	selectHead  = `SELECT seq, hash FROM decisions WHERE session_num = ? ORDER BY seq DESC LIMIT 1`
)

// decided puts an entry behind the last one of its session. It is part of the transaction that
// makes the decision, so that there is never one without the other.
func (t *tx) decided(s ref, e record.Entry) error {
	head, err := t.chain(s)
	if err != nil {
		return fmt.Errorf("find the end of the record: %w", err)
	}
	sealed, err := head.Seal(e)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	_, err = t.exec(`INSERT INTO decisions (session_num, seq, kind, approval_id, hash, text) VALUES (?, ?, ?, ?, ?, ?)`,
		s.num, sealed.Seq, string(e.Kind), e.Approval, sealed.Hash, string(sealed.Text))
	if err != nil {
		return fmt.Errorf("record the decision: %w", err)
	}
	t.writer.chains[s.num] = record.HeadOf(s.id, sealed)
	return nil
}

// chain returns the last entry of the record of a session.
func (t *tx) chain(s ref) (record.Head, error) {
	if head, known := t.writer.chains[s.num]; known {
		return head, nil
	}
	head := record.Head{Session: s.id}
	err := t.row(selectHead, []any{s.num}, &head.Seq, &head.Hash)
	if !errors.Is(err, sql.ErrNoRows) {
		return head, err
	}
	var start record.Start
	if err := t.row(selectStart, []any{s.num}, &start.After, &start.Calls); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return head, err
	}
	begun, err := record.Begin(s.id, start)
	return record.HeadOf(s.id, begun), err
}

// show keeps what is shown of a request as it waits, in the place of what was shown before.
func (t *tx) show(request string, c record.Card) error {
	_, err := t.exec(`INSERT INTO shown_cards (approval_num, hash, text) SELECT num, ?, ? FROM approvals WHERE id = ?
		ON CONFLICT (approval_num) DO UPDATE SET hash = excluded.hash, text = excluded.text`, c.Hash, string(c.Text), request)
	return err
}

// shown returns the hash of what is shown of a request that waits. One from before there was a
// record is shown from here on.
func (t *tx) shown(r approval.Request) (string, error) {
	if r.Card != "" {
		return r.Card, nil
	}
	card, err := record.CardOf(r)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errRefused, err)
	}
	return card.Hash, t.show(r.ID, card)
}

// Decision is an entry of the decision record with the card that it says was shown.
type Decision struct {
	record.Sealed
	// Card is nil for an entry that says of none.
	Card []byte
}

// RecordStart says where the record of a session begins.
func (s *Store) RecordStart(ctx context.Context, sessionID string) (start record.Start, err error) {
	_, err = s.one(ctx, `SELECT after, calls FROM record_starts WHERE session_num = (SELECT num FROM sessions WHERE id = ?)`,
		[]any{sessionID}, &start.After, &start.Calls)
	return start, err
}

// Decisions returns the entries of the record of a session behind one, in their order. limit is
// at most 1,000.
func (s *Store) Decisions(ctx context.Context, sessionID string, after int64, limit int) (out []Decision, err error) {
	err = s.each(ctx, `SELECT d.seq, d.hash, d.text, CASE d.kind WHEN ? THEN c.text END
		FROM decisions d LEFT JOIN approvals a ON a.id = d.approval_id LEFT JOIN shown_cards c ON c.approval_num = a.num
		WHERE d.session_num = (SELECT num FROM sessions WHERE id = ?) AND d.seq > ? ORDER BY d.seq LIMIT ?`,
		[]any{string(record.KindResolved), sessionID, after, pageOf(limit)}, func(rows *sql.Rows) error {
			var d Decision
			err := rows.Scan(&d.Seq, &d.Hash, &d.Text, &d.Card)
			out = append(out, d)
			return err
		})
	return out, err
}
