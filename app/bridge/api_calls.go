package bridge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"countersign/backend"
	"countersign/backend/session"
)

// CallTail returns a part of what the program of a call printed.
func (a *API) CallTail(r CallTailRequest) (CallTail, error) {
	return respond(a, "CallTail", func(ctx context.Context) (CallTail, error) { return a.callTail(ctx, r) })
}

// CallProgress returns the last lines that the programs of running calls printed.
func (a *API) CallProgress() ([]CallProgress, error) {
	return respond(a, "CallProgress", func(context.Context) ([]CallProgress, error) {
		lines := a.engine.CallLines()
		out := make([]CallProgress, 0, len(lines))
		for id, line := range lines {
			out = append(out, CallProgress{ID: id, Line: shown([]byte(line))})
		}
		slices.SortFunc(out, func(x, y CallProgress) int { return strings.Compare(x.ID, y.ID) })
		return out, nil
	})
}

func (a *API) callTail(ctx context.Context, r CallTailRequest) (CallTail, error) {
	if len(r.ID) > maxID {
		return CallTail{}, invalid("id", "is too long")
	}
	from, err := tailFrom(r.From)
	if err != nil {
		return CallTail{}, err
	}
	p, err := a.engine.CallTail(ctx, r.ID, from)
	switch {
	case errors.Is(err, session.ErrNoOutput):
		return CallTail{}, Fault(CodeNotFound, "Nothing that it printed was kept. What the model read is shown beside this.")
	case errors.Is(err, backend.ErrOutputGone):
		return CallTail{}, Fault(CodeNotFound, "What it printed was removed to make room. What the model read is kept.")
	}
	return callTail(p), err
}

// tailFrom reads where a part of what was printed begins: -1 asks for the newest one.
func tailFrom(place string) (int64, error) {
	if place == "" {
		return -1, nil
	}
	from, err := strconv.ParseInt(place, 10, 64)
	if err != nil || from < 0 {
		return 0, invalid("from", "is not a place in what was printed")
	}
	return from, nil
}

// lostSome says for a text that grows that it is not whole.
const lostSome = "Some of what it printed could not be kept, since the disk is full or the log has become too long."

func callTail(p backend.Part) CallTail {
	out := CallTail{
		Text: shown(p.Text), From: strconv.FormatInt(p.From, 10), To: strconv.FormatInt(p.To, 10), Gap: p.Gap, More: p.More, Ended: p.Ended,
	}
	if p.Lost > 0 {
		out.Lost = lostSome
	}
	return out
}
