package session

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"countersign/backend/tool"
)

// MaxHead is how much of a text a list tells, in bytes.
const MaxHead = 400

// maxHeads and maxHeadName bound what is kept of arguments, however many a caller sends.
const (
	maxHeads    = 32
	maxHeadName = 64
)

// Head is the beginning of a text, for a list that must not read the whole.
type Head struct {
	Text tool.Untrusted `json:"text"`
	// Left is how many characters of the whole follow Text.
	Left int `json:"left,omitempty"`
}

// HeadOf returns the beginning of a text, cut between characters.
func HeadOf(text string) Head { return headTo(text, MaxHead) }

func headTo(text string, limit int) Head {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return Head{Text: tool.Mark(text)}
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return Head{Text: tool.Mark(text[:cut]), Left: utf8.RuneCountInString(text[cut:])}
}

// HeadsOf returns the beginnings of the text arguments of a call, by name: what a list
// can tell of a call without its arguments. Of arguments that are no JSON object there
// are none.
func HeadsOf(arguments []byte) map[string]Head {
	return HeadsBy(arguments, func(_, text string) Head { return HeadOf(text) })
}

// HeadsBy is HeadsOf with another way to make the beginning of the text of a name.
func HeadsBy(arguments []byte, head func(name, text string) Head) map[string]Head {
	var values map[string]json.RawMessage
	if json.Unmarshal(arguments, &values) != nil {
		return nil
	}
	heads := map[string]Head{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		raw := values[name]
		if len(heads) == maxHeads || len(name) > maxHeadName || len(raw) == 0 || raw[0] != '"' {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			heads[name] = head(name, text)
		}
	}
	return heads
}
