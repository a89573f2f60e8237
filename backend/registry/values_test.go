package registry_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/veil"
)

// valueCases show what becomes of values that a tool made in its own memory, as its caller
// gets them and as eyes see them.
var valueCases = map[string]func(*testing.T){
	// A value that stands in two places is written out in both: it is no cycle.
	"red-173": func(t *testing.T) {
		shared := map[string]any{"p": 1}
		text, err := json.Marshal(map[string]any{"a": shared, "b": shared})
		if err != nil {
			t.Fatal(err)
		}
		full := `{"a":{"p":1},"b":{"p":1}}`
		o, seen := valued(t, tool.Result{Content: []tool.Part{tool.TextPart(string(text))}, Structured: text})
		if string(o.Structured) != full || len(o.Content) != 1 || o.Content[0].Text.Open() != full {
			t.Errorf("the caller gets %s and %+v", o.Structured, o.Content)
		}
		if string(seen.Structured) != full || len(seen.Content) != 1 || seen.Content[0].Text.Open() != full || len(seen.Hidden) != 0 {
			t.Errorf("eyes see %s and %+v, without %+v", seen.Structured, seen.Content, seen.Hidden)
		}
	},
	"red-179": func(t *testing.T) {
		o, seen := valued(t, tool.Result{})
		if text := texts(o.Content); text != "" || o.Structured != nil || o.Metadata.Truncation != nil {
			t.Errorf("the caller gets %q, %s and %+v", text, o.Structured, o.Metadata.Truncation)
		}
		if text := texts(seen.Content); text != "" || len(seen.Structured) != 0 || seen.Metadata.Truncation != nil || len(seen.Hidden) != 0 {
			t.Errorf("eyes see %q, %s and %+v, without %+v", text, seen.Structured, seen.Metadata.Truncation, seen.Hidden)
		}
	},
}

// twice is an object that holds one kind of object in two places.
const twice = `{"type":"object","additionalProperties":false,"properties":{
	"a":{"type":"object","additionalProperties":false,"properties":{"p":{"type":"integer"}}},
	"b":{"type":"object","additionalProperties":false,"properties":{"p":{"type":"integer"}}}}}`

// valued runs a tool that gives a result, and returns the outcome with the copy of the call
// that lists and exports show.
func valued(t *testing.T, result tool.Result) (tool.Outcome, session.Invocation) {
	t.Helper()
	b := newBed(t, spec("math.test", func(s *tool.Spec) {
		if result.Structured != nil {
			s.Output = []byte(twice)
		}
		s.Run = func(context.Context, tool.Env, tool.Args) (tool.Result, error) { return result, nil }
	}))
	o := b.call(t.Context(), "math.test", `{}`)
	want(t, o, tool.StatusSucceeded, "")
	stored, there := b.journal.Invocation(o.InvocationID)
	if !there {
		t.Fatal("the call is not stored")
	}
	return o, veil.Invocation(stored)
}

func texts(parts []tool.Part) string {
	var all strings.Builder
	for _, p := range parts {
		all.WriteString(p.Text.Open())
	}
	return all.String()
}

// spec: RL-14
func TestCasesOfValues(t *testing.T) {
	data, err := os.ReadFile("../../tools/testdata/cases/redact.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for line := range strings.Lines(string(data)) {
		var c struct {
			ID, Title string
			Value     string `json:"value_spec"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Value == "" {
			continue
		}
		shown = append(shown, c.ID)
		t.Run(c.ID, func(t *testing.T) {
			check, ok := valueCases[c.ID]
			if !ok {
				t.Fatalf("nothing shows this case: %s", c.Title)
			}
			synctest.Test(t, check)
		})
	}
	for id := range valueCases {
		if !slices.Contains(shown, id) {
			t.Errorf("%s is no case", id)
		}
	}
}
