package bridge

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// endedWords says in a sentence how a request ended, "" while it waits. decision is that of
// its call and may be nil: it knows which rule closed a request that no person answered.
func endedWords(r approval.Request, decision *tool.Decision) string {
	by := closerWords(r.ResolvedBy)
	switch r.Status {
	case approval.StatusPending:
		return ""
	case approval.StatusApproved:
		return approvedWords(r, decision, by)
	case approval.StatusDenied:
		if r.ResolvedBy != "person" {
			return refusedWords(decision, r.Reason)
		}
		return "Denied by " + by + "."
	case approval.StatusExpired:
		return "This call waited too long and expired. It was denied, not run."
	case approval.StatusCancelled:
		if r.Reason != "" {
			return r.Reason
		}
		switch r.ResolvedBy {
		case approval.BySettings:
			return "The settings changed, so this card ended. The call is judged again."
		case approval.ByFiles:
			return "A file changed, so this card ended. The call is asked again on a new one."
		}
		if why := cancelledWhy(r); why != "" {
			return "This call was cancelled and never ran: " + why + "."
		}
		return "This call was cancelled and never ran."
	}
	return "This call is no longer waiting."
}

func approvedWords(r approval.Request, decision *tool.Decision, by string) string {
	switch {
	case r.Voided != "":
		return "Allowed, but not run: " + lowerFirst(r.Voided)
	case r.ResolvedBy == approval.BySettings:
		if label := presetThatAllowed(decision, r.Reason); label != "" {
			return "Preset " + label + " let it run."
		}
		return strings.TrimSpace("The settings let it run. " + r.Reason)
	case strings.HasPrefix(r.ResolvedBy, approval.ByGrant):
		return "A grant that you gave let it run."
	case r.Resolution == approval.AllowSession:
		return "Allowed for this session by " + by + "."
	case r.Resolution == approval.AllowWorkspace:
		return "Allowed from now on in this workspace by " + by + "."
	}
	if kept, of := r.KeptOf(); of > 0 {
		return "Allowed once by " + by + ", with " + keptWords(kept, of) + "."
	}
	return "Allowed once by " + by + "."
}

func lowerFirst(sentence string) string {
	first, size := utf8.DecodeRuneInString(sentence)
	return string(unicode.ToLower(first)) + sentence[size:]
}

// presetThatAllowed is the label of the preset whose voice let a call run, "" without one.
// said is the sentence that the request keeps of it.
func presetThatAllowed(decision *tool.Decision, said string) string {
	voices := []string{said}
	if decision != nil {
		for _, link := range decision.Chain {
			if link.Layer == tool.LayerPreset && link.Verdict == tool.VerdictAllow {
				voices = append(voices, link.Reason)
			}
		}
	}
	for _, p := range presetChoices() {
		if slices.ContainsFunc(voices, func(v string) bool { return strings.HasPrefix(v, "Preset "+p.Label+" ") }) {
			return p.Label
		}
	}
	return ""
}

// refusedWords says which rule refused a call that waited when the rules changed. said is
// the sentence that the request keeps of it.
func refusedWords(decision *tool.Decision, said string) string {
	if decision != nil {
		switch decision.ReasonCode {
		case tool.CodePolicyWorkspaceUntrusted:
			return "Refused: the workspace is not trusted."
		case tool.CodePolicyReadOnly:
			return "The read-only lock refused it."
		case tool.CodeNotEnabled:
			return "Refused: the catalog no longer offers this tool."
		}
	}
	return strings.TrimSpace("The settings refused it. " + said)
}

// maxFigureWords bounds the words of a denial in a line, in bytes; the card shows all.
const maxFigureWords = 120

// deniedWith is the figure of a denial with the words that the person gave.
func deniedWith(figure string, r approval.Request) string {
	words := strings.Join(strings.Fields(r.Words.Open()), " ")
	if words == "" {
		return figure
	}
	return figure + ", “" + clipTo(words, maxFigureWords) + "”"
}

// cancelledWhy says why a call that waited was cancelled, "" where that is not known.
func cancelledWhy(r approval.Request) string {
	switch {
	case r.Status == approval.StatusCancelled && r.ResolvedBy == "person":
		return "stopped by you"
	case r.LeftWhy == "interrupted":
		return "the desk closed"
	case r.CallerLeft, r.ResolvedBy == "caller":
		return "the caller left"
	}
	return ""
}
