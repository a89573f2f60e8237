package store

import (
	"context"
	"fmt"

	"countersign/backend/approval"
)

// ResolveAll moves pending requests to the same end, all of them or none, in one transaction:
// it looks at all of them before it writes the first.
func (s *Store) ResolveAll(ctx context.Context, batch []approval.Shown, end approval.End) (stored []approval.Request, changed bool, err error) {
	if end.Status == approval.StatusPending {
		return nil, false, fmt.Errorf("%w: pending is no end", errRefused)
	}
	err = s.writer.do(ctx, func(t *tx) error {
		stored, changed = nil, true
		refs := make([]ref, 0, len(batch))
		for _, shown := range batch {
			r, at, err := t.request(shown.ID)
			if err != nil {
				return err
			}
			if r.Status != approval.StatusPending || !shown.Is(r) || !end.At.Before(r.ExpiresAt) {
				changed = false
			}
			stored, refs = append(stored, r), append(refs, at)
		}
		if !changed {
			return nil
		}
		for i := range stored {
			end.Shown, end.Card = batch[i].ArgumentsHash, batch[i].Card
			if stored[i], err = t.end(refs[i], stored[i], end, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return stored, changed, nil
}
