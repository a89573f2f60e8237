package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"countersign/backend/approval"
	"countersign/backend/redact"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// A request without a head is older than heads; its card begins with the same fields.
const selectBrief = `SELECT COALESCE(h.head, k.card), a.invocation_id, a.status, a.caller_left, a.left_why
	FROM approvals a JOIN approval_cards k ON k.approval_num = a.num LEFT JOIN approval_heads h ON h.approval_num = a.num
	JOIN invocations i ON i.id = a.invocation_id`

// PendingBriefs returns the requests that wait as a list tells them, in the order in which
// their calls were proposed: the cards of parallel calls are made in any order. It reads
// neither arguments nor changes, so its cost does not depend on what the calls hold.
func (s *Store) PendingBriefs(ctx context.Context) ([]approval.Brief, error) {
	out := []approval.Brief{}
	err := s.each(ctx, selectBrief+` WHERE a.status = 'pending' ORDER BY i.proposed_at, i.session_num, i.ordinal, a.id`, nil, func(rows *sql.Rows) error {
		var head string
		var b, v approval.Brief
		if err := rows.Scan(&head, &v.InvocationID, &v.Status, &v.CallerLeft, &v.LeftWhy); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(head), &b); err != nil {
			return fmt.Errorf("read the head of a request: %w", err)
		}
		b.InvocationID, b.Status, b.CallerLeft, b.LeftWhy = v.InvocationID, v.Status, v.CallerLeft, v.LeftWhy
		b.CreatedAt, b.ExpiresAt = instant(ms(b.CreatedAt)), instant(ms(b.ExpiresAt))
		out = append(out, b)
		return nil
	})
	return out, err
}

// argumentHeads stores what a list tells of the arguments of a call. Most canonical arguments
// begin as they were sent, and then nothing is written a second time.
func (t *tx) argumentHeads(invocation int64, inv session.Invocation) error {
	text := inv.Canonical
	if len(text) == 0 {
		text = inv.Raw
	}
	heads, err := json.Marshal(headsOf(inv.SessionID, text))
	if err != nil {
		return fmt.Errorf("%w: marshal heads: %w", errRefused, err)
	}
	_, err = t.exec(`INSERT INTO argument_heads (invocation_num, heads) VALUES (?, ?)
		ON CONFLICT (invocation_num) DO UPDATE SET heads = excluded.heads WHERE heads <> excluded.heads`, invocation, string(heads))
	return err
}

// headsOf returns the beginnings of arguments as eyes see them: only the table of arguments
// holds their secrets.
func headsOf(sessionID string, arguments []byte) map[string]session.Head {
	mark := redact.MarkOf(sessionID)
	return session.HeadsBy(arguments, func(name, text string) session.Head {
		copied, at := redact.Field(name, text, session.MaxHead, mark)
		h := session.HeadOf(copied)
		if at < len(text) {
			h.Left += utf8.RuneCountInString(text[at:])
		}
		return h
	})
}

// briefOf returns what a list tells of a request.
func briefOf(q approval.Request) approval.Brief {
	command, url := session.HeadOf(q.Command.Open()), session.HeadOf(q.URL.Open())
	b := approval.Brief{CommandLeft: command.Left, URLLeft: url.Left, Heads: headsOf(q.SessionID, q.Canonical)}
	b.Request = approval.Request{
		ID: q.ID, SessionID: q.SessionID, InvocationID: q.InvocationID, ToolID: q.ToolID, Wire: q.Wire, Set: q.Set,
		SideEffect: q.SideEffect, Risk: q.Risk, ArgumentsHash: q.ArgumentsHash, Verb: q.Verb, Preview: q.Preview,
		Paths: briefPaths(q.Paths), Command: command.Text, URL: url.Text, Restricted: q.Restricted, Hidden: q.Hidden,
		Status: q.Status, CreatedAt: q.CreatedAt, ExpiresAt: q.ExpiresAt, CallerLeft: q.CallerLeft, LeftWhy: q.LeftWhy,
	}
	if len(q.Diffs) > 0 {
		b.Diffs = []tool.FileDiff{{Path: q.Diffs[0].Path}}
	}
	return b
}

// briefPaths keeps the first path and, of the others, one that lies outside if any does.
func briefPaths(all []tool.Touch) []tool.Touch {
	if len(all) < 2 {
		return all
	}
	second := all[1]
	if i := slices.IndexFunc(all[1:], isOutside); i >= 0 {
		second = all[1+i]
	}
	return []tool.Touch{all[0], second}
}

func isOutside(t tool.Touch) bool {
	return t.Path.Zone == tool.ZoneOutside || t.Path.Zone == tool.ZoneOwnHome
}
