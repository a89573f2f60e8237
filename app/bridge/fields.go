package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/schema"
)

// Bounds of the table of a schema. What is past them stands in the exact schema.
const (
	maxFieldDepth = 6
	maxFields     = 400
)

// unbounded is where a limit begins that nobody means as one: what fits no other type.
var unbounded = big.NewFloat(1<<31 - 1)

// fieldRows tells a schema as a table: fields that must be given first, in the order in
// which the schema names them, and below each field what is inside it.
func fieldRows(text []byte) []FieldRow {
	out := []FieldRow{}
	v, err := schema.Read(text)
	if err != nil {
		return out
	}
	root, _ := v.(map[string]any)
	t := table{root: root}
	t.object(root, 0)
	return append(out, t.rows...)
}

type table struct {
	root map[string]any
	rows []FieldRow
}

// object adds the fields of an object.
func (t *table) object(node map[string]any, depth int) {
	named, _ := node["properties"].(map[string]any)
	must := texts(node["required"])
	for _, name := range must {
		if named[name] != nil {
			t.field(name, named[name], depth, true)
		}
	}
	for _, name := range sortedKeys(named) {
		if !slices.Contains(must, name) {
			t.field(name, named[name], depth, false)
		}
	}
}

// field adds one field and what is inside it.
func (t *table) field(name string, v any, depth int, required bool) {
	if depth > maxFieldDepth || len(t.rows) >= maxFields {
		return
	}
	node := t.resolved(v)
	row := FieldRow{
		Name: name, Depth: depth, Required: required, Type: t.typeOf(node), Choices: choicesOf(node),
		Limits: limitsOf(node), Description: text(node["description"]), Default: jsonText(node["default"]),
	}
	t.rows = append(t.rows, row)
	t.inside(node, depth+1)
}

// inside adds what a field is made of.
func (t *table) inside(node map[string]any, depth int) {
	t.object(node, depth)
	if entry := t.resolved(node["items"]); hasInside(entry) {
		t.inside(entry, depth)
	}
	if value := t.resolved(node["additionalProperties"]); hasInside(value) {
		t.field("any other name", value, depth, false)
	}
	for _, form := range t.forms(node) {
		if form := t.resolved(form); hasInside(form) {
			t.inside(form, depth)
		}
	}
}

func hasInside(node map[string]any) bool {
	return node["properties"] != nil || node["items"] != nil || node["anyOf"] != nil || node["oneOf"] != nil
}

// forms are the shapes that a value may have instead of one.
func (t *table) forms(node map[string]any) []any {
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := node[key].([]any); ok {
			return list
		}
	}
	return nil
}

// resolved follows references inside the schema. One that leads nowhere, or in a ring, is
// left as it is.
func (t *table) resolved(v any) map[string]any {
	node, _ := v.(map[string]any)
	for range maxFieldDepth {
		ref, _ := node["$ref"].(string)
		place, local := strings.CutPrefix(ref, "#/")
		if !local {
			return node
		}
		var at any = t.root
		for step := range strings.SplitSeq(place, "/") {
			object, _ := at.(map[string]any)
			at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		}
		next, ok := at.(map[string]any)
		if !ok {
			return node
		}
		node = next
	}
	return node
}

// typeOf names the type of a field in words.
func (t *table) typeOf(node map[string]any) string {
	if list, ok := node["enum"].([]any); ok {
		return fmt.Sprintf("one of %d", len(list))
	}
	if node["const"] != nil {
		return "always the same"
	}
	if forms := t.forms(node); len(forms) > 0 {
		words := []string{}
		for _, form := range forms {
			if w := t.typeOf(t.resolved(form)); !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		return strings.Join(words, " or ")
	}
	words := []string{}
	for _, name := range typeNames(node) {
		words = append(words, t.plainType(name, node))
	}
	if len(words) == 0 {
		return "anything"
	}
	return strings.Join(words, " or ")
}

func typeNames(node map[string]any) []string {
	if name, ok := node["type"].(string); ok {
		return []string{name}
	}
	if names := texts(node["type"]); names != nil {
		return names
	}
	switch {
	case node["properties"] != nil:
		return []string{"object"}
	case node["items"] != nil:
		return []string{"array"}
	}
	return nil
}

func (t *table) plainType(name string, node map[string]any) string {
	switch name {
	case "string":
		return "text"
	case "integer":
		return "whole number"
	case "number":
		return "number"
	case "boolean":
		return "yes or no"
	case "null":
		return "nothing"
	case "object":
		return "group of fields"
	case "array":
		entry := t.resolved(node["items"])
		if entry == nil {
			return "list"
		}
		return "list of " + strings.Replace(t.typeOf(entry), "group of fields", "groups of fields", 1)
	}
	return "unknown"
}

// limitsOf says in words what a value must keep to.
func limitsOf(node map[string]any) []string {
	out := []string{}
	add := func(words string) {
		if words != "" {
			out = append(out, words)
		}
	}
	add(span(number(node["minimum"]), number(node["maximum"]), ""))
	if n := number(node["exclusiveMinimum"]); n != "" {
		add("over " + n)
	}
	if n := number(node["exclusiveMaximum"]); n != "" {
		add("under " + n)
	}
	add(span(number(node["minLength"]), number(node["maxLength"]), "character"))
	least := number(node["minItems"])
	add(span(least, number(node["maxItems"]), "entry"))
	if node["uniqueItems"] == true {
		add("no entry twice")
	}
	if n := number(node["multipleOf"]); n != "" {
		add("a multiple of " + n)
	}
	if pattern := text(node["pattern"]); pattern != "" {
		add("of the form " + pattern)
	}
	if format := text(node["format"]); format != "" {
		add("format " + format)
	}
	return out
}

// span says two bounds. A bound of zero below a count, or one that is past any use, is none.
func span(least, most, noun string) string {
	if noun != "" && least == "0" {
		least = ""
	}
	if n, ok := new(big.Float).SetString(most); ok && n.Cmp(unbounded) >= 0 {
		most = ""
	}
	words := ""
	switch {
	case least != "" && most != "" && least == most:
		words, least = "exactly "+spaced(most), most
	case least != "" && most != "":
		words = spaced(least) + " to " + spaced(most)
	case least != "":
		words, most = "at least "+spaced(least), least
	case most != "":
		words = "at most " + spaced(most)
	default:
		return ""
	}
	switch {
	case noun == "":
		return words
	case most == "1":
		return words + " " + noun
	case noun == "entry":
		return words + " entries"
	}
	return words + " " + noun + "s"
}

// spaced writes a whole number with commas between thousands, and any other as it is.
func spaced(n string) string {
	whole, err := strconv.ParseInt(n, 10, 64)
	if err != nil {
		return n
	}
	return bound.Count(whole)
}

func choicesOf(node map[string]any) []string {
	list, _ := node["enum"].([]any)
	if v, given := node["const"]; given {
		list = []any{v}
	}
	out := []string{}
	for _, v := range list {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case nil:
			out = append(out, "null")
		default:
			out = append(out, jsonText(v))
		}
	}
	return out
}

func number(v any) string {
	n, _ := v.(json.Number)
	return n.String()
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// jsonText is a value of a schema as JSON, "" for none.
func jsonText(v any) string {
	if v == nil {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// indented is JSON as a person reads it, in its own order; as it is when it is none.
func indented(text []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return shown(text)
	}
	return shown(b.Bytes())
}
