package record

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"countersign/backend/tool"
)

// copying makes the copy for eyes of a text, and of one that is JSON.
type copying struct{ text, json func(string) string }

// plainly is for values that are copies already.
var plainly = copying{func(s string) string { return s }, func(s string) string { return s }}

// tree turns a value into what JSON can say, with every text copied, and without what is
// empty. It goes by the names that fields have in JSON, so that a fact which is new is told
// like the others.
func tree(v any, c copying) any { return c.value(reflect.ValueOf(v)) }

func (c copying) value(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch known := v.Interface().(type) {
	case time.Time:
		return timeText(known)
	case tool.Untrusted:
		return c.text(known.Open())
	case []byte:
		return c.bytes(known)
	case json.RawMessage:
		return c.bytes(known)
	}
	switch v.Kind() {
	case reflect.String:
		return c.text(v.String())
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return json.Number(strconv.FormatUint(v.Uint(), 10))
	case reflect.Pointer, reflect.Interface:
		return c.value(v.Elem())
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = c.value(v.Index(i))
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, key := range v.MapKeys() {
			out[c.text(key.String())] = c.value(v.MapIndex(key))
		}
		return out
	case reflect.Struct:
		out := map[string]any{}
		c.fields(v, out)
		return out
	default:
		// Nothing that is decided is told in another kind.
		return v.Type().String()
	}
}

// fields adds the fields of a struct, and those of what is embedded in it beside them.
func (c copying) fields(v reflect.Value, out map[string]any) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			c.fields(v.Field(i), out)
		case !f.IsExported(), name == "-", empty(v.Field(i)):
		case name == "":
			out[f.Name] = c.value(v.Field(i))
		default:
			out[name] = c.value(v.Field(i))
		}
	}
}

func empty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// bytes are told as their text: it is JSON or something that is no text.
func (c copying) bytes(b []byte) any {
	if json.Valid(b) {
		return c.json(string(b))
	}
	return c.text(strings.ToValidUTF8(string(b), "\uFFFD"))
}

// timeText is a time in UTC, to the millisecond: that is what the store keeps.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
