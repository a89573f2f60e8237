package bridge

import (
	"context"
	"errors"

	"countersign/backend/connect"
	"countersign/backend/session"
)

func (d *desk) Clients() []connect.Client { return d.Engine.Clients().Clients() }

func (d *desk) PlanClient(id string) (connect.Plan, error) { return d.Engine.Clients().Plan(id) }

func (d *desk) WriteClient(id, hash string) (connect.Plan, bool, error) {
	return d.Engine.Clients().Write(id, hash)
}

func (d *desk) Callers(ctx context.Context) ([]Caller, error) {
	var out []Caller
	for _, c := range d.ConnectedClients() {
		s, err := d.Store().Session(ctx, c.SessionID)
		if errors.Is(err, session.ErrNoSession) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// A call behind a trust question has no card yet, and waits for the person all the same.
		s.Waiting += d.TrustWaiting(c.SessionID)
		tally, err := d.Store().Tally(ctx, c.SessionID)
		if err != nil {
			return nil, absent(err)
		}
		out = append(out, Caller{
			Session: s, Since: c.Since, Process: c.Process, Calls: tally.Calls, Denied: tally.Denied, Last: tally.Last,
		})
	}
	return out, nil
}

func (d *desk) Disconnect(sessionID string) error {
	if !d.Engine.Disconnect(sessionID) {
		return ErrNotFound
	}
	return nil
}
