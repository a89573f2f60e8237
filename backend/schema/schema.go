package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a compiled JSON Schema.
type Schema struct {
	compiled *jsonschema.Schema
	// Required and Properties are the names at the top level, for forms and tables.
	Required   []string
	Properties []Property
}

// Property is one named input of a tool, as the schema describes it.
type Property struct {
	Name        string
	Type        string
	Description string
	Required    bool
}

// Bounds of a schema that may be compiled.
const (
	maxSchemaBytes = 32 << 10
	maxSchemaDepth = 16
)

var errRemote = errors.New("remote references are refused")

// Compile compiles a schema and refuses a remote reference, a text over 32 KB and
// nesting over 16 levels of its JSON.
func Compile(name string, text []byte) (*Schema, error) {
	if len(text) > maxSchemaBytes {
		return nil, fmt.Errorf("schema %s: over 32 KB", name)
	}
	tree, err := Read(text)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	if depth(tree) > maxSchemaDepth {
		return nil, fmt.Errorf("schema %s: over 16 levels", name)
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errRemote }
	url := "mem:///" + name
	if err := c.AddResource(url, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	s := &Schema{compiled: compiled, Required: compiled.Required}
	if object, ok := tree.(map[string]any); ok {
		s.Properties = properties(object)
	}
	return s, nil
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	default:
		return 0
	}
	return deepest + 1
}

func properties(object map[string]any) []Property {
	named, _ := object["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	var out []Property
	for name, v := range named {
		p := Property{Name: name, Required: slices.Contains(required, any(name))}
		if field, ok := v.(map[string]any); ok {
			p.Type, _ = field["type"].(string)
			p.Description, _ = field["description"].(string)
			if p.Type == "" && field["enum"] != nil {
				p.Type = "choice"
			}
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Property) int {
		if a.Required != b.Required {
			if a.Required {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// Closed reports whether every object in a schema text says additionalProperties:
// false, and names the first place that does not.
func Closed(text []byte) (bool, string) {
	tree, err := Read(text)
	if err != nil {
		return false, "/"
	}
	return closed(tree, "")
}

func closed(v any, at string) (bool, string) {
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			if ok, where := closed(e, at+"/"+strconv.Itoa(i)); !ok {
				return false, where
			}
		}
	case map[string]any:
		if v["type"] == "object" || v["properties"] != nil {
			if extra, ok := v["additionalProperties"].(bool); !ok || extra {
				return false, at + "/"
			}
		}
		for _, k := range sortedKeys(v) {
			if ok, where := closed(v[k], at+"/"+k); !ok {
				return false, where
			}
		}
	}
	return true, ""
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Validate checks v, as Read returns it. What does not fit is a *Fault.
func (s *Schema) Validate(v any) (err error) {
	defer func() {
		if recover() != nil {
			err = faultf("", "could not be checked against the schema")
		}
	}()
	failure := s.compiled.Validate(v)
	if failure == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(failure, &invalid) {
		return faultf("", "could not be checked against the schema")
	}
	var problems []Problem
	collect(s.compiled, invalid, v, &problems)
	if len(problems) == 0 {
		problems = []Problem{{"", "does not satisfy the schema"}}
	}
	return newFault(problems)
}
