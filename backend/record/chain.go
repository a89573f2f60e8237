package record

import (
	"encoding/json"
	"fmt"
	"strconv"

	"countersign/backend/schema"
)

// Version is that of the form of records.
const Version = 1

// Sealed is an entry with its place in a chain.
type Sealed struct {
	Seq int64
	// Text is its canonical JSON, and Hash the SHA-256 of that in lower-case hexadecimal.
	Text []byte
	Hash string
}

// Head is the last entry of a chain.
type Head struct {
	Session string
	Seq     int64
	Hash    string
}

// Start says where the record of a session begins. The zero value is that of a session whose
// every decision is in it.
type Start struct {
	// After is the number of the last event of the session that came before its record, and
	// Calls how many calls had been made until then.
	After, Calls int64
}

// Begin is the entry before the first decision. It follows from its arguments alone, so that
// nobody has to keep it.
func Begin(sessionID string, s Start) (Sealed, error) {
	return seal(0, map[string]any{
		"kind": string(KindBegun), "version": number(Version), "session": sessionID, "after": number(s.After), "calls_before": number(s.Calls),
	})
}

// HeadOf is the head of a chain that ends with s.
func HeadOf(sessionID string, s Sealed) Head { return Head{sessionID, s.Seq, s.Hash} }

// Seal gives an entry its place behind a head.
func (h Head) Seal(e Entry) (Sealed, error) {
	members := make(map[string]any, len(e.members)+4)
	for name, v := range e.members {
		members[name] = v
	}
	members["kind"], members["session"], members["previous"] = string(e.Kind), h.Session, h.Hash
	return seal(h.Seq+1, members)
}

// Close is the last line of a record that is given away: it counts the decisions, and its
// hash goes over the last of them.
func (h Head) Close() (Sealed, error) {
	return seal(h.Seq+1, map[string]any{
		"kind": string(KindClosed), "session": h.Session, "previous": h.Hash, "entries": number(h.Seq),
	})
}

func seal(seq int64, members map[string]any) (Sealed, error) {
	members["seq"] = number(seq)
	text, err := schema.AppendExact(nil, any(members))
	if err != nil {
		return Sealed{}, fmt.Errorf("seal an entry: %w", err)
	}
	return Sealed{seq, text, hashOf(text)}, nil
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// AppendLine appends the line of an entry in a record that is given away. card is the text of
// the card that the entry says was shown, nil for none.
func AppendLine(to []byte, s Sealed, card []byte) []byte {
	to = append(append(to, `{"entry":`...), s.Text...)
	to = append(append(to, `,"hash":"`...), s.Hash...)
	to = append(to, '"')
	if card != nil {
		to = append(append(to, `,"card":`...), card...)
	}
	return append(to, "}\n"...)
}
