package store

import (
	"context"
	"database/sql"
	"os"
	"time"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// interrupted is what a card says of a caller whose program is gone.
const interrupted = "interrupted"

// Sweep settles what dead programs left and removes their lock files. Whatever
// belongs to a program that holds its lock is left alone. It may be called at any
// time and does nothing the second time.
func (s *Store) Sweep(ctx context.Context) error {
	entry, err := enter(ctx, s.home)
	if err != nil {
		return fault("sweep", err)
	}
	defer entry.leave()
	var ids []string
	err = s.each(ctx, `SELECT id FROM programs WHERE id <> ?`, []any{s.program.id}, func(rows *sql.Rows) error {
		var id string
		ids = append(ids, id)
		return rows.Scan(&ids[len(ids)-1])
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if alive(s.home, id) {
			continue
		}
		if err := s.settleProgram(ctx, id); err != nil {
			return err
		}
	}
	for _, path := range lockFiles(s.home) {
		if !held(path) {
			_ = os.Remove(path)
		}
	}
	return nil
}

// settleProgram settles the sessions of a dead program, one transaction each, and
// then forgets the program.
func (s *Store) settleProgram(ctx context.Context, id string) error {
	var owned []string
	err := s.each(ctx, `SELECT id FROM sessions WHERE owner = ?`, []any{id}, func(rows *sql.Rows) error {
		owned = append(owned, "")
		return rows.Scan(&owned[len(owned)-1])
	})
	if err != nil {
		return err
	}
	for _, sessionID := range owned {
		err := s.writer.do(ctx, func(t *tx) error {
			r, err := t.session(sessionID)
			if err != nil || r.owner != id {
				return err
			}
			return s.settle(t, r)
		})
		if err != nil {
			return err
		}
	}
	return s.writer.do(ctx, func(t *tx) error { return s.bury(t, id) })
}

// Abandoned returns the sessions that were open in a program that is dead, so that what it left
// running can be looked for. They stay abandoned until Searched is told, whoever opens the store.
func (s *Store) Abandoned(ctx context.Context) ([]string, error) {
	var out []string
	err := s.each(ctx, `SELECT s.id FROM remains r JOIN sessions s ON s.num = r.session_num ORDER BY s.num`, nil, func(rows *sql.Rows) error {
		out = append(out, "")
		return rows.Scan(&out[len(out)-1])
	})
	return out, err
}

// Searched says that nothing runs any more of what a dead program left of a session.
func (s *Store) Searched(ctx context.Context, sessionID string) error {
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM remains WHERE session_num = (SELECT num FROM sessions WHERE id = ?)`, sessionID)
		return err
	})
}

// bury settles what is left of a program and forgets it.
func (s *Store) bury(t *tx, id string) error {
	rows, err := t.rows(`SELECT num, id, status FROM sessions WHERE owner = ?`, id)
	if err != nil {
		return err
	}
	var owned []ref
	err = walk(rows, func(rows *sql.Rows) error {
		r := ref{owner: id}
		err := rows.Scan(&r.num, &r.id, &r.status)
		owned = append(owned, r)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range owned {
		if err := s.settle(t, r); err != nil {
			return err
		}
	}
	_, err = t.exec(`DELETE FROM programs WHERE id = ?`, id)
	return err
}

// openCall is an invocation that has not ended.
type openCall struct {
	id     string
	state  session.State
	effect bool
	// left is why nobody waits for its pending request, nil without such a request.
	left *string
}

// settle ends what a gone program left unfinished in a session and takes the session
// from it. A call with an effect mark is uncertain, one without is cancelled; one
// that waits for a person keeps waiting, as interrupted.
func (s *Store) settle(t *tx, r ref) error {
	now := s.clock.Now()
	calls, err := openCalls(t, r)
	if err != nil {
		return err
	}
	for _, c := range calls {
		if err := settleCall(t, r, c, now); err != nil {
			return err
		}
	}
	if err := interruptCards(t, r, now); err != nil {
		return err
	}
	if _, err := t.exec(`INSERT OR IGNORE INTO remains (session_num) VALUES (?)`, r.num); err != nil {
		return err
	}
	return t.release(r, now)
}

// selectOpenCalls names its index: SQLite would rather walk every call of the session in
// order than sort the few that are open.
const selectOpenCalls = `SELECT i.id, i.state, i.effect_sent_at IS NOT NULL, a.left_why
	FROM invocations i INDEXED BY invocations_open LEFT JOIN approvals a ON a.invocation_id = i.id AND a.status = 'pending'
	WHERE i.session_num = ? AND i.ended_at IS NULL ORDER BY i.ordinal`

func openCalls(t *tx, r ref) (calls []openCall, err error) {
	rows, err := t.rows(selectOpenCalls, r.num)
	if err != nil {
		return nil, err
	}
	err = walk(rows, func(rows *sql.Rows) error {
		var c openCall
		err := rows.Scan(&c.id, &c.state, &c.effect, &c.left)
		calls = append(calls, c)
		return err
	})
	return calls, err
}

func settleCall(t *tx, r ref, c openCall, now time.Time) error {
	switch {
	case c.effect:
		return endGone(t, r, c.id, tool.StatusUncertain, tool.CodeUncertain, now)
	case c.state == session.StateWaiting && c.left != nil && *c.left != "left":
		return nil
	}
	return endGone(t, r, c.id, tool.StatusCancelled, tool.CodeCancelled, now)
}

// interruptCards marks the requests for whose answer nobody waits any more. An
// answer that was given but not used yet is kept for a retry.
func interruptCards(t *tx, r ref, now time.Time) error {
	rows, err := t.rows(`SELECT id FROM approvals WHERE session_num = ? AND caller_left = 0 AND consumed = 0
		AND status IN ('pending', 'approved', 'denied') ORDER BY num`, r.num)
	if err != nil {
		return err
	}
	var ids []string
	err = walk(rows, func(rows *sql.Rows) error {
		ids = append(ids, "")
		return rows.Scan(&ids[len(ids)-1])
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := markLeft(t, id, interrupted, now); err != nil {
			return err
		}
	}
	return nil
}

// endGone ends an invocation whose pipeline is gone.
func endGone(t *tx, r ref, id string, status tool.Status, code tool.Code, now time.Time) error {
	n, err := t.exec(`UPDATE invocations SET state = ?, outcome_status = ?, reason_code = ?, ended_at = ?, suspended_kind = NULL, suspended_ref = NULL
		WHERE id = ? AND ended_at IS NULL`, string(session.StateOf(status)), string(status), string(code), ms(now), id)
	if err != nil || n == 0 {
		return err
	}
	return t.tellCall(r, endEvent(status), id, now)
}

// endEvent is the event that tells an end.
func endEvent(s tool.Status) event.Type {
	switch s {
	case tool.StatusSucceeded:
		return event.CallCompleted
	case tool.StatusDenied:
		return event.CallDenied
	case tool.StatusUncertain:
		return event.CallUncertain
	case tool.StatusCancelled:
		return event.CallCancelled
	case tool.StatusFailed, tool.StatusUnavailable:
		return event.CallFailed
	}
	return event.CallFailed
}
