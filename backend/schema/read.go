package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of one JSON text.
const (
	// MaxBytes is the largest text that is read, in bytes.
	MaxBytes = 16 << 20
	// MaxDepth is how deep objects and arrays may nest.
	MaxDepth = 64
	// MaxValues is how many values a text may hold: a small one in the text is a large one
	// in memory.
	MaxValues = 1 << 18
	// maxNumber is the longest number text, in bytes; maxExponent the most digits of an
	// exponent: a validator multiplies both out.
	maxNumber   = 1024
	maxExponent = 4
	// keptBuffer is the largest text whose reader is used again, in bytes.
	keptBuffer = 1 << 20
	// maxKeptKeys and maxKeptKey bound the names that a reader keeps, in number and bytes.
	maxKeptKeys = 256
	maxKeptKey  = 64
)

type reader struct {
	source  bytes.Reader
	decoder *jsontext.Decoder
	values  int
	// keys are names as they were written, with what they mean.
	keys map[string]string
}

var readers = sync.Pool{New: func() any {
	r := &reader{keys: map[string]string{}}
	r.decoder = jsontext.NewDecoder(&r.source)
	return r
}}

// Read parses one JSON text into maps, slices, strings, json.Number, bool and nil.
// What it refuses is a *Fault.
func Read(data []byte) (any, error) {
	if len(data) > MaxBytes {
		return nil, faultf("", "is larger than 16 MiB")
	}
	r := readers.Get().(*reader)
	if len(data) <= keptBuffer {
		defer readers.Put(r)
	}
	r.source.Reset(data)
	r.decoder.Reset(&r.source)
	r.values = 0
	v, err := r.value()
	if err != nil {
		return nil, r.fault(err)
	}
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, faultf("", "has something after its JSON value")
	}
	return v, nil
}

// ReadObject is Read for a text that must be an object.
func ReadObject(data []byte) (map[string]any, error) {
	v, err := Read(data)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, faultf("", "must be a JSON object")
	}
	return object, nil
}

func (r *reader) value() (any, error) {
	if r.values++; r.values > MaxValues {
		return nil, faultf("", "holds more than 262,144 values")
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		return r.number(token.String())
	case '{', '[':
		if r.decoder.StackDepth() > MaxDepth {
			return nil, faultf(r.field(r.decoder.StackPointer()), "is nested too deeply")
		}
		if token.Kind() == '{' {
			return r.object()
		}
		return r.array()
	}
	return nil, faultf(r.field(r.decoder.StackPointer()), "is not a JSON value")
}

func (r *reader) object() (any, error) {
	out := map[string]any{}
	for r.decoder.PeekKind() != '}' {
		key, err := r.key()
		if err != nil {
			return nil, err
		}
		if strings.IndexByte(key, 0) >= 0 {
			return nil, faultf(r.field(r.decoder.StackPointer().Parent()), "has a key with a NUL character")
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		out[key] = v
	}
	_, err := r.decoder.ReadToken()
	return out, err
}

// key reads the name of a member. The short names that a reader has seen are kept, since
// calls say the same few all the time.
func (r *reader) key() (string, error) {
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return "", err
	}
	if key, ok := r.keys[string(raw)]; ok {
		return key, nil
	}
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	key := string(unquoted)
	if err == nil && len(raw) <= maxKeptKey {
		if len(r.keys) >= maxKeptKeys {
			clear(r.keys)
		}
		r.keys[string(raw)] = key
	}
	return key, err
}

func (r *reader) array() (any, error) {
	out := []any{}
	for r.decoder.PeekKind() != ']' {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := r.decoder.ReadToken()
	return out, err
}

func (r *reader) number(text string) (any, error) {
	if len(text) > maxNumber {
		return nil, faultf(r.field(r.decoder.StackPointer()), "is a number with too many digits")
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		digits := strings.TrimLeft(text[i+1:], "+-")
		if len(strings.TrimLeft(digits, "0")) > maxExponent {
			return nil, faultf(r.field(r.decoder.StackPointer()), "is a number whose exponent is too large")
		}
	}
	return json.Number(text), nil
}

// fault says in fixed words what the decoder refused, at the field where it stood.
func (r *reader) fault(err error) error {
	var own *Fault
	if errors.As(err, &own) {
		return own
	}
	field := r.field(r.decoder.StackPointer())
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			field = r.field(syntactic.JSONPointer)
		}
		return faultf(field, "is given more than once")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return faultf("", "is not complete JSON")
	}
	return faultf(field, "is not valid JSON in UTF-8")
}

// field is the dotted name of a place in what is being read. An index is written as it is;
// a key may look like one.
func (r *reader) field(p jsontext.Pointer) string {
	field, depth := "", 0
	for name := range p.Tokens() {
		depth++
		kind := jsontext.Kind('{')
		if depth <= r.decoder.StackDepth() {
			kind, _ = r.decoder.StackIndex(depth)
		}
		if kind != '[' {
			name = safeName(name)
		}
		field = join(field, name)
	}
	return field
}
