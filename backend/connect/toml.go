package connect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxKeyParts bounds a dotted key, for the same reason as maxDepth.
const maxKeyParts = 64

// tomlText is a TOML text with what is needed to put an entry into one of its tables.
type tomlText struct {
	text    []byte
	values  map[string]any
	newline string
	// header is the end of the line of the entry's own table, 0 without one; last that of
	// its last key.
	header, last int
	// prefix stands before a key of the entry where it is written without a table.
	prefix string
	// places are the values of the entry's keys.
	places map[string]edit
}

func readTOML(text []byte, key string) (*tomlText, error) {
	t := &tomlText{text: text, newline: newlineOf(text), places: map[string]edit{}}
	if tooDeep(text) {
		return nil, fmt.Errorf("%w: it nests too deep", ErrBroken)
	}
	want := []string{key, entryName}
	p := unstable.Parser{}
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		parts, end := keyParts(e)
		if len(parts) > maxKeyParts {
			return nil, fmt.Errorf("%w: a key has too many parts", ErrBroken)
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = parts
			if e.Kind == unstable.Table && slices.Equal(parts, want) {
				t.header = t.lineEnd(end)
				t.last, t.prefix = t.header, ""
			}
		case unstable.KeyValue:
			path := slices.Concat(table, parts)
			if len(path) != 3 || !slices.Equal(path[:2], want) {
				continue
			}
			stop := int(e.Raw.Offset + e.Raw.Length)
			t.places[path[2]] = edit{at: t.afterEquals(end), end: stop}
			t.last = t.lineEnd(stop)
			t.prefix = strings.Join(append(slices.Clone(want[len(table):]), ""), ".")
		default:
		}
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if err := toml.Unmarshal(text, &t.values); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return t, nil
}

// keyParts are the parts of an expression's key, and where its last part ends.
func keyParts(e *unstable.Node) (parts []string, end int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		parts = append(parts, string(n.Data))
		end = int(n.Raw.Offset + n.Raw.Length)
	}
	return parts, end
}

// lineEnd is the start of the line after an offset.
func (t *tomlText) lineEnd(at int) int {
	if i := bytes.IndexByte(t.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(t.text)
}

// afterEquals is where the value begins whose key ends at an offset.
func (t *tomlText) afterEquals(at int) int {
	at += bytes.IndexByte(t.text[at:], '=') + 1
	return at + len(t.text[at:]) - len(bytes.TrimLeft(t.text[at:], " \t"))
}

// planTOML says how the entry comes into the table under key, as planJSON does.
func planTOML(text []byte, key string, entry []field) (edits []edit, added bool, err error) {
	t, err := readTOML(text, key)
	if err != nil {
		return nil, false, err
	}
	servers, there := t.values[key]
	table, ok := servers.(map[string]any)
	if there && !ok {
		return nil, false, fmt.Errorf("%w: %s is not a table", ErrOccupied, key)
	}
	entryThere, there := table[entryName]
	if !there {
		return []edit{t.appendix(key, entry)}, true, nil
	}
	ours, ok := entryThere.(map[string]any)
	if !ok {
		return nil, false, fmt.Errorf("%w: the entry is not a table", ErrOccupied)
	}
	for _, k := range remote {
		if _, there := ours[k]; there {
			return nil, false, fmt.Errorf("%w: the entry leads to an address", ErrOccupied)
		}
	}
	edits, err = t.update(ours, key, entry)
	return edits, false, err
}

// update brings an entry that is there up to date, key by key.
func (t *tomlText) update(ours map[string]any, key string, entry []field) ([]edit, error) {
	var edits []edit
	var missing []field
	for _, f := range entry {
		have, there := ours[f.key]
		switch {
		case f.satisfied(have):
		case !there:
			missing = append(missing, f)
		default:
			place, ok := t.places[f.key]
			if !ok {
				return nil, ErrShape
			}
			edits = append(edits, edit{place.at, place.end, renderTOML(f.wanted(have))})
		}
	}
	switch {
	case len(missing) == 0:
	case t.last > 0:
		edits = append(edits, edit{t.last, t.last, t.lines(t.last, t.prefix, missing)})
	default:
		// Only tables below the entry are there, or it is written in one line.
		edits = append(edits, t.appendix(key, missing))
	}
	return edits, nil
}

// lines are keys on lines of their own, to come in at the start of a line.
func (t *tomlText) lines(at int, prefix string, fields []field) string {
	var b strings.Builder
	if at > 0 && t.text[at-1] != '\n' {
		b.WriteString(t.newline)
	}
	for _, f := range fields {
		b.WriteString(prefix + f.key + " = " + renderTOML(f.value) + t.newline)
	}
	return b.String()
}

// appendix is a table at the end of the text.
func (t *tomlText) appendix(key string, fields []field) edit {
	at, before := len(t.text), ""
	if at > 0 {
		before = t.newline
		if t.text[at-1] != '\n' {
			before += t.newline
		}
	}
	return edit{at, at, before + t.table(key, fields)}
}

func (t *tomlText) table(key string, fields []field) string {
	return "[" + key + "." + entryName + "]" + t.newline + t.lines(0, "", written(fields))
}

// written are the fields that an entry is made with.
func written(entry []field) []field {
	return slices.DeleteFunc(slices.Clone(entry), func(f field) bool { return f.rule == unlessSet })
}

// renderTOML writes a value on one line. TOML writes what an entry holds as JSON does, but
// does not let DEL stand in a text.
func renderTOML(v any) string {
	return strings.ReplaceAll(renderJSON(v, "", "", ""), "\x7f", `\u007F`)
}

// keepsTOML reports whether a new text says what the old one said, but for the entry.
func keepsTOML(old, now []byte, key string) bool {
	was, is := map[string]any{}, map[string]any{}
	if toml.Unmarshal(old, &was) != nil || toml.Unmarshal(now, &is) != nil {
		return false
	}
	isNew := !has(was, key)
	// Written out again, what is the same is the same: a number that is none equals itself.
	a, err := toml.Marshal(without(was, key, false))
	if err != nil {
		return false
	}
	b, err := toml.Marshal(without(is, key, isNew))
	return err == nil && bytes.Equal(a, b)
}
