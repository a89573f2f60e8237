package store

import (
	"context"
	"database/sql"

	"countersign/backend/event"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// AddMessage appends a message to a session of this program and returns it as
// stored: with the number of its event as Seq, and an id if it had none. It returns
// session.ErrNoSession or session.ErrNotOwned.
func (s *Store) AddMessage(ctx context.Context, m session.Message) (session.Message, error) {
	if m.ID == "" {
		m.ID = s.ids.NewID()
	}
	if m.At.IsZero() {
		m.At = s.clock.Now()
	}
	m.At = instant(ms(m.At))
	calls, err := jsonOrNull(m.Calls, m.Calls == nil)
	if err != nil {
		return m, err
	}
	words := searchable(redact.Text(m.Text.Open(), redact.MarkOf(m.SessionID)))
	err = s.writer.do(ctx, func(t *tx) error {
		r, err := t.owned(m.SessionID, s.program.id)
		if err != nil {
			return err
		}
		if m.Seq, err = t.tell(r, event.MessageAdded, m.ID, m.At, nil); err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO messages (id, session_num, seq, role, text, calls, call_id, status, model, trust, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			m.ID, r.num, m.Seq, string(m.Role), m.Text.Open(), calls, m.CallID, m.Status, m.Model, string(m.Trust), ms(m.At))
		if err != nil {
			return err
		}
		return t.index(r, docMessage, m.ID, words)
	})
	return m, err
}

// Messages returns messages of a session, the latest first. before is the Seq that
// the page ends before, 0 for the end; limit is at most 1,000.
func (s *Store) Messages(ctx context.Context, sessionID string, before int64, limit int) ([]session.Message, error) {
	var out []session.Message
	err := s.each(ctx, `SELECT m.id, m.seq, m.role, m.text, m.calls, m.call_id, m.status, m.model, m.trust, m.at
		FROM sessions s JOIN messages m ON m.session_num = s.num WHERE s.id = ? AND m.seq < ? ORDER BY m.seq DESC LIMIT ?`,
		[]any{sessionID, beforeOrEnd(before), pageOf(limit)}, func(rows *sql.Rows) error {
			m := session.Message{SessionID: sessionID}
			var text string
			var calls sql.NullString
			var at int64
			if err := rows.Scan(&m.ID, &m.Seq, &m.Role, &text, &calls, &m.CallID, &m.Status, &m.Model, &m.Trust, &at); err != nil {
				return err
			}
			m.Text, m.At = tool.Mark(text), instant(at)
			err := jsonText(calls, &m.Calls)
			out = append(out, m)
			return err
		})
	return out, err
}

// Entry is a message or a call in the timeline of a session.
type Entry struct {
	// Seq orders entries and is the cursor of a page.
	Seq     int64
	Message *session.Message
	Call    *Call
}

// Timeline returns messages and calls of a session in one order, the latest first.
// before is the Seq that the page ends before, 0 for the end; limit is at most
// 1,000.
func (s *Store) Timeline(ctx context.Context, sessionID string, before int64, limit int) ([]Entry, error) {
	limit = pageOf(limit)
	messages, err := s.Messages(ctx, sessionID, before, limit)
	if err != nil {
		return nil, err
	}
	calls, err := s.Invocations(ctx, sessionID, before, limit)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for len(out) < limit && len(messages)+len(calls) > 0 {
		if len(calls) == 0 || len(messages) > 0 && messages[0].Seq > calls[0].Ordinal {
			out = append(out, Entry{Seq: messages[0].Seq, Message: &messages[0]})
			messages = messages[1:]
			continue
		}
		out = append(out, Entry{Seq: calls[0].Ordinal, Call: &calls[0]})
		calls = calls[1:]
	}
	return out, nil
}
