package store

import (
	"context"
	"database/sql"
	"time"
)

// TrustAnswer is what a person said about working in a folder.
type TrustAnswer struct {
	// Root is the git root, else the folder.
	Root string
	Yes  bool
	At   time.Time
}

// Trust returns the answer for a root; found is false when nobody was asked yet.
func (s *Store) Trust(ctx context.Context, root string) (answer TrustAnswer, found bool, err error) {
	answer.Root = root
	var at int64
	found, err = s.one(ctx, `SELECT yes, at FROM trust WHERE root = ?`, []any{root}, &answer.Yes, &at)
	if found {
		answer.At = instant(at)
	}
	return answer, found, err
}

// SetTrust stores the answer for a root over an earlier one.
func (s *Store) SetTrust(ctx context.Context, root string, yes bool) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT INTO trust (root, yes, at) VALUES (?, ?, ?)
			ON CONFLICT (root) DO UPDATE SET yes = excluded.yes, at = excluded.at`, root, yes, ms(now))
		return err
	})
}

// Trusts returns all answers, the latest first.
func (s *Store) Trusts(ctx context.Context) (out []TrustAnswer, err error) {
	err = s.each(ctx, `SELECT root, yes, at FROM trust ORDER BY at DESC, root`, nil, func(rows *sql.Rows) error {
		var a TrustAnswer
		var at int64
		err := rows.Scan(&a.Root, &a.Yes, &at)
		a.At = instant(at)
		out = append(out, a)
		return err
	})
	return out, err
}

// ForgetTrust removes the answer for a root, so that it is asked again.
func (s *Store) ForgetTrust(ctx context.Context, root string) error {
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM trust WHERE root = ?`, root)
		return err
	})
}
