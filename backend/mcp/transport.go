package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Methods that the door treats itself.
const (
	methodInitialize  = "initialize"
	methodInitialized = "notifications/initialized"
	methodDiscover    = "server/discover"
	methodCall        = "tools/call"
	methodList        = "tools/list"
	methodListen      = "subscriptions/listen"
	methodCancelled   = "notifications/cancelled"
	methodAcked       = "notifications/subscriptions/acknowledged"
	// methodDismissed is between a desk and its bridges; no client sees it.
	methodDismissed = "notifications/countersign/dismissed"
)

// transport gives the SDK the messages of a stream one by one. It answers by itself
// what is no message, so that one bad line does not end the session.
type transport struct {
	stream io.ReadWriteCloser
	lines  *lineReader

	write sync.Mutex

	mu sync.Mutex
	// open are the requests that have no answer yet; true marks those that the client
	// has cancelled and wants no answer to.
	open map[jsonrpc.ID]bool

	// calls are the turns of those whose answer is not written yet; quiet is closed when
	// there are none any more, nil while nobody waits for that.
	calls map[jsonrpc.ID]int
	quiet chan struct{}

	turns turns

	once     sync.Once
	closed   chan struct{}
	closeErr error
}

func newTransport(stream io.ReadWriteCloser) *transport {
	return &transport{
		stream: stream,
		lines:  newLineReader(stream, MaxLineBytes),
		open:   map[jsonrpc.ID]bool{},
		closed: make(chan struct{}),
		calls:  map[jsonrpc.ID]int{},
	}
}

// Connect is the SDK's way to ask for the connection.
func (t *transport) Connect(context.Context) (sdk.Connection, error) { return t, nil }

// SessionID is for streams that share an address; this one has its own.
func (t *transport) SessionID() string { return "" }

// Close closes the stream, which ends a Read that waits.
func (t *transport) Close() error {
	t.once.Do(func() {
		close(t.closed)
		t.closeErr = t.stream.Close()
	})
	return t.closeErr
}

// Read returns the next message for the SDK.
func (t *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := t.lines.next()
		var long *longLine
		switch {
		case errors.As(err, &long):
			if err := t.put((&fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceTooLong, id: long.ID}).line()); err != nil {
				return nil, err
			}
			continue
		case err != nil && len(line) == 0:
			return nil, err
		}
		request, f := t.take(line)
		if f != nil {
			if err := t.put(f.line()); err != nil {
				return nil, err
			}
		}
		if request != nil {
			return request, nil
		}
	}
}

// take makes the SDK's request of a line. Both results are nil for a line that needs
// no answer and concerns nobody.
func (t *transport) take(line []byte) (*jsonrpc.Request, *fault) {
	m, f := parse(line)
	if f != nil {
		return nil, f
	}
	if m.response() {
		return nil, nil
	}
	request := &jsonrpc.Request{Method: m.method, Params: m.params}
	if m.notification() {
		if m.method == methodCancelled {
			return t.cancel(m.params), nil
		}
		return request, nil
	}
	request.ID = idOf(m.id)
	if m.method == methodListen && !plainID(request.ID) {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceID, id: m.id}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, open := t.open[request.ID]; open {
		return nil, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceOpenID}
	}
	if m.method == methodCall {
		number := t.turns.join()
		packed, ok := pack(m.params, number)
		if !ok {
			t.turns.leave(number)
			return nil, &fault{code: jsonrpc.CodeInvalidParams, sentence: sentenceParams, id: m.id}
		}
		request.Params, t.calls[request.ID] = packed, number
	}
	t.open[request.ID] = false
	return request, nil
}

// cancel marks the request that a client lets go and tells the SDK. One that has
// ended, or was never there, is no mistake: some clients cancel whatever has finished.
func (t *transport) cancel(params json.RawMessage) *jsonrpc.Request {
	fields, err := split(params)
	if err != nil || !idForm(fields["requestId"]) {
		return nil
	}
	id := idOf(fields["requestId"])
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, open := t.open[id]; !open {
		return nil
	}
	t.open[id] = true
	return &jsonrpc.Request{Method: methodCancelled, Params: encode(map[string]any{"requestId": id.Raw()})}
}

