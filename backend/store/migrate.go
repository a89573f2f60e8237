package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// versions is what a database is and what this program makes of it.
type versions struct{ have, known int64 }

// mayMigrate says whether the database may be changed now. A program that works on
// it as it is must not find it changed under its feet; an empty one is nobody's.
func (v versions) mayMigrate(othersAlive bool) error {
	if v.have > 0 && othersAlive {
		return ErrInUse
	}
	return nil
}

// inspect finds out the version of the database over a connection that cannot
// write, so that a database of a newer program stays as it is. goose itself says
// nothing when the database is ahead of it. A missing file has version 0.
func inspect(ctx context.Context, path string) (versions, error) {
	v := versions{known: lastMigration()}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return v, nil
	} else if err != nil {
		return v, err
	}
	options := url.Values{"mode": {"ro"}, "_query_only": {"1"}}
	if unopened(path) {
		// Even a reader would leave an empty log behind otherwise.
		options.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite3", address(path, options))
	if err != nil {
		return v, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var tables, goosed int
	err = db.QueryRowContext(ctx, `SELECT COUNT(*), COALESCE(SUM(name = 'goose_db_version'), 0) FROM sqlite_schema WHERE type = 'table'`).Scan(&tables, &goosed)
	switch {
	case err != nil:
		return v, fmt.Errorf("read the schema: %w", err)
	case tables == 0:
		return v, nil
	case goosed == 0:
		return v, ErrForeign
	}
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&v.have)
	if err != nil {
		return v, fmt.Errorf("read the version: %w", err)
	}
	if v.have > v.known {
		return v, fmt.Errorf("%w: it has version %d and this program knows %d", ErrNewer, v.have, v.known)
	}
	return v, nil
}

// unopened reports whether nobody has a database open and its log holds nothing: whoever
// has it open has filled the file beside it that is shared, and what could not be opened
// on a full disk leaves both files empty.
func unopened(path string) bool {
	log, err := os.Stat(path + "-wal")
	if err != nil || log.Size() > 0 {
		return errors.Is(err, fs.ErrNotExist)
	}
	shared, err := os.Stat(path + "-shm")
	return err == nil && shared.Size() == 0 || errors.Is(err, fs.ErrNotExist)
}

// lastMigration is the version that this program brings a database to.
func lastMigration() int64 {
	var last int64
	entries, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		n, err := goose.NumericComponent(e.Name())
		if err != nil {
			panic(err)
		}
		last = max(last, n)
	}
	return last
}

// migrate brings the database to this program's version, forward only.
func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}
