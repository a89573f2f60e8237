package bridge

import (
	"bytes"
	"encoding/json"
	"strings"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// maxArgumentText bounds the exact text that crosses to the page, in bytes. Approval shows the
// whole: more than the page can show is not offered.
const maxArgumentText = 4 << 20

// argumentRows sets the arguments of a call beside what the schema says of them, in
// the schema's order. A key that the schema does not know comes last.
func argumentRows(spec *tool.Spec, canonical []byte) []ArgumentRow {
	out := []ArgumentRow{}
	v, err := schema.Read(canonical)
	if err != nil {
		return out
	}
	object, ok := v.(map[string]any)
	if !ok {
		return out
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(canonical, &values); err != nil {
		return out
	}
	for _, row := range parameterRows(spec) {
		raw, given := values[row.Name]
		if !given {
			continue
		}
		row.Value = valueText(object[row.Name], raw)
		out = append(out, row)
		delete(values, row.Name)
	}
	for _, name := range sortedKeys(values) {
		out = append(out, ArgumentRow{Name: name, Value: valueText(object[name], values[name])})
	}
	return out
}

// parameterRows tells a tool's parameters, required ones first.
func parameterRows(spec *tool.Spec) []ArgumentRow {
	out := []ArgumentRow{}
	if spec == nil {
		return out
	}
	compiled, err := schema.Compile(spec.ID, spec.Input)
	if err != nil {
		return out
	}
	for _, p := range compiled.Properties {
		out = append(out, ArgumentRow{Name: p.Name, Type: typeWords(p), Description: p.Description})
	}
	return out
}

func typeWords(p schema.Property) string {
	words := p.Type
	switch p.Type {
	case "string":
		words = "text"
	case "integer":
		words = "whole number"
	case "boolean":
		words = "yes or no"
	case "array":
		words = "list"
	case "":
		words = "any"
	}
	if p.Required {
		return words + ", required"
	}
	return words
}

// valueText shows a value: text as it is, everything else as JSON.
func valueText(v any, raw json.RawMessage) string {
	if s, ok := v.(string); ok {
		return s
	}
	return string(raw)
}

// shown is text as the page can hold it: valid UTF-8 and bounded. What is left out
// is said in words of ours on a line of its own.
func shown(text []byte) string {
	part, left := bounded(text)
	if left > 0 {
		return part + "\n[the rest is not shown here]"
	}
	return part
}

// bounded is text as the page can hold it: valid UTF-8 of at most maxArgumentText bytes. left is
// how many bytes of it are not there.
func bounded(text []byte) (part string, left int) {
	if len(text) > maxArgumentText {
		left = len(text) - maxArgumentText
		text = text[:maxArgumentText]
	}
	return strings.ToValidUTF8(string(bytes.Clone(text)), "\uFFFD"), left
}
