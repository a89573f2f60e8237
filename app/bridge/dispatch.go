package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"countersign/backend/schema"
)

// Codes of an Error that a wire adds to those of the methods.
const (
	CodeBadRequest    = "bad_request"
	CodeUnknownMethod = "unknown_method"
)

// request is what a page sends: the method's name and its parameters in order.
type request struct {
	ID     string            `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

type reply struct {
	ID     string          `json:"id"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// method is one method of the API on a wire.
type method func(a *API, params []json.RawMessage) (any, error)

// methods is every method that a wire may call: a name that is not here does not
// exist, whatever the API has.
func methods() map[string]method {
	return map[string]method{
		"Snapshot":        none((*API).Snapshot),
		"SessionPage":     one((*API).SessionPage),
		"SessionChanges":  one((*API).SessionChanges),
		"SessionFind":     one((*API).SessionFind),
		"Message":         two((*API).Message),
		"StopCall":        one(nothing((*API).StopCall)),
		"Call":            one((*API).Call),
		"DiffLines":       one((*API).DiffLines),
		"Excerpt":         one((*API).Excerpt),
		"Approval":        one((*API).Approval),
		"Answer":          one((*API).Answer),
		"Reveal":          one((*API).Reveal),
		"AnswerBatch":     one((*API).AnswerBatch),
		"ChangeForm":      one((*API).ChangeForm),
		"ChangeArguments": one((*API).ChangeArguments),
		"WouldMatch":      one((*API).WouldMatch),
		"DismissLeft":     one(nothing((*API).DismissLeft)),
		"AnswerTrust":     one(nothing((*API).AnswerTrust)),
		"Trusts":          none((*API).Trusts),
		"ForgetTrust":     one(nothing((*API).ForgetTrust)),
		"Tools":           none((*API).Tools),
		"SwitchSet":       one((*API).SwitchSet),
		"ReloadSets":      none((*API).ReloadSets),
		"SetDrift":        one((*API).SetDrift),
		"AcceptSet":       one(nothing((*API).AcceptSet)),
		"TryForm":         one((*API).TryForm),
		"TryTool":         one((*API).TryTool),
		"Settings":        none((*API).Settings),
		"SetSetting":      one((*API).SetSetting),
		"Grants":          none((*API).Grants),
		"RevokeGrant":     one(nothing((*API).RevokeGrant)),
		"PathRules":       none((*API).PathRules),
		"TryPath":         one((*API).TryPath),
		"SetRules":        one((*API).SetRules),
		"StartTask":       one((*API).StartTask),
		"History":         one((*API).History),
		"Output":          one((*API).Output),
		"OutputLines":     one((*API).OutputLines),
		"OutputPiece":     one((*API).OutputPiece),
		"OutputFind":      one((*API).OutputFind),
		"OutputRange":     one((*API).OutputRange),
		"KeepOutput":      one((*API).KeepOutput),
		"HistoryCall":     one((*API).HistoryCall),
		"HistoryChoices":  none((*API).HistoryChoices),
		"StopTurn":        one(nothing((*API).StopTurn)),
		"ReportFault":     one(nothing((*API).ReportFault)),
		"Connect":         none((*API).Connect),
		"PlanClient":      one((*API).PlanClient),
		"WriteClient":     one((*API).WriteClient),
		"CallTail":        one((*API).CallTail),
		"CallProgress":    none((*API).CallProgress),
		"Disconnect":      one(nothing((*API).Disconnect)),
		"Processes":       none((*API).Processes),
		"ProcessTail":     one((*API).ProcessTail),
		"WriteProcess":    one(nothing((*API).WriteProcess)),
		"StopProcess":     one(nothing((*API).StopProcess)),
		"Rehearse":        one((*API).Rehearse),
	}
}

// MaxRequestBytes bounds one request of a page, MaxInFlight how many of one page are
// worked on at a time. Every wire keeps both.
const (
	MaxRequestBytes = 1 << 20
	MaxInFlight     = 16
)

// Dispatch answers one request of a page with one reply, both JSON. It never fails and
// never panics: what cannot be read is answered with an Error, and the next request works.
func Dispatch(a *API, text []byte) (answer []byte) {
	var r request
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("request panicked", "method", r.Method, "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			answer = encode(a, reply{ID: r.ID, Error: faultOf(errPanic, nil)})
		}
	}()
	if err := strict(text, &r); err != nil || len(r.ID) > maxID || len(text) > MaxRequestBytes {
		return encode(a, reply{Error: Fault(CodeBadRequest, "The page sent something that could not be read. Reload it.")})
	}
	m, ok := methods()[r.Method]
	if !ok {
		return encode(a, reply{ID: r.ID, Error: Fault(CodeUnknownMethod, "This desk does not know what the page asked for. Reload the page.")})
	}
	result, err := m(a, r.Params)
	if err != nil {
		return encode(a, reply{ID: r.ID, Error: faultOf(err, nil)})
	}
	raw, err := json.Marshal(result)
	if err != nil {
		a.log.Error("reply could not be written", "method", r.Method, "cause", err)
		return encode(a, reply{ID: r.ID, Error: faultOf(err, nil)})
	}
	return encode(a, reply{ID: r.ID, Result: raw})
}

// EncodeEvent writes a hint as it goes over a wire.
func EncodeEvent(e Event) ([]byte, error) {
	return json.Marshal(struct {
		Event Event `json:"event"`
	}{e})
}

func encode(a *API, r reply) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		a.log.Error("reply could not be written", "cause", err)
		return []byte(`{"id":"","error":{"code":"internal","message":"The answer could not be written.","fields":{}}}`)
	}
	return text
}

// strict reads JSON into v through the one strict reader, and refuses unknown fields.
func strict(text []byte, v any) error {
	if _, err := schema.Read(text); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func parameter[P any](raw json.RawMessage) (p P, err error) {
	if err := strict(raw, &p); err != nil {
		return p, Fault(CodeBadRequest, "The page sent something that could not be read. Reload it.")
	}
	return p, nil
}

func count(params []json.RawMessage, n int) error {
	if len(params) != n {
		return Fault(CodeBadRequest, "The page sent something that could not be read. Reload it.")
	}
	return nil
}

func none[R any](f func(*API) (R, error)) method {
	return func(a *API, params []json.RawMessage) (any, error) {
		if err := count(params, 0); err != nil {
			return nil, err
		}
		return f(a)
	}
}

func one[P, R any](f func(*API, P) (R, error)) method {
	return func(a *API, params []json.RawMessage) (any, error) {
		if err := count(params, 1); err != nil {
			return nil, err
		}
		p, err := parameter[P](params[0])
		if err != nil {
			return nil, err
		}
		return f(a, p)
	}
}

func two[P, Q, R any](f func(*API, P, Q) (R, error)) method {
	return func(a *API, params []json.RawMessage) (any, error) {
		if err := count(params, 2); err != nil {
			return nil, err
		}
		p, err := parameter[P](params[0])
		if err != nil {
			return nil, err
		}
		q, err := parameter[Q](params[1])
		if err != nil {
			return nil, err
		}
		return f(a, p, q)
	}
}

// nothing gives a method that only does something a null result.
func nothing[P any](f func(*API, P) error) func(*API, P) (any, error) {
	return func(a *API, p P) (any, error) { return nil, f(a, p) }
}
