package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// fault is a line that cannot be taken, with the answer to it.
type fault struct {
	code     int64
	sentence string
	// id is the request's, nil when it is not known.
	id json.RawMessage
}

const (
	sentenceNotJSON   = "The line is not JSON. Send one JSON-RPC message a line."
	sentenceTooLong   = "The line is longer than 16 MiB and was not read."
	sentenceBatch     = "Batches are not taken. Send one JSON-RPC message a line."
	sentenceNoMessage = "The line is not a JSON-RPC 2.0 message."
	sentenceTwice     = "The message names a key twice."
	sentenceID        = "A request id is a string or a number."
	sentenceOpenID    = "A request with this id is still open."
)

// message is one JSON-RPC message, split but not read further.
type message struct {
	// line is the message as it was sent.
	line []byte
	// id is nil for a notification.
	id     json.RawMessage
	method string
	params json.RawMessage
	result json.RawMessage
	failed bool
}

func (m *message) request() bool      { return m.method != "" && m.id != nil }
func (m *message) notification() bool { return m.method != "" && m.id == nil }
func (m *message) response() bool     { return m.method == "" }

// parse splits a line into the parts of a message. Parameters keep their bytes.
func parse(line []byte) (message, *fault) {
	m := message{line: line}
	if trimmed := bytes.TrimLeft(line, " \t"); len(trimmed) > 0 && trimmed[0] == '[' {
		return m, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceBatch}
	}
	fields, err := split(line)
	switch {
	case errors.Is(err, errTwice):
		return m, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceTwice, id: fields.id()}
	case errors.Is(err, errNoObject):
		return m, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceNoMessage}
	case err != nil:
		return m, &fault{code: jsonrpc.CodeParseError, sentence: sentenceNotJSON}
	}
	raw, isMethod := fields["method"]
	if id, ok := fields["id"]; ok && (isMethod || string(id) != "null") {
		if !idForm(id) {
			return m, &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceID}
		}
		m.id = id
	}
	bad := &fault{code: jsonrpc.CodeInvalidRequest, sentence: sentenceNoMessage, id: m.id}
	if version, ok := text(fields["jsonrpc"]); !ok || version != "2.0" {
		return m, bad
	}
	m.params, m.result = fields["params"], fields["result"]
	_, m.failed = fields["error"]
	if !isMethod {
		if m.id == nil && !m.failed || m.result == nil && !m.failed {
			return m, bad
		}
		return m, nil
	}
	method, ok := text(raw)
	if !ok || method == "" {
		return m, bad
	}
	m.method = method
	return m, nil
}

var (
	errTwice    = errors.New("key named twice")
	errNoObject = errors.New("not an object")
)

// object holds the members of a JSON object, each with its bytes as sent.
type object map[string]json.RawMessage

func (o object) id() json.RawMessage {
	if id := o["id"]; idForm(id) {
		return id
	}
	return nil
}

// split reads the members of an object. Keys are matched exactly, and one that comes
// twice is errTwice: two readers of the same line must not see different messages.
func split(raw []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	opening, err := d.Token()
	if err != nil {
		return nil, err
	}
	if opening != json.Delim('{') {
		if !json.Valid(raw) {
			return nil, errors.New("not JSON")
		}
		return nil, errNoObject
	}
	o, twice := object{}, false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		if _, have := o[name]; have {
			twice = true
		}
		o[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the message")
	}
	if twice {
		return o, errTwice
	}
	return o, nil
}

// text reads a JSON string that is valid UTF-8.
func text(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' || !utf8.Valid(raw) {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// idForm reports whether raw is JSON text that may name a request.
func idForm(raw json.RawMessage) bool {
	if len(raw) == 0 || !json.Valid(raw) || !utf8.Valid(raw) {
		return false
	}
	return raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'
}

// rawMark starts the SDK's name of an id that it cannot hold as it is.
const rawMark = "\x00"

// idOf returns the id under which the SDK knows a request. It reads every number as a
// whole one and would answer under another name for 1.5, 1e3 or 9007199254740993, so
// such an id travels as text that carries its bytes; rawID gives them back.
func idOf(raw json.RawMessage) jsonrpc.ID {
	var plain any
	if s, ok := text(raw); ok {
		if !strings.HasPrefix(s, rawMark) && !strings.ContainsRune(s, utf8.RuneError) {
			plain = s
		}
	} else if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil &&
		n >= -1<<53 && n <= 1<<53 && strconv.FormatInt(n, 10) == string(raw) {
		plain = float64(n)
	}
	if plain == nil {
		plain = rawMark + string(raw)
	}
	id, err := jsonrpc.MakeID(plain)
	if err != nil {
		panic("mcp: an id of a form that was checked is refused: " + err.Error())
	}
	return id
}

// plainID reports whether the SDK writes the id as the client does.
func plainID(id jsonrpc.ID) bool {
	s, ok := id.Raw().(string)
	return !ok || !strings.HasPrefix(s, rawMark)
}

// rawID returns the JSON text of an id as the client wrote it, null for none.
func rawID(id jsonrpc.ID) json.RawMessage {
	if s, ok := id.Raw().(string); ok && strings.HasPrefix(s, rawMark) {
		return json.RawMessage(s[len(rawMark):])
	}
	return encode(id.Raw())
}

// encode writes JSON as the protocol wants it: one line, no escapes for HTML. What it
// is given is our own and can always be written.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("mcp: a message of our own cannot be written: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// answer is the wire form of a response.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *jsonrpc.Error  `json:"error,omitempty"`
}

func resultLine(id, result json.RawMessage) []byte {
	return encode(answer{Version: "2.0", ID: id, Result: result})
}

func errorLine(id json.RawMessage, e *jsonrpc.Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return encode(answer{Version: "2.0", ID: id, Error: e})
}

func (f *fault) line() []byte {
	return errorLine(f.id, &jsonrpc.Error{Code: f.code, Message: f.sentence})
}
