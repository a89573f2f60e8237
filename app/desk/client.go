package desk

import (
	"context"
	"errors"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/mcp"
	"countersign/backend/media"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// client is the session of a client that came through the socket.
type client struct {
	mcp.Session
	// desk ends when the desk goes.
	desk context.Context
}

// Call says of a call that was interrupted because the desk goes that it was unavailable,
// and not that it was cancelled, since its agent did not want that. A client that is let go
// by a desk that goes did not leave, and its card must say so.
func (c client) Call(ctx context.Context, call tool.Call, progress func(string)) tool.Outcome {
	held, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() {
		if c.desk.Err() != nil {
			cancel(approval.ErrInterrupted)
		}
		cancel(context.Cause(ctx))
	})
	defer stop()
	o := c.Session.Call(held, call, progress)
	if o.Status == tool.StatusCancelled && c.desk.Err() != nil {
		return mcp.Interrupted(o)
	}
	return o
}

// openClient opens the session of a client that came through the socket.
func openClient(ctx context.Context, e *backend.Engine, o mcp.Opening) (mcp.Session, error) {
	s, err := e.OpenSession(ctx, backend.SessionRequest{
		ID: o.Session, Workspace: o.Workspace, Limits: o.Limits(),
		Caller:  session.Caller{Kind: session.CallerMCP},
		Process: o.Peer.Process, Dismiss: o.Peer.Dismiss, Images: !o.TextOnly,
	})
	if err != nil {
		return nil, refusalOf(err)
	}
	return s, nil
}

// refusalOf says to a client why it gets no session, in words that hold nothing of its own.
func refusalOf(err error) error {
	switch {
	case errors.Is(err, backend.ErrSessionOpen):
		return mcp.Refusal("The session is open already.")
	case errors.Is(err, session.ErrNotOwned):
		return mcp.Refusal("The session is open in another program.")
	case errors.Is(err, session.ErrEnded):
		return mcp.Refusal("The session has ended.")
	}
	if words := StoreWords(err); words != "" {
		return mcp.Refusal(words)
	}
	return err
}

// DoorOptions are what a door for clients needs: it looks at the tools again when the
// settings, the tool sets or the trust in a workspace change.
func (e *Engine) DoorOptions() mcp.Options {
	return mcp.Options{Version: Version(), Log: e.Log, Images: images{e.Engine}, Watch: func() (<-chan struct{}, func()) { return watchTools(e) }}
}

// images are the images of an engine as the door for clients reads them.
type images struct{ engine *backend.Engine }

// ImageBytes returns an image by its handle.
func (i images) ImageBytes(ctx context.Context, handle string) ([]byte, string, error) {
	sum, ok := media.ParseHandle(handle)
	if !ok {
		return nil, "", errors.New("the handle is none of an image")
	}
	data, image, err := i.engine.ReadImage(ctx, sum)
	if err == nil && image.Mime == "" {
		err = errors.New("the image is of no type that is sent")
	}
	return data, image.Mime, err
}

// watchTools gives a value after something changed by which tools are offered.
func watchTools(source interface {
	Subscribe() (<-chan event.Event, func())
}) (<-chan struct{}, func()) {
	events, cancel := source.Subscribe()
	changed := make(chan struct{}, 1)
	go func() {
		defer close(changed)
		for e := range events {
			switch e.Type {
			case event.SettingsChanged, event.ToolsChanged, event.TrustAnswered:
			default:
				continue
			}
			select {
			case changed <- struct{}{}:
			default:
			}
		}
	}()
	return changed, cancel
}
