package veil

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

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
	// known are secrets that were found where more stood around them.
	known []known
}

type known struct{ text, kind string }

// maxKnown bounds how many secrets of one text are looked for in others, and leastKnown how
// long they are, in bytes.
const (
	maxKnown   = 64
	leastKnown = 4
)

// learn has the secrets of a text found in other texts that quote parts of it.
func (c *copier) learn(text string) {
	for _, s := range redact.Spans(text) {
		if secret := text[s.Start:s.End]; len(secret) >= leastKnown && len(c.known) < maxKnown {
			c.known = append(c.known, known{secret, string(s.Kind)})
		}
	}
}

func of(sessionID string) *copier { return &copier{mark: redact.MarkOf(sessionID)} }

func (c *copier) text(text string) string {
	for _, k := range c.known {
		if n := strings.Count(text, k.text); n > 0 {
			text = strings.ReplaceAll(text, k.text, c.mark.String())
			c.hidden = redact.Add(c.hidden, tool.Hidden{Kind: k.kind, Count: n})
		}
	}
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

// Foreign is the copy of a foreign text of a session.
func Foreign(sessionID string, text tool.Untrusted) tool.Untrusted {
	return of(sessionID).foreign(text)
}

// Lines is the copy of a text of a session in which every line keeps its number.
func Lines(sessionID, text string) string { return redact.Lines(text, redact.MarkOf(sessionID)) }

// Request is the copy of a request, with what it hides in Hidden. Its paths and pins stay,
// since they are held against the files; whoever shows them takes their Text.
func Request(q approval.Request) approval.Request {
	arguments := of(q.SessionID)
	q.Canonical = arguments.json(q.Canonical)
	q.Changed = changed(q.SessionID, q.Changed)
	c := Preview(&q)
	q.Hidden = redact.Most(redact.Most(q.Hidden, c), arguments.hidden)
	words := of(q.SessionID)
	q.Words, q.Reason, q.Voided = words.foreign(q.Words), words.text(q.Reason), words.text(q.Voided)
	return q
}

// changed is the copy of what a caller had sent. What it hides is not part of the card's call.
func changed(sessionID string, all *approval.Changed) *approval.Changed {
	if all == nil {
		return nil
	}
	c, out := of(sessionID), *all
	out.Canonical, out.Fields = c.json(out.Canonical), slices.Clone(out.Fields)
	for i := range out.Fields {
		out.Fields[i] = c.text(out.Fields[i])
	}
	return &out
}

// Shown is Request for whoever gives the copy away: its paths are copies too, and can be held
// against no file.
func Shown(q approval.Request) approval.Request {
	q = Request(q)
	c := of(q.SessionID)
	q.Paths, q.Pins, q.Diffs = slices.Clone(q.Paths), slices.Clone(q.Pins), slices.Clone(q.Diffs)
	for i := range q.Paths {
		q.Paths[i].Path = c.path(q.Paths[i].Path)
	}
	for i := range q.Pins {
		q.Pins[i].Path = c.path(q.Pins[i].Path)
	}
	for i := range q.Diffs {
		q.Diffs[i].Path = c.text(q.Diffs[i].Path)
	}
	return q
}

func (c *copier) path(p tool.Path) tool.Path {
	p.Arg, p.Abs, p.Real, p.Rel = c.text(p.Arg), c.text(p.Abs), c.text(p.Real), c.text(p.Rel)
	return p
}

// Preview takes the secrets out of all that a request shows of a call but its arguments, and
// returns what it hides. What is said of a part of the command is a copy too, also of a
// secret that is only known by what stands around it in the whole.
func Preview(q *approval.Request) []tool.Hidden {
	c := of(q.SessionID)
	parts := of(q.SessionID)
	for _, text := range []tool.Untrusted{q.Command, q.URL, q.Input} {
		parts.learn(text.Open())
	}
	q.Verb, q.Note = c.text(q.Verb), c.text(q.Note)
	q.Command, q.URL, q.Input = c.foreign(q.Command), c.foreign(q.URL), c.foreign(q.Input)
	q.Diffs = slices.Clone(q.Diffs)
	for i := range q.Diffs {
		shown := c.diff(q.Diffs[i].Unified)
		if shown != q.Diffs[i].Unified {
			// Nobody can choose among changes that are not all to be seen.
			q.Diffs[i].Unified, q.Diffs[i].Changes = shown, 0
		}
	}
	hidden := c.hidden
	each := func(f func(*copier)) {
		parts.hidden = nil
		f(parts)
		hidden = redact.Most(hidden, parts.hidden)
	}
	v := reflect.ValueOf(q).Elem()
	for i := range v.NumField() {
		each(func(c *copier) { v.Field(i).Set(c.deep(v.Field(i))) })
	}
	each(func(c *copier) {
		q.Dangers = slices.Clone(q.Dangers)
		for i := range q.Dangers {
			q.Dangers[i] = c.text(q.Dangers[i])
		}
	})
	each(func(c *copier) { q.Decision = decision(q.Decision, c) })
	each(func(c *copier) { q.Offers = offers(q.Offers, c) })
	return hidden
}

// deep is the copy of a value in which every foreign text is a copy, however deep it stands:
// a part of a request that is new is not forgotten. A value without one is the value itself.
func (c *copier) deep(v reflect.Value) reflect.Value {
	if !holdsForeign(v.Type()) {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Struct:
		if text, is := v.Interface().(tool.Untrusted); is {
			return reflect.ValueOf(c.foreign(text))
		}
		out.Set(v)
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(c.deep(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(c.deep(v.Index(i)))
		}
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(c.deep(v.Elem()))
	default:
		return v
	}
	return out
}

// holdsForeign reports whether values of a type may hold foreign text.
func holdsForeign(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		if t == reflect.TypeFor[tool.Untrusted]() {
			return true
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && holdsForeign(f.Type) {
				return true
			}
		}
	case reflect.Slice, reflect.Pointer:
		return holdsForeign(t.Elem())
	default:
	}
	return false
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

// value is the copy of a value of a tool's own facts. What is of a kind of the tool's own is
// copied as it is written down, so that no text in it is forgotten.
func (c *copier) value(v any) any {
	switch v := v.(type) {
	case nil, bool, int, int32, int64, uint, uint32, uint64, float64, json.Number:
		return v
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
	written, err := json.Marshal(v)
	if err != nil {
		return c.mark.String()
	}
	d := json.NewDecoder(bytes.NewReader(written))
	d.UseNumber()
	var read any
	if err := d.Decode(&read); err != nil {
		return c.mark.String()
	}
	return c.value(read)
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
