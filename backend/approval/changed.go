package approval

import (
	"slices"
	"time"

	"countersign/backend/tool"
)

// Changed is what became of the arguments between the caller and the card.
type Changed struct {
	// By says who changed them, each once and in this order: LayerHook for a hook,
	// LayerOperator for the person. At is when it was done last.
	By []tool.Layer `json:"by"`
	At time.Time    `json:"at"`
	// Hash is that of the arguments as the caller sent them, and Canonical is their JSON; the
	// store keeps it beside Request.Canonical.
	Hash      string `json:"hash"`
	Canonical []byte `json:"-"`
	// Fields are the names on the outermost level whose values differ, sorted.
	Fields []string `json:"fields,omitempty"`
}

// Person reports whether the person was among those who changed the arguments.
func (c *Changed) Person() bool { return c != nil && slices.Contains(c.By, tool.LayerOperator) }

// AskedHash is the hash of the arguments as the caller sent them. A call that is made again is
// known by it, whatever became of the arguments on the card.
func (q *Request) AskedHash() string {
	if q.Changed != nil {
		return q.Changed.Hash
	}
	return q.ArgumentsHash
}

// asked is the JSON of the arguments as the caller sent them.
func (q *Request) asked() []byte {
	if q.Changed != nil {
		return q.Changed.Canonical
	}
	return q.Canonical
}
