package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/backend/schema"
	"countersign/backend/tool"
)

// object is an object of the manifest: what it holds and how that was written.
type object struct {
	// at is its dotted name, "" for the root.
	at     string
	values map[string]any
	text   map[string][]byte
}

func newObject(at string, text []byte) (object, *Refusal) {
	v, err := schema.Read(text)
	if err != nil {
		return object{}, unread(at, err)
	}
	values, ok := v.(map[string]any)
	if !ok {
		return object{}, refuse(at, "must be a JSON object", "Write { ... }.")
	}
	members, err := schema.Members(text)
	if err != nil {
		return object{}, unread(at, err)
	}
	o := object{at: at, values: values, text: make(map[string][]byte, len(members))}
	for _, m := range members {
		o.text[m.Name] = m.Text
	}
	return o, nil
}

func (o object) field(name string) string { return joined(o.at, name) }

func (o object) has(name string) bool {
	_, ok := o.values[name]
	return ok
}

// boolean reads true or false.
func (o object) boolean(name string, otherwise bool) (bool, *Refusal) {
	if !o.has(name) {
		return otherwise, nil
	}
	v, ok := o.values[name].(bool)
	if !ok {
		return false, refuse(o.field(name), "must be true or false", "Write true or false without quotes, or leave the field out.")
	}
	return v, nil
}

// choice reads one of a closed list of words, spelled exactly.
func choice[T ~string](o object, name string, otherwise T, of ...T) (T, *Refusal) {
	if !o.has(name) {
		return otherwise, nil
	}
	text, ok := o.values[name].(string)
	if !ok || !slices.Contains(of, T(text)) {
		words := make([]string, 0, len(of))
		for _, w := range of {
			words = append(words, strconv.Quote(string(w)))
		}
		return "", refuse(o.field(name), "must be "+strings.Join(words, " or "), "Use one of these words as it is written here, or leave the field out.")
	}
	return T(text), nil
}

// line reads a text that must be there and say something.
func (o object) line(name, remedy string) (string, *Refusal) {
	text, ok := o.values[name].(string)
	switch {
	case !o.has(name):
		return "", refuse(o.field(name), "is required", remedy)
	case !ok:
		return "", refuse(o.field(name), "must be text", remedy)
	case strings.TrimSpace(text) == "":
		return "", refuse(o.field(name), "must not be empty", remedy)
	}
	return text, nil
}

// words reads a list of texts. A text with NUL can be no argument, name or path.
func (o object) words(name, remedy string) ([]string, *Refusal) {
	if !o.has(name) {
		return nil, nil
	}
	list, ok := o.values[name].([]any)
	if !ok {
		return nil, refuse(o.field(name), "must be a list of texts", remedy)
	}
	out := make([]string, 0, len(list))
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			return nil, refuse(o.field(name)+"."+strconv.Itoa(i), "must be text", remedy)
		}
		if strings.IndexByte(text, 0) >= 0 {
			return nil, refuse(o.field(name)+"."+strconv.Itoa(i), "holds a NUL character", "Take the character out.")
		}
		out = append(out, text)
	}
	return out, nil
}

// catalogs reads a set of catalogs; tightest first, each once.
func (o object) catalogs(otherwise []tool.Catalog) ([]tool.Catalog, *Refusal) {
	const name = "catalogs"
	if !o.has(name) {
		return otherwise, nil
	}
	wrong := refuse(o.field(name), `must be a list of "plan", "work" or both`, "Name at least one of the two, or leave the field out for both.")
	list, ok := o.values[name].([]any)
	if !ok || len(list) == 0 {
		return nil, wrong
	}
	for _, v := range list {
		if text, ok := v.(string); !ok || !tool.Catalog(text).Known() {
			return nil, wrong
		}
	}
	var out []tool.Catalog
	for _, c := range tool.Catalogs() {
		if slices.Contains(list, any(string(c))) {
			out = append(out, c)
		}
	}
	return out, nil
}

// maxTimeoutSeconds is the longest time limit that a manifest may give.
const maxTimeoutSeconds = 4_294_967

// timeout reads a number of seconds, written as a whole number, or "unlimited", which gives 0.
func (o object) timeout() (time.Duration, *Refusal) {
	const name = "timeoutSeconds"
	if !o.has(name) {
		return DefaultTimeout, nil
	}
	switch v := o.values[name].(type) {
	case string:
		if v == "unlimited" {
			return 0, nil
		}
	case json.Number:
		// Neither 1e2 nor 1.0 is taken: a person would have to work out what it means.
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && n >= 1 && n <= maxTimeoutSeconds {
			return time.Duration(n) * time.Second, nil
		}
	}
	return 0, refuse(o.field(name), `must be a whole number from 1 to 4,294,967, or "unlimited"`, fmt.Sprintf("Leave the field out for %d seconds.", int(DefaultTimeout.Seconds())))
}
