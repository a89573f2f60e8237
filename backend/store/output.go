package store

import (
	"context"
	"database/sql"

	"countersign/backend/session"
)

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
