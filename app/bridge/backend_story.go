package bridge

import (
	"context"
	"slices"
	"strconv"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/store"
)

// firstEvent is the number of the event that tells of a session itself: every line of it
// has a greater one.
const firstEvent = 1

func (d *desk) Timeline(ctx context.Context, sessionID string, at Span) (Page, error) {
	switch {
	case at.Around != "":
		n, err := cursorOf(at.Around)
		if err != nil {
			return Page{}, err
		}
		older, err := d.before(ctx, sessionID, n+1, max(1, at.Limit/2))
		if err != nil {
			return Page{}, err
		}
		newer, err := d.after(ctx, sessionID, n, max(1, at.Limit/2))
		newer.Entries = slices.Concat(older.Entries, newer.Entries)
		newer.Before = older.Before
		return newer, err
	case at.After != "":
		n, err := cursorOf(at.After)
		if err != nil {
			return Page{}, err
		}
		return d.after(ctx, sessionID, n, at.Limit)
	case at.FromStart:
		page, err := d.after(ctx, sessionID, firstEvent, at.Limit)
		page.Before = ""
		return page, err
	case at.Before != "":
		n, err := cursorOf(at.Before)
		if err != nil {
			return Page{}, err
		}
		return d.before(ctx, sessionID, n, at.Limit)
	}
	page, err := d.before(ctx, sessionID, 0, at.Limit)
	page.After = ""
	return page, err
}

func cursorOf(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, invalid("cursor", "is not one of an earlier answer")
	}
	return n, nil
}

// before reads one line more than it gives, to know whether there are more.
func (d *desk) before(ctx context.Context, sessionID string, end int64, limit int) (Page, error) {
	lines, err := d.Store().Lines(ctx, sessionID, store.Span{Before: end, Limit: limit + 1})
	more := len(lines) > limit
	if more {
		lines = lines[1:]
	}
	page := Page{Entries: entriesOf(lines)}
	if len(lines) > 0 {
		page.After = page.Entries[len(lines)-1].Cursor
		if more {
			page.Before = page.Entries[0].Cursor
		}
	}
	return page, absent(err)
}

func (d *desk) after(ctx context.Context, sessionID string, start int64, limit int) (Page, error) {
	lines, err := d.Store().Lines(ctx, sessionID, store.Span{After: start, Limit: limit + 1})
	more := len(lines) > limit
	if more {
		lines = lines[:limit]
	}
	page := Page{Entries: entriesOf(lines)}
	if len(lines) > 0 {
		page.Before = page.Entries[0].Cursor
		if more {
			page.After = page.Entries[len(lines)-1].Cursor
		}
	}
	return page, absent(err)
}

func entriesOf(lines []store.Line) []Entry {
	out := make([]Entry, 0, len(lines))
	for _, l := range lines {
		e := Entry{Cursor: strconv.FormatInt(l.Seq, 10), Left: l.Left, Heads: l.Heads, Request: l.Request}
		if l.Call != nil {
			e.At, e.Invocation = l.Call.ProposedAt, &l.Call.Invocation
		} else {
			e.At, e.Message = l.Message.At, l.Message
		}
		out = append(out, e)
	}
	return out
}

func (d *desk) Changed(ctx context.Context, sessionID string, since int64, limit int) ([]Entry, error) {
	lines, err := d.Store().Changed(ctx, sessionID, since, limit)
	return entriesOf(lines), absent(err)
}

func (d *desk) Find(ctx context.Context, sessionID, words string, limit int) ([]FindMatch, int, error) {
	found, total, err := d.Store().FindLines(ctx, sessionID, words, limit)
	out := make([]FindMatch, 0, len(found))
	for _, f := range found {
		out = append(out, FindMatch{ID: f.ID, Cursor: strconv.FormatInt(f.Seq, 10)})
	}
	return out, total, absent(err)
}

func (d *desk) Message(ctx context.Context, sessionID, id string) (session.Message, error) {
	m, err := d.Store().Message(ctx, sessionID, id)
	return m, absent(err)
}

func (d *desk) Pending(ctx context.Context) ([]approval.Brief, error) {
	list, err := d.Store().PendingBriefs(ctx)
	now, out := d.Now(), list[:0]
	for _, b := range list {
		if now.Before(b.ExpiresAt) {
			out = append(out, b)
			continue
		}
		// Reading one that is past its time ends it.
		if _, err := d.Desk().Get(ctx, b.ID); err != nil {
			return nil, err
		}
	}
	return out, err
}
