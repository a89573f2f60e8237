package backend

import (
	"context"

	"countersign/backend/approval"
	"countersign/backend/registry"
)

// ErrOutdated says that what a card shows is out of date, so that nothing of it is revealed.
var ErrOutdated = registry.ErrOutdated

// Revealed returns a waiting request with what its card hides from eyes. It is for the person
// before that card alone: it is stored nowhere and told to nobody else. It fails with
// ErrOutdated where the request ended, hash is not that of its arguments, or the files are not
// those that the card was made from.
func (e *Engine) Revealed(ctx context.Context, id, hash string) (approval.Request, error) {
	q, err := e.desk.Get(ctx, id)
	if err != nil {
		return approval.Request{}, err
	}
	if q.Status != approval.StatusPending || q.ArgumentsHash != hash {
		return approval.Request{}, ErrOutdated
	}
	record, err := e.store.Session(ctx, q.SessionID)
	if err != nil {
		return approval.Request{}, err
	}
	here, done, err := e.explainer(ctx, record)
	if err != nil {
		return approval.Request{}, err
	}
	defer done()
	return e.registry.Revealed(ctx, here, q)
}
