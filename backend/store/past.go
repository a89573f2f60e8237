package store

import (
	"context"
	"database/sql"

	"countersign/backend/registry"
	"countersign/backend/tool"
)

// Past returns what the pipeline must still know of a session that is opened again: the
// labels of what its calls returned, and the calls whose effect is not known.
func (s *Store) Past(ctx context.Context, sessionID string) (p registry.Past, err error) {
	err = s.each(ctx, `SELECT DISTINCT output_trust FROM invocations
		WHERE session_num = (SELECT num FROM sessions WHERE id = ?) AND output_trust <> ''`, []any{sessionID}, func(rows *sql.Rows) error {
		var t tool.Trust
		err := rows.Scan(&t)
		p.Trusts = append(p.Trusts, t)
		return err
	})
	if err != nil {
		return registry.Past{}, err
	}
	err = s.each(ctx, `WITH ended AS (SELECT tool_id, effective_arguments_hash, asked_arguments_hash FROM invocations
			WHERE session_num = (SELECT num FROM sessions WHERE id = ?) AND outcome_status = 'uncertain')
		SELECT tool_id, effective_arguments_hash FROM ended WHERE effective_arguments_hash <> ''
		UNION SELECT tool_id, asked_arguments_hash FROM ended WHERE asked_arguments_hash <> '' ORDER BY 1, 2`,
		[]any{sessionID}, func(rows *sql.Rows) error {
			var c registry.PastCall
			err := rows.Scan(&c.ToolID, &c.ArgumentsHash)
			p.Uncertain = append(p.Uncertain, c)
			return err
		})
	return p, err
}
