package change

import (
	"fmt"
	"strings"

	"countersign/backend/bound"
)

// Names under which the facts of a finished change tell how many of its runs a person kept, of
// how many. They are there only where some were left out.
const (
	KeyKept    = "changesKept"
	KeyChanges = "changes"
)

// Record adds to the facts of a finished change how much of it was made. A nil part is all.
func (p *Part) Record(facts map[string]any) map[string]any {
	if p == nil {
		return facts
	}
	facts[KeyKept], facts[KeyChanges] = len(p.Made), len(p.Made)+len(p.Left)
	return facts
}

// Text is what a caller is told of a change of which only a part was made. Lines are counted
// as the file is now.
func (p *Part) Text() string {
	return fmt.Sprintf("The user allowed %s, and nothing else was changed. Made: %s. Left out: %s. "+
		"The file is not what you asked for: do not make what was left out again unless the user asks for it.",
		p.share(), runWords(p.Made), runWords(p.Left))
}

// Note is the same for the person.
func (p *Part) Note() string {
	return fmt.Sprintf("You kept %s. Left out: %s.", p.share(), runWords(p.Left))
}

// Title is what the line that stands for the call says of it, "" for a nil part, which is all.
func (p *Part) Title() string {
	if p == nil {
		return ""
	}
	return " · kept " + p.share()
}

func (p *Part) share() string {
	return fmt.Sprintf("%d of %s", len(p.Made), bound.Plural(int64(len(p.Made)+len(p.Left)), "change"))
}

// maxRuns is how many runs an answer lists.
const maxRuns = 20

func runWords(all []Run) string {
	var list []string
	for _, r := range all[:min(len(all), maxRuns)] {
		list = append(list, fmt.Sprintf("%s (+%d −%d)", r.place(), r.Additions, r.Deletions))
	}
	if more := len(all) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

// place says where a run stands.
func (r Run) place() string {
	switch {
	case r.Lines == 0 && r.First == 0:
		return "at the start"
	case r.Lines == 0:
		return fmt.Sprintf("after line %d", r.First)
	case r.Lines == 1:
		return fmt.Sprintf("line %d", r.First)
	}
	return fmt.Sprintf("lines %d–%d", r.First, r.First+r.Lines-1)
}
