package schema

import (
	"strconv"
	"strings"
)

// PlainText refuses, with the names of the fields as a *Fault, strings in v that hold a
// NUL character. A path or a name with one means something else to the system than to a
// reader; a tool whose own contract covers it does without this check.
func PlainText(v any) error {
	var problems []Problem
	findNUL(v, "", &problems)
	if len(problems) == 0 {
		return nil
	}
	return newFault(problems)
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
