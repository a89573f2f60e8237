package change

import "countersign/backend/tool"

// Names under which a finished change keeps what it was made from and led to, both as
// sha256, and what its diff does not show. A window needs them to show more of the file.
const (
	KeyBefore = "sha256Before"
	KeyAfter  = "sha256After"
	KeyNotes  = "notes"
)

// Record adds to the facts of a finished change what it was made from, nil where there was
// no file, the hash of what it led to, and the notes of its diff.
func Record(old *File, after string, d tool.FileDiff, facts map[string]any) map[string]any {
	if old != nil {
		facts[KeyBefore] = old.SHA256
	}
	facts[KeyAfter] = after
	if len(d.Notes) > 0 {
		facts[KeyNotes] = d.Notes
	}
	return facts
}
