package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/mattn/go-sqlite3"
)

// connect makes sure that there is a connection.
func (w *writer) connect() error {
	if w.conn != nil {
		return nil
	}
	conn, err := w.db.Conn(context.Background())
	if err != nil {
		return err
	}
	// The log is copied back by the copier, never inside a commit.
	if _, err := conn.ExecContext(context.Background(), "PRAGMA wal_autocheckpoint = 0"); err != nil {
		_ = conn.Close()
		return err
	}
	w.conn = conn
	w.statements = &statements{prepare: conn.PrepareContext, prepared: map[string]*sql.Stmt{}}
	return nil
}

// forget drops what is remembered of sessions when another program wrote since.
func (w *writer) forget() error {
	stmt, err := w.statements.get("PRAGMA data_version")
	if err != nil {
		return err
	}
	var version int64
	if err := stmt.QueryRowContext(context.Background()).Scan(&version); err != nil {
		return err
	}
	if version != w.version {
		w.unlearn()
	}
	w.version = version
	return nil
}

// unlearn drops what is remembered of sessions.
func (w *writer) unlearn() {
	clear(w.heads)
	clear(w.chains)
}

// abandon ends a lost transaction. After anything but a full disk or a lock of
// another program the connection goes too: what it believes about the file may no
// longer be so.
func (w *writer) abandon(cause error) {
	w.unlearn()
	_, err := w.conn.ExecContext(context.Background(), "ROLLBACK")
	var lite sqlite3.Error
	if errors.Is(cause, errHalfDone) && err == nil {
		return
	}
	if errors.As(cause, &lite) && (lite.Code == sqlite3.ErrFull || lite.Code == sqlite3.ErrBusy) && (err == nil || noTransaction(err)) {
		return
	}
	w.disconnect()
}

// noTransaction recognises the answer to a ROLLBACK when SQLite had rolled back by
// itself.
func noTransaction(err error) bool {
	var lite sqlite3.Error
	return errors.As(err, &lite) && lite.Code == sqlite3.ErrError
}

func (w *writer) disconnect() {
	if w.conn == nil {
		return
	}
	w.statements.close()
	// Without this the pool would hand the same connection out again.
	_ = w.conn.Raw(func(any) error { return errDrop })
	_ = w.conn.Close()
	w.conn = nil
}
