package registry

import (
	"slices"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

// What a caller is told first of all of a call that did not run as it was sent.
const (
	changedByPerson = "The user changed the arguments of this call before allowing it."
	changedByHook   = "A hook of the user's changed the arguments of this call before it ran."
)

// maxToldArguments bounds the arguments that a caller is told, in bytes.
const maxToldArguments = 4 << 10

// changeNote tells the caller that something else ran than it sent: in a fixed sentence, with
// the names of the fields and the arguments that ran, without their secrets. nil where what
// was sent ran, or nothing did.
func (r *Registry) changeNote(c *run) []tool.Part {
	change := r.changed(c)
	if change == nil || c.inv.AuthorizedAt == nil {
		return nil
	}
	sentences := []string{}
	if slices.Contains(change.By, tool.LayerHook) {
		sentences = append(sentences, changedByHook)
	}
	if change.Person() {
		sentences = append(sentences, changedByPerson)
	}
	if len(change.Fields) > 0 {
		sentences = append(sentences, "Changed: "+strings.Join(change.Fields, ", ")+".")
	}
	arguments, _ := redact.JSON(string(c.args.Sent()), redact.MarkOf(c.s.SessionID))
	limits := tool.Bounding{MaxBytes: maxToldArguments}
	ran := bound.Cut(arguments, limits, "").Shown
	return []tool.Part{tool.TextPart(strings.Join(sentences, " ") + "\nThese arguments were used: " + ran)}
}

// withChange puts what a caller is told of a change before the content of a result. A result
// that is only structured gets its text beside it, since a text stands for the whole of it.
func (r *Registry) withChange(c *run, content []tool.Part) []tool.Part {
	note := r.changeNote(c)
	if note == nil {
		return content
	}
	if len(content) == 0 && c.result.Structured != nil {
		content = []tool.Part{tool.TextPart(string(c.result.Structured))}
	}
	return append(note, content...)
}
