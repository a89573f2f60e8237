package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"countersign/backend/tool"
)

// link is the connection to one who serves.
type link struct {
	desk  bool
	conn  io.ReadWriteCloser
	lines *lineReader
	out   *outbox
	// readied says that it has heard that the handshake is finished.
	readied bool
}

// close lets the one who serves go, and returns when it has heard.
func (l *link) close() {
	l.out.finish(flushTime)
	_ = l.conn.Close()
	<-l.out.done
}

// probe looks for a desk.
func (r *relay) probe() {
	r.phase = probing
	r.work.Go(func() {
		conn, err := r.dial()
		if !r.post(func() { r.probed(conn) }) && err == nil {
			_ = conn.Close()
		}
	})
}

// dial reaches the desk; conn is nil when that fails.
func (r *relay) dial() (conn io.ReadWriteCloser, err error) {
	conn, err = r.config.Dial(r.ctx)
	if err != nil {
		if !errors.Is(err, ErrNoDesk) {
			r.config.Log.Warn("the desk cannot be reached", "error", err)
		}
		return nil, err
	}
	return conn, nil
}

// probed goes on when it is known whether there is a desk.
func (r *relay) probed(conn io.ReadWriteCloser) {
	switch {
	case r.link == nil:
		r.connect(conn, nil)
	case conn == nil:
		r.phase = steady
		r.flush(true)
	case r.busy():
		// A desk does not wait for a first line as long as a call may take.
		_ = conn.Close()
		r.phase = draining
	default:
		r.release(conn)
	}
}

// busy reports whether the one who serves has a call in flight.
func (r *relay) busy() bool {
	for _, e := range r.open {
		if e.call && e.sent != nil && e.sent == r.link {
			return true
		}
	}
	return false
}

// drained moves on once the last own call has ended.
func (r *relay) drained() {
	if r.phase == draining && !r.busy() {
		r.release(nil)
	}
}

// release leaves the one who serves for the desk. Requests that it has not answered
// are asked again there; its own answers are no longer heard.
func (r *relay) release(conn io.ReadWriteCloser) {
	old := r.link
	r.link = nil
	for _, e := range r.open {
		if e.sent == old {
			e.tries--
			r.queue(e)
		}
	}
	r.connect(conn, old)
}

// connect finds somebody to serve: the desk (conn, if it has been dialled), else this
// program. old is closed first, since a session has one owner at a time.
func (r *relay) connect(conn io.ReadWriteCloser, old *link) {
	r.phase = connecting
	hello, ready := r.hello, r.ready
	r.work.Go(func() {
		if old != nil {
			old.close()
		}
		l, err := r.reach(conn, hello, ready)
		if !r.post(func() { r.linked(l, err) }) && l != nil {
			l.close()
		}
	})
}

func (r *relay) reach(conn io.ReadWriteCloser, hello, ready *message) (*link, error) {
	if conn == nil {
		conn, _ = r.dial()
	}
	if conn != nil {
		l, err := r.join(conn, hello, ready)
		if err == nil {
			return l, nil
		}
		r.config.Log.Warn("the desk did not take this client", "error", err)
	}
	conn, err := r.config.Alone(r.ctx, r.config.Opening)
	if err != nil {
		return nil, fmt.Errorf("serve alone: %w", err)
	}
	r.config.Log.Info("serving alone")
	return r.shake(&link{conn: conn, lines: newLineReader(conn, MaxLineBytes)}, hello, ready)
}

func (r *relay) join(conn io.ReadWriteCloser, hello, ready *message) (*link, error) {
	stream, err := Open(r.ctx, conn, r.config.Opening)
	if err != nil {
		return nil, err
	}
	r.config.Log.Info("joined the desk")
	return r.shake(&link{desk: true, conn: stream, lines: newLineReader(stream, MaxLineBytes)}, hello, ready)
}

// shake repeats the client's handshake to one who has not seen it, and keeps the
// answer to itself. A client that has none has nothing to repeat.
func (r *relay) shake(l *link, hello, ready *message) (*link, error) {
	l.out = newOutbox(l.conn, func(error) { _ = l.conn.Close() })
	if hello == nil {
		return l, nil
	}
	ctx, cancel := context.WithTimeout(r.ctx, openingTime)
	defer cancel()
	unhook := context.AfterFunc(ctx, func() { _ = l.conn.Close() })
	defer unhook()
	// Nothing else has been asked on this link, so any id is free.
	l.out.put(encode(map[string]any{"jsonrpc": "2.0", "id": 0, "method": methodInitialize, "params": hello.params}))
	for {
		line, err := l.lines.next()
		if err != nil {
			l.close()
			return nil, fmt.Errorf("repeat the handshake: %w", err)
		}
		m, f := parse(line)
		if f != nil || !m.response() {
			continue
		}
		if m.failed {
			l.close()
			return nil, errors.New("repeat the handshake: it was refused")
		}
		break
	}
	if ready != nil {
		l.readied = true
		l.out.put(ready.line)
	}
	return l, nil
}

