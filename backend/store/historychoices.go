package store

import (
	"context"
	"database/sql"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// maxChoices is how many values of one kind are offered.
const maxChoices = 200

// The values of an index are read by leaping from each to the next one.
const (
	selectTools = `WITH RECURSIVE v (at) AS (SELECT MIN(tool) FROM invocations UNION ALL
		SELECT (SELECT MIN(tool) FROM invocations WHERE tool > v.at) FROM v WHERE v.at IS NOT NULL LIMIT ?1)
		SELECT at FROM v WHERE at IS NOT NULL`
	selectWorkspaces = `WITH RECURSIVE v (at) AS (SELECT MIN(workspace) FROM sessions UNION ALL
		SELECT (SELECT MIN(workspace) FROM sessions WHERE workspace > v.at) FROM v WHERE v.at IS NOT NULL LIMIT ?1)
		SELECT at FROM v WHERE at IS NOT NULL`
	selectCallers = `WITH RECURSIVE v (at) AS (SELECT MIN(caller_name) FROM sessions WHERE caller_kind = ?2 UNION ALL
		SELECT (SELECT MIN(caller_name) FROM sessions WHERE caller_kind = ?2 AND caller_name > v.at) FROM v WHERE v.at IS NOT NULL LIMIT ?1)
		SELECT at FROM v WHERE at IS NOT NULL`
)

// HistoryChoices returns the tools, workspaces and callers that calls can be asked for by,
// at most 200 of each.
func (s *Store) HistoryChoices(ctx context.Context) (c session.HistoryChoices, err error) {
	if c.Tools, err = s.texts(ctx, selectTools, maxChoices); err != nil {
		return c, err
	}
	if c.Workspaces, err = s.texts(ctx, selectWorkspaces, maxChoices); err != nil {
		return c, err
	}
	for _, kind := range []session.CallerKind{session.CallerAgent, session.CallerMCP, session.CallerCommandLine, session.CallerWindow} {
		names, err := s.texts(ctx, selectCallers, maxChoices, string(kind))
		if err != nil {
			return c, err
		}
		for _, name := range names {
			c.Callers = append(c.Callers, session.HistoryCaller{Kind: kind, Name: tool.Mark(name)})
		}
	}
	return c, nil
}

func (s *Store) texts(ctx context.Context, text string, args ...any) (out []string, err error) {
	err = s.each(ctx, text, args, func(rows *sql.Rows) error {
		out = append(out, "")
		return rows.Scan(&out[len(out)-1])
	})
	return out, err
}
