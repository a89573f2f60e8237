package bridge

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"countersign/backend/approval"
	"countersign/backend/bound"
	"countersign/backend/schema"
	"countersign/backend/session"
)

// phrase is how calls of one tool are told: a verb, and the argument that says
// what it acts on.
type phrase struct {
	verb     string
	argument string
	// alias is the other spelling of the argument, under which a call is stored until its
	// arguments were read.
	alias string
	// fallback is shown when the argument was left out.
	fallback string
}

// phrases are how calls of our tools are told.
func phrases() map[string]phrase {
	return map[string]phrase{
		"read":                {verb: "Read", argument: "file_path", alias: "path"},
		"write":               {verb: "Write", argument: "file_path", alias: "path"},
		"edit":                {verb: "Edit", argument: "file_path", alias: "path"},
		"grep":                {verb: "Search", argument: "pattern"},
		commandTool:           {verb: "Run", argument: "command"},
		processTool:           {verb: "Process", argument: "command", alias: "id"},
		"glob":                {verb: "Glob", argument: "pattern"},
		"math.calculate":      {verb: "Calculate", argument: "expression"},
		"system.current_time": {verb: "Tell the time", argument: "timezone", fallback: "UTC"},
		"demo.external_write": {verb: "Write to the demo service", argument: "destination"},
	}
}

// phraseOf returns the phrase of a tool. One that is not in the table is called by
// its id.
func phraseOf(toolID string) phrase {
	if p, ok := phrases()[toolID]; ok {
		return p
	}
	return phrase{verb: "Call", fallback: toolID}
}

// subjectArguments are the names of the arguments that say what a call acts on.
func subjectArguments() []string {
	var out []string
	for _, p := range phrases() {
		for _, name := range []string{p.argument, p.alias} {
			if name != "" && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// head is the beginning of the argument that says what a call acts on, in either spelling.
func (p phrase) head(heads map[string]session.Head) session.Head {
	if h := heads[p.argument]; h.Text.Len() > 0 || p.alias == "" {
		return h
	}
	return heads[p.alias]
}

// maxSubject bounds a name in a list, in bytes.
const maxSubject = 400

// verbAndSubject tells a call in a line, by the beginnings of its arguments; an opened call
// shows all. The subject is foreign text.
func verbAndSubject(inv *session.Invocation, heads map[string]session.Head, workspace string) (verb string, subject session.Head) {
	if inv.ToolID == "" {
		return "Call", session.HeadOf(inv.Name.Open())
	}
	if inv.ToolID == processTool {
		return processPhrase(heads)
	}
	p := phraseOf(inv.ToolID)
	subject = p.head(heads)
	if p.argument == "file_path" {
		subject = longer(session.HeadOf(relative(subject.Text.Open(), workspace)), subject.Left)
	}
	if subject.Text.Len() == 0 {
		subject = session.HeadOf(p.fallback)
	}
	return p.verb, subject
}

// argumentText is the canonical form, or the text as sent when there is none.
func argumentText(inv *session.Invocation) []byte {
	if len(inv.Canonical) > 0 {
		return inv.Canonical
	}
	return inv.Raw
}

// argument returns a string argument, "" when there is none or the text was refused.
func argument(text []byte, name string) string {
	if name == "" || len(text) == 0 {
		return ""
	}
	v, err := schema.Read(text)
	if err != nil {
		return ""
	}
	object, _ := v.(map[string]any)
	s, _ := object[name].(string)
	return s
}

// relative shows a path inside the workspace without the workspace.
func relative(p, workspace string) string {
	if workspace == "" || !strings.HasPrefix(p, "/") {
		return plainTilde(p)
	}
	if rest, ok := strings.CutPrefix(path.Clean(p), strings.TrimSuffix(workspace, "/")+"/"); ok {
		return plainTilde(rest)
	}
	return p
}

func clip(s string) string { return clipTo(s, maxSubject) }

// clipTo cuts a text to a number of bytes, between characters, and says so.
func clipTo(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	return bound.Head(s, limit) + "…"
}

// callerWords names who speaks in a session.
func callerWords(c session.Caller) string {
	switch c.Kind {
	case session.CallerAgent:
		return "Built-in agent"
	case session.CallerCommandLine:
		return "Command line"
	case session.CallerWindow:
		return "This page"
	case session.CallerMCP:
		if name := strings.TrimSpace(c.Name.Open()); name != "" {
			return clip(name) + ownName(name)
		}
		return "MCP client"
	}
	return "Unknown caller"
}

// ownName marks a name that a client has given itself and that would pass for one of ours.
func ownName(name string) string {
	letters := func(s string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, s))
	}
	if strings.Contains(letters(name), "countersign") {
		return " (name given by the client)"
	}
	for _, ours := range []string{"Built-in agent", "Command line", "This page", "MCP client", "Unknown caller"} {
		if letters(name) == letters(ours) {
			return " (name given by the client)"
		}
	}
	return ""
}

// deciderWords says who or what decided a call.
func deciderWords(decidedBy string) string {
	switch {
	case decidedBy == "":
		return ""
	case decidedBy == "policy":
		return "the rules, without a question"
	case decidedBy == "person":
		return "you"
	case decidedBy == "reviewer":
		return "the reviewer model"
	case strings.HasPrefix(decidedBy, "grant:"):
		return "a grant for this session"
	}
	return "the rules"
}

// closerWords says who or what closed a request.
func closerWords(by string) string {
	switch by {
	case "":
		return ""
	case "person":
		return "you"
	case "expiry":
		return "its time ran out"
	case approval.BySettings:
		return "a change of settings"
	case approval.ByFiles:
		return "a change of its file"
	case "caller":
		return "the caller"
	}
	if strings.HasPrefix(by, approval.ByGrant) {
		return "a grant that you gave"
	}
	return "Countersign"
}

// presetChoices are the presets with what each lets run.
func presetChoices() []Choice {
	words := map[session.Preset][2]string{
		session.PresetDefault: {"Default", "Reads run. Everything else asks."},
		session.PresetEdit:    {"Edit", "Writes inside the workspace run as well."},
		session.PresetReview:  {"Review", "As Edit; what is left is meant for a reviewer model, and asks you while there is none."},
		session.PresetAudit:   {"Audit", "As Review, and the reviewer also judges workspace writes. Asks you while there is none."},
		session.PresetFull:    {"Full", "As Edit; commands that could be read run too where they stay inside the workspace and reach no network, and so do calls of tool sets."},
	}
	out := make([]Choice, 0, len(words))
	for _, p := range session.Presets() {
		out = append(out, Choice{Value: string(p), Label: words[p][0], Words: words[p][1]})
	}
	return out
}

// answerWords says what became of an answer to a request, which is as it is now.
func answerWords(outcome, resolution string, r *approval.Request) string {
	switch outcome {
	case "done":
		switch resolution {
		case "allow_once":
			if kept, of := r.KeptOf(); of > 0 {
				return "Allowed once, with " + keptWords(kept, of) + "."
			}
			return "Allowed once."
		case "allow_session":
			return "Allowed, and for the rest of the session."
		case "allow_workspace":
			return "Allowed, and from now on in this workspace."
		}
		return "Denied."
	case "same":
		return "This was already the answer."
	case "conflict":
		if r.Status == approval.StatusPending {
			return "The card has changed since it was shown, so the answer was not taken. Look at it again."
		}
		return "Somebody answered before, and differently. The first answer stands."
	case "kept":
		return "The caller had left. The answer is kept for the same call in this session, once, until the request expires."
	case "gone":
		return "The request had ended before the answer came. Nothing was run because of it."
	}
	return ""
}
