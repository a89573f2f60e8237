package store

import (
	"strings"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// The kinds of text in the index of words.
const (
	docMessage = "message"
	docCall    = "call"
)

// maxIndexed is how much of one text goes into the index, in bytes. The beginning
// of an output says what it is; the rest would make every write pay for it.
const maxIndexed = 64 << 10

// searchable is the copy of a text that may be searched: redacted as a whole and
// then cut, so that no cut leaves half a secret. Without a redactor it is empty.
func (s *Store) searchable(text string) string {
	if s.redact == nil || text == "" {
		return ""
	}
	text = s.redact(text)
	if len(text) > maxIndexed {
		text = strings.ToValidUTF8(text[:maxIndexed], "")
	}
	return text
}

// callText is what a call can be found by: its tool, its arguments and the text of
// its result.
func callText(inv session.Invocation) string {
	parts := []string{inv.ToolID, string(inv.Canonical)}
	for _, p := range inv.Content {
		if p.Type == tool.PartText {
			parts = append(parts, p.Text.Open())
		}
	}
	return strings.Join(parts, "\n")
}

// index puts a text into the index of words.
func (t *tx) index(r ref, kind, about, text string) error {
	if text == "" {
		return nil
	}
	num, err := t.insert(`INSERT INTO search_docs (session_num, kind, ref) VALUES (?, ?, ?)`, r.num, kind, about)
	if err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO search (rowid, text) VALUES (?, ?)`, num, text)
	return err
}
