package tool

import (
	"bytes"
	"encoding/json"
)

// Call is one request to use a tool, before anything is known about it.
type Call struct {
	// ID is the caller's own name for the call; it comes back in the outcome.
	ID string
	// Key is what makes two submissions of one call the same call; "" when the door has no
	// such thing, and every submission is a call of its own.
	Key string
	// Name is the id or wire name as the caller wrote it.
	Name string
	// Arguments is the JSON text as the caller wrote it.
	Arguments []byte
}

// Args are arguments that passed assembly, validation and normalisation.
type Args struct {
	// Canonical is the canonical JSON: sorted keys, NFC, number text kept.
	Canonical []byte
	// Exact is the same with every string as it was sent; a tool runs on it. Nil means
	// that it equals Canonical.
	Exact []byte
	// Written is the JSON in the order and spelling that it was written in, for whoever hands it
	// on. Nil means that it equals what Sent returns.
	Written []byte
	// Hash is lower-case hex sha256 of Canonical.
	Hash string
}

// Decode reads the arguments into a tool's own struct. Numbers keep their text
// where the field is a json.Number. A failure is a fault of ours: the schema has
// already admitted the arguments. It has a code and names no value.
func (a Args) Decode(v any) error {
	d := json.NewDecoder(bytes.NewReader(a.Sent()))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		// The decoder's own error may repeat a value, so it is not passed on.
		return Errorf(CodeArgumentsInvalid, "the arguments are not those of the schema")
	}
	return nil
}

// Sent returns the JSON that the tool receives.
func (a Args) Sent() []byte {
	if a.Exact != nil {
		return a.Exact
	}
	return a.Canonical
}
