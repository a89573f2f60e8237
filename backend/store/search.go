package store

import (
	"strings"

	"countersign/backend/redact"
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

// searchable is the part of a copy without secrets that may be searched. It is cut after
// they were found, so that no cut leaves half of one.
func searchable(copied string) string {
	if len(copied) > maxIndexed {
		copied = strings.ToValidUTF8(copied[:maxIndexed], "")
	}
	return copied
}

// callText is what a call can be found by: its tool, its arguments and the text of
// its result.
func callText(inv session.Invocation) string {
	mark := redact.MarkOf(inv.SessionID)
	arguments, _ := redact.JSON(string(inv.Canonical), mark)
	parts := []string{inv.ToolID, arguments}
	for _, p := range inv.Content {
		if p.Type == tool.PartText {
			parts = append(parts, redact.Text(p.Text.Open(), mark))
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
