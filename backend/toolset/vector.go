package toolset

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// vector returns the argument vector of a call: the command of the set, that of the tool, and for
// each property of the argv map that the call gives its flag and its value, in the order of the
// map. Numbers stay as they were written and texts are never looked into: no shell reads them. A
// value that is no argument refuses the call before anything is started.
func vector(set *manifest.Set, t manifest.Tool, arguments map[string]any) ([]string, error) {
	out := slices.Concat(set.Command, t.Command)
	for _, flag := range t.Flags {
		value, given := arguments[flag.Property]
		if !given {
			continue
		}
		if list, ok := value.([]any); ok {
			for _, element := range list {
				text, ok := element.(string)
				if !ok {
					return nil, noArgument(flag.Property, "holds something that is not text")
				}
				if strings.IndexByte(text, 0) >= 0 {
					return nil, noArgument(flag.Property, "holds a NUL character")
				}
				out = append(out, flag.Word, text)
			}
			continue
		}
		text, words := scalar(value)
		if words != "" {
			return nil, noArgument(flag.Property, words)
		}
		out = append(out, flag.Word, text)
	}
	return out, nil
}

// scalar writes a value as an argument, or says in words why it is none.
func scalar(value any) (text, words string) {
	switch v := value.(type) {
	case string:
		if strings.IndexByte(v, 0) >= 0 {
			return "", "holds a NUL character"
		}
		return v, ""
	case json.Number:
		return v.String(), ""
	case bool:
		return strconv.FormatBool(v), ""
	case nil:
		return "", "is null"
	}
	return "", "is an object"
}

// noArgument refuses a call. The name of the property is the author's, not the caller's.
func noArgument(property, words string) error {
	return tool.Errorf(tool.CodeArgumentsInvalid, "an argument cannot be given to the program").
		WithText(`The parameter "` + legible(property) + `" ` + words + ", so it cannot be given to the program. Send text, a number, true or false, or a list of texts.")
}
