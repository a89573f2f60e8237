package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"countersign/backend/tool"
)

// Choosable reports whether a person may keep some changes of the request and leave others
// out: all of them are shown, and the tool can do so.
func (q *Request) Choosable() bool {
	return q.changes() > 1
}

// changes counts the changes that there are to choose from, 0 where a file of the request
// offers none: nobody could say then what is done to it.
func (q *Request) changes() int {
	sum := 0
	for _, d := range q.Diffs {
		if d.Changes == 0 {
			return 0
		}
		sum += d.Changes
	}
	return sum
}

// KeptOf returns how many changes the answer kept, of how many. Both are 0 when it made no
// choice.
func (q *Request) KeptOf() (kept, of int) {
	if q.Keep == nil {
		return 0, 0
	}
	for _, list := range q.Keep {
		kept += len(list)
	}
	return kept, q.changes()
}

// Kept is the choice of the answer for the tool, nil without one.
func (q *Request) Kept() []tool.Kept {
	if q.Keep == nil {
		return nil
	}
	out := make([]tool.Kept, 0, len(q.Diffs))
	for i, d := range q.Diffs {
		sum := sha256.Sum256([]byte(d.Unified))
		out = append(out, tool.Kept{Shown: hex.EncodeToString(sum[:]), Changes: q.Keep[i]})
	}
	return out
}

// What is said of a choice that cannot be taken.
const (
	keptNothing = "Every change is left out, so there is nothing to allow. Deny instead, or keep a change."
	keptForLong = "Some changes are left out, and such a choice is for this call alone. Allow it once, or keep every change."
	keptOther   = "The choice is not one of the changes that the card shows. Look at the card again."
)

// choose holds the choice of an answer against the changes that the request shows, and
// returns it, nil where every change is kept. refusal says for the person why it cannot be
// taken, "" when it can.
func (q *Request) choose(a Answer) (keep [][]int, refusal string) {
	if len(a.Keep) == 0 || a.Resolution == Deny {
		return nil, ""
	}
	if q.changes() == 0 || len(a.Keep) != len(q.Diffs) {
		return nil, keptOther
	}
	kept := 0
	for i, list := range a.Keep {
		before := -1
		for _, at := range list {
			if at <= before || at >= q.Diffs[i].Changes {
				return nil, keptOther
			}
			before = at
		}
		kept += len(list)
		keep = append(keep, slices.Clone(list))
	}
	switch {
	case kept == 0:
		return nil, keptNothing
	case kept == q.changes():
		return nil, ""
	case a.Resolution != AllowOnce:
		return nil, keptForLong
	}
	return keep, ""
}
