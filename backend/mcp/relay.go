package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"countersign/backend/approval"
)

// RelayConfig says where a relay finds those who serve its client.
type RelayConfig struct {
	Opening Opening
	// Dial reaches the running desk; without one it is ErrNoDesk.
	Dial func(context.Context) (io.ReadWriteCloser, error)
	// Alone serves the session in this program, where nobody can be asked. Close of what
	// it returns waits until another program may open the session.
	Alone func(context.Context, Opening) (io.ReadWriteCloser, error)
	// Log gets what happened, without any text of the client; nil discards it.
	Log *slog.Logger
}

// Relay carries one client's MCP session between in and out and whoever serves it: the
// desk when there is one, else this program alone. Before each call it makes while
// alone it looks for a desk, and it moves over by repeating the client's handshake, in
// the same session. When the desk goes, calls in flight are answered as unavailable,
// other requests are asked again of whoever comes next, and the client stays.
//
// It returns when in ends, out breaks or ctx is cancelled, after the one who serves has
// heard that the client is gone. When the person at the desk has disconnected the client,
// it answers what is open and returns ErrDismissed. A Read of in that waits is not
// interrupted.
func Relay(ctx context.Context, in io.Reader, out io.Writer, config RelayConfig) error {
	if err := config.Opening.Check(); err != nil {
		return fmt.Errorf("check the opening: %w", err)
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &relay{
		config: config, ctx: ctx,
		events: make(chan func()), done: make(chan struct{}),
		open: map[jsonrpc.ID]*entry{},
	}
	r.client = newOutbox(out, func(error) { r.post(func() { r.end = true }) })
	go r.hear(newLineReader(in, MaxLineBytes))
	for !r.end {
		select {
		case <-ctx.Done():
			r.end = true
		case event := <-r.events:
			event()
		}
	}
	close(r.done)
	cancel()
	if r.link != nil {
		r.link.close()
	}
	r.work.Wait()
	r.client.finish(flushTime)
	return r.ended
}

// flushTime is how long a side that is being left may take to read what was written.
const flushTime = time.Second

// phase is where the relay stands with those who serve.
type phase int

const (
	// steady: what comes is sent on; without a link, the next request makes one.
	steady phase = iota
	// probing: alone, with a call at hand, looking for a desk.
	probing
	// draining: a desk is there; own calls end before the session is released.
	draining
	// connecting: there is no link; requests wait.
	connecting
)

// relay is the state of a Relay. Everything in it is touched by its loop alone;
// goroutines that wait for something post what they found.
type relay struct {
	config RelayConfig
	ctx    context.Context
	events chan func()
	done   chan struct{}
	end    bool
	// ended is why, nil for an ordinary end.
	ended  error
	work   sync.WaitGroup
	client *outbox

	phase phase
	link  *link
	open  map[jsonrpc.ID]*entry
	// calls and others are the requests that nobody has been asked, in their order.
	calls, others []*entry
	// running is how many calls the one who serves has; held is how many bytes the open
	// requests have.
	running, held int
	seq           int
	// hello is the client's initialize, once answered, and ready its notice that followed.
	hello, ready *message
}

// entry is a request that has no answer yet.
type entry struct {
	message
	seq  int
	call bool
	// sent is the link that has it, nil while it waits for one.
	sent  *link
	tries int
	// acked says that the client has heard that its subscription is taken.
	acked bool
}

const (
	// maxRunning is how many calls of the client are in flight at once. The others wait
	// their turn here, so that one client's thousands do not keep the rest waiting. It is as
	// many as may wait for a person in one session: each of those has its card.
	maxRunning = approval.MaxWaiting
	// maxOpen and maxHeld bound the requests without an answer, in number and in bytes.
	// What goes over them is answered at once.
	maxOpen = 10_000
	maxHeld = 2 * MaxLineBytes
)

// maxTries is how often a request is asked again when those who serve keep leaving.
const maxTries = 3

// post hands an event to the loop. It is false when the loop has ended.
func (r *relay) post(event func()) bool {
	select {
	case r.events <- event:
		return true
	case <-r.done:
		return false
	}
}

// hear reads the client's lines.
func (r *relay) hear(lines *lineReader) {
	for {
		// A client that does not read its answers is asked for no more questions.
		r.client.room(r.done)
		line, err := lines.next()
		var long *longLine
		event := func() { r.fromClient(line) }
		switch {
		case errors.As(err, &long):
			event = func() {
				r.client.put((&fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceTooLong, id: long.ID}).line())
			}
		case err != nil:
			event = func() { r.end = true }
		}
		if !r.post(event) || err != nil && long == nil {
			return
		}
	}
}

