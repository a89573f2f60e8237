package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
	"slices"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// How many calls one page of the history looks at, whether they are wanted or not. A page
// that has not found enough by then says how far it came, and the next one goes on there:
// so no page costs more than these, however large the store is and however little of it is
// wanted. Looking for a text costs more a call.
const (
	maxLooked     = 2000
	maxLookedText = 1000
)

// History returns a page of the calls of all sessions, the newest first: at most 1,000, and
// fewer where that many were not found among the calls that one page looks at.
func (s *Store) History(ctx context.Context, q session.HistoryQuery) (session.HistoryPage, error) {
	if q.Limit <= 0 {
		q.Limit = maxPage
	}
	q.Limit = pageOf(q.Limit)
	wants, err := wanted(q)
	if err != nil {
		return session.HistoryPage{}, err
	}
	w, most := courseOf(q), maxLooked
	if q.Text != "" {
		most = maxLookedText
	}
	// What was found counts only as far as every value's calls were looked at.
	all, reached := []session.HistoryCall{}, session.Cursor{At: math.MinInt64}
	for _, value := range w.values {
		part, err := s.look(ctx, w, value, wants, q, max(1, most/len(w.values)))
		if err != nil {
			return session.HistoryPage{}, err
		}
		all = append(all, part.found...)
		if !part.done && part.reached.Compare(reached) > 0 {
			reached = part.reached
		}
	}
	return pageOfHistory(all, reached, q.Limit), nil
}

// pageOfHistory puts what was found in order and keeps what counts.
func pageOfHistory(all []session.HistoryCall, reached session.Cursor, limit int) (page session.HistoryPage) {
	slices.SortFunc(all, func(a, b session.HistoryCall) int { return b.Cursor.Compare(a.Cursor) })
	all = slices.CompactFunc(all, func(a, b session.HistoryCall) bool { return a.Cursor == b.Cursor })
	end := len(all)
	for end > 0 && all[end-1].Cursor.Compare(reached) < 0 {
		end--
	}
	if end > limit {
		end, reached = limit, all[limit-1].Cursor
	}
	if reached.At != math.MinInt64 {
		page.Next, page.ReachedAt = reached, instant(reached.At)
	}
	page.Calls = all[:end]
	return page
}

// wanted are the parameters from 7 on.
func wanted(q session.HistoryQuery) ([]any, error) {
	callers := make([][2]string, 0, len(q.Callers))
	for _, c := range q.Callers {
		callers = append(callers, [2]string{string(c.Kind), c.Name.Open()})
	}
	out := make([]any, 0, 7)
	for _, list := range []struct {
		of   any
		none bool
	}{
		{q.Subjects, len(q.Subjects) == 0}, {q.Endings, len(q.Endings) == 0}, {q.Deciders, len(q.Deciders) == 0},
		{q.Risks, len(q.Risks) == 0}, {q.Workspaces, len(q.Workspaces) == 0}, {callers, len(callers) == 0},
	} {
		v, err := jsonOrNull(list.of, list.none)
		if err != nil {
			return nil, fault("read", err)
		}
		out = append(out, v)
	}
	if q.Text == "" {
		return append(out, nil), nil
	}
	return append(out, lowerASCII(q.Text)), nil
}

// lowerASCII is what lower of SQLite makes of a text.
func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// looked is what was found from a place on.
type looked struct {
	found []session.HistoryCall
	// reached is how far was looked; done says that there is nothing more.
	reached session.Cursor
	done    bool
}

// look finds a page of one value, or what there is of it among as many calls as a page
// looks at. To find out how far that is takes the index alone.
func (s *Store) look(ctx context.Context, w course, value any, wants []any, q session.HistoryQuery, most int) (out looked, err error) {
	from, to := q.Before, session.Cursor{At: q.After.At, Num: q.After.Num + 1}
	if from == (session.Cursor{}) {
		from = session.Cursor{At: math.MaxInt64, Num: math.MaxInt64}
	}
	if q.After == (session.Cursor{}) {
		to = session.Cursor{At: math.MinInt64}
	}
	if since := (session.Cursor{At: ms(q.Since)}); !q.Since.IsZero() && since.Compare(to) > 0 {
		to = since
	}
	edge, further := int64(0), false
	if further, err = s.one(ctx, w.reach, []any{value, to.At, from.At, most - 1}, &edge); err != nil {
		return out, err
	}
	// Calls of one time are looked at together.
	if further = further && edge > to.At; further {
		to = session.Cursor{At: edge}
	}
	args := append([]any{value, from.At, from.Num, to.At, to.Num, q.Limit + 1}, wants...)
	err = s.each(ctx, w.find, args, func(rows *sql.Rows) error {
		h, err := scanHistory(rows)
		out.found = append(out.found, h)
		return err
	})
	if out.reached, out.done = to, !further; len(out.found) > q.Limit {
		out.found = out.found[:q.Limit]
		out.reached, out.done = out.found[q.Limit-1].Cursor, false
	}
	return out, err
}

func scanHistory(rows *sql.Rows) (h session.HistoryCall, err error) {
	var tried, metadata, heads, title, name string
	var proposed, created int64
	var started sql.NullInt64
	var id, status, resolution, by, left, words sql.NullString
	var gone sql.NullBool
	v := &h.Session
	err = rows.Scan(&h.Cursor.Num, &h.ID, &h.Ordinal, &tried, &h.CallerTag, &h.ToolID, &h.State, &h.Risk,
		&h.DecidedBy, &proposed, &started, &h.ReasonCode, &h.DurationMs, &metadata, &h.Ending, &h.Decider, &heads,
		&v.ID, &title, &v.Workspace, &v.TrustRoot, &v.Caller.Kind, &name, &created,
		&id, &status, &resolution, &by, &left, &gone, &words)
	if err != nil {
		return h, err
	}
	h.SessionID, h.Name, h.Cursor.At = v.ID, tool.Mark(tried), proposed
	h.ProposedAt, h.StartedAt, v.CreatedAt = instant(proposed), instantOrNil(started), instant(created)
	v.Title, v.Caller.Name = tool.Mark(title), tool.Mark(name)
	if id.Valid {
		h.Request = &session.HistoryRequest{
			ID: id.String, Status: status.String, Resolution: resolution.String, ResolvedBy: by.String,
			LeftWhy: left.String, CallerLeft: gone.Bool, Words: tool.Mark(words.String),
		}
	}
	if heads != "" {
		if err := json.Unmarshal([]byte(heads), &h.Heads); err != nil {
			return h, err
		}
	}
	return h, json.Unmarshal([]byte(metadata), &h.Metadata)
}

// HistoryCall returns one call as History does, or session.ErrNoInvocation.
func (s *Store) HistoryCall(ctx context.Context, id string) (h session.HistoryCall, err error) {
	err = s.each(ctx, selectHistoryCall, []any{id}, func(rows *sql.Rows) (err error) {
		h, err = scanHistory(rows)
		return err
	})
	if err == nil && h.ID == "" {
		err = session.ErrNoInvocation
	}
	return h, err
}
