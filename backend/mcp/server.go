package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/backend/tool"
)

// instructions go to every client before it calls anything.
const instructions = "Countersign runs these tools on the user's machine under the user's rules. " +
	"A call may wait until a person has decided about it, for minutes or hours. " +
	"That is not a failure: keep waiting, do not repeat the call and do not try to reach the same end another way meanwhile. " +
	"When a call is declined, the result says why; change the approach or ask the user."

// Serve speaks MCP with one client over stream until the client is gone, ctx is
// cancelled or the stream breaks; only the last is an error. It closes the stream and
// returns after every call has returned. The session stays open: its owner closes it.
//
// Close of the stream must end a Read that waits.
func Serve(ctx context.Context, stream io.ReadWriteCloser, session Session, options Options) error {
	t := newTransport(stream)
	d := &door{
		session: session,
		turns:   &t.turns,
		options: options,
		tools:   map[string]shown{},
		server: sdk.NewServer(
			&sdk.Implementation{Name: "countersign", Title: "Countersign", Version: options.Version},
			&sdk.ServerOptions{
				Instructions: instructions,
				Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
				// What a client sees depends on its session.
				SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
			}),
	}
	d.server.AddReceivingMiddleware(d.middleware)
	d.refresh(ctx)

	connection, err := d.server.Connect(context.WithoutCancel(ctx), t, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("connect the client: %w", err), t.Close())
	}
	unhook := context.AfterFunc(ctx, func() {
		t.settle(options.patience)
		_ = t.Close()
	})
	defer unhook()
	stop := d.watch(ctx)
	defer stop()

	err = connection.Wait()
	_ = t.Close()
	if ctx.Err() != nil || err == nil || gone(err) {
		return nil
	}
	return fmt.Errorf("serve the client: %w", err)
}

// door is one client's server.
type door struct {
	session Session
	options Options
	turns   *turns
	server  *sdk.Server

	mu    sync.Mutex
	tools map[string]shown
	// name and version are what the client last said of itself.
	name, version string
}

// watch refreshes the tools when the rules change. The function it returns ends that
// and waits for it.
func (d *door) watch(ctx context.Context) (stop func()) {
	if d.options.Watch == nil {
		return func() {}
	}
	changed, unwatch := d.options.Watch()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case _, ok := <-changed:
				if !ok {
					return
				}
				d.refresh(ctx)
			}
		}
	}()
	return func() {
		cancel()
		unwatch()
		<-done
	}
}

// middleware sees every request before the SDK does. A call never reaches the SDK's
// own table: a name that is not in it belongs to the pipeline too.
func (d *door) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, request sdk.Request) (sdk.Result, error) {
		switch method {
		case methodCall:
			d.identify(request)
			call, ok := request.(*sdk.CallToolRequest)
			if !ok {
				return nil, fmt.Errorf("a call came as %T", request)
			}
			return d.call(ctx, call)
		case methodList:
			d.refresh(ctx)
		}
		result, err := next(ctx, method, request)
		d.identify(request)
		return result, err
	}
}

// call takes one tools/call through the session.
func (d *door) call(ctx context.Context, request *sdk.CallToolRequest) (sdk.Result, error) {
	arguments, token, number, err := unpack(request.Params.Arguments)
	if err != nil {
		return nil, fmt.Errorf("unpack the arguments: %w", err)
	}
	p := startProgress(ctx, request.Session, token)
	defer p.stop()
	defer d.turns.leave(number)
	if !d.turns.wait(ctx, number) {
		return nil, fmt.Errorf("wait for the turn: %w", context.Cause(ctx))
	}
	outcome := d.session.Call(ctx, tool.Call{Name: request.Params.Name, Arguments: arguments}, func(text string) {
		d.turns.leave(number)
		p.say(text)
	})
	d.turns.leave(number)
	p.stop()
	d.mu.Lock()
	structured := d.tools[request.Params.Name].structured
	d.mu.Unlock()
	return resultOf(outcome, structured, request.ProtocolVersion(), d.imagesOf(ctx, outcome)), nil
}

// maxIdentity bounds a client's name and version, in characters.
const maxIdentity = 128

// identify tells the session who the client is, when that is new.
func (d *door) identify(request sdk.Request) {
	r, ok := request.(interface{ ClientInfo() *sdk.Implementation })
	if !ok {
		return
	}
	info := r.ClientInfo()
	if info == nil || info.Name == "" {
		return
	}
	name, version := cut(info.Name, maxIdentity), cut(info.Version, maxIdentity)
	d.mu.Lock()
	same := name == d.name && version == d.version
	d.name, d.version = name, version
	d.mu.Unlock()
	if !same {
		d.session.Identify(name, version)
	}
}

// notHere stands in the SDK's table, which is only for listing.
func notHere(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return nil, errors.New("a call came to the SDK's table")
}

// gone reports whether an error only says that the other side closed the stream.
func gone(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) || closedConn(err)
}

// cut returns the first n characters of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
