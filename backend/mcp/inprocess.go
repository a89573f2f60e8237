package mcp

import (
	"context"
	"net"
	"sync"
)

// InProcess serves a session of this program and returns the client's end. Its Close
// returns once every call has returned and the session is closed.
func InProcess(ctx context.Context, session Session, options Options) *Local {
	near, far := net.Pipe()
	l := &Local{Conn: near, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		defer session.Close()
		if err := Serve(ctx, far, session, options); err != nil {
			options.log().Warn("the client's stream broke", "error", err)
		}
	}()
	return l
}

// Local is the client's end of a session in this program.
type Local struct {
	net.Conn
	once sync.Once
	done chan struct{}
}

// Close lets the session go and waits until it is closed.
func (l *Local) Close() error {
	var err error
	l.once.Do(func() { err = l.Conn.Close() })
	<-l.done
	return err
}
