package main

import (
	"context"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/veil"
)

// veiled is a history of which the commands that list, show and export see copies without
// secrets. The originals stay in the store.
type veiled struct{ history }

func (v veiled) Sessions(ctx context.Context, limit int, before string) ([]session.Session, error) {
	list, err := v.history.Sessions(ctx, limit, before)
	for i := range list {
		list[i] = veil.Session(list[i])
	}
	return list, err
}

func (v veiled) Session(ctx context.Context, id string) (session.Session, error) {
	s, err := v.history.Session(ctx, id)
	return veil.Session(s), err
}

func (v veiled) Timeline(ctx context.Context, id string, before int64, limit int) ([]store.Entry, error) {
	list, err := v.history.Timeline(ctx, id, before, limit)
	for i := range list {
		if m := list[i].Message; m != nil {
			copied := veil.Message(*m)
			list[i].Message = &copied
		}
		if c := list[i].Call; c != nil {
			copied := *c
			copied.Invocation = veil.Invocation(c.Invocation)
			list[i].Call = &copied
		}
	}
	return list, err
}

func (v veiled) Invocation(ctx context.Context, id string) (store.Call, error) {
	c, err := v.history.Invocation(ctx, id)
	c.Invocation = veil.Invocation(c.Invocation)
	return c, err
}

func (v veiled) Request(ctx context.Context, id string) (approval.Request, error) {
	q, err := v.history.Request(ctx, id)
	return veil.Request(q), err
}
