package store

import (
	"context"
	"database/sql"
)

// Found is a line that holds the words that were looked for.
type Found struct {
	ID  string
	Seq int64
}

// FindLines looks through the lines of one session for words as they are written, without
// regard to the case of the letters a to z: through the whole text of its messages, and
// the tool's name and the beginnings of the arguments of its calls, as the timeline tells
// them. It returns at most limit of them, the latest first, and how many there are.
func (s *Store) FindLines(ctx context.Context, sessionID, words string, limit int) (found []Found, total int, err error) {
	found = []Found{}
	err = s.each(ctx, `WITH hits AS (
		SELECT m.id AS id, m.seq AS seq FROM sessions s JOIN messages m ON m.session_num = s.num
			WHERE s.id = ?1 AND m.role <> 'tool' AND instr(lower(m.text), lower(?2)) > 0
		UNION ALL
		SELECT i.id, i.ordinal FROM sessions s JOIN invocations i ON i.session_num = s.num
			WHERE s.id = ?1 AND (instr(lower(i.name), lower(?2)) > 0 OR instr(lower(i.tool_id), lower(?2)) > 0 OR EXISTS (
				SELECT 1 FROM argument_heads h JOIN json_each(h.heads) j ON true
				WHERE h.invocation_num = i.num AND json_valid(h.heads) AND instr(lower(json_extract(j.value, '$.text')), lower(?2)) > 0)))
		SELECT id, seq, (SELECT COUNT(*) FROM hits) FROM hits ORDER BY seq DESC LIMIT ?3`,
		[]any{sessionID, words, pageOf(limit)}, func(rows *sql.Rows) error {
			var f Found
			err := rows.Scan(&f.ID, &f.Seq, &total)
			found = append(found, f)
			return err
		})
	return found, total, err
}
