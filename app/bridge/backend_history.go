package bridge

import (
	"context"

	"countersign/backend/session"
)

func (d *desk) History(ctx context.Context, q session.HistoryQuery) (session.HistoryPage, error) {
	return d.Store().History(ctx, q)
}

func (d *desk) HistoryCall(ctx context.Context, id string) (session.HistoryCall, error) {
	c, err := d.Store().HistoryCall(ctx, id)
	return c, absent(err)
}

func (d *desk) HistoryChoices(ctx context.Context) (session.HistoryChoices, error) {
	return d.Store().HistoryChoices(ctx)
}
