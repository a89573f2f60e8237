package desk

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"countersign/app/bridge"
	"countersign/backend/host/clock"
	"countersign/backend/mcp"
)

// Desk is an engine that a person decides at, with the API for the page.
type Desk struct {
	*Engine
	// API is what the page may ask.
	API *bridge.API

	// ctx ends when the desk goes, which its clients must know before they are let go.
	ctx    context.Context
	cancel context.CancelFunc
	door   mcp.Closer
	close  func() error
}

// Open opens the engine of a home as its desk. Its error is a Refusal. The caller closes
// the desk.
func Open(ctx context.Context, p Places, o Opening) (*Desk, error) {
	o.Desk = true
	e, err := OpenEngine(ctx, p, o)
	if err != nil {
		return nil, err
	}
	d := &Desk{Engine: e}
	d.ctx, d.cancel = context.WithCancel(ctx)
	d.API = bridge.New(d.ctx, bridge.Config{
		Engine: bridge.Of(e.Engine), Clock: clock.System(), Log: e.Log, Version: Version(),
		Home: e.Paths().Home, UserHome: e.Paths().UserHome, Workspace: e.Workspace(), Model: e.Model(),
	})
	d.close = sync.OnceValue(d.end)
	return d, nil
}

// Welcome opens the door for agents. Front is called when a second start asks this desk to
// show itself, and says where it is where the person would not see it come. Its error is a
// Refusal.
func (d *Desk) Welcome(front func() (words string)) error {
	// The socket outlives the desk's context: its clients are let go only after their calls
	// were interrupted, so that a card can say what happened to its caller.
	door, err := mcp.Listen(context.WithoutCancel(d.ctx), d.Paths().Home, mcp.Handlers{
		Open: func(opening context.Context, o mcp.Opening) (mcp.Session, error) {
			s, err := openClient(opening, d.Engine.Engine, o)
			return client{s, d.ctx}, err
		},
		Front:   front,
		Options: d.DoorOptions(),
	})
	if err != nil {
		d.Log.Error("open the socket", "cause", err)
		return refuse("The socket for agents could not be opened in the home folder. The log there has the cause.", err)
	}
	d.door = door
	return nil
}

// Close ends the desk in order: calls that wait become cards whose caller was
// interrupted, clients are let go, the engine ends. Called again, it returns what it
// returned.
func (d *Desk) Close() error { return d.close() }

func (d *Desk) end() error {
	d.cancel()
	var err error
	if d.door != nil {
		d.Interrupt()
		if err = d.door.Close(); err != nil {
			err = fmt.Errorf("close the door for agents: %w", err)
		}
	}
	return errors.Join(err, d.Engine.Close(d.ctx))
}

// Waiting counts the calls that somebody waits for a person to decide: those with a card,
// and those behind a trust question.
func (d *Desk) Waiting(ctx context.Context) (int, error) {
	pending, err := d.Engine.Desk().Pending(ctx, "")
	n := 0
	for _, r := range pending {
		if !r.CallerLeft {
			n++
		}
	}
	for _, q := range d.TrustQuestions() {
		n += q.Waiting
	}
	return n, err
}
