package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"countersign/backend/shelf"
)

const selectToolSet = `SELECT origin, directory, fingerprint, manifest, programs, accepted_at, accepted_by FROM tool_sets WHERE path = ?`

func scanToolSet(rows *sql.Rows, path string) (a shelf.Accepted, err error) {
	var programs string
	var at int64
	if err := rows.Scan(&a.Origin, &a.Directory, &a.Fingerprint, &a.Print.Manifest, &programs, &at, &a.By); err != nil {
		return shelf.Accepted{}, err
	}
	a.Path, a.At = path, instant(at)
	if err := json.Unmarshal([]byte(programs), &a.Print.Programs); err != nil {
		return shelf.Accepted{}, fmt.Errorf("read the programs of a tool set: %w", err)
	}
	return a, nil
}

// Accepted returns what was let in of the tool set in a directory; found is false where nothing
// was.
func (s *Store) Accepted(ctx context.Context, path string) (a shelf.Accepted, found bool, err error) {
	err = s.each(ctx, selectToolSet, []any{path}, func(rows *sql.Rows) (err error) {
		a, err = scanToolSet(rows, path)
		found = err == nil
		return err
	})
	return a, found, err
}

// Accept lets a tool set in as it is now, in the place of what was let in of it before.
func (s *Store) Accept(ctx context.Context, a shelf.Accepted) error {
	return s.writer.do(ctx, func(t *tx) error {
		return t.letIn(a, `ON CONFLICT (path) DO UPDATE SET origin = excluded.origin, directory = excluded.directory, fingerprint = excluded.fingerprint,
			manifest = excluded.manifest, programs = excluded.programs, accepted_at = excluded.accepted_at, accepted_by = excluded.accepted_by`)
	})
}

// LastAnswer is when a person last let a tool set in, the zero time where none did.
func (s *Store) LastAnswer(ctx context.Context) (at time.Time, err error) {
	var last sql.NullInt64
	if _, err = s.one(ctx, `SELECT MAX(accepted_at) FROM tool_sets WHERE accepted_by = ?`, []any{shelf.ByPerson}, &last); err == nil && last.Valid {
		at = instant(last.Int64)
	}
	return at, err
}

// Sight lets a tool set in that was found for the first time, and returns what is let in of it
// after that.
func (s *Store) Sight(ctx context.Context, a shelf.Accepted) (shelf.Accepted, error) {
	// Nearly every set was found before, and a reader waits for nobody.
	if was, found, err := s.Accepted(ctx, a.Path); found || err != nil {
		return was, err
	}
	var out shelf.Accepted
	err := s.writer.do(ctx, func(t *tx) error {
		if err := t.letIn(a, `ON CONFLICT (path) DO NOTHING`); err != nil {
			return err
		}
		rows, err := t.rows(selectToolSet, a.Path)
		if err != nil {
			return err
		}
		return walk(rows, func(rows *sql.Rows) (err error) {
			out, err = scanToolSet(rows, a.Path)
			return err
		})
	})
	return out, err
}

func (t *tx) letIn(a shelf.Accepted, conflict string) error {
	programs, err := json.Marshal(a.Print.Programs)
	if err != nil {
		return fmt.Errorf("write the programs of a tool set: %w", err)
	}
	manifest := a.Print.Manifest
	if manifest == nil {
		manifest = []byte{}
	}
	_, err = t.exec(`INSERT INTO tool_sets (path, origin, directory, fingerprint, manifest, programs, accepted_at, accepted_by)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) `+conflict,
		a.Path, string(a.Origin), a.Directory, a.Fingerprint, manifest, string(programs), ms(a.At), a.By)
	return err
}
