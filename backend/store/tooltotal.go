package store

import (
	"context"
	"database/sql"
	"time"

	"countersign/backend/tool"
)

// ToolTotal is how often a tool was called, as far as history goes back.
type ToolTotal struct {
	ToolID string
	Calls  int64
	// FailedAt and FailedBy say when a call last failed and by which code; nil and "" when
	// none did. A denial is no failure.
	FailedAt *time.Time
	FailedBy tool.Code
}

// ToolTotals returns the totals of every tool that was called, by its id. It reads a row a
// tool, however long the history is.
func (s *Store) ToolTotals(ctx context.Context) (out []ToolTotal, err error) {
	err = s.each(ctx, `SELECT tool_id, calls, failed_at, failed_by FROM tool_totals ORDER BY tool_id`, nil, func(rows *sql.Rows) error {
		var t ToolTotal
		var at sql.NullInt64
		err := rows.Scan(&t.ToolID, &t.Calls, &at, &t.FailedBy)
		t.FailedAt = instantOrNil(at)
		out = append(out, t)
		return err
	})
	return out, err
}
