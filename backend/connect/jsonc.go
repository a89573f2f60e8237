package connect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// entryName is the key of our entry in every client's configuration.
const entryName = "countersign"

// jsonText is a JSON text that may have comments and trailing commas, as read.
type jsonText struct {
	text    []byte
	root    *hujson.Object
	value   hujson.Value
	newline string
	unit    string
}

func readJSON(text []byte) (*jsonText, error) {
	if tooDeep(text) {
		return nil, fmt.Errorf("%w: it nests too deep", ErrBroken)
	}
	v, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	root, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%w: it is not an object", ErrOccupied)
	}
	t := &jsonText{text: text, root: root, value: v, newline: newlineOf(text), unit: "  "}
	if indent, own := t.memberIndent(v, root); own && indent != "" {
		t.unit = indent
	}
	return t, nil
}

// planJSON says how the entry comes into the object under key. No edits mean that all is
// there; added says that nothing was.
func planJSON(text []byte, key string, entry []field) (edits []edit, added bool, err error) {
	t, err := readJSON(text)
	if err != nil {
		return nil, false, err
	}
	servers, err := find(t.root, key)
	if err != nil {
		return nil, false, err
	}
	if servers == nil {
		return t.insert(t.value, t.root, []member{{key, nested{{entryName, entryOf(entry)}}}}), true, nil
	}
	table, ok := servers.Value.(*hujson.Object)
	if !ok {
		return nil, false, fmt.Errorf("%w: %s is not an object", ErrOccupied, key)
	}
	ours, err := find(table, entryName)
	if err != nil {
		return nil, false, err
	}
	if ours == nil {
		return t.insert(*servers, table, []member{{entryName, entryOf(entry)}}), true, nil
	}
	edits, err = t.update(*ours, entry)
	return edits, false, err
}

// update brings an entry that is there up to date, key by key.
func (t *jsonText) update(ours hujson.Value, entry []field) ([]edit, error) {
	object, ok := ours.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%w: the entry is not an object", ErrOccupied)
	}
	for _, key := range remote {
		if v, err := find(object, key); v != nil || err != nil {
			return nil, fmt.Errorf("%w: the entry leads to an address", ErrOccupied)
		}
	}
	var edits []edit
	var missing []member
	for _, f := range entry {
		v, err := find(object, f.key)
		if err != nil {
			return nil, err
		}
		if v == nil {
			if !f.satisfied(nil) {
				missing = append(missing, member{f.key, f.value})
			}
			continue
		}
		have := plain(*v)
		if !f.satisfied(have) {
			edits = append(edits, edit{v.StartOffset, v.EndOffset, renderJSON(f.wanted(have), "", "", "")})
		}
	}
	if len(missing) > 0 {
		edits = append(edits, t.insert(ours, object, missing)...)
	}
	return edits, nil
}

// remote are the keys of an entry that is no program to start.
var remote = []string{"url", "httpUrl", "serverUrl"}

// find returns the value of a key, nil without one. A key that is there twice means
// different things to different readers.
func find(object *hujson.Object, key string) (*hujson.Value, error) {
	var found *hujson.Value
	for i, m := range object.Members {
		if name, ok := m.Name.Value.(hujson.Literal); !ok || name.String() != key {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%w: %s is there twice", ErrOccupied, key)
		}
		found = &object.Members[i].Value
	}
	return found, nil
}

