package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// maxSaid is how much of a message a line tells, in characters.
const maxSaid = 4000

// maxBehind is how much of a message is read behind that, to find secrets that begin before
// the end.
const maxBehind = 16000

// Line is a message or a call as the timeline tells it: without the arguments and the
// result of the call, and of the message the beginning.
type Line struct {
	// Seq orders lines and is the cursor of a page.
	Seq     int64
	Message *session.Message
	// Left is how many characters follow the text of Message.
	Left int
	Call *Call
	// Heads are the beginnings of the call's arguments.
	Heads map[string]session.Head
	// Request is the latest request that was made for the call, nil without one: only its
	// id and how it ended.
	Request *approval.Request
}

// Span is a stretch of a timeline: the lines before a number, those after one, or, with
// neither, the last ones. Limit is at most 1,000.
type Span struct {
	Before, After int64
	Limit         int
}

const (
	saidColumns = `SELECT m.id, m.seq, m.role, substr(m.text, 1, ?), length(m.text), m.model, m.trust, m.at
		FROM sessions s JOIN messages m ON `
	saidRest   = ` = s.num WHERE s.id = ? AND m.role <> 'tool' AND m.text <> ''`
	selectSaid = saidColumns + `m.session_num` + saidRest

	lineColumns = selectInvocation + `, i.metadata, COALESCE(h.heads, ''), COALESCE(a.status, ''), COALESCE(a.words, ''),
		COALESCE(a.resolved_by, ''), COALESCE(a.reason, ''), COALESCE(a.caller_left, 0), COALESCE(a.left_why, '')
		FROM sessions s JOIN invocations i ON `
	lineRest = ` = s.num LEFT JOIN argument_heads h ON h.invocation_num = i.num
		LEFT JOIN approvals a ON a.num = (SELECT MAX(num) FROM approvals WHERE invocation_id = i.id) WHERE s.id = ?`
	selectLine = lineColumns + `i.session_num` + lineRest

	// What changed is found from the few events that tell of it. The plus signs keep SQLite
	// from walking through the session's lines instead: that would be all of them, for every
	// reading.
	refs         = `(SELECT e.ref FROM sessions o JOIN events e ON e.session_num = o.num WHERE o.id = ? AND e.seq > ?)`
	changedSaid  = saidColumns + `+m.session_num` + saidRest + ` AND m.id IN ` + refs + ` ORDER BY m.seq DESC LIMIT ?`
	changedCalls = lineColumns + `+i.session_num` + lineRest + ` AND i.id IN (SELECT ref FROM ` + refs + ` UNION SELECT invocation_id FROM approvals WHERE id IN ` + refs + `)
		ORDER BY i.ordinal DESC LIMIT ?`
)

// Lines returns a stretch of a session's timeline, oldest first. What a tool answered is
// inside its call, and a message that only asks for calls is no line.
func (s *Store) Lines(ctx context.Context, sessionID string, at Span) ([]Line, error) {
	limit := pageOf(at.Limit)
	bound, edge, order := beforeOrEnd(at.Before), ` < ?`, ` DESC`
	if at.After > 0 {
		bound, edge, order = at.After, ` > ?`, ``
	}
	said, err := s.said(ctx, sessionID, selectSaid+` AND m.seq`+edge+` ORDER BY m.seq`+order+` LIMIT ?`, bound, limit)
	if err != nil {
		return nil, err
	}
	calls, err := s.lines(ctx, sessionID, selectLine+` AND i.ordinal`+edge+` ORDER BY i.ordinal`+order+` LIMIT ?`, bound, limit)
	if err != nil {
		return nil, err
	}
	all := inOrder(said, calls)
	switch {
	case len(all) <= limit:
	case at.After > 0:
		all = all[:limit]
	default:
		all = all[len(all)-limit:]
	}
	return all, nil
}

