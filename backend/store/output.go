package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"

	"countersign/backend/session"
)

const selectOutput = `SELECT s.id, o.invocation_id, o.path, o.bytes, o.lost, o.created_at, o.removed_at
	FROM sessions s JOIN outputs o ON o.session_num = s.num`

// Outputs returns the files that the output store holds or held for a session, oldest first.
func (s *Store) Outputs(ctx context.Context, sessionID string) ([]session.Output, error) {
	return s.outputs(ctx, selectOutput+` WHERE s.id = ? ORDER BY o.num`, sessionID)
}

// OutputsOf returns those of one call.
func (s *Store) OutputsOf(ctx context.Context, invocationID string) ([]session.Output, error) {
	return s.outputs(ctx, selectOutput+` WHERE o.invocation_id = ? ORDER BY o.num`, invocationID)
}

// Output returns the newest row of a session's file of that name, one that is there before
// one that was removed. It returns session.ErrNoOutput.
func (s *Store) Output(ctx context.Context, sessionID, name string) (session.Output, error) {
	found, err := s.outputs(ctx, selectOutput+` WHERE s.id = ?1 AND instr(?2, '/') = 0 AND substr(o.path, -length('/' || ?2)) = '/' || ?2
		ORDER BY o.removed_at IS NOT NULL, o.num DESC LIMIT 1`, sessionID, name)
	if err == nil && len(found) == 0 {
		err = session.ErrNoOutput
	}
	if err != nil {
		return session.Output{}, err
	}
	return found[0], nil
}

func (s *Store) outputs(ctx context.Context, text string, args ...any) (out []session.Output, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		var o session.Output
		var at int64
		var removed sql.NullInt64
		err := rows.Scan(&o.SessionID, &o.InvocationID, &o.Path, &o.Bytes, &o.Lost, &at, &removed)
		o.CreatedAt, o.RemovedAt = instant(at), instantOrNil(removed)
		out = append(out, o)
		return err
	})
	return out, err
}

// output stores the row of a file in the output store. The file of a process grows,
// so a path that is there already gets its new size.
func (t *tx) output(r ref, o session.Output) error {
	_, err := t.exec(`INSERT INTO outputs (session_num, invocation_id, path, bytes, lost, created_at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (path) WHERE removed_at IS NULL DO UPDATE SET bytes = excluded.bytes, lost = excluded.lost`,
		r.num, o.InvocationID, o.Path, o.Bytes, o.Lost, ms(o.CreatedAt))
	return err
}

// OutputSession returns the session whose files lie in a folder of the output store. A folder
// that no row names is that of the session of its name, if there is one.
func (s *Store) OutputSession(ctx context.Context, folder string) (id string, err error) {
	id = filepath.Base(folder)
	_, err = s.one(ctx, `SELECT s.id FROM outputs o JOIN sessions s ON s.num = o.session_num
		WHERE o.removed_at IS NULL AND o.path > ? AND o.path < ? LIMIT 1`, []any{folder + "/", folder + "0"}, &id)
	return id, err
}

// LiveSessions returns the ids of the sessions that belong to a program that runs, or of
// which a process runs that one keeps.
func (s *Store) LiveSessions(ctx context.Context) ([]string, error) {
	var out []string
	lives := s.living()
	err := s.each(ctx, `SELECT id, owner FROM sessions WHERE owner IS NOT NULL
		UNION SELECT s.id, p.program FROM processes p JOIN sessions s ON s.num = p.session_num WHERE p.status = 'running'`, nil, func(rows *sql.Rows) error {
		var id, owner string
		if err := rows.Scan(&id, &owner); err != nil {
			return err
		}
		if lives(owner) {
			out = append(out, id)
		}
		return nil
	})
	return out, err
}

// RemoveOutputs marks the files of a session as removed, unless the session belongs to a
// program that runs: may says that the files can go now. For a session that is not known it
// is true, since nothing refers to them.
func (s *Store) RemoveOutputs(ctx context.Context, sessionID string) (may bool, err error) {
	now := s.clock.Now()
	err = s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(sessionID)
		switch {
		case errors.Is(err, session.ErrNoSession):
			may = true
			return nil
		case err != nil:
			return err
		}
		if held, err := s.held(t, r); held || err != nil {
			return err
		}
		may = true
		_, err = t.exec(`UPDATE outputs SET removed_at = ? WHERE session_num = ? AND removed_at IS NULL`, ms(now), r.num)
		return err
	})
	return may && err == nil, err
}

// held reports whether a program that runs has the session, or keeps a process of it.
func (s *Store) held(t *tx, r ref) (bool, error) {
	rows, err := t.rows(`SELECT owner FROM sessions WHERE num = ?1 AND owner IS NOT NULL
		UNION SELECT program FROM processes WHERE session_num = ?1 AND status = 'running'`, r.num)
	if err != nil {
		return false, err
	}
	held, lives := false, s.living()
	err = walk(rows, func(rows *sql.Rows) error {
		var program string
		err := rows.Scan(&program)
		held = held || lives(program)
		return err
	})
	return held, err
}
