package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"countersign/backend/session"
)

// KeepArtifact records that a text of the output store is kept. A text that is kept already
// with the same content is kept until the later time; its row is returned. It returns
// session.ErrNoOutput.
func (s *Store) KeepArtifact(ctx context.Context, o session.Output, a session.Artifact) (session.Artifact, error) {
	a.ID = s.ids.NewID()
	err := s.writer.do(ctx, func(t *tx) error {
		var output int64
		err := t.row(`SELECT num FROM outputs WHERE path = ? AND created_at = ? ORDER BY num DESC LIMIT 1`, []any{o.Path, ms(o.CreatedAt)}, &output)
		if errors.Is(err, sql.ErrNoRows) {
			return session.ErrNoOutput
		}
		if err != nil {
			return err
		}
		n, err := t.exec(`UPDATE artifacts SET expires_at = max(expires_at, ?) WHERE output_num = ? AND sha256 = ?`, ms(a.ExpiresAt), output, a.SHA256)
		if err != nil {
			return err
		}
		if n == 0 {
			_, err = t.exec(`INSERT INTO artifacts (id, output_num, name, sha256, bytes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				a.ID, output, a.Name, a.SHA256, a.Bytes, ms(a.CreatedAt), ms(a.ExpiresAt))
		}
		return err
	})
	if err != nil {
		return session.Artifact{}, err
	}
	kept, _, err := s.ArtifactOf(ctx, o)
	return kept, err
}

// ArtifactOf returns the newest kept content of a text, if it is kept.
func (s *Store) ArtifactOf(ctx context.Context, o session.Output) (a session.Artifact, kept bool, err error) {
	var created, expires int64
	kept, err = s.one(ctx, `SELECT a.id, a.name, a.sha256, a.bytes, a.created_at, a.expires_at
		FROM artifacts a JOIN outputs o ON a.output_num = o.num WHERE o.path = ? AND o.created_at = ? ORDER BY a.num DESC LIMIT 1`,
		[]any{o.Path, ms(o.CreatedAt)}, &a.ID, &a.Name, &a.SHA256, &a.Bytes, &created, &expires)
	a.CreatedAt, a.ExpiresAt = instant(created), instant(expires)
	return a, kept, err
}

// ExpireArtifacts forgets what was to be kept until a time that is over and returns the
// hashes that are still kept for something.
func (s *Store) ExpireArtifacts(ctx context.Context, now time.Time) (kept map[string]bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		kept = map[string]bool{}
		if _, err := t.exec(`DELETE FROM artifacts WHERE expires_at <= ?`, ms(now)); err != nil {
			return err
		}
		rows, err := t.rows(`SELECT DISTINCT sha256 FROM artifacts`)
		if err != nil {
			return err
		}
		return walk(rows, func(rows *sql.Rows) error {
			var sum string
			err := rows.Scan(&sum)
			kept[sum] = true
			return err
		})
	})
	return kept, err
}