// plain is a value without its comments, numbers as int64 where they are whole.
func plain(v hujson.Value) any {
	v = v.Clone()
	v.Standardize()
	var out any
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return numbers(out)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, _ := v.Float64()
		return n
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// memberIndent is the indentation of an object's members; own says that the first of them
// begins a line.
func (t *jsonText) memberIndent(v hujson.Value, object *hujson.Object) (indent string, own bool) {
	if len(object.Members) == 0 {
		return "", false
	}
	first := object.Members[0].Name
	before := t.text[v.StartOffset+1 : first.StartOffset]
	i := bytes.LastIndexByte(before, '\n')
	if i < 0 || len(bytes.TrimLeft(before[i+1:], " \t")) > 0 {
		return "", false
	}
	return string(before[i+1:]), true
}

// insert puts members at the end of an object, in the way in which those before them stand.
func (t *jsonText) insert(v hujson.Value, object *hujson.Object, members []member) []edit {
	closing := v.EndOffset - 1
	from, comma, trailing := v.StartOffset+1, "", ""
	var edits []edit
	if n := len(object.Members); n > 0 {
		last := object.Members[n-1].Value
		from, comma = last.EndOffset, ","
		// The reader marks a trailing comma by what stands before it, even if that is nothing.
		if last.AfterExtra != nil {
			from, comma, trailing = last.EndOffset+len(last.AfterExtra)+1, "", ","
		}
	}
	tail := t.text[from:closing]
	kept := bytes.TrimRight(tail, space)
	at := from + len(kept)
	indent, own := t.memberIndent(v, object)
	if !own && len(object.Members) > 0 && !bytes.ContainsRune(tail, '\n') {
		edits = append(edits, edit{from, from, comma})
		return append(edits, edit{at, at, " " + inline(members) + trailing})
	}
	if !own {
		indent = indentOf(t.text, v.StartOffset) + t.unit
	}
	var text strings.Builder
	for i, m := range members {
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString(t.newline + indent + renderJSON(m.name, "", "", "") + ": " + renderJSON(m.value, indent, t.unit, t.newline))
	}
	text.WriteString(trailing)
	edits = append(edits, edit{from, from, comma})
	if bytes.ContainsRune(tail[len(kept):], '\n') {
		return append(edits, edit{at, at, text.String()})
	}
	return append(edits, edit{at, closing, text.String() + t.newline + indentOf(t.text, v.StartOffset)})
}

func inline(members []member) string {
	var out []string
	for _, m := range members {
		out = append(out, renderJSON(m.name, "", "", "")+": "+renderJSON(m.value, "", "", ""))
	}
	return strings.Join(out, ", ")
}

// member is a key with its value, nested an object of them.
type (
	member struct {
		name  string
		value any
	}
	nested []member
)

// entryOf is the object of an entry.
func entryOf(entry []field) nested {
	var out nested
	for _, f := range entry {
		if f.rule != unlessSet {
			out = append(out, member{f.key, f.value})
		}
	}
	return out
}

// renderJSON writes a value; an object over several lines where newline is given. Lists
// stay on theirs.
func renderJSON(v any, indent, unit, newline string) string {
	switch v := v.(type) {
	case nested:
		if newline == "" {
			return "{ " + inline(v) + " }"
		}
		inner := indent + unit
		var out []string
		for _, m := range v {
			out = append(out, newline+inner+renderJSON(m.name, "", "", "")+": "+renderJSON(m.value, inner, unit, newline))
		}
		return "{" + strings.Join(out, ",") + newline + indent + "}"
	case []string:
		var out []string
		for _, s := range v {
			out = append(out, renderJSON(s, "", "", ""))
		}
		return "[" + strings.Join(out, ", ") + "]"
	default:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic("connect: a value of an entry is no JSON: " + err.Error())
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
}

// keepsJSON reports whether a new text says what the old one said, but for the entry.
func keepsJSON(old, now []byte, key string) bool {
	a, err := readJSON(old)
	if err != nil {
		return false
	}
	b, err := readJSON(now)
	if err != nil {
		return false
	}
	was, is := plain(a.value), plain(b.value)
	return reflect.DeepEqual(without(was, key, false), without(is, key, !has(was, key)))
}

func has(v any, key string) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	_, ok = m[key]
	return ok
}

// without takes our entry out, and the table that it was alone in if that is new.
func without(v any, key string, isNew bool) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	table, ok := m[key].(map[string]any)
	if !ok {
		return v
	}
	delete(table, entryName)
	if isNew && len(table) == 0 {
		delete(m, key)
	}
	return v
}
