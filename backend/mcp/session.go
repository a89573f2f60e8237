package mcp

import (
	"context"
	"log/slog"
	"time"

	"countersign/backend/tool"
)

// Session is one client's place in the engine. The engine implements it; its methods
// may be called from several goroutines at once.
type Session interface {
	// Tools returns the tools that the client may see under the rules of this moment.
	Tools(ctx context.Context) []tool.Spec
	// Call takes one call through the whole pipeline and returns when it has ended, which
	// may be after a person has answered. Call.Name and Call.Arguments are what the client
	// sent, also when no such tool exists; Call.ID is "", so that the engine names the call.
	// Cancelling ctx says that the client has let go: Call then returns soon and the call
	// is not run later by itself.
	//
	// progress says what the call is doing now: registry.Waiting when it begins to wait for
	// a person, registry.Running, or a text of the tool. It never blocks, and may be called
	// until Call returns.
	Call(ctx context.Context, call tool.Call, progress func(text string)) tool.Outcome
	// Identify tells what the client says of itself: foreign text, up to 128 characters
	// each. It may be called again when that changes.
	Identify(name, version string)
	// Close says that the client is gone, and returns once the session may be opened by
	// another program. The door calls it after the last Call has returned.
	Close()
}

// Options are what the door needs beside the session.
type Options struct {
	// Version is the program's, shown to clients.
	Version string
	// Watch returns a channel that gets a value after the rules have changed, and a
	// function that ends the watching. Nil means that they never change. Values may be
	// dropped while one is waiting to be read.
	Watch func() (changed <-chan struct{}, stop func())
	// Images reads the images of results; without it they are only named.
	Images Images
	// Log gets what went wrong, without any text of a client; nil discards it.
	Log *slog.Logger

	// patience is how long calls that are under way have to answer when ctx of Serve ends.
	patience time.Duration
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}
