package approvaltest

import (
	"context"
	"errors"

	"countersign/backend/approval"
	"countersign/backend/session"
)

// ResolveAll ends pending requests, all of them or none.
func (l *Ledger) ResolveAll(ctx context.Context, batch []approval.Shown, end approval.End) (out []approval.Request, changed bool, err error) {
	err = l.change(ctx, "ResolveAll", func(moved map[string]session.State) error {
		if end.Status == approval.StatusPending {
			return errors.New("pending is no end")
		}
		changed = true
		for _, shown := range batch {
			r, err := l.find(shown.ID)
			if err != nil {
				out, changed = nil, false
				return err
			}
			if r.Status != approval.StatusPending || !shown.Is(r) || !end.At.Before(r.ExpiresAt) {
				changed = false
			}
			out = append(out, r)
		}
		for i := range out {
			if changed {
				out[i] = l.end(moved, out[i], end)
			}
		}
		return nil
	})
	return out, changed, err
}
