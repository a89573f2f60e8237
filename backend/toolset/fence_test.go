package toolset

import (
	"bytes"
	"encoding/json"
	"testing"

	"countersign/backend/schema"
	"countersign/backend/toolset/manifest"
)

// FuzzFence holds that fencing finds every path that a reader of the JSON finds, and changes
// nothing else.
func FuzzFence(f *testing.F) {
	for _, seed := range []string{
		`{"p":"a"}`, `{"p":["a",["b",null]],"q":"c"}`, `{"\u0070":"\ud83d\ude00"}`, `{"q":{"p":"x"},"p":"y","z":1e400}`, ` { } `, `{"p":null,"list":[]}`, `{"p":{"q":1}}`,
	} {
		f.Add([]byte(seed))
	}
	x := &external{tool: manifest.Tool{Overlay: manifest.Overlay{PathArguments: []string{"p", "list"}}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		object, err := schema.ReadObject(text)
		if err != nil {
			return
		}
		count := 0
		marked, err := x.rewrite(text, func(path string) string {
			count++
			return "/fenced/" + path
		})
		wanted, refused := expected(object)
		if (err != nil) != refused {
			t.Fatalf("%s: %v", text, err)
		}
		if err != nil {
			return
		}
		got, err := schema.ReadObject(marked)
		if err != nil {
			t.Fatalf("%s became %s", text, marked)
		}
		a, _ := schema.AppendExact(nil, got)
		b, _ := schema.AppendExact(nil, wanted)
		if !bytes.Equal(a, b) {
			t.Fatalf("%s became %s, want %s", text, a, b)
		}
		if count == 0 && !hasPaths(object) && !bytes.Equal(marked, text) {
			t.Fatalf("%s became %s", text, marked)
		}
	})
}

func hasPaths(object map[string]any) bool { return object["p"] != nil || object["list"] != nil }

// expected is what fencing makes of arguments that were read in another way.
func expected(object map[string]any) (out map[string]any, refused bool) {
	out = map[string]any{}
	var mark func(v any) any
	mark = func(v any) any {
		switch v := v.(type) {
		case nil:
			return nil
		case string:
			return "/fenced/" + v
		case []any:
			list := []any{}
			for _, e := range v {
				list = append(list, mark(e))
			}
			return list
		case json.Number, bool, map[string]any:
		}
		refused = true
		return nil
	}
	for name, v := range object {
		if out[name] = v; name == "p" || name == "list" {
			out[name] = mark(v)
		}
	}
	return out, refused
}
