package bridge

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"countersign/backend/session"
)

// How many lines a page has, how many changes are told line by line, how many events may
// have happened since for that, and how many matches an answer holds.
const (
	pageSize     = 100
	maxChanges   = 200
	maxBehind    = 2000
	maxMatches   = 500
	maxFindWords = 200
)

const searchedWords = "Looked through everything that was said, and the tool and the beginning of each argument of every call. What tools answered is not searched."

func (a *API) page(ctx context.Context, r PageRequest) (SessionView, error) {
	if len(r.SessionID) > maxID || len(r.Cursor) > maxID {
		return SessionView{}, invalid("id", "is too long")
	}
	at := Span{Limit: pageSize}
	switch {
	case r.Where == "before":
		at.Before = r.Cursor
	case r.Where == "after":
		at.After, at.FromStart = r.Cursor, r.Cursor == ""
	case r.Where == "around" && r.Cursor != "":
		at.Around = r.Cursor
	default:
		return SessionView{}, invalid("where", "is not before, after or around a cursor")
	}
	// The session is read first: what happens between the two readings is told again later.
	s, err := a.engine.Session(ctx, r.SessionID)
	if err != nil {
		return SessionView{}, err
	}
	page, err := a.engine.Timeline(ctx, r.SessionID, at)
	if err != nil {
		return SessionView{}, err
	}
	items, err := a.items(ctx, s, page.Entries)
	return SessionView{
		Session: a.row(s), Items: items, Before: page.Before, After: page.After, Seq: strconv.FormatInt(s.LastSeq, 10),
	}, err
}

func (a *API) changes(ctx context.Context, r ChangesRequest) (Changes, error) {
	since, err := strconv.ParseInt(r.Since, 10, 64)
	if err != nil || since < 0 || len(r.SessionID) > maxID {
		return Changes{}, invalid("since", "is not a number of an earlier answer")
	}
	s, err := a.engine.Session(ctx, r.SessionID)
	if err != nil {
		return Changes{}, err
	}
	out := Changes{Session: a.row(s), Seq: strconv.FormatInt(s.LastSeq, 10), Missed: s.LastSeq-since > maxBehind}
	if out.Missed || s.LastSeq <= since {
		return out, nil
	}
	entries, err := a.engine.Changed(ctx, r.SessionID, since, maxChanges+1)
	if err != nil {
		return Changes{}, err
	}
	if len(entries) > maxChanges {
		out.Missed = true
		return out, nil
	}
	out.Items, err = a.items(ctx, s, entries)
	return out, err
}

func (a *API) find(ctx context.Context, r FindRequest) (FindResult, error) {
	switch {
	case len(r.SessionID) > maxID:
		return FindResult{}, invalid("id", "is too long")
	case r.Words == "" || !utf8.ValidString(r.Words):
		return FindResult{}, invalid("words", "is empty or not text")
	case utf8.RuneCountInString(r.Words) > maxFindWords:
		return FindResult{}, invalid("words", "is longer than 200 characters")
	}
	if _, err := a.engine.Session(ctx, r.SessionID); err != nil {
		return FindResult{}, err
	}
	matches, total, err := a.engine.Find(ctx, r.SessionID, r.Words, maxMatches)
	return FindResult{Matches: matches, Total: total, Searched: searchedWords}, err
}

// items tells the entries of a session.
func (a *API) items(ctx context.Context, s session.Session, entries []Entry) ([]TimelineItem, error) {
	out := make([]TimelineItem, 0, len(entries))
	untrusted, err := a.openRoots(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		a.name(e.Invocation)
		item, ok := timelineItem(e, s.Workspace)
		if !ok {
			continue
		}
		if item.Call != nil {
			a.stand(item.Call, e.Invocation, slices.Contains(untrusted, s.TrustRoot))
			endRow(item.Call, e.Invocation, e.Request)
		}
		out = append(out, item)
	}
	return out, nil
}

// openRoots are the folders whose trust question is open.
func (a *API) openRoots(ctx context.Context) (roots []string, err error) {
	open, err := a.engine.TrustQuestions(ctx)
	for _, q := range open {
		roots = append(roots, q.Root)
	}
	return roots, err
}

// stand adds to the line of a call what only the desk of now knows: that it waits for the
// trust question of its folder, and that it can be stopped.
func (a *API) stand(row *CallRow, inv *session.Invocation, untrusted bool) {
	if untrusted && inv.State == session.StateProposed {
		row.State, row.Figure = string(session.StateWaiting), "for your trust in the folder"
	}
	row.CanStop = !inv.State.Ended() && a.engine.CanStop(inv.ID)
}

// timelineItem tells an entry. What a tool answered is inside its call, and a message
// that only asks for calls says nothing of its own.
func timelineItem(e Entry, workspace string) (TimelineItem, bool) {
	item := TimelineItem{Cursor: e.Cursor, At: stamp(e.At)}
	switch {
	case e.Invocation != nil:
		approvalID := ""
		if e.Request != nil {
			approvalID = e.Request.ID
		}
		row := callRow(e.Invocation, e.Heads, workspace, approvalID)
		item.ID, item.Call = e.Invocation.ID, &row
	case e.Message != nil && e.Message.Role != session.RoleTool && e.Message.Text.Len() > 0:
		item.ID = e.Message.ID
		item.Message = &Message{
			Role: string(e.Message.Role), Text: shown([]byte(e.Message.Text.Open())), Left: e.Left, Model: e.Message.Model,
		}
	default:
		return TimelineItem{}, false
	}
	return item, true
}
