package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"countersign/backend/approval"
	"countersign/backend/schema"
	"countersign/backend/veil"
)

// Card is what a person was shown of a request: its canonical JSON and the hash of that.
type Card struct {
	Text []byte
	// Hash is lower-case hexadecimal SHA-256.
	Hash string
}

// CardOf makes the card of a request that waits. Who waits for the answer is not on it: a call
// that is made again asks at the same card.
func CardOf(q approval.Request) (Card, error) {
	shown := veil.Shown(q)
	shown.InvocationID, shown.CallerLeft, shown.LeftWhy = "", false, ""
	facts, _ := tree(shown, plainly).(map[string]any)
	facts["arguments"] = string(shown.Canonical)
	if shown.Changed != nil {
		facts["arguments_sent"] = string(shown.Changed.Canonical)
	}
	text, err := schema.AppendExact(nil, any(facts))
	if err != nil {
		return Card{}, fmt.Errorf("write a card: %w", err)
	}
	return Card{text, hashOf(text)}, nil
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
