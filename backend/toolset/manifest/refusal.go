package manifest

import (
	"errors"
	"strings"

	"countersign/backend/schema"
)

// Refusal is why a manifest, or one tool of it, was not taken.
type Refusal struct {
	Note
}

// Error is the text of the note.
func (r *Refusal) Error() string { return r.Text }

// refuse makes a refusal: words complete the sentence that begins with the field, and remedy is
// a sentence of its own.
func refuse(field, words, remedy string) *Refusal {
	subject := "The file"
	if field != "" {
		subject = `"` + field + `"`
	}
	return &Refusal{Note{field, FileName + ": " + subject + " " + words + ". " + remedy}}
}

// unread makes a refusal of what the JSON reader says.
func unread(field string, err error) *Refusal {
	var fault *schema.Fault
	if errors.As(err, &fault) && len(fault.Problems) > 0 {
		p := fault.Problems[0]
		return refuse(joined(field, p.Field), p.Words, "Correct the JSON and reload.")
	}
	return refuse(field, "is not valid JSON", "Correct the JSON and reload.")
}

func joined(parent, name string) string {
	return strings.Trim(parent+"."+name, ".")
}
