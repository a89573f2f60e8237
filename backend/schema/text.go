package schema

import (
	"slices"
	"strconv"
	"strings"
)

// PlainText refuses, with the names of the fields as a *Fault, strings in v that hold a
// NUL character. A path or a name with one means something else to the system than to a
// reader; a tool whose own contract covers it does without this check.
func PlainText(v any) error {
	if !holdsNUL(v) {
		return nil
	}
	var problems []Problem
	findNUL(v, "", &problems)
	return newFault(problems)
}

// holdsNUL is findNUL without the names, which cost more than the search.
func holdsNUL(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.IndexByte(v, 0) >= 0
	case []any:
		return slices.ContainsFunc(v, holdsNUL)
	case map[string]any:
		for _, e := range v {
			if holdsNUL(e) {
				return true
			}
		}
	}
	return false
}

func findNUL(v any, field string, out *[]Problem) {
	switch v := v.(type) {
	case string:
		if strings.IndexByte(v, 0) >= 0 {
			*out = append(*out, Problem{field, "contains a NUL character"})
		}
	case []any:
		for i, e := range v {
			findNUL(e, join(field, strconv.Itoa(i)), out)
		}
	case map[string]any:
		for k, e := range v {
			findNUL(e, join(field, safeName(k)), out)
		}
	}
}
