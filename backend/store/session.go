package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// CreateSession stores a session of this program and returns it as stored. The
// store sets owner, status and times, and the id if it is "".
func (s *Store) CreateSession(ctx context.Context, in session.Session) (session.Session, error) {
	if in.ID == "" {
		in.ID = s.ids.NewID()
	}
	now := instant(ms(s.clock.Now()))
	in.Owner, in.Status, in.CreatedAt, in.UpdatedAt, in.Waiting = s.program.id, session.StatusActive, now, now, 0
	limits, err := json.Marshal(in.Limits)
	if err != nil {
		return in, fmt.Errorf("%w: marshal limits: %w", errRefused, err)
	}
	err = s.writer.do(ctx, func(t *tx) error {
		num, err := t.insert(`INSERT INTO sessions (id, title, workspace, trust_root, caller_kind, caller_name, caller_version, limits, status, owner, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			in.ID, in.Title.Open(), in.Workspace, in.TrustRoot, string(in.Caller.Kind), in.Caller.Name.Open(), in.Caller.Version.Open(),
			string(limits), string(in.Status), in.Owner, ms(now))
		if err != nil {
			return err
		}
		in.LastSeq, err = t.tell(ref{num: num, id: in.ID}, event.SessionOpened, in.ID, now, nil)
		return err
	})
	return in, err
}

const selectSession = `SELECT s.id, s.title, s.workspace, s.trust_root, s.caller_kind, s.caller_name, s.caller_version, s.limits,
	s.status, COALESCE(s.owner, ''), s.created_at, e.at, e.seq,
	(SELECT COUNT(*) FROM approvals a WHERE a.session_num = s.num AND a.status = 'pending')
	FROM sessions s JOIN events e ON e.session_num = s.num AND e.seq = (SELECT MAX(seq) FROM events WHERE session_num = s.num)`

func scanSession(rows *sql.Rows) (session.Session, error) {
	var v session.Session
	var title, name, version, limits string
	var created, updated int64
	err := rows.Scan(&v.ID, &title, &v.Workspace, &v.TrustRoot, &v.Caller.Kind, &name, &version, &limits,
		&v.Status, &v.Owner, &created, &updated, &v.LastSeq, &v.Waiting)
	if err != nil {
		return v, err
	}
	v.Title, v.Caller.Name, v.Caller.Version = tool.Mark(title), tool.Mark(name), tool.Mark(version)
	v.CreatedAt, v.UpdatedAt = instant(created), instant(updated)
	return v, json.Unmarshal([]byte(limits), &v.Limits)
}

// Session returns a session or session.ErrNoSession. UpdatedAt is the time of its
// last event.
func (s *Store) Session(ctx context.Context, id string) (session.Session, error) {
	list, err := s.sessions(ctx, selectSession+` WHERE s.id = ?`, id)
	if err == nil && len(list) == 0 {
		err = session.ErrNoSession
	}
	if err != nil {
		return session.Session{}, err
	}
	return list[0], nil
}

// Sessions returns sessions, the youngest first. before is the id of the last
// session of the page before, "" for the first page; limit is at most 1,000.
func (s *Store) Sessions(ctx context.Context, limit int, before string) ([]session.Session, error) {
	if before == "" {
		return s.sessions(ctx, selectSession+` ORDER BY s.num DESC LIMIT ?`, pageOf(limit))
	}
	return s.sessions(ctx, selectSession+` WHERE s.num < (SELECT num FROM sessions WHERE id = ?) ORDER BY s.num DESC LIMIT ?`,
		before, pageOf(limit))
}

func (s *Store) sessions(ctx context.Context, text string, args ...any) (out []session.Session, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		v, err := scanSession(rows)
		out = append(out, v)
		return err
	})
	return out, err
}

// EndSession ends a session of this program; a second end changes nothing. Its
// grants die with it. It returns session.ErrNoSession or session.ErrNotOwned.
func (s *Store) EndSession(ctx context.Context, id string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(id)
		switch {
		case err != nil || r.status == session.StatusEnded:
			return err
		case r.owner != s.program.id:
			return session.ErrNotOwned
		}
		if _, err := t.exec(`UPDATE sessions SET status = 'ended', owner = NULL WHERE num = ?`, r.num); err != nil {
			return err
		}
		_, err = t.tell(r, event.SessionEnded, id, now, nil)
		return err
	})
}

// SetTitle names a session. It returns session.ErrNoSession.
func (s *Store) SetTitle(ctx context.Context, id string, title tool.Untrusted) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(id)
		if err != nil {
			return err
		}
		if _, err := t.exec(`UPDATE sessions SET title = ? WHERE num = ?`, title.Open(), r.num); err != nil {
			return err
		}
		_, err = t.tell(r, event.SessionTitled, id, now, nil)
		return err
	})
}

// AdoptSession makes a session belong to this program. It does so only when nobody
// owns it or the owner is dead; what a dead owner left unfinished is settled in the
// same transaction. It returns session.ErrNoSession, session.ErrEnded, or
// session.ErrNotOwned while the owner lives.
func (s *Store) AdoptSession(ctx context.Context, id string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(id)
		switch {
		case err != nil || r.owner == s.program.id:
			return err
		case r.status == session.StatusEnded:
			return session.ErrEnded
		case r.owner != "" && alive(s.home, r.owner):
			return session.ErrNotOwned
		case r.owner != "":
			if err := s.settle(t, r); err != nil {
				return err
			}
		}
		if _, err := t.exec(`UPDATE sessions SET owner = ?, status = 'active' WHERE num = ?`, s.program.id, r.num); err != nil {
			return err
		}
		_, err = t.tell(r, event.SessionMoved, id, now, nil)
		return err
	})
}

// ReleaseSession gives a session of this program up, so that another program can
// adopt it. Its calls must have ended or wait for a person. It returns
// session.ErrNoSession or session.ErrNotOwned.
func (s *Store) ReleaseSession(ctx context.Context, id string) error {
	now := s.clock.Now()
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.owned(id, s.program.id)
		if err != nil {
			return err
		}
		return t.release(r, now)
	})
}

// release takes a session from its owner.
func (t *tx) release(r ref, now time.Time) error {
	_, err := t.exec(`UPDATE sessions SET owner = NULL, status = CASE status WHEN 'active' THEN 'idle' ELSE status END WHERE num = ?`, r.num)
	if err != nil {
		return err
	}
	_, err = t.tell(r, event.SessionMoved, r.id, now, nil)
	return err
}
