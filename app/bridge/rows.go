package bridge

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// stamp writes a time for the page, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func stampOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return stamp(*t)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// sessionRow tells a session under the settings of the moment, tightened by its own limits.
func sessionRow(s session.Session, rules session.Rules, connected, busy bool) SessionRow {
	effective := rules.Tightened(s.Limits)
	title := clip(s.Title.Open())
	if title == "" {
		title = callerWords(s.Caller)
	}
	return SessionRow{
		ID: s.ID, Title: title, Workspace: s.Workspace,
		Caller: callerWords(s.Caller), CallerKind: string(s.Caller.Kind),
		Preset: string(effective.Preset), Catalog: string(effective.Catalog),
		Status: string(s.Status), Connected: connected, Busy: busy, Waiting: s.Waiting,
		UpdatedAt: stamp(s.UpdatedAt), CreatedAt: stamp(s.CreatedAt),
	}
}

// callRow tells a call in a line.
func callRow(inv *session.Invocation, workspace, approvalID string) CallRow {
	verb, subject := verbAndSubject(inv, workspace)
	return CallRow{
		ID: inv.ID, ToolID: inv.ToolID, Verb: verb, Subject: subject,
		State: string(inv.State), Figure: figure(inv),
		At: stamp(inv.ProposedAt), DurationMs: strconv.FormatInt(inv.DurationMs, 10),
		ApprovalID: approvalID,
	}
}

// approvalRow tells a request in the inbox.
func approvalRow(r approval.Request, s session.Session) ApprovalRow {
	title := clip(s.Title.Open())
	if title == "" {
		title = callerWords(s.Caller)
	}
	verb := r.Verb
	if verb == "" {
		verb = phraseOf(r.ToolID).verb
	}
	return ApprovalRow{
		ID: r.ID, SessionID: r.SessionID, SessionTitle: title, InvocationID: r.InvocationID,
		Workspace: s.Workspace, Caller: callerWords(s.Caller), ToolID: r.ToolID,
		Verb: verb, Subject: requestSubject(r), Risk: string(r.Risk), Status: string(r.Status),
		CreatedAt: stamp(r.CreatedAt), ExpiresAt: stamp(r.ExpiresAt),
		CallerLeft: r.CallerLeft, LeftWhy: r.LeftWhy,
	}
}

// requestSubject is the path, command or address that a request is about, never cut.
func requestSubject(r approval.Request) string {
	switch {
	case len(r.Paths) > 0:
		return pathText(r.Paths[0].Path)
	case len(r.Diffs) > 0:
		return r.Diffs[0].Path
	case r.Command.Len() > 0:
		return r.Command.Open()
	case r.URL.Len() > 0:
		return r.URL.Open()
	}
	p := phraseOf(r.ToolID)
	if s := argument(r.Canonical, p.argument); s != "" {
		return s
	}
	return p.fallback
}

// pathText is a path as the person reads it: relative inside the workspace.
func pathText(p tool.Path) string {
	if p.Zone == tool.ZoneWorkspace && p.Rel != "" {
		return p.Rel
	}
	if p.Real != "" {
		return p.Real
	}
	return p.Abs
}

func pathRows(touches []tool.Touch) []PathRow {
	out := make([]PathRow, 0, len(touches))
	for _, t := range touches {
		out = append(out, PathRow{
			Path: pathText(t.Path), Absolute: t.Path.Real, Access: string(t.Access),
			Zone: string(t.Path.Zone), Linked: t.Path.Linked,
		})
	}
	return out
}

// diffRows sets the diffs beside the absolute paths that the call touches.
func diffRows(diffs []tool.FileDiff, touches []tool.Touch) []FileDiff {
	out := make([]FileDiff, 0, len(diffs))
	for _, d := range diffs {
		row := FileDiff{
			Path: d.Path, Unified: d.Unified, Additions: d.Additions, Deletions: d.Deletions,
			Created: d.Created, Notes: append([]string{}, d.Notes...),
		}
		for _, t := range touches {
			if t.Path.Rel == d.Path || t.Path.Real == d.Path || t.Path.Abs == d.Path {
				row.Absolute = t.Path.Real
			}
		}
		out = append(out, row)
	}
	return out
}

func partRows(parts []tool.Part) []Part {
	out := make([]Part, 0, len(parts))
	for _, p := range parts {
		out = append(out, Part{Type: string(p.Type), Text: shown([]byte(p.Text.Open())), Mime: p.Mime, Handle: p.Handle})
	}
	return out
}
