package bridge

import (
	"context"
	"unicode/utf16"
	"unicode/utf8"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/policy"
)

// maxRule bounds what a person may write as a scope, in bytes.
const maxRule = 16 << 10

// oddRows finds what a reader of a text may miss or take for something else.
func oddRows(text string) []OddRow {
	out := []OddRow{}
	at, units := 0, 0
	for _, h := range policy.HiddenIn(text) {
		units += unitsOf(text[at:h.Start])
		length := unitsOf(text[h.Start:h.End])
		out = append(out, OddRow{At: units, Length: length, Name: h.Name})
		at, units = h.End, units+length
	}
	return out
}

// unitsOf is how long a text is in UTF-16 units.
func unitsOf(text string) int {
	n := 0
	for _, c := range text {
		n += max(1, utf16.RuneLen(c))
	}
	return n
}

func listingOf(r approval.Request) CommandListing {
	l := r.Listing
	switch {
	case l == nil:
		return CommandListing{}
	case !l.Parsed:
		return CommandListing{State: "unread", Why: l.Why.Open()}
	}
	out := CommandListing{State: "read", Left: l.Left}
	if l.Dynamic {
		out.State, out.Why = "dynamic", l.Why.Open()
	}
	for _, s := range l.Steps {
		text := s.Shown.Open()
		row := CommandRow{Depth: s.Depth, Text: text, Odd: oddRows(text), Dynamic: s.Dynamic, Background: s.Background, Left: s.Left}
		for _, m := range s.Marks {
			row.Marks = append(row.Marks, markRow(m))
		}
		out.Steps = append(out.Steps, row)
	}
	return out
}

func markRow(m approval.Mark) CommandMark {
	subject := m.Subject.Open()
	return CommandMark{
		Effect: m.Effect, Subject: subject, Odd: oddRows(subject), Words: m.Words.Open(),
		Outside: m.Outside, Restricted: m.Restricted, Tree: m.Tree,
	}
}

// mustSee reports whether the whole of a command must have been in view before it is allowed.
func mustSee(r approval.Request) bool {
	return r.Command.Len() > 0 || r.Input.Len() > 0
}

// offerRows are the parts of a call that may be allowed for longer; nil where none can.
func offerRows(offers []policy.Offer) []OfferRow {
	out, open := []OfferRow{}, false
	for i := range offers {
		o := &offers[i]
		row := OfferRow{Text: o.Shown, Odd: oddRows(o.Shown), Why: o.Why, Covered: o.Covered != ""}
		for _, c := range o.Choices {
			row.Choices = append(row.Choices, choiceRow(c))
		}
		for _, life := range o.Lives {
			row.Lives = append(row.Lives, string(life))
		}
		out, open = append(out, row), open || o.Open()
	}
	if !open {
		return []OfferRow{}
	}
	return out
}

func choiceRow(c policy.Choice) ChoiceRow {
	return ChoiceRow{Kind: string(c.Kind), Value: c.Value, Words: c.Words, Key: c.Key}
}

// chosenOf are what a person chose.
func chosenOf(refs []ChoiceRef) []policy.Choice {
	out := make([]policy.Choice, 0, len(refs))
	for _, r := range refs {
		out = append(out, policy.Choice{Kind: policy.GrantKind(r.Kind), Value: r.Value})
	}
	return out
}

// validChoice reports whether a scope is one that can be looked at.
func validChoice(value string) bool { return len(value) <= maxRule && utf8.ValidString(value) }

// WouldMatch says what an answer to a card would let through.
func (a *API) WouldMatch(r MatchRequest) (MatchView, error) {
	return respond(a, "WouldMatch", func(ctx context.Context) (MatchView, error) {
		life := policy.GrantLife(r.Life)
		switch {
		case len(r.ID) > maxID:
			return MatchView{}, invalid("id", "is too long")
		case life != policy.GrantSession && life != policy.GrantWorkspace:
			return MatchView{}, invalid("life", "is not session or workspace")
		case !validChoice(r.Value):
			return MatchView{}, invalid("value", "is not text or longer than 16 KB")
		}
		m, err := a.engine.WouldMatch(ctx, backend.MatchQuery{Request: r.ID, Life: life, Kind: policy.GrantKind(r.Kind), Value: r.Value})
		return matchView(m, life), err
	})
}

func matchView(m backend.Matching, life policy.GrantLife) MatchView {
	calls := m.Session
	if life == policy.GrantWorkspace {
		calls = m.Workspace
	}
	out := MatchView{
		Refused: m.Refused, Choice: choiceRow(m.Choice), Lets: sampleRows(m.Lets), Stops: sampleRows(m.Stops),
		Calls: MatchedCalls{Looked: calls.Looked, All: calls.All, Part: calls.Part, Denied: calls.Denied},
	}
	for _, c := range calls.Examples {
		text := c.Text.Open()
		out.Calls.Latest = append(out.Calls.Latest, PastRow{
			ID: c.ID, Text: text, Odd: oddRows(text), At: stamp(c.At), Part: c.Cover == policy.CoversPart, Denied: c.Denied,
		})
	}
	return out
}

func sampleRows(samples []policy.Sample) []SampleRow {
	out := make([]SampleRow, 0, len(samples))
	for _, s := range samples {
		out = append(out, SampleRow(s))
	}
	return out
}
