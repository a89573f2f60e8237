package store

import (
	"context"
	"database/sql"
	"time"

	"countersign/backend/tool"
)

// RecentCall is a call with the arguments that it was made with, and how it was answered.
type RecentCall struct {
	ID, SessionID string
	Arguments     []byte
	At            time.Time
	// Denied says that a person denied it.
	Denied bool
}

const selectRecent = `SELECT i.id, s.id, COALESCE(a.canonical, a.raw), i.proposed_at,
	i.answer = 'denied' OR i.reason_code = '` + string(tool.CodeApprovalUserRejected) + `'
	FROM invocations i JOIN sessions s ON s.num = i.session_num JOIN arguments a ON a.invocation_num = i.num`

const (
	recentInSession = selectRecent + ` WHERE i.num IN (
		SELECT num FROM invocations WHERE session_num = (SELECT num FROM sessions WHERE id = ?) ORDER BY ordinal DESC LIMIT ?)
		AND i.tool_id = ? AND LENGTH(COALESCE(a.canonical, a.raw)) <= ? ORDER BY i.ordinal DESC LIMIT ?`
	recentInWorkspace = selectRecent + ` WHERE i.num IN (SELECT num FROM invocations WHERE tool = ? ORDER BY proposed_at DESC LIMIT ?)
		AND s.workspace = ? AND LENGTH(COALESCE(a.canonical, a.raw)) <= ? ORDER BY i.proposed_at DESC, i.num DESC LIMIT ?`
)

// maxRecentArguments is how large the arguments of a call may be that RecentCalls returns, in
// bytes.
const maxRecentArguments = 64 << 10

// RecentInSession returns the last calls of a tool in a session, the latest first. Calls with
// very large arguments are left out. It looks at no more than the last scan calls of the session.
func (s *Store) RecentInSession(ctx context.Context, sessionID, toolID string, limit, scan int) ([]RecentCall, error) {
	return s.recent(ctx, recentInSession, sessionID, scan, toolID, maxRecentArguments, pageOf(limit))
}

// RecentInWorkspace returns the last calls of a tool in every session of a workspace, the
// latest first. It looks at no more than the last scan calls of the tool in any workspace.
func (s *Store) RecentInWorkspace(ctx context.Context, workspace, toolID string, limit, scan int) ([]RecentCall, error) {
	return s.recent(ctx, recentInWorkspace,
		toolID, scan, workspace, maxRecentArguments, pageOf(limit))
}

func (s *Store) recent(ctx context.Context, text string, args ...any) (out []RecentCall, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		var c RecentCall
		var at int64
		err := rows.Scan(&c.ID, &c.SessionID, &c.Arguments, &at, &c.Denied)
		c.At = instant(at)
		out = append(out, c)
		return err
	})
	return out, err
}
