package backend

import (
	"context"
	"fmt"
	"strings"
	"time"

	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/redact"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// MatchQuery asks what a grant would let through before it is given.
type MatchQuery struct {
	// Request is the card that it would be given at, which says what may be granted.
	Request string
	Life    policy.GrantLife
	Kind    policy.GrantKind
	// Value is what the person wrote or chose: a rule of commands, a path, a host.
	Value string
}

// Matching is what a grant would let through.
type Matching struct {
	// Refused says in words why this cannot be granted at the card; the rest then tells of the
	// text as far as it can be read.
	Refused string
	// Choice is what would be granted, as it would be stored.
	Choice policy.Choice
	// Session are the last calls of the card's session, Workspace those of every session of its
	// workspace.
	Session   Matched
	Workspace Matched
	// Lets and Stops are examples made from the rule: what it would let through, and what looks
	// like it and would still be asked for.
	Lets, Stops []policy.Sample
}

// Matched counts the calls that a grant would cover.
type Matched struct {
	// Looked is how many calls of the tool were looked at, All how many of them would run by the
	// grant alone, and Part in how many it covers some of the commands.
	Looked, All, Part int
	// Denied is how many of All and Part a person denied.
	Denied int
	// Examples are the latest of All and then of Part, at most five.
	Examples []MatchedCall
}

// MatchedCall is a call that a grant would cover.
type MatchedCall struct {
	ID, SessionID string
	At            time.Time
	// Text is the command, the path or the host.
	Text   tool.Untrusted
	Cover  policy.Coverage
	Denied bool
}

const (
	// matchCalls is how many calls are looked at, matchScan among how many they are looked for,
	// and matchExamples how many are shown.
	matchCalls    = 200
	matchScan     = 1000
	matchExamples = 5
)

// WouldMatch says what a grant at a card would let through. It is made to be asked at each key:
// what the calls are is worked out once.
func (e *Engine) WouldMatch(ctx context.Context, q MatchQuery) (Matching, error) {
	r, err := e.desk.Get(ctx, q.Request)
	if err != nil {
		return Matching{}, err
	}
	var out Matching
	wanted := policy.Choice{Kind: q.Kind, Value: q.Value}
	chosen, refusal := policy.Choose(r.Offers, q.Life, []policy.Choice{wanted})
	if refusal != nil {
		out.Refused = refusal.Words
	}
	g, broken := policy.Candidate(r.Granting, wanted)
	if broken != nil {
		return out, nil
	}
	if out.Choice = policy.ChoiceOf(g); refusal == nil {
		out.Choice = chosen[0]
		g.Value = chosen[0].Value
	}
	past, err := e.pastOf(ctx, r)
	if err != nil {
		return Matching{}, err
	}
	out.Session, out.Workspace = past.session.matched(g), past.workspace.matched(g)
	out.Lets, out.Stops = policy.Samples(g)
	return out, nil
}

// past are the last calls of a card's tool, in its session and in its workspace.
type past struct {
	request            string
	at                 time.Time
	session, workspace pastCalls
}

// pastFresh is for how long what was worked out of past calls is used again.
const pastFresh = 20 * time.Second

// pastOf works out the last calls for a card, or uses what was worked out a moment ago: one
// card is answered at a time.
func (e *Engine) pastOf(ctx context.Context, r approval.Request) (*past, error) {
	now := e.options.Clock.Now()
	if last := e.considered.Load(); last != nil && last.request == r.ID && now.Sub(last.at) < pastFresh {
		return last, nil
	}
	record, err := e.store.Session(ctx, r.SessionID)
	if err != nil {
		return nil, err
	}
	here, done, err := e.explainer(ctx, record)
	if err != nil {
		return nil, err
	}
	defer done()
	p := &past{request: r.ID, at: now}
	mine, err := e.store.RecentInSession(ctx, r.SessionID, r.ToolID, matchCalls, matchScan)
	if err != nil {
		return nil, err
	}
	all, err := e.store.RecentInWorkspace(ctx, record.Workspace, r.ToolID, matchCalls, matchScan)
	if err != nil {
		return nil, err
	}
	known := map[string]pastCall{}
	p.session = e.pastCalls(ctx, here, r, mine, known)
	p.workspace = e.pastCalls(ctx, here, r, all, known)
	e.considered.Store(p)
	return p, nil
}

// explainer returns what calls of a session are explained in: the session itself where it is
// open, else one that only explains.
func (e *Engine) explainer(ctx context.Context, record session.Session) (*registry.Context, func(), error) {
	e.mu.Lock()
	s := e.sessions[record.ID]
	e.mu.Unlock()
	if s != nil {
		return &s.context, func() {}, nil
	}
	s, err := e.OpenSession(ctx, SessionRequest{Workspace: record.Workspace, Caller: record.Caller, Limits: record.Limits, Unstored: true})
	if err != nil {
		return nil, nil, fmt.Errorf("open the workspace of the card: %w", err)
	}
	return &s.context, s.Close, nil
}

// pastCalls works out what policy would be asked about calls. The call of the card itself is
// left out, and so is what could not be read any more. What a grant would cover is asked for as
// in a workspace that may be worked in and a session that read nothing foreign.
func (e *Engine) pastCalls(ctx context.Context, here *registry.Context, r approval.Request, calls []store.RecentCall, known map[string]pastCall) pastCalls {
	var out pastCalls
	for _, c := range calls {
		if c.ID == r.InvocationID {
			continue
		}
		one, done := known[c.ID]
		if !done {
			facts, err := e.registry.FactsOf(ctx, here, tool.Call{Name: r.ToolID, Arguments: c.Arguments})
			if err != nil {
				continue
			}
			facts.Trusted, facts.Rules.ReadOnly, facts.Origin, facts.Scopes = true, false, tool.TrustUser, facts.Class.Scopes
			one = pastCall{c, facts}
			known[c.ID] = one
		}
		out = append(out, one)
	}
	return out
}

// pastCall is a call with what policy would be asked about it.
type pastCall struct {
	call  store.RecentCall
	facts policy.Facts
}

type pastCalls []pastCall

// matched holds calls against a grant.
func (p pastCalls) matched(g policy.Grant) Matched {
	out := Matched{Looked: len(p)}
	var part []MatchedCall
	for i := range p {
		f := &p[i].facts
		cover := policy.Cover(*f, g)
		one := MatchedCall{
			ID: p[i].call.ID, SessionID: p[i].call.SessionID, At: p[i].call.At, Text: subject(p[i].call.SessionID, &f.Target, ""), Cover: cover, Denied: p[i].call.Denied,
		}
		switch cover {
		case policy.CoversNone:
			continue
		case policy.CoversAll:
			out.All++
			if len(out.Examples) < matchExamples {
				out.Examples = append(out.Examples, one)
			}
		case policy.CoversPart:
			out.Part++
			part = append(part, one)
		}
		if one.Denied {
			out.Denied++
		}
	}
	out.Examples = append(out.Examples, part[:min(len(part), matchExamples-len(out.Examples))]...)
	return out
}

// subject is what a call is about, as eyes see it. A path is told without the folder before it.
func subject(sessionID string, t *tool.Target, folder string) tool.Untrusted {
	text := ""
	switch {
	case t.Command != "":
		text = t.Command
	case t.URL != "":
		text = t.URL
	case len(t.Touches) > 0:
		text = strings.TrimPrefix(t.Touches[0].Path.Real, folder)
	}
	return tool.Mark(redact.Text(text, redact.MarkOf(sessionID)))
}