// Changed returns the lines of a session that its events after since are about, oldest
// first. They are not a stretch: lines between them may be missing.
func (s *Store) Changed(ctx context.Context, sessionID string, since int64, limit int) ([]Line, error) {
	said, err := s.said(ctx, sessionID, changedSaid, sessionID, since, pageOf(limit))
	if err != nil {
		return nil, err
	}
	calls, err := s.lines(ctx, sessionID, changedCalls, sessionID, since, sessionID, since, pageOf(limit))
	return inOrder(said, calls), err
}

// inOrder puts both kinds of lines in one order, oldest first.
func inOrder(said, calls []Line) []Line {
	all := slices.Concat(said, calls)
	slices.SortFunc(all, func(a, b Line) int { return int(a.Seq - b.Seq) })
	return all
}

func (s *Store) said(ctx context.Context, sessionID, query string, args ...any) ([]Line, error) {
	out := []Line{}
	err := s.each(ctx, query, append([]any{maxSaid + maxBehind, sessionID}, args...), func(rows *sql.Rows) error {
		m := session.Message{SessionID: sessionID}
		var text string
		var length int
		var at int64
		if err := rows.Scan(&m.ID, &m.Seq, &m.Role, &text, &length, &m.Model, &m.Trust, &at); err != nil {
			return err
		}
		said, left := beginning(sessionID, text, length)
		m.Text, m.At = tool.Mark(said), instant(at)
		out = append(out, Line{Seq: m.Seq, Message: &m, Left: left})
		return nil
	})
	return out, err
}

// beginning returns the copy of the beginning of a message that eyes see, and how many of
// its characters follow. text may go on further than what is told, so that a secret is
// found whole.
func beginning(sessionID, text string, length int) (said string, left int) {
	end, n := len(text), 0
	for i := range text {
		if n == maxSaid {
			end = i
			break
		}
		n++
	}
	said, end = redact.Head(text, end, redact.MarkOf(sessionID))
	return said, max(0, length-utf8.RuneCountInString(text[:end]))
}

func (s *Store) lines(ctx context.Context, sessionID, query string, args ...any) ([]Line, error) {
	out := []Line{}
	err := s.each(ctx, query, append([]any{sessionID}, args...), func(rows *sql.Rows) error {
		line, err := scanLine(rows)
		out = append(out, line)
		return err
	})
	return out, err
}

func scanLine(rows *sql.Rows) (Line, error) {
	var metadata, heads, words string
	var r approval.Request
	c, err := scanCall(rows, &metadata, &heads, &r.Status, &words, &r.ResolvedBy, &r.Reason, &r.CallerLeft, &r.LeftWhy)
	if err != nil {
		return Line{}, err
	}
	line := Line{Seq: c.Ordinal, Call: &c}
	if c.ApprovalID != "" {
		r.ID, r.SessionID, r.InvocationID, r.Words = c.ApprovalID, c.SessionID, c.ID, tool.Mark(words)
		line.Request = &r
	}
	if heads != "" {
		if err := json.Unmarshal([]byte(heads), &line.Heads); err != nil {
			return line, err
		}
	}
	return line, json.Unmarshal([]byte(metadata), &line.Call.Metadata)
}

// Message returns one message whole, or session.ErrNoSession when there is none of that
// id in the session.
func (s *Store) Message(ctx context.Context, sessionID, id string) (session.Message, error) {
	found := session.Message{SessionID: sessionID}
	err := s.each(ctx, `SELECT m.id, m.seq, m.role, m.text, m.model, m.trust, m.at
		FROM sessions s JOIN messages m ON m.session_num = s.num WHERE s.id = ? AND m.id = ?`, []any{sessionID, id}, func(rows *sql.Rows) error {
		var text string
		var at int64
		err := rows.Scan(&found.ID, &found.Seq, &found.Role, &text, &found.Model, &found.Trust, &at)
		found.Text, found.At = tool.Mark(text), instant(at)
		return err
	})
	if err == nil && found.ID == "" {
		err = session.ErrNoSession
	}
	return found, err
}
