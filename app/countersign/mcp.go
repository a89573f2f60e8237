package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"countersign/app/desk"
	"countersign/backend"
	"countersign/backend/config"
	"countersign/backend/host/clock"
	"countersign/backend/mcp"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func (p *program) mcpCommand() *cobra.Command {
	var flags bounds
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP on standard input and output, for an agent that starts it",
		Long: "Serve MCP on standard input and output, for an agent that starts it.\n" +
			"Calls are decided at the running desk. Without one they are decided here, and what would ask is denied;\n" +
			"a desk that starts later is joined before the next call. The flags only tighten what the settings say.",
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := flags.read(c, p.hasSet); err != nil {
				return err
			}
			return p.mcp(c.Context(), flags)
		},
	}
	flags.add(c)
	return c
}

// bounds are the limits that a client's own configuration may set.
type bounds struct {
	preset, catalog, sets string
	readOnly              bool
	setsGiven             bool
	textOnly              bool
}

func (b *bounds) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.preset, "preset", "", "at most this preset: default, edit, review, audit or full")
	f.StringVar(&b.catalog, "catalog", "", "plan leaves only tools that read; work sets no limit")
	f.StringVar(&b.sets, "sets", "", "only these tool sets, separated by commas")
	f.BoolVar(&b.readOnly, "read-only", false, "nothing may be changed")
	f.BoolVar(&b.textOnly, "text-only", false, "the agent's model takes no images: a tool that answers with one fails")
}

func (b *bounds) read(c *cobra.Command, there func(string) bool) error {
	b.setsGiven = c.Flags().Changed("sets")
	switch {
	case b.preset != "" && !session.Preset(b.preset).Known():
		return refusal("--preset takes default, edit, review, audit or full.")
	case b.catalog != "" && !tool.Catalog(b.catalog).Known():
		return refusal("--catalog takes plan or work.")
	}
	return checkSets(b.sets, there)
}

// mcp relays between the client on the standard streams and whoever serves it.
func (p *program) mcp(ctx context.Context, b bounds) error {
	paths, err := config.Locate(p.places.home)
	if err != nil {
		return refusal(desk.Sentence(err))
	}
	dir, err := p.places.directory()
	if err != nil {
		return err
	}
	id, err := clock.NewIDs(clock.System(), clock.Random()).New()
	if err != nil {
		return refusal("This machine gives no random numbers, so no session can be named.")
	}
	o := mcp.Opening{
		Session: id, Workspace: dir, Preset: session.Preset(b.preset), Catalog: tool.Catalog(b.catalog), ReadOnly: b.readOnly, TextOnly: b.textOnly,
	}
	if b.setsGiven {
		o.Sets = setNames(b.sets)
	}
	log, file := desk.OpenLog(paths, "mcp")
	if file != nil {
		defer file.Close()
	}
	// A client that has closed its end must still be let go in order.
	signal.Ignore(syscall.SIGPIPE)
	err = mcp.Relay(ctx, p.stdin, p.stdout, mcp.RelayConfig{
		Opening: o,
		Dial:    func(ctx context.Context) (io.ReadWriteCloser, error) { return mcp.Dial(ctx, paths.Home) },
		Alone:   p.alone,
		Log:     log.With("session", id),
	})
	if refused, ok := errors.AsType[mcp.Refusal](err); ok {
		return refusal(refused.Error())
	}
	return err
}

// alone serves a client in this program. What it returns closes the engine with it.
func (p *program) alone(ctx context.Context, o mcp.Opening) (io.ReadWriteCloser, error) {
	e, err := p.openEngine(ctx, "mcp", "")
	if err != nil {
		_, words := endOf(err)
		fmt.Fprintln(p.stderr, words)
		return nil, err
	}
	s, err := takeOver(ctx, e.Engine, o)
	if err != nil {
		fmt.Fprintln(p.stderr, desk.Sentence(err))
		return nil, errors.Join(err, e.Close(ctx))
	}
	local := mcp.InProcess(ctx, s, e.DoorOptions())
	return &aloneStream{Local: local, close: func() error { return e.Close(ctx) }}, nil
}

// aloneStream is a session with the engine that it lives in.
type aloneStream struct {
	*mcp.Local
	close func() error
}

// Close ends the session and its engine; then another program may open it.
func (a *aloneStream) Close() error { return errors.Join(a.Local.Close(), a.close()) }

const (
	takeOverTime = 2 * time.Second
	takeOverPace = 20 * time.Millisecond
)

// takeOver opens the session here. A desk that is closing gives it up a moment after
// its clients have seen it go.
func takeOver(ctx context.Context, e *backend.Engine, o mcp.Opening) (mcp.Session, error) {
	ctx, cancel := context.WithTimeout(ctx, takeOverTime)
	defer cancel()
	for {
		s, err := e.OpenSession(ctx, backend.SessionRequest{
			ID: o.Session, Workspace: o.Workspace, Limits: o.Limits(),
			Caller: session.Caller{Kind: session.CallerMCP}, Images: !o.TextOnly,
		})
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, session.ErrNotOwned) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(takeOverPace):
		}
	}
}
