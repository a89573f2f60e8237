package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/spf13/cobra"

	"countersign/app/bridge"
	"countersign/app/serve"
	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/host/clock"
	"countersign/backend/mcp"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/frontend"
)

func (p *program) serveCommand() *cobra.Command {
	var listen, model string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Be the desk: serve the page to a browser, and take agents that come through mcp",
		Long: "Be the desk of this home: serve the page over loopback and print a link that works once.\n" +
			"Agents that start countersign mcp join it, and their calls are decided on the page.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return p.serve(c.Context(), listen, model) },
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "HOST:PORT to listen on; port 0 takes a free one")
	c.Flags().StringVar(&model, "model", "", "the built-in agent's model: scripted:FILE plays a task file")
	return c
}

func (p *program) serve(ctx context.Context, listen, model string) (err error) {
	address, err := serve.ParseAddress(listen)
	if err != nil {
		return refusal(sentence(err))
	}
	e, err := p.openEngine(ctx, opening{name: "serve", desk: true, model: model})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing(e.close(ctx))) }()
	listener, err := address.Listen(ctx)
	if err != nil {
		e.log.Error("listen", "cause", err)
		return refusal("The address cannot be listened on: it is taken, or not one of this machine. Give another with --listen.")
	}
	if w := address.Warning(); w != "" {
		fmt.Fprintln(p.stderr, w)
	}
	server, err := serve.New(serve.Config{
		API: bridge.New(ctx, bridge.Config{
			Engine: bridge.Of(e.Engine), Clock: clock.System(), Log: e.log, Version: version(),
			Home: e.Paths().Home, Workspace: e.Workspace(), Model: e.Model(),
		}),
		Source: e, Assets: frontend.Assets(), Random: clock.Random(), Say: p.say(), Log: e.log,
	}, address, listener)
	if err != nil {
		return errors.Join(refusal(sentence(err)), listener.Close())
	}
	// The socket outlives the signal: its clients are let go only after their calls were
	// interrupted, so that a card can say what happened to its caller.
	socket, err := mcp.Listen(context.WithoutCancel(ctx), e.Paths().Home, mcp.Handlers{
		Open: func(opening context.Context, o mcp.Opening) (mcp.Session, error) {
			s, err := openClient(opening, e.Engine, o)
			return client{s, ctx}, err
		},
		Front:   server.Renew,
		Options: doorOptions(e.Engine, e.log),
	})
	if err != nil {
		e.log.Error("open the socket", "cause", err)
		return errors.Join(refusal("The socket for agents could not be opened in the home folder. The log there has the cause."), listener.Close())
	}
	defer func() {
		e.Interrupt()
		err = errors.Join(err, closing(socket.Close()))
	}()
	link, err := server.Link()
	if err != nil {
		return errors.Join(refusal(sentence(err)), listener.Close())
	}
	fmt.Fprintln(p.stdout, "Countersign is ready: "+link)
	return server.Serve(ctx, listener)
}

// say prints a line on the terminal, one at a time.
func (p *program) say() func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(p.stdout, line)
	}
}

// client is the session of a client that came through the socket.
type client struct {
	mcp.Session
	// desk ends when the desk goes.
	desk context.Context
}

// Call keeps back the end of a call that was interrupted because the desk goes: the
// client's own program then sees the desk gone, and says to its agent that the call was
// unavailable instead of cancelled. A client that is let go by a desk that goes did not
// leave, and its card must say so.
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
		<-ctx.Done()
	}
	return o
}

// openClient opens the session of a client that came through the socket.
func openClient(ctx context.Context, e *backend.Engine, o mcp.Opening) (mcp.Session, error) {
	s, err := e.OpenSession(ctx, backend.SessionRequest{
		ID: o.Session, Workspace: o.Workspace, Limits: o.Limits(),
		Caller:  session.Caller{Kind: session.CallerMCP},
		Process: o.Peer.Process, Dismiss: o.Peer.Dismiss,
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
	if words := storeWords(err); words != "" {
		return mcp.Refusal(words)
	}
	return err
}

// doorOptions are what the door for clients needs: it looks at the tools again when the
// settings change.
func doorOptions(e *backend.Engine, log *slog.Logger) mcp.Options {
	return mcp.Options{Version: version(), Log: log, Watch: func() (<-chan struct{}, func()) { return watchSettings(e) }}
}

// watchSettings gives a value after the settings have changed.
func watchSettings(source interface {
	Subscribe() (<-chan event.Event, func())
}) (<-chan struct{}, func()) {
	events, cancel := source.Subscribe()
	changed := make(chan struct{}, 1)
	go func() {
		defer close(changed)
		for e := range events {
			if e.Type != event.SettingsChanged {
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
