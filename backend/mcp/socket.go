package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// socketName is the desk's socket in home.
const socketName = "desk.sock"

// settleTime is how long the calls of a client have to answer when the desk goes: its owner
// has ended them, and their agents are to hear how.
const settleTime = 3 * time.Second

// Handlers are what a desk does for those who come to its socket.
type Handlers struct {
	// Open takes a client into a session. Its error is a Refusal where the client may
	// know the reason.
	Open func(context.Context, Opening) (Session, error)
	// Front brings the desk to the front and says where it is, "" where the person sees it
	// come; nil where nothing can come.
	Front func() (words string)
	// Options are given to Serve for each client.
	Options Options
}

// desk is a listening socket.
type desk struct {
	handlers Handlers
	listener *net.UnixListener
	place    *place
	ctx      context.Context
	cancel   context.CancelFunc
	work     sync.WaitGroup
	once     sync.Once
	closed   error
}

// Closer ends a desk's listening.
type Closer interface {
	// Close lets all clients go, after a moment for the calls that are under way to answer,
	// waits for their sessions to close and removes the socket.
	// Called again, it returns what it returned.
	Close() error
}

// Listen opens the socket of the desk in home and serves whoever comes, each in a
// session of its own, until Close. Only programs of the same user are heard.
//
// The caller holds the desk lock of home, so a socket that is there and answers nobody
// is left over from a desk that was killed, and is replaced. One that answers is an error.
func Listen(ctx context.Context, home string, handlers Handlers) (Closer, error) {
	p, err := openPlace(home)
	if err != nil {
		return nil, fmt.Errorf("open the socket's folder: %w", err)
	}
	listener, err := p.listen()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on the desk's socket: %w", err), p.Close())
	}
	d := &desk{handlers: handlers, listener: listener, place: p}
	d.ctx, d.cancel = context.WithCancel(ctx)
	d.work.Go(d.accept)
	return d, nil
}

// Close lets all clients go.
func (d *desk) Close() error {
	d.once.Do(func() {
		d.cancel()
		err := d.listener.Close()
		d.work.Wait()
		d.closed = errors.Join(err, d.place.remove(), d.place.Close())
	})
	return d.closed
}

func (d *desk) accept() {
	for {
		conn, err := d.listener.AcceptUnix()
		switch {
		case d.ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if conn != nil {
				_ = conn.Close()
			}
			return
		case err != nil:
			// Out of descriptors, most likely: wait for some to come free.
			d.handlers.Options.log().Error("take a client at the socket", "error", err)
			select {
			case <-d.ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		default:
			d.work.Go(func() { d.welcome(conn) })
		}
	}
}

// welcome checks who has come.
func (d *desk) welcome(conn *net.UnixConn) {
	defer conn.Close()
	process, err := ownPeer(conn)
	if err != nil {
		d.handlers.Options.log().Warn("refuse a stranger at the socket", "error", err)
		return
	}
	d.host(conn, process)
}

// host hears the first line of one who may be heard, and does what it asks.
func (d *desk) host(conn net.Conn, process int) {
	log := d.handlers.Options.log()
	unhook := context.AfterFunc(d.ctx, func() { _ = conn.Close() })
	defer unhook()
	late := time.AfterFunc(openingTime, func() { _ = conn.Close() })
	lines := newLineReader(conn, maxOpeningBytes)
	line, err := lines.next()
	late.Stop()
	if err != nil {
		return
	}
	what, opening, err := readOpening(line)
	if err == nil && what == openFront {
		words, err := d.front()
		_ = reply(conn, words, err)
		return
	}
	var session Session
	if err == nil {
		opening.Peer = Peer{Process: process, Dismiss: func() { dismiss(conn) }}
		session, err = d.handlers.Open(d.ctx, opening)
	}
	if err != nil {
		var known Refusal
		if !errors.As(err, &known) {
			log.Error("open a session for a client", "error", err)
		}
		_ = reply(conn, "", err)
		return
	}
	defer session.Close()
	if err := reply(conn, "", nil); err != nil {
		return
	}
	unhook()
	options := d.handlers.Options
	options.patience = settleTime
	if err := Serve(d.ctx, &stream{ReadWriteCloser: conn, r: lines.r}, session, options); err != nil {
		log.Warn("a client's stream broke", "error", err)
	}
}

// dismiss says to a bridge that its client is not wanted any more, and closes the stream.
// The line goes past those of the session, which are whole when they are written too.
func dismiss(conn net.Conn) {
	late := time.AfterFunc(flushTime, func() { _ = conn.Close() })
	defer late.Stop()
	_, _ = conn.Write(append(encode(map[string]string{"jsonrpc": "2.0", "method": methodDismissed}), '\n'))
	_ = conn.Close()
}

const refusedFront = Refusal("This desk has no window to bring to the front.")

func (d *desk) front() (words string, err error) {
	if d.handlers.Front == nil {
		return "", refusedFront
	}
	return d.handlers.Front(), nil
}

// reply answers an opening line, with words where there is something to say.
func reply(conn net.Conn, words string, err error) error {
	r := openingReply{OK: err == nil, Message: words}
	if err != nil {
		said := refusedUnsaid
		errors.As(err, &said)
		r.Message = string(said)
	}
	_, err = conn.Write(append(encode(r), '\n'))
	return err
}

// Dial connects to the desk in home. Without one it is ErrNoDesk.
func Dial(ctx context.Context, home string) (net.Conn, error) {
	p, err := openPlace(home)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoDesk
	}
	if err != nil {
		return nil, fmt.Errorf("open the socket's folder: %w", err)
	}
	defer p.Close()
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := ownPeer(conn); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("check who listens on the desk's socket: %w", err)
	}
	return conn, nil
}

// Front asks the desk in home to come to the front. Words say where it is where the
// person would not see it come. Without a desk it is ErrNoDesk, from one that nothing can
// be shown of a Refusal.
func Front(ctx context.Context, home string) (words string, err error) {
	conn, err := Dial(ctx, home)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	_, words, err = ask(ctx, conn, encode(openingLine{Version: openingVersion, Open: openFront}))
	return words, err
}

// closedConn reports whether an error says that a connection is closed, here or there.
func closedConn(err error) bool {
	return errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
