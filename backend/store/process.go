package store

import (
	"context"
	"database/sql"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// BeginProcess stores a managed process of this program. It returns session.ErrNoSession.
// The session may belong to nobody by now: a process outlives the connection of its caller.
func (s *Store) BeginProcess(ctx context.Context, sessionID string, p tool.Process) error {
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(sessionID)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO processes (session_num, id, program, pid, birth, command, dir, input, status, log, started_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.num, p.ID, s.program.id, p.PID, p.Birth, p.Command, p.Dir, p.Input,
			string(tool.ProcessRunning), p.LogPath, ms(p.StartedAt))
		if err != nil {
			return err
		}
		_, err = t.tell(r, event.ProcessStarted, p.ID, p.StartedAt, processPayload(p, tool.ProcessRunning))
		return err
	})
}

// EndProcess stores how a managed process ended. The end that was stored first stands. It
// returns session.ErrNoSession, or session.ErrNoProcess.
func (s *Store) EndProcess(ctx context.Context, sessionID string, p tool.Process) error {
	now := s.clock.Now()
	if p.EndedAt.IsZero() {
		p.EndedAt = now
	}
	return s.writer.do(ctx, func(t *tx) error {
		r, err := t.session(sessionID)
		if err != nil {
			return err
		}
		n, err := t.exec(`UPDATE processes SET status = ?, exit_code = ?, signal = ?, log = ?, lines = ?, bytes = ?, ended_at = ?
			WHERE session_num = ? AND id = ? AND status = 'running'`, string(p.Status), p.Ending.Code, p.Ending.Signal,
			p.LogPath, p.Lines, p.Bytes, ms(p.EndedAt), r.num, p.ID)
		if err != nil {
			return err
		}
		if n == 0 {
			known, err := t.there(`SELECT 1 FROM processes WHERE session_num = ? AND id = ?`, r.num, p.ID)
			if err == nil && !known {
				err = session.ErrNoProcess
			}
			return err
		}
		_, err = t.tell(r, event.ProcessExited, p.ID, p.EndedAt, processPayload(p, p.Status))
		return err
	})
}

func processPayload(p tool.Process, status tool.ProcessStatus) event.Process {
	return event.Process{Process: p.ID, Status: string(status), ExitCode: p.Ending.Code, Signal: p.Ending.Signal}
}

const selectProcess = `SELECT s.id, p.program, p.id, p.pid, p.birth, p.command, p.dir, p.input, p.status, p.exit_code, p.signal,
	p.log, p.lines, p.bytes, p.started_at, p.ended_at FROM processes p JOIN sessions s ON s.num = p.session_num`

func scanProcess(rows *sql.Rows) (session.Managed, error) {
	var m session.Managed
	var started int64
	var ended, code sql.NullInt64
	err := rows.Scan(&m.SessionID, &m.Program, &m.ID, &m.PID, &m.Birth, &m.Command, &m.Dir, &m.Input, &m.Status, &code, &m.Ending.Signal,
		&m.LogPath, &m.Lines, &m.Bytes, &started, &ended)
	m.StartedAt = instant(started)
	if ended.Valid {
		m.EndedAt = instant(ended.Int64)
	}
	if code.Valid {
		n := int(code.Int64)
		m.Ending.Code = &n
	}
	return m, err
}

func (s *Store) processes(ctx context.Context, where string, args ...any) (out []session.Managed, err error) {
	err = s.each(ctx, selectProcess+where, args, func(rows *sql.Rows) error {
		m, err := scanProcess(rows)
		out = append(out, m)
		return err
	})
	return out, err
}

// Processes returns the managed processes of all sessions: those that run, newest first,
// and then up to limit of those that ended, the latest first. limit is at most 1,000.
func (s *Store) Processes(ctx context.Context, limit int) ([]session.Managed, error) {
	running, err := s.processes(ctx, ` WHERE p.status = 'running' ORDER BY p.started_at DESC, p.num DESC`)
	if err != nil {
		return nil, err
	}
	ended, err := s.processes(ctx, ` WHERE p.status <> 'running' ORDER BY p.ended_at DESC, p.num DESC LIMIT ?`, pageOf(limit))
	return append(running, ended...), err
}

// Process returns a managed process of a session, or session.ErrNoProcess.
func (s *Store) Process(ctx context.Context, sessionID, id string) (session.Managed, error) {
	found, err := s.processes(ctx, ` WHERE s.id = ? AND p.id = ?`, sessionID, id)
	if err == nil && len(found) == 0 {
		err = session.ErrNoProcess
	}
	if err != nil {
		return session.Managed{}, err
	}
	return found[0], nil
}

// RunningProcesses counts the managed processes that run.
func (s *Store) RunningProcesses(ctx context.Context) (n int, err error) {
	err = s.each(ctx, `SELECT COUNT(*) FROM processes WHERE status = 'running'`, nil, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, err
}

// ProcessesOf returns the managed processes that a session ever had, in the order in which
// they were written down.
func (s *Store) ProcessesOf(ctx context.Context, sessionID string) ([]session.Managed, error) {
	return s.processes(ctx, ` WHERE s.id = ? ORDER BY p.num`, sessionID)
}

// LeftProcesses returns the processes that count as running and whose program is dead.
func (s *Store) LeftProcesses(ctx context.Context) ([]session.Managed, error) {
	all, err := s.processes(ctx, ` WHERE p.status = 'running' AND p.program <> ? ORDER BY p.num`, s.program.id)
	if err != nil {
		return nil, err
	}
	var out []session.Managed
	lives := s.living()
	for _, m := range all {
		if !lives(m.Program) {
			out = append(out, m)
		}
	}
	return out, nil
}
