package backend

import (
	"context"
	"errors"
	"strings"

	"countersign/backend/approval"
	"countersign/backend/redact"
)

// Changeable is what a person may change of a card.
type Changeable struct {
	Request approval.Request
	// Arguments is the JSON of all arguments: as it is where it was revealed or hides nothing,
	// else with a marker of its own for each hidden piece, of which there are Hidden.
	Arguments []byte
	Hidden    int
	// Locked says that the hidden pieces cannot be marked, so that only what is revealed can be
	// changed; Arguments is nil then.
	Locked bool
}

// Changeable returns the arguments of a card for a person to change. reveal is for who asked
// to see what is hidden: nothing of that is stored.
func (e *Engine) Changeable(ctx context.Context, id string, reveal bool) (Changeable, error) {
	q, err := e.desk.Get(ctx, id)
	if err != nil {
		return Changeable{}, err
	}
	out := Changeable{Request: q, Arguments: q.Canonical}
	if reveal {
		return out, nil
	}
	copied, pieces, ok := redact.Pieces(string(q.Canonical), redact.MarkOf(q.SessionID))
	if !ok {
		out.Arguments, out.Locked = nil, true
		return out, nil
	}
	out.Arguments, out.Hidden = []byte(copied), len(pieces)
	return out, nil
}

// Changes are the arguments that a person would have instead of those that a card shows.
type Changes struct {
	approval.Change
	// Revealed says that they were made of the arguments as they are. Else the markers of
	// hidden pieces stand in them.
	Revealed bool
}

// What is said of changed arguments with markers that stand for nothing.
const (
	markerUnknown = "A marker stands for nothing that this card hides. Leave the markers as they are, or show what is hidden and change that."
	markerTwice   = "A hidden piece stands twice. Each can stand once; show what is hidden to write it again."
	markerMoved   = "A hidden piece stands in another field than it came from. Show what is hidden to write it there."
)

// ChangeArguments puts other arguments in the place of those that a card shows, which is no
// answer: see approval.Desk.Change. Hidden pieces are put back byte for byte; no marker is ever
// taken for what it stands for.
func (e *Engine) ChangeArguments(ctx context.Context, id string, c Changes) (approval.Result, error) {
	q, err := e.desk.Get(ctx, id)
	if err != nil {
		return approval.Result{}, err
	}
	if q.Status != approval.StatusPending || q.ArgumentsHash != c.ArgumentsHash {
		return e.desk.Change(ctx, id, c.Change)
	}
	whole, words := putBack(q, c)
	if words != "" {
		return approval.Result{Request: q, Outcome: approval.OutcomeRefused, Words: words}, nil
	}
	c.Arguments = []byte(whole)
	return e.desk.Change(ctx, id, c.Change)
}

// putBack returns the arguments with what was hidden, or why there are none.
func putBack(q approval.Request, c Changes) (whole, words string) {
	mark, was, text := redact.MarkOf(q.SessionID), string(q.Canonical), string(c.Arguments)
	var pieces []redact.Piece
	if !c.Revealed {
		_, pieces, _ = redact.Pieces(was, mark)
	}
	whole, err := redact.PutBack(text, pieces, mark)
	switch {
	case errors.Is(err, redact.ErrPieceTwice):
		return "", markerTwice
	case errors.Is(err, redact.ErrPieceMoved):
		return "", markerMoved
	case err != nil:
		return "", markerUnknown
	case strings.Count(text, mark.String()) > strings.Count(was, mark.String()):
		// It was taken from what eyes see.
		return "", markerUnknown
	}
	return whole, ""
}
