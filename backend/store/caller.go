package store

import (
	"context"

	"countersign/backend/event"
	"countersign/backend/session"
)

// SetCaller stores what the caller of a session says of itself. It returns
// session.ErrNoSession or session.ErrNotOwned.
func (s *Store) SetCaller(ctx context.Context, id string, c session.Caller) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.owned(id, s.program.id)
		if err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE sessions SET caller_name = ?, caller_version = ? WHERE num = ?`,
			c.Name.Open(), c.Version.Open(), r.num); err != nil {
			return err
		}
		_, err = t.tell(r, event.SessionTitled, id, now, nil)
		return err
	})
}
