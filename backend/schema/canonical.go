package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendCanonical appends v, as Read returns it, with sorted keys, no white space
// and strings in NFC; number text stays as it was sent. Two texts that differ only in
// key order, spacing or Unicode form give the same bytes. Keys that become equal
// in NFC are a *Fault.
func AppendCanonical(dst []byte, v any) ([]byte, error) {
	return appendValue(dst, v, true)
}

// AppendExact is AppendCanonical with strings as they were sent. A tool runs on this
// form: normalising the content of a file would change the file.
func AppendExact(dst []byte, v any) ([]byte, error) {
	return appendValue(dst, v, false)
}

// Normal reports whether every string in v is in NFC, so that both forms are equal.
func Normal(v any) bool {
	switch v := v.(type) {
	case string:
		return isNormal(v)
	case []any:
		for _, e := range v {
			if !Normal(e) {
				return false
			}
		}
	case map[string]any:
		for k, e := range v {
			if !isNormal(k) || !Normal(e) {
				return false
			}
		}
	}
	return true
}

func isNormal(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFC.IsNormalString(s)
		}
	}
	return true
}

func appendValue(dst []byte, v any, normalise bool) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case json.Number:
		return append(dst, v...), nil
	case string:
		return appendString(dst, v, normalise)
	case []any:
		return appendArray(dst, v, normalise)
	case map[string]any:
		return appendObject(dst, v, normalise)
	}
	return dst, faultf("", "holds something that JSON cannot say")
}

func appendString(dst []byte, s string, normalise bool) ([]byte, error) {
	if normalise && !isNormal(s) {
		s = norm.NFC.String(s)
	}
	return jsontext.AppendQuote(dst, s)
}

func appendArray(dst []byte, list []any, normalise bool) ([]byte, error) {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, e, normalise); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, object map[string]any, normalise bool) ([]byte, error) {
	type entry struct{ name, key string }
	var few [8]entry
	entries := few[:0]
	for key := range object {
		name := key
		if normalise && !isNormal(key) {
			name = norm.NFC.String(key)
		}
		entries = append(entries, entry{name, key})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.name < b.name {
			return -1
		}
		if a.name > b.name {
			return 1
		}
		return 0
	})
	dst = append(dst, '{')
	for i, e := range entries {
		if i > 0 {
			if entries[i-1].name == e.name {
				return dst, faultf(safeName(e.name), "is given more than once")
			}
			dst = append(dst, ',')
		}
		var err error
		if dst, err = jsontext.AppendQuote(dst, e.name); err != nil {
			return dst, err
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, object[e.key], normalise); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}
