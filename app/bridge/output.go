package bridge

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"countersign/backend"
	"countersign/backend/lines"
	"countersign/backend/session"
)

// Bounds of what the page asks of a text: lines of one answer, bytes looked through and
// matches of one part of a search, and bytes that are copied at once.
const (
	maxOutputLines = 500
	findStep       = 64 << 20
	findMatches    = 5_000
	maxRange       = 4 << 20
)

// outputRow tells of a text that a call left.
func outputRow(o session.Output) OutputRow {
	return OutputRow{SessionID: o.SessionID, Name: filepath.Base(o.Path), Bytes: int(o.Bytes), Gone: o.RemovedAt != nil}
}

func (r OutputRef) check() error {
	switch {
	case len(r.SessionID) > maxID:
		return invalid("sessionId", "is too long")
	case len(r.Name) > maxID:
		return invalid("name", "is too long")
	}
	return nil
}

// read opens a text and gives it to f.
func (a *API) read(ctx context.Context, r OutputRef, f func(*lines.Text) error) error {
	if err := r.check(); err != nil {
		return err
	}
	return outputFault(a.engine.ReadOutput(ctx, r.SessionID, r.Name, f))
}

func (a *API) output(ctx context.Context, r OutputRef) (OutputView, error) {
	if err := r.check(); err != nil {
		return OutputView{}, err
	}
	o, err := a.engine.Output(ctx, r.SessionID, r.Name)
	if err != nil {
		return OutputView{}, outputFault(err)
	}
	v := OutputView{
		SessionID: r.SessionID, Name: r.Name, State: stateOf(o.State), Lost: int(o.Row.Lost), Gone: o.Gone, RemovedAt: stampOf(o.Row.RemovedAt),
	}
	if o.Kept != nil {
		v.KeptUntil = stamp(o.Kept.ExpiresAt)
	}
	inv, err := a.engine.Invocation(ctx, o.Row.InvocationID)
	if err != nil {
		return OutputView{}, err
	}
	s, err := a.engine.Session(ctx, inv.SessionID)
	if err != nil {
		return OutputView{}, err
	}
	a.name(&inv)
	v.Call = callRow(&inv, session.HeadsOf(argumentText(&inv)), s.Workspace, "")
	v.Seen = seenOf(&inv, o)
	if v.Seen.Known && !o.Gone {
		err = a.read(ctx, r, func(t *lines.Text) error { return measure(&v.Seen, t) })
	}
	return v, err
}

func stateOf(s lines.State) OutputState {
	return OutputState{Bytes: int(s.Bytes), Lines: int(s.Lines), Scanned: int(s.Scanned)}
}

// seenOf is what the model was given of a text that was cut for it.
func seenOf(inv *session.Invocation, o backend.Output) OutputSeen {
	t := inv.Metadata.Truncation
	if t == nil || t.SpillPath != o.Row.Path {
		return OutputSeen{}
	}
	return OutputSeen{
		Known: true, Head: int(t.ShownHeadLines), Tail: int(t.ShownTailLines), Lines: int(t.OriginalLines), Omitted: int(t.OmittedLines),
	}
}

// measure finds out how many bytes were left out, if so much is counted.
func measure(seen *OutputSeen, t *lines.Text) error {
	from, known, err := t.Offset(int64(seen.Head) + 1)
	if err != nil || !known {
		return err
	}
	to, known, err := t.Offset(int64(seen.Lines-seen.Tail) + 1)
	if err == nil && known && to > from {
		seen.OmittedBytes = int(to - from)
	}
	return err
}

func (a *API) outputLines(ctx context.Context, r OutputLinesRequest) (OutputLines, error) {
	if r.From < 1 || r.Count < 1 || r.Count > maxOutputLines {
		return OutputLines{}, invalid("count", "is not 1 to 500 lines from the first on")
	}
	var out OutputLines
	err := a.read(ctx, OutputRef{r.SessionID, r.Name}, func(t *lines.Text) error {
		all, err := t.Window(ctx, int64(r.From), r.Count)
		if err != nil {
			return err
		}
		for _, l := range all {
			text, hidden := plainText(l.Text)
			out.Lines = append(out.Lines, OutputLine{Number: int(l.Number), Text: text, Hidden: hidden, Bytes: int(l.Bytes), Shown: len(l.Text)})
		}
		s, err := t.State()
		out.State = stateOf(s)
		return err
	})
	return out, err
}

func (a *API) outputPiece(ctx context.Context, r OutputPieceRequest) (OutputPiece, error) {
	if r.Line < 1 || r.From < 0 {
		return OutputPiece{}, invalid("line", "is not a line and a byte of it")
	}
	var out OutputPiece
	err := a.read(ctx, OutputRef{r.SessionID, r.Name}, func(t *lines.Text) error {
		text, more, err := t.Piece(ctx, int64(r.Line), int64(r.From))
		out.Text, out.Hidden = plainText(text)
		out.Shown, out.More = len(text), more
		return err
	})
	return out, err
}

func (a *API) outputFind(ctx context.Context, r OutputFindRequest) (OutputFound, error) {
	place := lines.Start()
	if r.Place != "" {
		if n, err := fmt.Sscanf(r.Place, "%d:%d", &place.Offset, &place.Line); n != 2 || err != nil || place.Offset < 0 || place.Line < 1 {
			return OutputFound{}, invalid("place", "is not one of an earlier answer")
		}
	}
	if r.Words == "" || len(r.Words) > lines.MaxQuery || strings.ContainsAny(r.Words, "\n\x00") {
		return OutputFound{}, invalid("words", "are empty, too long, or more than one line")
	}
	var out OutputFound
	err := a.read(ctx, OutputRef{r.SessionID, r.Name}, func(t *lines.Text) error {
		found, err := t.Find(ctx, lines.Query{Text: r.Words, Fold: !r.Exact}, place, findStep, findMatches)
		for _, n := range found.Lines {
			out.Lines = append(out.Lines, int(n))
		}
		out.Place = fmt.Sprintf("%d:%d", found.Next.Offset, found.Next.Line)
		out.Done, out.Scanned = found.Done, int(found.Next.Offset)
		return err
	})
	return out, err
}

func (a *API) outputRange(ctx context.Context, r OutputRangeRequest) (OutputRange, error) {
	if r.From < 1 || r.To < r.From {
		return OutputRange{}, invalid("to", "is not a line behind the first")
	}
	var out OutputRange
	err := a.read(ctx, OutputRef{r.SessionID, r.Name}, func(t *lines.Text) error {
		text, cut, err := t.Range(ctx, int64(r.From), int64(r.To), maxRange)
		out.Text, out.Cut = strings.ToValidUTF8(string(text), "\uFFFD"), cut
		return err
	})
	return out, err
}

func (a *API) keepOutput(ctx context.Context, r OutputRef) error {
	if err := r.check(); err != nil {
		return err
	}
	_, err := a.engine.KeepOutput(ctx, r.SessionID, r.Name)
	return outputFault(err)
}
