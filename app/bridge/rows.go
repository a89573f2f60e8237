package bridge

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/veil"
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
	row := SessionRow{
		ID: s.ID, Title: titleOf(s), Workspace: s.Workspace,
		Caller: callerWords(s.Caller), CallerKind: string(s.Caller.Kind),
		Status: string(s.Status), Connected: connected, Busy: busy, Waiting: s.Waiting,
		UpdatedAt: stamp(s.UpdatedAt), CreatedAt: stamp(s.CreatedAt),
	}
	// What a session that is over was decided under is in its calls, not in the settings of now.
	if connected || busy {
		row.Preset, row.Catalog = string(effective.Preset), string(effective.Catalog)
	}
	return row
}

// titleOf is what a session is called. One that is named after its folder would be called
// like every other there, so it goes by its caller and the time that it began.
func titleOf(s session.Session) string {
	title := clip(s.Title.Open())
	if title != "" && title != path.Base(s.Workspace) {
		return title
	}
	if s.CreatedAt.IsZero() {
		return callerWords(s.Caller)
	}
	return callerWords(s.Caller) + ", " + s.CreatedAt.Local().Format("15:04")
}

// callRow tells a call in a line. heads are the beginnings of its arguments.
func callRow(inv *session.Invocation, heads map[string]session.Head, workspace, approvalID string) CallRow {
	verb, subject := verbAndSubject(inv, heads, workspace)
	short := figure(inv)
	return CallRow{
		ID: inv.ID, ToolID: inv.ToolID, Verb: verb, Subject: subject.Text.Open(), SubjectLeft: subject.Left,
		Marker: markerIn(inv.SessionID, subject.Text.Open(), short), State: string(inv.State), Figure: short,
		At: stamp(inv.ProposedAt), StartedAt: stampOf(inv.StartedAt), DurationMs: strconv.FormatInt(inv.DurationMs, 10),
		ApprovalID: approvalID, Failed: programFailed(inv),
	}
}

// approvalRow tells a request in the inbox.
func approvalRow(r approval.Brief, s session.Session) ApprovalRow {
	subject := requestSubject(r)
	about := veil.Text(r.SessionID, subject.Text.Open())
	return ApprovalRow{
		ID: r.ID, SessionID: r.SessionID, SessionTitle: titleOf(s), InvocationID: r.InvocationID,
		Workspace: s.Workspace, Caller: callerWords(s.Caller), CallerKind: string(s.Caller.Kind), ToolID: r.ToolID,
		Verb: requestVerb(r.Request), Short: phraseOf(r.ToolID).verb, Subject: about, SubjectLeft: subject.Left,
		Marker: markerIn(r.SessionID, r.Verb, about), Risk: string(r.Risk), Status: string(r.Status),
		CreatedAt: stamp(r.CreatedAt), ExpiresAt: stamp(r.ExpiresAt),
		CallerLeft: r.CallerLeft, LeftWhy: r.LeftWhy, Alone: approval.Alone(r.Request),
	}
}

// requestSubject is the path, command or address that a request is about, by its beginning.
func requestSubject(r approval.Brief) session.Head {
	switch {
	case r.Command.Len() > 0:
		return longer(session.HeadOf(r.Command.Open()), r.CommandLeft)
	case len(r.Paths) > 0:
		return session.HeadOf(pathText(r.Paths[0].Path))
	case len(r.Diffs) > 0:
		return session.HeadOf(r.Diffs[0].Path)
	case r.URL.Len() > 0:
		return longer(session.HeadOf(r.URL.Open()), r.URLLeft)
	}
	p := phraseOf(r.ToolID)
	if h := p.head(r.Heads); h.Text.Len() > 0 {
		return h
	}
	return session.HeadOf(p.fallback)
}

// longer adds to a head what was cut off before.
func longer(h session.Head, left int) session.Head {
	h.Left += left
	return h
}

// requestVerb is the sentence of a request. What it says of files names those that are
// protected or lie outside, since that is what the person must not overlook.
func requestVerb(r approval.Request) string {
	verb := r.Verb
	if verb == "" {
		return phraseOf(r.ToolID).verb
	}
	said, isFiles := strings.CutSuffix(verb, " file")
	outside := slices.ContainsFunc(r.Paths, func(t tool.Touch) bool {
		return t.Path.Zone == tool.ZoneOutside || t.Path.Zone == tool.ZoneOwnHome
	})
	switch {
	case isFiles && r.Restricted && len(r.Paths) > 0:
		return said + " protected file"
	case outside && r.Command.Len() == 0:
		return verb + " outside the workspace"
	}
	return verb
}

// pathText is a path as the person reads it: relative inside the workspace. A name there
// that begins with a tilde is not the home folder, and does not look like it.
func pathText(p tool.Path) string {
	if p.Zone == tool.ZoneWorkspace && p.Rel != "" {
		return plainTilde(p.Rel)
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

func plainTilde(rel string) string {
	if strings.HasPrefix(rel, "~") {
		return "./" + rel
	}
	return rel
}

// diffRows sets the diffs beside the paths that the call touches. The name in a diff is
// escaped to stay on its line; the person sees the path itself, whose marks the page draws.
func diffRows(diffs []tool.FileDiff, touches []tool.Touch) []FileDiff {
	out := make([]FileDiff, 0, len(diffs))
	for _, d := range diffs {
		row := FileDiff{
			Path: d.Path, Unified: d.Unified, Additions: d.Additions, Deletions: d.Deletions,
			Created: d.Created, Notes: append([]string{}, d.Notes...), Changes: d.Changes,
		}
		for _, t := range touches {
			p := t.Path
			if p.Short() == d.Path || p.Shown() == d.Path || p.Rel == d.Path || p.Real == d.Path || p.Abs == d.Path {
				row.Path, row.Absolute = pathText(p), p.Real
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