func (r *relay) fromClient(line []byte) {
	m, f := parse(line)
	switch {
	case f != nil:
		r.client.put(f.line())
	case m.request():
		r.request(m)
	case m.method == methodInitialized:
		if r.ready == nil {
			r.ready = &m
		}
		r.tellReady()
	case m.method == methodCancelled:
		r.cancel(m)
	case r.link != nil:
		r.link.out.put(m.line)
	}
}

func (r *relay) request(m message) {
	id := idOf(m.id)
	if _, used := r.open[id]; used {
		r.client.put((&fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceOpenID}).line())
		return
	}
	r.seq++
	e := &entry{message: m, seq: r.seq, call: m.method == methodCall}
	r.open[id] = e
	r.held += len(e.line)
	if len(r.open) > maxOpen || r.held > maxHeld && len(r.open) > 1 {
		r.giveUp(e, noteBusy)
		return
	}
	r.queue(e)
	r.advance()
}

// queue has a request wait until it can be asked.
func (r *relay) queue(e *entry) {
	if e.sent != nil && e.call {
		r.running--
	}
	e.sent = nil
	list := &r.others
	if e.call {
		list = &r.calls
	}
	i, _ := slices.BinarySearchFunc(*list, e.seq, func(e *entry, seq int) int { return cmp.Compare(e.seq, seq) })
	*list = slices.Insert(*list, i, e)
}

// drop forgets a request: it is answered, or wants no answer.
func (r *relay) drop(e *entry) {
	delete(r.open, idOf(e.id))
	r.held -= len(e.line)
	switch {
	case e.sent == nil:
		same := func(other *entry) bool { return other == e }
		r.calls, r.others = slices.DeleteFunc(r.calls, same), slices.DeleteFunc(r.others, same)
	case e.call:
		r.running--
	}
}

// tellReady passes on that the client has finished its handshake, once to each link.
func (r *relay) tellReady() {
	if r.link != nil && r.ready != nil && !r.link.readied {
		r.link.readied = true
		r.link.out.put(r.ready.line)
	}
}

// cancel drops a request that the client lets go. One that was never sent is not sent.
func (r *relay) cancel(m message) {
	fields, err := split(m.params)
	if err != nil || !idForm(fields["requestId"]) {
		return
	}
	id := idOf(fields["requestId"])
	e, ok := r.open[id]
	if !ok {
		return
	}
	r.drop(e)
	if e.sent != nil {
		e.sent.out.put(m.line)
		r.drained()
		r.advance()
	}
}

// advance sends what may be sent, and sees to a link first where one is needed.
func (r *relay) advance() {
	if r.phase == connecting || len(r.calls)+len(r.others) == 0 {
		return
	}
	if r.phase == steady && r.link == nil {
		r.connect(nil, nil)
		return
	}
	if r.phase == steady && !r.link.desk && len(r.calls) > 0 && r.running < maxRunning {
		r.probe()
	}
	r.flush(r.phase == steady)
}

// flush sends what waits; calls only where they may be made now, and no more than may
// run at once.
func (r *relay) flush(calls bool) {
	if r.link == nil {
		return
	}
	for _, e := range r.others {
		r.send(e)
	}
	r.others = nil
	for calls && len(r.calls) > 0 && r.running < maxRunning {
		e := r.calls[0]
		r.calls[0] = nil
		r.calls = r.calls[1:]
		r.running++
		r.send(e)
	}
}

func (r *relay) send(e *entry) {
	e.sent = r.link
	e.tries++
	r.link.out.put(e.line)
}

// fromServer passes on what the one who serves says.
func (r *relay) fromServer(l *link, line []byte) {
	m, f := parse(line)
	switch {
	case f != nil:
		r.config.Log.Error("an unreadable line came from the server")
	case m.response() && m.id != nil:
		r.answered(l, m)
	case m.method == methodDismissed && l.desk:
		r.dismissed()
	case m.method == methodAcked && r.ackedBefore(m):
	default:
		r.client.put(line)
	}
}

// answered passes on the answer to a request of the client, once.
func (r *relay) answered(l *link, m message) {
	id := idOf(m.id)
	e, ok := r.open[id]
	if !ok || e.sent != l {
		return
	}
	r.drop(e)
	if e.method == methodInitialize && !m.failed {
		r.hello = &e.message
	}
	r.client.put(m.line)
	r.drained()
	r.advance()
}

// ackedBefore reports whether the client has already heard that the subscription is
// taken: one that is asked for again of another server is acknowledged again.
func (r *relay) ackedBefore(m message) bool {
	params, err := split(m.params)
	if err != nil {
		return false
	}
	meta, err := split(params["_meta"])
	if err != nil || !idForm(meta["io.modelcontextprotocol/subscriptionId"]) {
		return false
	}
	e, ok := r.open[idOf(meta["io.modelcontextprotocol/subscriptionId"])]
	if !ok {
		return false
	}
	before := e.acked
	e.acked = true
	return before
}
