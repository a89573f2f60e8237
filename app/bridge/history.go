package bridge

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Bounds of a query: characters of its text, values of one filter.
const (
	maxHistoryText   = 200
	maxHistoryValues = 50
)

func (a *API) history(ctx context.Context, q HistoryQuery) (HistoryPage, error) {
	query, err := a.historyQuery(q)
	if err != nil {
		return HistoryPage{}, err
	}
	page, err := a.engine.History(ctx, query)
	if err != nil {
		return HistoryPage{}, err
	}
	untrusted, err := a.openRoots(ctx)
	if err != nil {
		return HistoryPage{}, err
	}
	out := HistoryPage{Next: page.Next.String(), ReachedAt: stamp(page.ReachedAt)}
	for _, c := range page.Calls {
		out.Rows = append(out.Rows, a.historyRow(c, untrusted))
	}
	return out, nil
}

func (a *API) historyCall(ctx context.Context, id string) (HistoryRow, error) {
	if len(id) > maxID {
		return HistoryRow{}, invalid("id", "is too long")
	}
	c, err := a.engine.HistoryCall(ctx, id)
	if err != nil {
		return HistoryRow{}, err
	}
	untrusted, err := a.openRoots(ctx)
	if err != nil {
		return HistoryRow{}, err
	}
	return a.historyRow(c, untrusted), nil
}

// historyQuery reads what the page asks. What is not known is refused by its field, since a
// filter that is dropped in silence would show more than was asked for.
func (a *API) historyQuery(q HistoryQuery) (out session.HistoryQuery, err error) {
	text := strings.TrimSpace(q.Text)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxHistoryText {
		return out, invalid("text", "is longer than 200 characters or not text")
	}
	for field, list := range map[string][]string{
		"tools": q.Tools, "endings": q.Endings, "deciders": q.Deciders, "risks": q.Risks, "workspaces": q.Workspaces, "callers": q.Callers,
	} {
		if len(list) > maxHistoryValues {
			return out, invalid(field, "has more than 50 values")
		}
	}
	out = session.HistoryQuery{Tools: a.historyTools(q.Tools), Workspaces: q.Workspaces, Text: text, Subjects: subjectArguments(), Limit: pageSize}
	if out.Endings, err = known[session.Ending]("endings", q.Endings); err != nil {
		return out, err
	}
	if out.Deciders, err = known[session.Decider]("deciders", q.Deciders); err != nil {
		return out, err
	}
	if out.Risks, err = known[tool.Risk]("risks", q.Risks); err != nil {
		return out, err
	}
	for _, c := range q.Callers {
		kind, name, ok := strings.Cut(c, ":")
		if !ok {
			return out, invalid("callers", "has a value that is not known")
		}
		out.Callers = append(out.Callers, session.HistoryCaller{Kind: session.CallerKind(kind), Name: tool.Mark(name)})
	}
	if q.Since != "" {
		if out.Since, err = time.Parse(time.RFC3339, q.Since); err != nil {
			return out, invalid("since", "is not a time")
		}
	}
	if out.Before, err = session.ParseCursor(q.Before); err != nil {
		return out, invalid("before", "is not a cursor of an earlier answer")
	}
	if out.After, err = session.ParseCursor(q.After); err != nil {
		return out, invalid("after", "is not a cursor of an earlier answer")
	}
	return out, nil
}

// known reads values of an enumeration.
func known[T interface {
	~string
	Known() bool
}](field string, values []string) (out []T, err error) {
	for _, v := range values {
		if !T(v).Known() {
			return nil, invalid(field, "has a value that is not known")
		}
		out = append(out, T(v))
	}
	return out, nil
}

// historyTools adds the name by which a model asks for a tool: a call goes by it until it
// is authorized.
func (a *API) historyTools(ids []string) (out []string) {
	for _, id := range ids {
		out = append(out, id)
		if spec, ok := a.engine.Spec(id); ok && spec.WireName() != id {
			out = append(out, spec.WireName())
		}
	}
	return out
}

func (a *API) historyRow(c session.HistoryCall, untrusted []string) HistoryRow {
	a.name(&c.Invocation)
	approvalID := ""
	if c.Request != nil {
		approvalID = c.Request.ID
	}
	row := HistoryRow{
		Call: callRow(&c.Invocation, c.Heads, c.Session.Workspace, approvalID), Cursor: c.Cursor.String(), Place: strconv.FormatInt(c.Ordinal, 10),
		SessionID: c.Session.ID, Title: titleOf(c.Session), Workspace: c.Session.Workspace, Caller: callerWords(c.Session.Caller),
		Risk: string(c.Risk), By: historyBy(c),
	}
	a.stand(&row.Call, &c.Invocation, slices.Contains(untrusted, c.Session.TrustRoot))
	row.Note = row.Call.Figure
	r := historyRequest(c)
	endRow(&row.Call, &c.Invocation, &r)
	words := clip(strings.Join(strings.Fields(r.Words.Open()), " "))
	switch {
	case deniedByPerson(&c.Invocation):
		row.Note, row.Words = "", words
	case c.State == session.StateCancelled && c.Ending == session.EndingDenied:
		row.Words = words
	}
	return row
}

// historyRequest is what the list knows of a call's request, as the request itself.
func historyRequest(c session.HistoryCall) approval.Request {
	if c.Request == nil {
		return approval.Request{}
	}
	return approval.Request{
		ID: c.Request.ID, Status: approval.Status(c.Request.Status), Resolution: approval.Resolution(c.Request.Resolution),
		ResolvedBy: c.Request.ResolvedBy, LeftWhy: c.Request.LeftWhy, CallerLeft: c.Request.CallerLeft, Words: c.Request.Words,
	}
}
