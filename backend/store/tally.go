package store

import (
	"context"
	"database/sql"
	"time"

	"countersign/backend/session"
)

// Tally counts the calls of a session.
type Tally struct {
	Calls, Denied int
	// Last is when the last of them was made, zero without one.
	Last time.Time
}

// Tally counts the calls of a session. It returns session.ErrNoSession.
func (s *Store) Tally(ctx context.Context, id string) (Tally, error) {
	var out Tally
	found := false
	err := s.each(ctx, `SELECT COUNT(i.num), COUNT(i.num) FILTER (WHERE i.state = 'denied'), COALESCE(MAX(i.proposed_at), 0)
		FROM sessions s LEFT JOIN invocations i ON i.session_num = s.num WHERE s.id = ? GROUP BY s.num`, []any{id},
		func(rows *sql.Rows) error {
			found = true
			var last int64
			if err := rows.Scan(&out.Calls, &out.Denied, &last); err != nil {
				return err
			}
			if last > 0 {
				out.Last = instant(last)
			}
			return nil
		})
	if err == nil && !found {
		err = session.ErrNoSession
	}
	return out, err
}
