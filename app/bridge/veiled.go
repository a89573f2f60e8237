package bridge

import (
	"context"
	"strings"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/veil"
)

// veiled is an engine of which the page sees copies without secrets: whatever reads it, none
// of its methods can forget to. What a program printed, as it lies in the output store, is
// shown as it is: the person opens it to see just that.
type veiled struct{ Engine }

func (v veiled) Sessions(ctx context.Context, limit int) ([]session.Session, error) {
	list, err := v.Engine.Sessions(ctx, limit)
	return each(list, veil.Session), err
}

func (v veiled) Session(ctx context.Context, id string) (session.Session, error) {
	s, err := v.Engine.Session(ctx, id)
	return veil.Session(s), err
}

func (v veiled) Timeline(ctx context.Context, sessionID string, at Span) (Page, error) {
	page, err := v.Engine.Timeline(ctx, sessionID, at)
	page.Entries = each(page.Entries, veilEntry)
	return page, err
}

func (v veiled) Changed(ctx context.Context, sessionID string, since int64, limit int) ([]Entry, error) {
	entries, err := v.Engine.Changed(ctx, sessionID, since, limit)
	return each(entries, veilEntry), err
}

func (v veiled) Message(ctx context.Context, sessionID, id string) (session.Message, error) {
	m, err := v.Engine.Message(ctx, sessionID, id)
	return veil.Message(m), err
}

func (v veiled) Invocation(ctx context.Context, id string) (session.Invocation, error) {
	inv, err := v.Engine.Invocation(ctx, id)
	return veil.Invocation(inv), err
}

func (v veiled) History(ctx context.Context, q session.HistoryQuery) (session.HistoryPage, error) {
	page, err := v.Engine.History(ctx, q)
	page.Calls = each(page.Calls, veil.HistoryCall)
	return page, err
}

func (v veiled) HistoryCall(ctx context.Context, id string) (session.HistoryCall, error) {
	h, err := v.Engine.HistoryCall(ctx, id)
	return veil.HistoryCall(h), err
}

func (v veiled) Pending(ctx context.Context) ([]approval.Brief, error) {
	list, err := v.Engine.Pending(ctx)
	return each(list, veil.Brief), err
}

func (v veiled) Request(ctx context.Context, id string) (approval.Request, error) {
	q, err := v.Engine.Request(ctx, id)
	return veil.Request(q), err
}

func (v veiled) RequestOf(ctx context.Context, invocationID string) (approval.Request, error) {
	q, err := v.Engine.RequestOf(ctx, invocationID)
	return veil.Request(q), err
}

// WouldMatch shows past calls without their secrets.
func (v veiled) WouldMatch(ctx context.Context, q backend.MatchQuery) (backend.Matching, error) {
	m, err := v.Engine.WouldMatch(ctx, q)
	for _, calls := range []*backend.Matched{&m.Session, &m.Workspace} {
		calls.Examples = each(calls.Examples, func(c backend.MatchedCall) backend.MatchedCall {
			c.Text = tool.Mark(veil.Text(c.SessionID, c.Text.Open()))
			return c
		})
	}
	return m, err
}

func (v veiled) Answer(ctx context.Context, id string, a approval.Answer) (Answered, error) {
	answered, err := v.Engine.Answer(ctx, id, a)
	answered.Request = veil.Request(answered.Request)
	return answered, err
}

func (v veiled) AnswerBatch(ctx context.Context, a approval.BatchAnswer) (approval.BatchResult, error) {
	got, err := v.Engine.AnswerBatch(ctx, a)
	got.Results = each(got.Results, func(r approval.Result) approval.Result {
		r.Request = veil.Request(r.Request)
		return r
	})
	got.Objections = each(got.Objections, func(o approval.Objection) approval.Objection {
		o.Request = veil.Request(o.Request)
		return o
	})
	return got, err
}

// ChangeArguments tells what a tool says of arguments without their secrets. Changeable is not
// veiled here: the engine marks what it hides, so that it can be put back.
func (v veiled) ChangeArguments(ctx context.Context, id string, c backend.Changes) (approval.Result, error) {
	done, err := v.Engine.ChangeArguments(ctx, id, c)
	done.Request, done.Words = veil.Request(done.Request), veil.Text(done.Request.SessionID, done.Words)
	return done, err
}

func (v veiled) Grants(ctx context.Context) ([]backend.LedgerGrant, error) {
	list, err := v.Engine.Grants(ctx)
	return each(list, func(g backend.LedgerGrant) backend.LedgerGrant {
		g.Value, g.Words = veil.Text(g.SessionID, g.Value), veil.Text(g.SessionID, g.Words)
		return g
	}), err
}

// FileText keeps the lines of the file where they are: the page asks for them by number.
func (v veiled) FileText(ctx context.Context, sessionID, path string, hashes []string) ([]byte, int, error) {
	content, which, err := v.Engine.FileText(ctx, sessionID, path, hashes)
	return []byte(veil.Lines(sessionID, string(content))), which, err
}

func (v veiled) Excerpt(ctx context.Context, sessionID, path string, first int64, count int) (tool.Path, change.Excerpt, error) {
	p, excerpt, err := v.Engine.Excerpt(ctx, sessionID, path, first, count)
	texts := make([]string, len(excerpt.Lines))
	for i, l := range excerpt.Lines {
		texts[i] = l.Text
	}
	copies := strings.Split(veil.Lines(sessionID, strings.Join(texts, "\n")), "\n")
	for i := range excerpt.Lines {
		excerpt.Lines[i].Text = copies[i]
	}
	return p, excerpt, err
}

func (v veiled) TrustQuestions(ctx context.Context) ([]Question, error) {
	list, err := v.Engine.TrustQuestions(ctx)
	return each(list, func(q Question) Question {
		q.AskedBy.Name = veil.Foreign(q.SessionID, q.AskedBy.Name)
		return q
	}), err
}

func (v veiled) CallLines() map[string]string {
	out := map[string]string{}
	for id, line := range v.Engine.CallLines() {
		out[id] = veil.Text("", line)
	}
	return out
}

func (v veiled) ManagedProcesses(ctx context.Context) ([]backend.Managed, error) {
	list, err := v.Engine.ManagedProcesses(ctx)
	return each(list, veilProcess), err
}

func (v veiled) ProcessTail(ctx context.Context, sessionID, id string, from int64) (backend.Managed, backend.Part, error) {
	m, part, err := v.Engine.ProcessTail(ctx, sessionID, id, from)
	return veilProcess(m), part, err
}

func veilProcess(m backend.Managed) backend.Managed {
	m.Command = veil.Text(m.SessionID, m.Command)
	return m
}

func veilFlip(f backend.Flip) backend.Flip {
	f.Text, f.Call.Arguments = tool.Mark(veil.Text(f.Call.SessionID, f.Text.Open())), nil
	f.Call.Wanted = veil.Text(f.Call.SessionID, f.Call.Wanted)
	return f
}

func veilEntry(e Entry) Entry {
	if e.Message != nil {
		m := veil.Message(*e.Message)
		e.Message = &m
	}
	if e.Invocation != nil {
		inv := veil.Invocation(*e.Invocation)
		e.Heads = veil.Heads(inv.SessionID, e.Heads)
		e.Invocation = &inv
	}
	if e.Request != nil {
		q := veil.Request(*e.Request)
		e.Request = &q
	}
	return e
}

// each returns the copies of a list.
func each[T any](list []T, copied func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = copied(v)
	}
	return out
}