// linked goes on with whoever was found.
func (r *relay) linked(l *link, err error) {
	r.phase = steady
	if err != nil {
		r.config.Log.Error("nobody serves this client", "error", err)
		waiting := slices.Concat(r.calls, r.others)
		slices.SortFunc(waiting, func(a, b *entry) int { return cmp.Compare(a.seq, b.seq) })
		for _, e := range waiting {
			r.giveUp(e, noteNobody)
		}
		return
	}
	r.link = l
	r.work.Go(func() { r.pump(l) })
	if r.hello != nil {
		r.tellReady()
	}
	r.flush(true)
	r.tellReady()
}

// pump reads what the one who serves says.
func (r *relay) pump(l *link) {
	for {
		// What the client does not read is not read here either, so that its answers wait
		// where they are made, and fewer are made.
		r.client.room(r.done)
		line, err := l.lines.next()
		var long *longLine
		event := func() {
			if r.link == l {
				r.fromServer(l, line)
			}
		}
		switch {
		case errors.As(err, &long):
			event = func() { r.tooLong(l, long.ID) }
		case err != nil:
			event = func() { r.lost(l) }
		}
		if !r.post(event) || err != nil && long == nil {
			return
		}
	}
}

// tooLong ends a request whose answer was longer than a line may be.
func (r *relay) tooLong(l *link, id json.RawMessage) {
	if r.link == l && id != nil {
		r.answered(l, message{id: id, failed: true, line: errorLine(id, &jsonrpc.Error{
			Code: jsonrpc.CodeInternalError, Message: sentenceInternal,
		})})
	}
}

// lost goes on after the one who serves has gone without being left.
func (r *relay) lost(l *link) {
	if r.link != l {
		return
	}
	r.link = nil
	r.work.Go(l.close)
	for _, e := range r.open {
		switch {
		case e.sent != l:
		case e.call:
			r.giveUp(e, noteLost)
		case e.tries >= maxTries:
			r.giveUp(e, "")
		default:
			r.queue(e)
		}
	}
	switch r.phase {
	case draining, steady:
		r.phase = steady
		r.advance()
	case probing, connecting:
	}
}

// ErrDismissed says that the person at the desk has disconnected the client.
const ErrDismissed = Refusal("The person at the desk has disconnected this agent. Start it again to connect it anew.")

// dismissed ends the relay: to go on alone, or to come back, would not be what the person
// asked for.
func (r *relay) dismissed() {
	for _, e := range r.open {
		r.giveUp(e, noteDismissed)
	}
	r.end, r.ended = true, ErrDismissed
}

const (
	noteDismissed = "The user has disconnected you from Countersign. These tools are gone for this session: do not call them again."
	noteLost      = "Countersign stopped while this call was open. If it had been allowed already, it may have begun: " +
		"look at what it was to change before you call again."
	noteUnbegun = "Countersign was closed before this call began. Nothing of it was done, and it does not run later by itself. " +
		"Once the user has opened Countersign again, you can call again."
	noteStopped = "Countersign was closed while this call ran, so it may be done in part: " +
		"look at what it was to change before you call again."
	noteNobody = "Countersign could not be started for this client. The user finds the reason in the client's log of this server."
	noteBusy   = "Too many calls of this client wait already. Wait for their answers, then call again."
)

// giveUp answers a request that nobody will answer. A call ends as unavailable.
func (r *relay) giveUp(e *entry, note string) {
	r.drop(e)
	if !e.call {
		r.client.put(errorLine(e.id, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: sentenceInternal}))
		return
	}
	r.client.put(resultLine(e.id, encode(resultOf(unavailable(e.params, note), false, versionOf(e.params), shownImages{}))))
}

// unavailable is the outcome of a call that found nobody.
func unavailable(params json.RawMessage, note string) tool.Outcome {
	action := ""
	if fields, err := split(params); err == nil {
		action, _ = text(fields["name"])
	}
	return gaveUp(tool.Outcome{Action: action}, note)
}

// Interrupted is what the agent hears of a call that ended because the desk goes: that it
// found nobody, and whether anything of it may have been done.
func Interrupted(o tool.Outcome) tool.Outcome {
	if o.Began {
		return gaveUp(o, noteStopped)
	}
	return gaveUp(o, noteUnbegun)
}

// gaveUp makes of an outcome that of a call which nobody served to its end.
func gaveUp(o tool.Outcome, note string) tool.Outcome {
	o.Status, o.ReasonCode, o.IsError = tool.StatusUnavailable, tool.CodeUnavailable, true
	o.Content, o.Structured = []tool.Part{tool.TextPart(note)}, nil
	for _, reason := range tool.Reasons() {
		if reason.Code == o.ReasonCode {
			o.Message, o.Retryable, o.Remediation = reason.Sentence, reason.Retryable, reason.Remediation
		}
	}
	return o
}

// versionOf returns the protocol version that a request names by itself, "" for the
// versions with a handshake.
func versionOf(params json.RawMessage) string {
	fields, err := split(params)
	if err != nil {
		return ""
	}
	meta, err := split(fields["_meta"])
	if err != nil {
		return ""
	}
	version, _ := text(meta["io.modelcontextprotocol/protocolVersion"])
	return version
}
