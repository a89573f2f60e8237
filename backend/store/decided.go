package store

import (
	"context"
	"database/sql"
	"time"

	"countersign/backend/tool"
)

// DecidedCall is a call that the rules decided about, with what it takes to judge it again.
type DecidedCall struct {
	Num                           int64
	ID, SessionID, ToolID, Wanted string
	// Arguments are nil where they are too large to be judged again, or not kept.
	Arguments []byte
	At        time.Time
	// Origin is the least trusted label among what the session had read by then.
	Origin tool.Trust
	// Ending and Decider are what the history calls them, Approval is the latest request.
	Ending, Decider, Approval string
}

// decidedCalls are the calls of callers that the rules were asked about, or refused before that
// since their tool was not offered.
const decidedCalls = ` FROM invocations i WHERE i.proposed_at >= ?1 AND i.caller_tag <> 'person'
	AND (i.decision IS NOT NULL OR i.reason_code = '` + string(tool.CodeNotEnabled) + `')`

// CountDecided counts the calls since a time that were decided about, up to most.
func (s *Store) CountDecided(ctx context.Context, since time.Time, most int) (n int, err error) {
	_, err = s.one(ctx, `SELECT COUNT(*) FROM (SELECT 1`+decidedCalls+` LIMIT ?2)`, []any{ms(since), most}, &n)
	return n, err
}

// Decided returns the calls since a time that were decided about, the latest first. before is
// the last of the page before, the zero value for the first page; limit is at most 1,000.
func (s *Store) Decided(ctx context.Context, since time.Time, before DecidedCall, limit int) (out []DecidedCall, err error) {
	at, num := int64(1<<62), int64(1<<62)
	if before.Num != 0 {
		at, num = ms(before.At), before.Num
	}
	err = s.each(ctx, `SELECT i.num, i.id, (SELECT s.id FROM sessions s WHERE s.num = i.session_num), i.tool_id, i.name,
		(SELECT CASE WHEN LENGTH(COALESCE(a.canonical, a.raw)) <= ?5 THEN COALESCE(a.canonical, a.raw) END FROM arguments a WHERE a.invocation_num = i.num),
		i.proposed_at, i.origin_trust, i.ending, i.decider,
		COALESCE((SELECT p.id FROM approvals p WHERE p.invocation_id = i.id ORDER BY p.num DESC LIMIT 1), '')`+
		decidedCalls+` AND i.proposed_at <= ?2 AND (i.proposed_at < ?2 OR i.num < ?3) ORDER BY i.proposed_at DESC, i.num DESC LIMIT ?4`,
		[]any{ms(since), at, num, pageOf(limit), maxRecentArguments}, func(rows *sql.Rows) error {
			var c DecidedCall
			var at int64
			err := rows.Scan(&c.Num, &c.ID, &c.SessionID, &c.ToolID, &c.Wanted, &c.Arguments, &at, &c.Origin, &c.Ending, &c.Decider, &c.Approval)
			c.At = instant(at)
			out = append(out, c)
			return err
		})
	return out, err
}
