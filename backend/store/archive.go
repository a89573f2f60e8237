package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"

	"countersign/backend/approval"
	"countersign/backend/record"
	"countersign/backend/session"
)

// Archive is the history of a home, opened for reading only: for a home on a disk that is
// full or may not be written. It registers no program, brings nothing up to date and
// recovers nothing, so a call that a dead program left unfinished is shown as it was left.
type Archive struct{ store *Store }

// errOlder says that the database must be brought up to date before it can be read.
var errOlder = errors.New("the database is of an older program")

// OpenArchive opens the history of a home for reading. It writes nothing to the home, but
// for the files that SQLite shares between programs when one has it open. Its errors carry
// tool.CodeStorageUnavailable. The caller closes it.
func OpenArchive(ctx context.Context, home string) (*Archive, error) {
	path, err := databasePath(home)
	if err != nil {
		return nil, fault("find the archive", err)
	}
	v, err := inspect(ctx, path)
	switch {
	case err == nil && v.have < v.known:
		err = errOlder
		fallthrough
	case err != nil:
		return nil, fault("open the archive", err)
	}
	options := url.Values{"mode": {"ro"}, "_query_only": {"1"}}
	if unopened(path) {
		// SQLite then need not make the files that programs share.
		options.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite3", address(path, options))
	if err != nil {
		return nil, fault("open the archive", err)
	}
	s := &Store{home: home, health: &health{}, read: db}
	s.reads = &statements{prepare: db.PrepareContext, prepared: map[string]*sql.Stmt{}}
	return &Archive{s}, nil
}

// Close closes the archive.
func (a *Archive) Close() error {
	a.store.reads.close()
	return fault("close the archive", a.store.read.Close())
}

// Sessions is Store.Sessions.
func (a *Archive) Sessions(ctx context.Context, limit int, before string) ([]session.Session, error) {
	return a.store.Sessions(ctx, limit, before)
}

// Session is Store.Session.
func (a *Archive) Session(ctx context.Context, id string) (session.Session, error) {
	return a.store.Session(ctx, id)
}

// Request is Store.Request.
func (a *Archive) Request(ctx context.Context, id string) (approval.Request, error) {
	return a.store.Request(ctx, id)
}

// RecordStart is Store.RecordStart.
func (a *Archive) RecordStart(ctx context.Context, sessionID string) (record.Start, error) {
	return a.store.RecordStart(ctx, sessionID)
}

// Decisions is Store.Decisions.
func (a *Archive) Decisions(ctx context.Context, sessionID string, after int64, limit int) ([]Decision, error) {
	return a.store.Decisions(ctx, sessionID, after, limit)
}

// SessionIDs is Store.SessionIDs.
func (a *Archive) SessionIDs(ctx context.Context, prefix string, limit int) ([]string, error) {
	return a.store.SessionIDs(ctx, prefix, limit)
}

// Timeline is Store.Timeline.
func (a *Archive) Timeline(ctx context.Context, sessionID string, before int64, limit int) ([]Entry, error) {
	return a.store.Timeline(ctx, sessionID, before, limit)
}

// Invocation is Store.Invocation.
func (a *Archive) Invocation(ctx context.Context, id string) (Call, error) {
	return a.store.Invocation(ctx, id)
}

// SessionIDs returns the ids of sessions that begin with a prefix, at most limit of them.
func (s *Store) SessionIDs(ctx context.Context, prefix string, limit int) ([]string, error) {
	out := []string{}
	// Compared by its characters: in a pattern, some of them would match others.
	err := s.each(ctx, `SELECT id FROM sessions WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2`,
		[]any{prefix, pageOf(limit)}, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			out = append(out, id)
			return err
		})
	return out, err
}
