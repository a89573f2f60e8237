package store

import (
	"context"
	"database/sql"

	"countersign/backend/session"
)

// ClaimImage records that a session has an image. From then on ReleaseImage does not let it go.
func (s *Store) ClaimImage(ctx context.Context, sessionID string, i session.Image) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(sessionID)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO media (session_num, sha256, mime, bytes, width, height, kept_at) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (session_num, sha256) DO UPDATE SET kept_at = excluded.kept_at`,
			r.num, i.SHA256, i.Mime, i.Bytes, i.Width, i.Height, ms(now))
		return err
	})
}

// Image returns what is known of an image of a session, if the session has it.
func (s *Store) Image(ctx context.Context, sessionID, sum string) (i session.Image, known bool, err error) {
	i.SHA256 = sum
	known, err = s.one(ctx, `SELECT m.mime, m.bytes, m.width, m.height FROM media m JOIN sessions s ON s.num = m.session_num
		WHERE s.id = ? AND m.sha256 = ?`, []any{sessionID, sum}, &i.Mime, &i.Bytes, &i.Width, &i.Height)
	return i, known, err
}

// ImageSums returns the sums of all images that some session has.
func (s *Store) ImageSums(ctx context.Context) (map[string]bool, error) {
	sums := map[string]bool{}
	err := s.each(ctx, `SELECT DISTINCT sha256 FROM media`, nil, func(rows *sql.Rows) error {
		var sum string
		err := rows.Scan(&sum)
		sums[sum] = true
		return err
	})
	return sums, err
}

// ReleaseImage calls remove for an image that no session has. No session can claim it until
// remove has returned, in this program or another.
func (s *Store) ReleaseImage(ctx context.Context, sum string, remove func() error) (removed bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		removed = false
		var rows int
		if err := t.row(`SELECT count(*) FROM media WHERE sha256 = ?`, []any{sum}, &rows); err != nil || rows > 0 {
			return err
		}
		removed = true
		return remove()
	})
	return removed && err == nil, err
}

// ImageSessions returns the sessions that have images, the one that had its last one kept
// longest ago first.
func (s *Store) ImageSessions(ctx context.Context) (ids []string, err error) {
	err = s.each(ctx, `SELECT s.id FROM media m JOIN sessions s ON s.num = m.session_num GROUP BY s.num ORDER BY max(m.kept_at), s.num`, nil,
		func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		})
	return ids, err
}

// ForgetImages takes a session's images from it, unless it belongs to a program that runs. Its
// results still name them.
func (s *Store) ForgetImages(ctx context.Context, sessionID string) (forgotten bool, err error) {
	err = s.writer.do(ctx, func(t *tx) error {
		forgotten = false
		r, err := t.session(sessionID)
		if err != nil {
			return err
		}
		if held, err := s.held(t, r); held || err != nil {
			return err
		}
		forgotten = true
		_, err = t.exec(`DELETE FROM media WHERE session_num = ?`, r.num)
		return err
	})
	return forgotten && err == nil, err
}
