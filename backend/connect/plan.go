package connect

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"countersign/backend/change"
)

// State is how a client's file stands to its entry.
type State string

// The states.
const (
	// StateAbsent: there is no entry.
	StateAbsent State = "absent"
	// StateCurrent: the entry is there, as it should be.
	StateCurrent State = "current"
	// StateDiffers: there is an entry with other settings.
	StateDiffers State = "differs"
	// StateUnreadable: whether there is one cannot be said, or it is not changed from here.
	StateUnreadable State = "unreadable"
	// StateNone: there is no exact entry to write.
	StateNone State = "none"
)

// plan says what a file becomes when the entry is put into it, and how it stands now. The
// content is nil where nothing changes.
func (k kind) plan(f Facts, file File) (content []byte, state State, err error) {
	body, marked := bytes.CutPrefix(file.Content, []byte(change.BOM))
	if !utf8.Valid(body) {
		return nil, StateUnreadable, fmt.Errorf("%w: it is not UTF-8", ErrBroken)
	}
	if len(bytes.Trim(body, space)) == 0 {
		body, state = []byte(k.fragment(f)), StateAbsent
	} else if body, state, err = k.into(f, body); err != nil || body == nil {
		return nil, state, err
	}
	if marked {
		body = append([]byte(change.BOM), body...)
	}
	return body, state, nil
}

// into puts the entry into a text that is not empty, and makes sure that nothing else of it
// means something else afterwards.
func (k kind) into(f Facts, old []byte) ([]byte, State, error) {
	edits, added, err := k.edits(f, old)
	switch {
	case err != nil:
		return nil, StateUnreadable, err
	case len(edits) == 0:
		return nil, StateCurrent, nil
	}
	now := apply(old, edits)
	keeps := keepsJSON
	if k.format == formatTOML {
		keeps = keepsTOML
	}
	if left, _, err := k.edits(f, now); err != nil || len(left) > 0 || !keeps(old, now, k.key) {
		return nil, StateUnreadable, ErrShape
	}
	if added {
		return now, StateAbsent, nil
	}
	return now, StateDiffers, nil
}

func (k kind) edits(f Facts, text []byte) (edits []edit, added bool, err error) {
	if k.format == formatTOML {
		return planTOML(text, k.key, k.fields(f))
	}
	return planJSON(text, k.key, k.fields(f))
}