// Write sends one message of the SDK.
func (t *transport) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		line, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		return t.put(line)
	}
	t.mu.Lock()
	cancelled := t.open[response.ID]
	delete(t.open, response.ID)
	t.mu.Unlock()
	defer t.answered(response.ID)
	if cancelled {
		return nil
	}
	if response.Error != nil {
		return t.put(errorLine(rawID(response.ID), plainError(response.Error)))
	}
	return t.put(resultLine(rawID(response.ID), response.Result))
}

// answered says that nothing more is to be written of a request.
func (t *transport) answered(id jsonrpc.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if number, ok := t.calls[id]; ok {
		t.turns.leave(number)
		delete(t.calls, id)
	}
	if t.quiet != nil && len(t.calls) == 0 {
		close(t.quiet)
		t.quiet = nil
	}
}

// settle waits until every call has its answer or the stream is closed, for at most d.
func (t *transport) settle(d time.Duration) {
	t.mu.Lock()
	if d == 0 || len(t.calls) == 0 {
		t.mu.Unlock()
		return
	}
	if t.quiet == nil {
		t.quiet = make(chan struct{})
	}
	quiet := t.quiet
	t.mu.Unlock()
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-quiet:
	case <-t.closed:
	case <-late.C:
	}
}

func (t *transport) put(line []byte) error {
	t.write.Lock()
	defer t.write.Unlock()
	_, err := t.stream.Write(append(line, '\n'))
	return err
}

const (
	sentenceParams   = "The parameters do not have the form that this method takes."
	sentenceMethod   = "There is no such method."
	sentenceRequest  = "The request cannot be taken now. Call initialize first, and only once."
	sentenceClosing  = "The server is closing."
	sentenceInternal = "The request failed inside the server."
)

// plainError replaces the SDK's text, which may repeat what the client sent, by a fixed
// sentence for the code.
func plainError(err error) *jsonrpc.Error {
	out := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: sentenceRequest}
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return out
	}
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		out.Code, out.Message = wire.Code, sentenceParams
	case jsonrpc.CodeMethodNotFound:
		out.Code, out.Message = wire.Code, sentenceMethod
	case sdk.CodeUnsupportedProtocolVersion:
		return &jsonrpc.Error{Code: wire.Code, Message: "The protocol version is not supported.", Data: wire.Data}
	case codeClosing:
		out.Code, out.Message = wire.Code, sentenceClosing
	case jsonrpc.CodeInternalError:
		out.Code, out.Message = wire.Code, sentenceInternal
	}
	return out
}

// codeClosing is the SDK's code for a server that takes no more requests.
const codeClosing = -32004

// parcel is how the arguments of a call, its progress token and its turn pass the SDK, which
// would read numbers as floats, keep the last of two equal keys and refuse deep nesting
// before the pipeline has seen the call.
type parcel struct {
	Arguments string `json:"arguments"`
	Token     string `json:"token"`
	Turn      int    `json:"turn"`
}

// pack puts the arguments of a tools/call into a parcel. ok is false when the
// parameters do not have the form of a call.
func pack(params json.RawMessage, turn int) (packed json.RawMessage, ok bool) {
	fields, err := split(params)
	if err != nil {
		return nil, false
	}
	if _, ok := text(fields["name"]); !ok {
		return nil, false
	}
	arguments, sent := fields["arguments"]
	if !sent {
		arguments = json.RawMessage("{}")
	}
	p := parcel{Arguments: base64.StdEncoding.EncodeToString(arguments), Turn: turn}
	out := map[string]json.RawMessage{"name": fields["name"]}
	if meta, sent := fields["_meta"]; sent {
		about, err := split(meta)
		if err != nil {
			return nil, false
		}
		if token := about["progressToken"]; idForm(token) {
			p.Token = string(token)
		}
		out["_meta"] = meta
	}
	out["arguments"] = encode(p)
	return encode(out), true
}

// unpack returns the arguments as sent, the progress token, nil without one, and the turn.
func unpack(packed json.RawMessage) (arguments []byte, token json.RawMessage, turn int, err error) {
	var p parcel
	if err := json.Unmarshal(packed, &p); err != nil {
		return nil, nil, 0, err
	}
	if arguments, err = base64.StdEncoding.DecodeString(p.Arguments); err != nil {
		return nil, nil, 0, err
	}
	if p.Token != "" {
		token = json.RawMessage(p.Token)
	}
	return arguments, token, p.Turn, nil
}
