package search

import (
	"bytes"
	"encoding/json"
)

// Marks of a message about a matching line. A quote within a text has a backslash before
// it, so none of them can stand in one.
var (
	matchMark  = []byte(`{"type":"match","data":{`)
	textMark   = []byte(`text":"`)
	closeMark  = []byte(`"}` + numberMark)
	placesMark = []byte(`"submatches":[`)
	startMark  = []byte(`,"start":`)
	endMark    = []byte(`,"end":`)
)

// quick reads a message about a matching line in the form in which ripgrep writes it, as
// json.Unmarshal would but for the path, which the message before told. It reports false
// for any other message, and for one with bytes. Searches that find much spend most of
// their time here.
func quick(line []byte) (event, bool) {
	if !bytes.HasPrefix(line, matchMark) {
		return event{}, false
	}
	i := bytes.Index(line, []byte(linesMark))
	if i < 0 {
		return event{}, false
	}
	rest, ok := bytes.CutPrefix(line[i+len(linesMark):], textMark)
	if !ok {
		return event{}, false
	}
	// The mark begins with the quote that ends the text.
	end := bytes.Index(rest, closeMark)
	if end < 0 {
		return event{}, false
	}
	e := event{Type: "match"}
	text, ok := unquote(rest[:end])
	if !ok {
		return event{}, false
	}
	e.Data.Lines.Text = &text
	rest = rest[end+len(closeMark):]
	if e.Data.Number, rest, ok = number(rest); !ok {
		return event{}, false
	}
	if i = bytes.Index(rest, placesMark); i < 0 {
		return event{}, false
	}
	rest = rest[i+len(placesMark):]
	for len(e.Data.Spans) < spansKept {
		var s span
		if i = bytes.Index(rest, startMark); i < 0 {
			break
		}
		var from, to int64
		if from, rest, ok = number(rest[i+len(startMark):]); !ok {
			return event{}, false
		}
		if rest, ok = bytes.CutPrefix(rest, endMark); !ok {
			return event{}, false
		}
		if to, rest, ok = number(rest); !ok {
			return event{}, false
		}
		s.Start, s.End = int(from), int(to)
		e.Data.Spans = append(e.Data.Spans, s)
	}
	return e, true
}

// unquote reads what stands between the quotes of a JSON string.
func unquote(b []byte) (string, bool) {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b), true
	}
	// Most lines hold no escape but their line break.
	if head, ok := bytes.CutSuffix(b, []byte(`\n`)); ok && bytes.IndexByte(head, '\\') < 0 {
		return string(head) + "\n", true
	}
	var text string
	err := json.Unmarshal(append(append([]byte{'"'}, b...), '"'), &text)
	return text, err == nil
}

func number(b []byte) (int64, []byte, bool) {
	n, i := int64(0), 0
	for i < len(b) && i < len("999999999999999999") && b[i] >= '0' && b[i] <= '9' {
		n = n*10 + int64(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}
