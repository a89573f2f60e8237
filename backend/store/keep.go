package store

import (
	"context"
	"database/sql"
	"time"

	"countersign/backend/session"
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

// SavePolicyVersion keeps the rules that stand behind a policy version. A version
// that is there already stays as it is.
func (s *Store) SavePolicyVersion(ctx context.Context, version, text string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`INSERT OR IGNORE INTO policy_versions (version, text, created_at) VALUES (?, ?, ?)`, version, text, ms(now))
		return err
	})
}

// PolicyVersion returns the rules behind a policy version.
func (s *Store) PolicyVersion(ctx context.Context, version string) (text string, found bool, err error) {
	found, err = s.one(ctx, `SELECT text FROM policy_versions WHERE version = ?`, []any{version}, &text)
	return text, found, err
}

// Outputs returns the files that the output store holds for a session, oldest first.
func (s *Store) Outputs(ctx context.Context, sessionID string) (out []session.Output, err error) {
	err = s.each(ctx, `SELECT s.id, o.invocation_id, o.path, o.bytes, o.created_at
		FROM sessions s JOIN outputs o ON o.session_num = s.num WHERE s.id = ? ORDER BY o.num`, []any{sessionID}, func(rows *sql.Rows) error {
		var o session.Output
		var at int64
		err := rows.Scan(&o.SessionID, &o.InvocationID, &o.Path, &o.Bytes, &at)
		o.CreatedAt = instant(at)
		out = append(out, o)
		return err
	})
	return out, err
}

// output stores the row of a file in the output store. The file of a process grows,
// so a path that is there already gets its new size.
func (t *tx) output(r ref, o session.Output) error {
	_, err := t.exec(`INSERT INTO outputs (session_num, invocation_id, path, bytes, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET bytes = excluded.bytes`, r.num, o.InvocationID, o.Path, o.Bytes, ms(o.CreatedAt))
	return err
}
