package bridge

import (
	"context"
	"errors"
	"strings"
	"time"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/session"
	"countersign/backend/tool"
)

const (
	// maxLines is how many lines of a file one answer holds, maxPath how long the path of
	// one may be that the page names, in bytes, and maxLineNumber the last line of a file.
	maxLines      = 500
	maxPath       = 4096
	maxLineNumber = 1<<31 - 1
	// excerptTime bounds the way to a line that lies far into a file.
	excerptTime = 10 * time.Second
)

// Why there are no lines around a change.
const (
	missingChanged = "The file changed since this card was made, so the lines around the change are not shown."
	missingGone    = "The file changed since, and no version of it from then is kept, so there are no more lines to show."
	missingUnknown = "What the file held then is not known, so there are no more lines to show."
)

// drawn is a diff with what it was made from.
type drawn struct {
	sessionID string
	path      string
	unified   string
	// before and after are the hashes of the content on both sides, "" where not known.
	before, after string
	missing       string
}

func (a *API) diffLines(ctx context.Context, r DiffLinesRequest) (DiffLines, error) {
	switch {
	case len(r.ID) > maxID:
		return DiffLines{}, invalid("id", "is too long")
	case r.Of != "approval" && r.Of != "call":
		return DiffLines{}, invalid("of", "is not approval or call")
	case r.Old < 1 || r.New < 1 || r.Old > maxLineNumber || r.New > maxLineNumber:
		return DiffLines{}, invalid("old", "is no line number")
	case r.Count < 1 || r.Count > maxLines:
		return DiffLines{}, invalid("count", "is not from 1 to 500")
	}
	d, err := a.drawnDiff(ctx, r)
	if err != nil {
		return DiffLines{}, err
	}
	hashes, starts := []string{}, []int{}
	for _, side := range []struct {
		hash  string
		first int
	}{{d.before, r.Old}, {d.after, r.New}} {
		if side.hash != "" {
			hashes, starts = append(hashes, side.hash), append(starts, side.first)
		}
	}
	if len(hashes) == 0 {
		return DiffLines{Missing: missingUnknown}, nil
	}
	content, which, err := a.engine.FileText(ctx, d.sessionID, d.path, hashes)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, ErrNotFound) {
			return DiffLines{}, err
		}
		if !errors.Is(err, backend.ErrNotKept) {
			a.log.Warn("lines around a change could not be read", "cause", err)
		}
		return DiffLines{Missing: d.missing}, nil
	}
	lines := change.LinesOf(content, int64(starts[which]), r.Count)
	return DiffLines{Lines: lineRows(lines.Lines, !showsReturns(d.unified)), More: lines.More}, nil
}

// drawnDiff finds the diff that a request is about.
func (a *API) drawnDiff(ctx context.Context, r DiffLinesRequest) (drawn, error) {
	if r.Of == "approval" {
		q, err := a.engine.Request(ctx, r.ID)
		if err != nil {
			return drawn{}, err
		}
		return askedDiff(q, r.File, missingChanged)
	}
	inv, err := a.engine.Invocation(ctx, r.ID)
	if err != nil {
		return drawn{}, err
	}
	if inv.Metadata.Diff != nil && *inv.Metadata.Diff != "" {
		if r.File != 0 {
			return drawn{}, ErrNotFound
		}
		a.name(&inv)
		return doneDiff(inv), nil
	}
	q, err := a.engine.RequestOf(ctx, r.ID)
	if err != nil {
		return drawn{}, err
	}
	return askedDiff(q, r.File, missingGone)
}

func doneDiff(inv session.Invocation) drawn {
	d := drawn{
		sessionID: inv.SessionID, path: argument(argumentText(&inv), phraseOf(inv.ToolID).argument),
		unified: *inv.Metadata.Diff, missing: missingGone,
	}
	d.before, d.after = fact(inv.Metadata, change.KeyBefore), fact(inv.Metadata, change.KeyAfter)
	return d
}

func askedDiff(q approval.Request, file int, missing string) (drawn, error) {
	if file < 0 || file >= len(q.Diffs) {
		return drawn{}, ErrNotFound
	}
	d := drawn{sessionID: q.SessionID, unified: q.Diffs[file].Unified, missing: missing}
	for _, pin := range q.Pins {
		if pin.Path.Short() == q.Diffs[file].Path || len(q.Pins) == 1 {
			d.path, d.before = pin.Path.Arg, pin.SHA256
		}
	}
	return d, nil
}

// showsReturns reports whether a diff shows the carriage returns of the lines that stay: it
// leaves them out where they end the lines on both sides.
func showsReturns(unified string) bool {
	for line := range strings.SplitSeq(unified, "\n") {
		if strings.HasPrefix(line, " ") && strings.HasSuffix(line, "\r") {
			return true
		}
	}
	return false
}

func lineRows(lines []change.Line, dropReturns bool) []TextLine {
	out := make([]TextLine, 0, len(lines))
	for _, l := range lines {
		text := l.Text
		if dropReturns {
			text = strings.TrimSuffix(text, "\r")
		}
		out = append(out, TextLine{Text: text, Left: l.Left})
	}
	return out
}

func (a *API) excerpt(ctx context.Context, r ExcerptRequest) (Excerpt, error) {
	switch {
	case len(r.SessionID) > maxID:
		return Excerpt{}, invalid("sessionId", "is too long")
	case r.Path == "" || len(r.Path) > maxPath:
		return Excerpt{}, invalid("path", "is empty or too long")
	case r.First < 1 || r.First > maxLineNumber:
		return Excerpt{}, invalid("first", "is no line number")
	case r.Count < 1 || r.Count > maxLines:
		return Excerpt{}, invalid("count", "is not from 1 to 500")
	}
	limited, cancel := context.WithTimeout(ctx, excerptTime)
	defer cancel()
	p, lines, err := a.engine.Excerpt(limited, r.SessionID, r.Path, int64(r.First), r.Count)
	if err != nil {
		return Excerpt{}, excerptFault(err)
	}
	return Excerpt{
		Path: pathText(p), Absolute: p.Real, First: r.First, Lines: lineRows(lines.Lines, false), More: lines.More,
	}, nil
}

// excerptFault says to the person why a file is not shown.
func excerptFault(err error) error {
	switch {
	case errors.Is(err, backend.ErrProtected):
		return Fault("protected", "This file is protected or lies outside the workspace, so it is not shown here. Open it in your editor.")
	case errors.Is(err, change.ErrBinary):
		return Fault("not_text", "This file is not text, so there are no lines to show. Open it in the program that made it.")
	case errors.Is(err, context.DeadlineExceeded):
		return Fault(CodeUnavailable, "The line lies so far into the file that reading up to it took too long. Open the file in your editor.")
	case errors.Is(err, backend.ErrNoWorkspace):
		return Fault(CodeUnavailable, "The workspace of this session cannot be opened any more. Look whether its folder is still there.")
	}
	e, ok := errors.AsType[*tool.Error](err)
	if !ok {
		return err
	}
	switch e.Code {
	case tool.CodeFileNotFound:
		return Fault(CodeNotFound, "The file is not there any more. It was moved or removed after the search.")
	case tool.CodeNotAFile, tool.CodeIsDirectory, tool.CodeNotDirectory:
		return Fault("not_text", "This is not a file that can be read, so there are no lines to show.")
	case tool.CodePolicyPathMoved:
		return Fault("moved", "The path leads elsewhere than it did a moment ago, so nothing is shown. Try again.")
	case tool.CodeIO:
		return Fault("unreadable", "The system does not let this file be read. Check its permissions.")
	}
	return err
}
