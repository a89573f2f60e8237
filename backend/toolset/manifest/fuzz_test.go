package manifest_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/toolset/manifest"
)

// oracle reads a manifest a second time, by the standard library and by other code, and says
// which field the contract refuses. It knows nothing of how the set was read.
type oracle struct {
	wrong []string
	// omitted are the tools that were left out for what they say of how they are offered.
	omitted []string
}

func (o *oracle) hold(ok bool, field string) {
	if !ok {
		o.wrong = append(o.wrong, field)
	}
}

var legal = regexp.MustCompile(`\A[A-Za-z][A-Za-z0-9_-]{0,63}\z`)

func (o *oracle) set(directory string, data []byte) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	o.hold(utf8.Valid(data) && json.Valid(data), "JSON")
	o.hold(len(data) <= 1<<20, "size")
	o.hold(!repeats(data), "a key twice")
	var root map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&root) != nil || root == nil {
		o.hold(false, "the root")
		return
	}
	runner, _ := root["runner"].(string)
	o.hold(runner == "exec" || runner == "dotnet", "runner")
	o.optional(root, "enabled", isBool)
	o.optional(root, "timeoutSeconds", isTimeout)
	o.offered(root)
	if runner == "dotnet" {
		o.dotnet(root)
		return
	}
	o.optional(root, "stdin", isBool)
	o.optional(root, "command", isTexts)
	tools, listed := root["tools"].([]any)
	o.hold(listed || !has(root, "tools"), "tools")
	if !listed {
		o.hold(legal.MatchString(directory), "the directory")
		o.tool(root, nil)
		return
	}
	o.hold(len(tools) > 0, "tools")
	names := map[any]bool{}
	for _, name := range []string{"description", "schema", "argv", "pathArguments", "output"} {
		o.hold(!has(root, name), "mixed "+name)
	}
	for _, one := range tools {
		t, ok := one.(map[string]any)
		name, text := t["name"].(string)
		o.hold(ok && text && legal.MatchString(name) && !names[name], "a tool's name")
		names[name] = true
		o.tool(t, root["command"])
		if !slices.Contains(o.omitted, name) {
			o.offered(t)
		}
	}
}

func (o *oracle) tool(t map[string]any, prefix any) {
	description, ok := t["description"].(string)
	o.hold(ok && strings.TrimSpace(description) != "", "description")
	schema, ok := t["schema"].(map[string]any)
	o.hold(ok, "schema")
	properties, _ := schema["properties"].(map[string]any)
	o.optional(t, "command", isTexts)
	first, _ := prefix.([]any)
	second, _ := t["command"].([]any)
	all := append(append([]any{}, first...), second...)
	o.hold(len(all) > 0 && strings.TrimSpace(all[0].(string)) != "", "command")
	o.optional(t, "argv", func(v any) bool {
		flags, ok := v.(map[string]any)
		for name, word := range flags {
			text, is := word.(string)
			ok = ok && is && text != "" && !strings.Contains(text, "\x00") && has(properties, name)
		}
		return ok
	})
	o.optional(t, "pathArguments", func(v any) bool {
		if !isTexts(v) {
			return false
		}
		for _, name := range v.([]any) {
			if !has(properties, name.(string)) {
				return false
			}
		}
		return true
	})
	o.optional(t, "output", func(v any) bool { return v == "text" || v == "content" })
}

func (o *oracle) offered(t map[string]any) {
	o.optional(t, "approval", func(v any) bool { return v == "inherit" || v == "always" })
	o.optional(t, "catalogs", func(v any) bool {
		list, _ := v.([]any)
		for _, c := range list {
			if c != "plan" && c != "work" {
				return false
			}
		}
		return len(list) > 0
	})
}

func (o *oracle) dotnet(root map[string]any) {
	assembly, _ := root["assembly"].(string)
	o.hold(strings.TrimSpace(assembly) != "" && !strings.ContainsAny(assembly, "/\\:\x00") && assembly != "." && assembly != "..", "assembly")
	o.optional(root, "types", func(v any) bool { return isTexts(v) && len(v.([]any)) > 0 })
	o.optional(root, "tools", func(v any) bool {
		tools, ok := v.(map[string]any)
		for name, one := range tools {
			t, object := one.(map[string]any)
			o.hold(legal.MatchString(name), "a tool's name")
			if slices.Contains(o.omitted, name) {
				continue
			}
			o.hold(object && !has(t, "output"), "an override")
			o.offered(t)
			o.optional(t, "pathArguments", isTexts)
		}
		return ok
	})
	o.hold(!has(root, "output") && !has(root, "pathArguments"), "a field of exec sets")
}

func (o *oracle) optional(t map[string]any, name string, fits func(any) bool) {
	if has(t, name) {
		o.hold(fits(t[name]), name)
	}
}

func has(t map[string]any, name string) bool { _, ok := t[name]; return ok }

func isBool(v any) bool { _, ok := v.(bool); return ok }

func isTexts(v any) bool {
	list, ok := v.([]any)
	for _, e := range list {
		text, is := e.(string)
		ok = ok && is && !strings.Contains(text, "\x00")
	}
	return ok
}

func isTimeout(v any) bool {
	if n, ok := v.(json.Number); ok {
		i, err := strconv.Atoi(string(n))
		return err == nil && i >= 1 && i <= 4294967
	}
	return v == "unlimited"
}

// repeats reports whether an object has a key twice.
func repeats(data []byte) bool {
	type level struct {
		object, value bool
		keys          map[string]bool
	}
	var stack []*level
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		var top *level
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		if key, ok := token.(string); ok && top != nil && top.object && !top.value {
			if top.keys[key] {
				return true
			}
			top.keys[key], top.value = true, true
			continue
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			stack = append(stack, &level{object: token == json.Delim('{'), keys: map[string]bool{}})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				top = stack[len(stack)-1]
			}
		}
		if top != nil {
			top.value = false
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		single, list(one, two), dotnet, "\ufeff" + single,
		fields(single, map[string]string{"argv": `{"b":"--b","a":"-a"}`, "pathArguments": `["a"]`, "timeoutSeconds": "5", "output": `"content"`, "catalogs": `["plan"]`, "approval": `"always"`, "enabled": "false", "stdin": "true"}),
		fields(dotnet, map[string]string{"tools": `{"a":{"catalogs":["work"],"pathArguments":["p"],"approval":"always"}}`, "types": `["T"]`, "timeoutSeconds": `"unlimited"`}),
	} {
		f.Add("x", []byte(text))
		f.Add("a.b", []byte(text))
	}
	f.Fuzz(func(t *testing.T, directory string, data []byte) {
		set, _, err := manifest.Parse(directory, data)
		if err != nil {
			if _, ok := err.(*manifest.Refusal); !ok || set != nil {
				t.Fatalf("an error that is no refusal: %v", err)
			}
			return
		}
		o := oracle{omitted: set.Omitted}
		o.set(directory, data)
		if len(o.wrong) > 0 {
			t.Fatalf("a set was taken with %v", o.wrong)
		}
		for _, on := range []bool{!set.Enabled, set.Enabled} {
			changed, err := manifest.Enable(directory, data, on)
			if len(data) > manifest.MaxBytes-64 {
				return
			}
			if err != nil {
				t.Fatalf("the set cannot be switched: %v", err)
			}
			again, _, err := manifest.Parse(directory, changed)
			if err != nil || again.Enabled != on {
				t.Fatalf("switched %v it is %+v, %v", on, again, err)
			}
			again.Enabled = set.Enabled
			if diff := cmp.Diff(set, again); diff != "" {
				t.Fatalf("switching changed more:\n%s", diff)
			}
		}
	})
}
