package store

import "countersign/backend/session"

// Calls are looked at in the order of one of three indexes. Each is named: SQLite would
// rather read whole sessions and sort them where it believes that few calls are wanted.
// Calls of one millisecond are told apart by their rows, and few share one.
const (
	byTime   = `FROM invocations i INDEXED BY invocations_time WHERE ?1 IS NULL`
	byTool   = `FROM invocations i INDEXED BY invocations_tool WHERE i.tool = ?1`
	byEnding = `FROM invocations i INDEXED BY invocations_ending WHERE i.ending = ?1`
)

// course is the way through one index. Its texts are the same for all queries, since each
// is prepared once and kept.
type course struct {
	// reach finds the time of the last call that a page looks at, find the calls that are
	// wanted down to there.
	reach, find string
	// values are those that the index begins with.
	values []any
}

func courseBy(from string, values ...any) course {
	return course{
		reach: `SELECT i.proposed_at ` + from + ` AND i.proposed_at BETWEEN ?2 AND ?3 ORDER BY i.proposed_at DESC LIMIT 1 OFFSET ?4`,
		find:  selectHistory + `(SELECT i.num ` + from + wantedCalls + `) k` + joinHistory, values: values,
	}
}

func courseOf(q session.HistoryQuery) course {
	switch {
	case len(q.Tools) > 0:
		return courseBy(byTool, anyOf(q.Tools)...)
	case len(q.Endings) > 0:
		return courseBy(byEnding, anyOf(q.Endings)...)
	}
	return courseBy(byTime, nil)
}

func anyOf[T ~string](list []T) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, string(v))
	}
	return out
}

const (
	wantedCalls = ` AND (i.proposed_at, i.num) < (?2, ?3) AND (i.proposed_at, i.num) >= (?4, ?5)
	AND (?8 IS NULL OR i.ending IN (SELECT value FROM json_each(?8)))
	AND (?9 IS NULL OR i.decider IN (SELECT value FROM json_each(?9)))
	AND (?10 IS NULL OR i.risk IN (SELECT value FROM json_each(?10)))
	AND (?11 IS NULL OR (SELECT workspace FROM sessions WHERE num = i.session_num) IN (SELECT value FROM json_each(?11)))
	AND (?12 IS NULL OR EXISTS (SELECT 1 FROM sessions s, json_each(?12) c WHERE s.num = i.session_num
		AND s.caller_kind = c.value ->> 0 AND s.caller_name = c.value ->> 1))
	AND (?13 IS NULL OR ` + holdsText + `)
	ORDER BY i.proposed_at DESC, i.num DESC LIMIT ?6`

	// holdsText looks into what the list shows, and never further into arguments or results.
	holdsText = `instr(lower(i.tool), ?13) OR instr(lower(i.name), ?13)
	OR EXISTS (SELECT 1 FROM sessions WHERE num = i.session_num AND (instr(lower(title), ?13) OR instr(lower(caller_name), ?13)))
	OR EXISTS (SELECT 1 FROM argument_heads h, json_each(h.heads) j WHERE h.invocation_num = i.num
		AND j.key IN (SELECT value FROM json_each(?7)) AND instr(lower(j.value ->> '$.text'), ?13))
	OR EXISTS (SELECT 1 FROM approvals WHERE invocation_id = i.id AND instr(lower(words), ?13))`
)

// A call is read by its number k.num.
const (
	selectHistory = `SELECT i.num, i.id, i.ordinal, i.name, i.caller_tag, i.tool_id, i.state, i.risk,
	i.decided_by, i.proposed_at, i.started_at, i.reason_code, i.duration_ms, i.metadata, i.ending, i.decider, COALESCE(h.heads, ''),
	s.id, s.title, s.workspace, s.trust_root, s.caller_kind, s.caller_name, s.created_at,
	r.id, r.status, r.resolution, r.resolved_by, r.left_why, r.caller_left, r.words FROM `
	joinHistory = ` CROSS JOIN invocations i ON i.num = k.num JOIN sessions s ON s.num = i.session_num
	LEFT JOIN argument_heads h ON h.invocation_num = i.num
	LEFT JOIN approvals r ON r.num = (SELECT MAX(num) FROM approvals WHERE invocation_id = i.id)`

	selectHistoryCall = selectHistory + `(SELECT num FROM invocations WHERE id = ?1) k` + joinHistory
)
