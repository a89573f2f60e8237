package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// checkSpelling refuses a key that is meant to be a known one and is not: a lock under a
// misspelt key would be no lock, and nobody would hear of it. A key that a later version
// may have added is none of those.
func checkSpelling(keys map[string]json.RawMessage) error {
	for _, key := range unknown(keys) {
		for _, f := range Fields() {
			if meant(key, f.Key) {
				return &Fault{Key: key, Words: fmt.Sprintf("the key %q must be spelt %q", key, f.Key)}
			}
		}
	}
	return nil
}

// unknown returns the keys that are no setting of this version, sorted.
func unknown(keys map[string]json.RawMessage) []string {
	fields := Fields()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(keys)), func(key string) bool {
		return slices.ContainsFunc(fields, func(f Field) bool { return f.Key == key })
	})
}

// meant reports whether a key that is not the known one was meant to be: it differs in
// case, in what stands between its words, or in one letter that is wrong, missing, too
// much or swapped with the next.
func meant(key, known string) bool { return oneSlip([]rune(folded(key)), []rune(folded(known))) }

// folded is a key in lower case without what may stand between words.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// oneSlip reports whether at most one slip makes b of a.
func oneSlip(a, b []rune) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
