package veil

import (
	"slices"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// copier makes the copies of one session and counts what they hide.
type copier struct {
	mark   redact.Mark
	hidden []tool.Hidden
}

func of(sessionID string) *copier { return &copier{mark: redact.MarkOf(sessionID)} }

func (c *copier) text(text string) string {
	copied, hidden := redact.Copy(text, c.mark)
	c.hidden = redact.Add(c.hidden, hidden...)
	return copied
}

func (c *copier) foreign(text tool.Untrusted) tool.Untrusted { return tool.Mark(c.text(text.Open())) }

func (c *copier) json(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	copied, hidden := redact.JSON(string(text), c.mark)
	c.hidden = redact.Add(c.hidden, hidden...)
	return []byte(copied)
}

func (c *copier) diff(text string) string {
	copied, hidden := redact.Diff(text, c.mark)
	c.hidden = redact.Add(c.hidden, hidden...)
	return copied
}

// Text is the copy of a text of a session.
func Text(sessionID, text string) string { return redact.Text(text, redact.MarkOf(sessionID)) }

// Lines is the copy of a text of a session in which every line keeps its number.
func Lines(sessionID, text string) string { return redact.Lines(text, redact.MarkOf(sessionID)) }

// Request is the copy of a request, with what it hides in Hidden. Its paths and pins stay,
// since they are held against the files; whoever shows them takes their Text.
func Request(q approval.Request) approval.Request {
	arguments := of(q.SessionID)
	q.Canonical = arguments.json(q.Canonical)
	c := Preview(&q)
	q.Hidden = redact.Most(redact.Most(q.Hidden, c), arguments.hidden)
	words := of(q.SessionID)
	q.Words, q.Reason, q.Voided = words.foreign(q.Words), words.text(q.Reason), words.text(q.Voided)
	return q
}

// Preview takes the secrets out of all that a request shows of a call but its arguments, and
// returns what it hides.
func Preview(q *approval.Request) []tool.Hidden {
	c := of(q.SessionID)
	q.Verb, q.Note = c.text(q.Verb), c.text(q.Note)
	q.Command, q.URL, q.Input = c.foreign(q.Command), c.foreign(q.URL), c.foreign(q.Input)
	q.Diffs = slices.Clone(q.Diffs)
	for i := range q.Diffs {
		q.Diffs[i].Unified = c.diff(q.Diffs[i].Unified)
	}
	about := of(q.SessionID)
	q.About = slices.Clone(q.About)
	for i := range q.About {
		q.About[i].Text = about.foreign(q.About[i].Text)
	}
	q.Dangers = slices.Clone(q.Dangers)
	for i := range q.Dangers {
		q.Dangers[i] = about.text(q.Dangers[i])
	}
	q.Decision = decision(q.Decision, about)
	q.Offers = offers(q.Offers, about)
	return redact.Most(c.hidden, about.hidden)
}

func decision(d tool.Decision, c *copier) tool.Decision {
	d.Chain = slices.Clone(d.Chain)
	for i := range d.Chain {
		d.Chain[i].Reason = c.text(d.Chain[i].Reason)
	}
	return d
}

// holdsSecret says why a grant is not offered.
const holdsSecret = "it holds a secret, which a grant would keep"

// offers leaves out the parts of a call that hold a secret: a grant would keep it. Wider
// choices for such a part go too, since the narrowest is what is taken where nobody chooses.
func offers(all []policy.Offer, c *copier) []policy.Offer {
	out := slices.Clone(all)
	for i := range out {
		o := &out[i]
		shown := c.text(o.Shown)
		secret := shown != o.Shown || slices.ContainsFunc(o.Choices, func(choice policy.Choice) bool { return len(redact.Spans(choice.Key)) > 0 })
		if o.Shown = shown; secret && len(o.Choices) > 0 {
			o.Choices, o.Why = nil, holdsSecret
		}
	}
	return out
}

// Brief is the copy of a request as a list tells it.
func Brief(b approval.Brief) approval.Brief {
	b.Request = Request(b.Request)
	b.Heads = Heads(b.SessionID, b.Heads)
	return b
}

// Heads are the copies of the beginnings of arguments. They were made of a copy; this is for
// those that an older program stored.
func Heads(sessionID string, heads map[string]session.Head) map[string]session.Head {
	if heads == nil {
		return nil
	}
	c := of(sessionID)
	out := make(map[string]session.Head, len(heads))
	for name, h := range heads {
		h.Text = c.foreign(h.Text)
		out[name] = h
	}
	return out
}

// Invocation is the copy of a call, with what it hides in Hidden.
func Invocation(inv session.Invocation) session.Invocation {
	arguments, c := of(inv.SessionID), of(inv.SessionID)
	inv.Canonical, inv.Raw = arguments.json(inv.Canonical), of(inv.SessionID).json(inv.Raw)
	inv.Name, inv.Detail = c.foreign(inv.Name), c.text(inv.Detail)
	inv.Content = slices.Clone(inv.Content)
	for i := range inv.Content {
		inv.Content[i].Text = c.foreign(inv.Content[i].Text)
	}
	results := c.hidden
	inv.Structured = c.json(inv.Structured)
	changes := of(inv.SessionID)
	inv.Metadata = metadata(inv.Metadata, changes)
	if inv.Decision != nil {
		d := decision(*inv.Decision, of(inv.SessionID))
		inv.Decision = &d
	}
	inv.Hidden = redact.Add(redact.Most(arguments.hidden, changes.hidden), results...)
	return inv
}

func metadata(m tool.Metadata, c *copier) tool.Metadata {
	m.Title = c.text(m.Title)
	if m.Diff != nil {
		diff := c.diff(*m.Diff)
		m.Diff = &diff
	}
	if m.Extra != nil {
		m.Extra, _ = c.value(m.Extra).(map[string]any)
	}
	return m
}

// value is the copy of a value of a tool's own facts.
func (c *copier) value(v any) any {
	switch v := v.(type) {
	case string:
		return c.text(v)
	case []string:
		out := make([]string, len(v))
		for i, text := range v {
			out[i] = c.text(text)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = c.value(inner)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[name] = c.value(inner)
		}
		return out
	}
	return v
}

// Message is the copy of a message.
func Message(m session.Message) session.Message {
	c := of(m.SessionID)
	m.Text = c.foreign(m.Text)
	m.Calls = slices.Clone(m.Calls)
	for i := range m.Calls {
		m.Calls[i].Arguments = c.json(m.Calls[i].Arguments)
	}
	return m
}

// Session is the copy of what names a session.
func Session(s session.Session) session.Session {
	c := of(s.ID)
	s.Title, s.Caller.Name, s.Caller.Version = c.foreign(s.Title), c.foreign(s.Caller.Name), c.foreign(s.Caller.Version)
	return s
}

// HistoryCall is the copy of a call in the list of all sessions.
func HistoryCall(h session.HistoryCall) session.HistoryCall {
	h.Invocation = Invocation(h.Invocation)
	h.Session, h.Heads = Session(h.Session), Heads(h.SessionID, h.Heads)
	if h.Request != nil {
		r := *h.Request
		r.Words = of(h.SessionID).foreign(r.Words)
		h.Request = &r
	}
	return h
}
