package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode"

	"countersign/backend/bound"
	"countersign/backend/schema"
	"countersign/backend/tool"
)

// Limit is how long a hook may take.
const Limit = 5 * time.Second

const (
	// MaxQuestion and MaxReply bound what a hook is told and what it may print, in bytes.
	MaxQuestion = 16 << 20
	MaxReply    = 9 << 20
	// MaxReason is how many bytes of its reason are kept.
	MaxReason = 500
)

// Event says what a hook is asked about.
type Event string

// The events.
const (
	BeforeCall  Event = "before_call"
	AfterResult Event = "after_result"
)

// Caller is who calls.
type Caller struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// Question is what a hook gets.
type Question struct {
	Event     Event           `json:"event"`
	Call      string          `json:"call"`
	Session   string          `json:"session"`
	Workspace string          `json:"workspace"`
	Caller    Caller          `json:"caller"`
	Tool      string          `json:"tool"`
	Wire      string          `json:"wire"`
	Effect    tool.SideEffect `json:"side_effect"`
	Risk      tool.Risk       `json:"risk"`
	Arguments json.RawMessage `json:"arguments"`
	// Decision is what the rules say so far.
	Decision tool.Decision `json:"decision"`
	// Result is there after the call alone.
	Result *Result `json:"result,omitempty"`
}

// Result is what a call left for its caller.
type Result struct {
	// Failed says that the tool failed, and this is what it says of it.
	Failed bool   `json:"failed"`
	Text   string `json:"text"`
	// Structured is null without one; Images counts what is no text.
	Structured json.RawMessage `json:"structured"`
	Images     int             `json:"images"`
}

// Reply is what a hook printed.
type Reply struct {
	// Decision is pass, ask, deny or withhold.
	Decision string
	// Reason is for the person, cut and on one line.
	Reason string
	// Arguments are all those that the call shall have instead, nil to leave them.
	Arguments json.RawMessage
	// Text is what the caller gets for the result, nil to leave it.
	Text *string
}

// The decisions of a hook.
const (
	Pass     = "pass"
	Ask      = "ask"
	Deny     = "deny"
	Withhold = "withhold"
)

// ErrLarge says that there is more to tell than a hook is told.
var ErrLarge = errors.New("the call is larger than a hook is told")

// Write is the question as a hook gets it: one line.
func (q Question) Write() ([]byte, error) {
	if q.Decision.Chain == nil {
		q.Decision.Chain = []tool.Link{}
	}
	if q.Decision.Capabilities == nil {
		q.Decision.Capabilities = []tool.Capability{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(q); err != nil {
		return nil, fmt.Errorf("write the question: %w", err)
	}
	if b.Len() > MaxQuestion {
		return nil, ErrLarge
	}
	return b.Bytes(), nil
}

// allowed are the keys of a reply, and the decisions, by the event.
var allowed = map[Event]struct{ keys, decisions []string }{
	BeforeCall:  {[]string{"decision", "reason", "arguments"}, []string{Pass, Ask, Deny}},
	AfterResult: {[]string{"decision", "reason", "text"}, []string{Pass, Withhold}},
}

// Read reads what a hook printed. Its error says what is wrong with it and repeats none of it.
func Read(event Event, printed []byte) (Reply, error) {
	if len(printed) > MaxReply {
		return Reply{}, errors.New("it printed too much")
	}
	if _, err := schema.ReadObject(printed); err != nil {
		return Reply{}, errors.New("it printed something else than one JSON object")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(printed, &given); err != nil {
		return Reply{}, errors.New("it printed something else than one JSON object")
	}
	for key := range given {
		if !slices.Contains(allowed[event].keys, key) {
			return Reply{}, errors.New("it printed a key that is not known here")
		}
	}
	out := Reply{Decision: Pass, Arguments: given["arguments"]}
	var text string
	for key, to := range map[string]*string{"decision": &out.Decision, "reason": &out.Reason, "text": &text} {
		raw, is := given[key]
		if is && (json.Unmarshal(raw, to) != nil || string(raw) == "null") {
			return Reply{}, fmt.Errorf("its %s is no text", key)
		}
	}
	if _, is := given["text"]; is {
		out.Text = &text
	}
	switch {
	case !slices.Contains(allowed[event].decisions, out.Decision):
		return Reply{}, errors.New("its decision is none that there is here")
	case out.Arguments != nil && !bytes.HasPrefix(out.Arguments, []byte("{")):
		return Reply{}, errors.New("its arguments are no object")
	case out.Arguments != nil && out.Decision == Deny, out.Text != nil && out.Decision == Withhold:
		return Reply{}, errors.New("it refuses and rewrites at once")
	}
	out.Reason = line(out.Reason)
	return out, nil
}

// line is a reason on one line, without what could draw anything else than text.
func line(text string) string {
	shown := []rune{}
	for _, r := range text {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			r = ' '
		}
		shown = append(shown, r)
	}
	return bound.Head(string(shown), MaxReason)
}
