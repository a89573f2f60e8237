package registry

import (
	"context"
	"errors"
	"slices"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// ErrOutdated says that a card cannot be drawn again as it was: its arguments, the places of its
// files or what they hold are others now.
var ErrOutdated = errors.New("the card is out of date")

// Revealed returns a request with what its card hides from eyes. The card is stored without
// that, so it is drawn anew from the arguments and the files. What decided the call, and what an
// answer may grant, stay as they are. It stores nothing and asks nobody.
func (r *Registry) Revealed(ctx context.Context, s *Context, q approval.Request) (approval.Request, error) {
	c := &run{
		s: s, keep: context.WithoutCancel(ctx), call: tool.Call{Name: q.ToolID, Arguments: q.Canonical},
		began: r.clock.Now(), rules: s.Rules(), scopes: slices.Clone(s.Scopes),
	}
	for _, step := range []func(*Registry, context.Context, *run) error{
		(*Registry).resolve, (*Registry).validate, (*Registry).canonicalise, (*Registry).freezeTarget,
	} {
		if err := step(r, ctx, c); err != nil {
			return approval.Request{}, err
		}
	}
	if c.args.Hash != q.ArgumentsHash || !tool.SamePlaces(c.target.Touches, q.Paths) {
		return approval.Request{}, ErrOutdated
	}
	q.Command, q.URL, q.Input = tool.Mark(c.target.Command), tool.Mark(c.target.URL), tool.Mark(c.target.Input)
	if q.Listing != nil {
		q.Listing = c.listing()
	}
	if q.Note != "" || len(q.Diffs) == 0 && len(q.About) == 0 {
		return q, nil
	}
	preview, err := r.draw(ctx, c)
	switch {
	case err != nil:
		return approval.Request{}, err
	case !samePins(preview.Pins, q.Pins):
		return approval.Request{}, ErrOutdated
	}
	q.Diffs, q.About = preview.Diffs, preview.About
	return q, nil
}

func samePins(now, then []tool.Pin) bool {
	return slices.EqualFunc(now, then, func(a, b tool.Pin) bool { return a.Path.Real == b.Path.Real && a.SHA256 == b.SHA256 })
}
