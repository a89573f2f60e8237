package schema

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of an object as it stands in a text.
type Member struct {
	Name string
	// Text is the value as it was written.
	Text []byte
	// Key and Value are where the name and the value begin in the text of the object, in bytes.
	Key, Value int
}

// Members returns the members of an object in the order in which they were written, for a reader
// to whom the order or the spelling of values matters. The text must have passed Read.
func Members(object []byte) ([]Member, error) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, faultf("", "must be a JSON object")
	}
	var out []Member
	for d.PeekKind() != '}' {
		raw, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read the name of a member: %w", err)
		}
		m := Member{Key: int(d.InputOffset()) - len(raw)}
		name, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return nil, fmt.Errorf("read the name of a member: %w", err)
		}
		m.Name = string(name)
		if raw, err = d.ReadValue(); err != nil {
			return nil, fmt.Errorf("read a member: %w", err)
		}
		m.Value = int(d.InputOffset()) - len(raw)
		m.Text = object[m.Value : m.Value+len(raw)]
		out = append(out, m)
	}
	return out, nil
}

// Elements returns the elements of an array as they were written. The text must have passed Read.
func Elements(array []byte) ([][]byte, error) {
	d := jsontext.NewDecoder(bytes.NewReader(array))
	if token, err := d.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, faultf("", "must be a JSON array")
	}
	var out [][]byte
	for d.PeekKind() != ']' {
		raw, err := d.ReadValue()
		if err != nil {
			return nil, fmt.Errorf("read an element: %w", err)
		}
		end := int(d.InputOffset())
		out = append(out, array[end-len(raw):end])
	}
	return out, nil
}
