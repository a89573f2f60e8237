package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"countersign/backend/event"
	"countersign/backend/session"
)

// errDrop makes database/sql close a connection instead of keeping it.
var errDrop = driver.ErrBadConn

// tx is what a write sees: statements, and the events that it appends.
type tx struct {
	writer *writer
	events []event.Event
	// wrote says that something was changed that would have to be taken back.
	wrote bool
}

// pageBytes is what a changed page costs in the log.
const pageBytes = 4096 + 24

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(text string, args ...any) (int64, error) {
	stmt, err := t.writer.statements.get(text)
	if err != nil {
		return 0, err
	}
	t.wrote = true
	t.writer.copier.count(args)
	res, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// insert runs an insertion and returns the number of the row.
func (t *tx) insert(text string, args ...any) (int64, error) {
	stmt, err := t.writer.statements.get(text)
	if err != nil {
		return 0, err
	}
	t.wrote = true
	t.writer.copier.count(args)
	res, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// row reads one row; sql.ErrNoRows says that there is none.
func (t *tx) row(text string, args []any, into ...any) error {
	stmt, err := t.writer.statements.get(text)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(context.Background(), args...).Scan(into...)
}

// rows reads many rows.
func (t *tx) rows(text string, args ...any) (*sql.Rows, error) {
	stmt, err := t.writer.statements.get(text)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(context.Background(), args...)
}

const (
	lastSeq     = `SELECT COALESCE(MAX(seq), 0) FROM events WHERE session_num = ?`
	appendEvent = `INSERT INTO events (session_num, seq, at, type, ref, payload) VALUES (?, ?, ?, ?, ?, ?)`
)

// next returns the number of the next event of a session.
func (t *tx) next(session int64) (int64, error) {
	last, known := t.writer.heads[session]
	if !known {
		if err := t.row(lastSeq, []any{session}, &last); err != nil {
			return 0, err
		}
	}
	return last + 1, nil
}

// tell appends an event to a session and returns its number. The sink gets it once
// the transaction is on disk.
func (t *tx) tell(s ref, kind event.Type, about string, at time.Time, payload any) (int64, error) {
	seq, err := t.next(s.num)
	if err != nil {
		return 0, fmt.Errorf("number event: %w", err)
	}
	e := event.Event{SessionID: s.id, Seq: seq, At: instant(ms(at)), Type: kind, Ref: about}
	var text any
	if payload != nil {
		b, err := json.Marshal(payload)
		if err != nil {
			return 0, fmt.Errorf("%w: marshal event: %w", errRefused, err)
		}
		e.Payload, text = b, string(b)
	}
	if _, err := t.exec(appendEvent, s.num, seq, ms(at), string(kind), about, text); err != nil {
		return 0, fmt.Errorf("append event: %w", err)
	}
	t.writer.heads[s.num] = seq
	t.events = append(t.events, e)
	return e.Seq, nil
}

// ref is a session as a write needs it.
type ref struct {
	num    int64
	id     string
	owner  string
	status session.Status
}

// session finds a session.
func (t *tx) session(id string) (ref, error) {
	r := ref{id: id}
	err := t.row(`SELECT num, COALESCE(owner, ''), status FROM sessions WHERE id = ?`, []any{id}, &r.num, &r.owner, &r.status)
	if errors.Is(err, sql.ErrNoRows) {
		return r, session.ErrNoSession
	}
	return r, err
}
