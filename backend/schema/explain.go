package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// collect turns the leaves of a validation error into problems. The validator's own
// messages repeat input, so only places and keywords are taken from it.
func collect(root *jsonschema.Schema, e *jsonschema.ValidationError, v any, out *[]Problem) {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			collect(root, cause, v, out)
		}
		return
	}
	tokens := pointerTokens(e.InstanceLocation)
	field := fieldOf(v, tokens)
	keyword := e.KeywordLocation[strings.LastIndexByte(e.KeywordLocation, '/')+1:]
	schema, value := locate(root, v, tokens)
	switch keyword {
	case "required":
		*out = append(*out, missing(schema, value, field)...)
	case "additionalProperties":
		*out = append(*out, extra(schema, value, field)...)
	default:
		*out = append(*out, Problem{field, words(keyword, schema)})
	}
}

// fieldOf is the dotted name of a place in v. An index is written as it is; a key may look
// like one.
func fieldOf(v any, tokens []string) string {
	field := ""
	for _, t := range tokens {
		switch inner := v.(type) {
		case []any:
			if i, err := strconv.Atoi(t); err == nil && i >= 0 && i < len(inner) {
				v = inner[i]
			}
			field = join(field, t)
		case map[string]any:
			v = inner[t]
			field = join(field, safeName(t))
		default:
			field = join(field, safeName(t))
		}
	}
	return field
}

func pointerTokens(pointer string) []string {
	if pointer == "" || pointer == "/" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// locate follows a path in the schema and the value side by side as far as plain
// properties and items go.
func locate(s *jsonschema.Schema, v any, tokens []string) (*jsonschema.Schema, any) {
	for _, t := range tokens {
		for s != nil && s.Ref != nil && s.Properties == nil {
			s = s.Ref
		}
		switch inner := v.(type) {
		case map[string]any:
			v = inner[t]
			if s != nil {
				s = s.Properties[t]
			}
		case []any:
			i, err := strconv.Atoi(t)
			if err != nil || i < 0 || i >= len(inner) {
				return nil, nil
			}
			v = inner[i]
			if s != nil {
				s = s.Items2020
			}
		default:
			return nil, nil
		}
	}
	for s != nil && s.Ref != nil && s.Properties == nil {
		s = s.Ref
	}
	return s, v
}

func missing(s *jsonschema.Schema, v any, field string) []Problem {
	object, ok := v.(map[string]any)
	if s == nil || !ok {
		return []Problem{{field, "lacks a required part"}}
	}
	var out []Problem
	for _, name := range s.Required {
		if _, have := object[name]; !have {
			out = append(out, Problem{join(field, name), "is required"})
		}
	}
	return out
}

func extra(s *jsonschema.Schema, v any, field string) []Problem {
	object, ok := v.(map[string]any)
	if s == nil || !ok {
		return []Problem{{field, "has a part that the schema does not know"}}
	}
	var names []string
	for name := range object {
		if _, known := s.Properties[name]; !known {
			names = append(names, safeName(name))
		}
	}
	slices.Sort(names)
	var out []Problem
	for _, name := range slices.Compact(names) {
		if len(out) == maxProblems {
			break
		}
		out = append(out, Problem{join(field, name), "is not a parameter of this tool"})
	}
	return out
}

func words(keyword string, s *jsonschema.Schema) string {
	switch keyword {
	case "type":
		if s != nil && len(s.Types) > 0 {
			return "must be of type " + strings.Join(s.Types, " or ")
		}
		return "has the wrong type"
	case "maxLength":
		if s != nil && s.MaxLength >= 0 {
			return "must have at most " + characters(s.MaxLength)
		}
	case "minLength":
		if s != nil && s.MinLength > 0 {
			return "must have at least " + characters(s.MinLength)
		}
	case "minimum", "exclusiveMinimum":
		return "is too small"
	case "maximum", "exclusiveMaximum":
		return "is too large"
	case "enum", "const":
		return "must be one of the listed values"
	case "pattern":
		return "does not have the required form"
	case "minItems":
		return "has too few entries"
	case "maxItems":
		return "has too many entries"
	case "uniqueItems":
		return "has an entry twice"
	}
	return "does not satisfy the schema"
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}
