package storebench

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"time"

	"countersign/backend/session"
	"countersign/backend/store"
)

// GoalHistory is how much longer a filtered page of the history may take than the bare
// query for the same calls. It does more: it finds out first how far it may look, its text
// knows every filter, and it makes calls of the rows.
const GoalHistory = 5.0

// History is the measurement of a page of 100 calls of one tool that were denied, out of
// all sessions. Times are medians.
type History struct {
	// Calls is how many calls the store holds, Events how many events tell of them.
	Calls, Events int
	// Bare is the query through the same driver, Page the method of the store.
	Bare, Page time.Duration
	Ratio      float64
	// Rare is a page that wants what no call is: it looks at as many as a page may.
	Rare time.Duration
}

// eventsOfACall is how many events tell of one call, historySessions over how many
// sessions calls are spread.
const (
	eventsOfACall   = 5
	historySessions = 40
)

// MeasureHistory measures filtered pages all over a long history, in the empty folder dir.
// Bare queries and pages alternate.
func MeasureHistory(ctx context.Context, dir string, load Load) (History, error) {
	load = load.filled()
	h := History{Events: load.Events, Calls: load.Events / eventsOfACall}
	s, err := open(ctx, dir)
	if err != nil {
		return h, err
	}
	defer s.Close()
	if _, err := sessions(ctx, s, historySessions); err != nil {
		return h, err
	}
	db, err := sql.Open("sqlite3", filepath.Join(dir, "home", "countersign.db"))
	if err != nil {
		return h, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := fillHistory(ctx, db, h.Calls); err != nil {
		return h, err
	}
	bare, err := db.PrepareContext(ctx, bareHistory)
	if err != nil {
		return h, err
	}
	defer bare.Close()
	bares, pages, rares, err := timeHistory(ctx, s, bare, h.Calls, load.Pages)
	if err != nil {
		return h, err
	}
	h.Bare, h.Page, h.Rare = median(bares), median(pages), median(rares)
	h.Ratio = float64(h.Page) / float64(h.Bare)
	return h, nil
}

func timeHistory(ctx context.Context, s *store.Store, bare *sql.Stmt, calls, n int) (bares, pages, rares []time.Duration, err error) {
	for i := range n {
		// Every second is a call; the oldest quarter is left for the last page to fill itself.
		before := historyStart + 1000*int64(calls-i*(3*calls/4)/n)
		for _, m := range []struct {
			into *[]time.Duration
			read func() error
		}{
			{&bares, func() error { return readBare(bare, before) }},
			{&pages, func() error { return readHistory(ctx, s, before, "write", pageSize) }},
			{&rares, func() error { return readHistory(ctx, s, before, "read", 0) }},
		} {
			took, err := times(1, m.read)
			if err != nil {
				return nil, nil, nil, err
			}
			*m.into = append(*m.into, took...)
		}
	}
	return bares, pages, rares, nil
}

const historyStart = 1_800_000_000_000

// fillHistory makes calls the short way: a quarter are writes, and every tenth was denied,
// but never a reading.
func fillHistory(ctx context.Context, db *sql.DB, calls int) error {
	for _, text := range []string{
		`INSERT INTO invocations (id, session_num, ordinal, call_id, turn, name, tool_id, tool_version, tool_set, tool_source, server_id, state,
			attempt_number, caller_tag, side_effect, risk, idempotency_class, origin_trust, effective_arguments_hash, idempotency_key, policy_version,
			decision, decided_by, proposed_at, authorized_at, ended_at, outcome_status, reason_code, output_trust, output_bytes, truncated, duration_ms, parallel_group, metadata)
		SELECT 'bench-call-' || i, 1 + i % 40, 10 + i, 'call-' || i, '', 'write', CASE i % 4 WHEN 0 THEN 'write' ELSE 'read' END, '1.0.0', 'coding', 'builtin', '',
			CASE WHEN i % 20 = 0 THEN 'denied' ELSE 'succeeded' END, 1, '', 'workspace_write', 'medium', 'non_idempotent', 'internal_tool',
			hex(zeroblob(32)), hex(zeroblob(32)), hex(zeroblob(32)),
			'{"verdict":"ask","reason_code":"","chain":[{"layer":"matrix","verdict":"allow","reason":"It writes inside the workspace."},{"layer":"preset","verdict":"ask","reason":"Preset Default asks before every write."}],"capabilities":["file.write"]}',
			'person', 1800000000000 + i * 1000, 1800000000500 + i * 1000, 1800000000900 + i * 1000, 'succeeded', '', 'internal_tool', 3456, 0, 12, '', '{"additions":3,"deletions":1,"durationMs":12}'
		FROM n`,
		`INSERT INTO argument_heads (invocation_num, heads)
			SELECT i, '{"content":{"text":"' || hex(zeroblob(200)) || '"},"file_path":{"text":"/bench/src/file-' || i || '.go"}}' FROM n`,
		`INSERT INTO events (session_num, seq, at, type, ref, payload)
			SELECT 1 + i % 40, 10 + i * 5 + e.value, 1800000000000 + i * 1000, 'tool.call.completed', 'bench-call-' || i, '{"invocation":"bench-call-' || i || '","tool":"write"}'
			FROM n, json_each('[0,1,2,3,4]') e`,
	} {
		_, err := db.ExecContext(ctx, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) `+text, calls)
		if err != nil {
			return err
		}
	}
	return nil
}

// bareHistory is the keyset query for the same calls and columns, written for these filters
// alone and without a store around it.
const bareHistory = `SELECT i.num, i.id, i.ordinal, i.name, i.tool_id, i.state, i.risk, i.decided_by, i.proposed_at, i.reason_code, i.duration_ms,
	i.metadata, i.ending, i.decider, h.heads, i.started_at,
	s.id, s.title, s.workspace, s.trust_root, s.caller_kind, s.caller_name, s.created_at,
	r.id, r.status, r.resolution, r.resolved_by, r.left_why, r.caller_left, r.words
	FROM invocations i JOIN sessions s ON s.num = i.session_num LEFT JOIN argument_heads h ON h.invocation_num = i.num
	LEFT JOIN approvals r ON r.num = (SELECT MAX(num) FROM approvals WHERE invocation_id = i.id)
	WHERE i.tool = 'write' AND i.ending = 'denied' AND i.proposed_at < ? ORDER BY i.proposed_at DESC, i.num DESC LIMIT ?`

func readBare(stmt *sql.Stmt, before int64) error {
	rows, err := stmt.Query(before, pageSize)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var v [30]any
		into := make([]any, len(v))
		for i := range v {
			into[i] = &v[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		n++
	}
	if n != pageSize {
		return fmt.Errorf("the bare page has %d calls", n)
	}
	return rows.Err()
}

func readHistory(ctx context.Context, s *store.Store, before int64, tool string, want int) error {
	page, err := s.History(ctx, session.HistoryQuery{
		Tools: []string{tool}, Endings: []session.Ending{session.EndingDenied}, Subjects: []string{"file_path"},
		Before: session.Cursor{At: before}, Limit: pageSize,
	})
	if err == nil && len(page.Calls) != want {
		err = fmt.Errorf("the page has %d calls", len(page.Calls))
	}
	return err
}
