package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"

	"countersign/backend/event"
	"countersign/backend/session"
)

// maxPage is the most rows that one read returns.
const maxPage = 1000

func pageOf(limit int) int { return max(1, min(limit, maxPage)) }

func beforeOrEnd(before int64) int64 {
	if before <= 0 {
		return math.MaxInt64
	}
	return before
}

const selectEvents = `SELECT seq, at, type, ref, payload FROM events WHERE session_num = (SELECT num FROM sessions WHERE id = ?)`

// Events returns the events of a session with a number above after, in order. limit
// is at most 1,000.
func (s *Store) Events(ctx context.Context, sessionID string, after int64, limit int) ([]event.Event, error) {
	return s.events(ctx, selectEvents+` AND seq > ? ORDER BY seq LIMIT ?`, sessionID, after, limit)
}

// EventsBefore returns the events of a session with a number below before, the
// latest first. before 0 means the end of the log; limit is at most 1,000.
func (s *Store) EventsBefore(ctx context.Context, sessionID string, before int64, limit int) ([]event.Event, error) {
	return s.events(ctx, selectEvents+` AND seq < ? ORDER BY seq DESC LIMIT ?`, sessionID, beforeOrEnd(before), limit)
}

func (s *Store) events(ctx context.Context, text, sessionID string, bound int64, limit int) ([]event.Event, error) {
	limit = pageOf(limit)
	out := make([]event.Event, 0, limit)
	err := s.each(ctx, text, []any{sessionID, bound, limit}, func(rows *sql.Rows) error {
		e := event.Event{SessionID: sessionID}
		var at int64
		if err := rows.Scan(&e.Seq, &at, &e.Type, &e.Ref, (*[]byte)(&e.Payload)); err != nil {
			return err
		}
		e.At = instant(at)
		out = append(out, e)
		return nil
	})
	return out, err
}

// AppendEvent appends an event to a session of this program that no other write
// tells: settings that changed, a process that started or ended. It returns the
// event with its number, session.ErrNoSession or session.ErrNotOwned. The payload
// must hold no arguments, results or foreign text.
func (s *Store) AppendEvent(ctx context.Context, sessionID string, kind event.Type, about string, payload any) (event.Event, error) {
	now := s.clock.Now()
	var e event.Event
	err := s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(sessionID)
		if err != nil {
			return err
		}
		if r.owner != s.program.id {
			return session.ErrNotOwned
		}
		if _, err := t.tell(r, kind, about, now, payload); err != nil {
			return err
		}
		e = t.events[len(t.events)-1]
		return nil
	})
	return e, err
}

// jsonText reads a nullable JSON column into a value.
func jsonText(text sql.NullString, into any) error {
	if !text.Valid {
		return nil
	}
	return json.Unmarshal([]byte(text.String), into)
}
