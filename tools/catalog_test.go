package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"countersign/backend/tool"
)

// spec: VB-3, VB-25
func TestEveryToolIsComplete(t *testing.T) {
	for _, s := range Catalog() {
		t.Run(s.ID, func(t *testing.T) {
			c := s.Class
			known := c.SideEffect.Known() && c.Risk.Known() && c.Idempotency.Known() && c.Action.Known() &&
				c.OutputTrust.Known() && c.Target.Known() && c.OnTimeout.Known() && s.Preview.Known()
			if !known || c.Timeout <= 0 || c.MaxBytes <= 0 || c.MaxBytes > tool.MaxBytesCeiling {
				t.Errorf("class %+v, preview %q", c, s.Preview)
			}
			if s.Source != tool.SourceBuiltin || s.ServerID != "" || s.Set == "" || s.Version == "" || s.Run == nil {
				t.Errorf("source %q, server %q, set %q, version %q", s.Source, s.ServerID, s.Set, s.Version)
			}
			if !c.SideEffect.ReadOnly() && s.Target == nil {
				t.Error("a tool that changes something names no target")
			}
			if s.Description == "" || s.Description != strings.TrimSpace(s.Description) {
				t.Errorf("description %q", s.Description)
			}
			if s.Verb == "" && s.Draw == nil {
				t.Error("nothing says in words what a call would do")
			}
			if !s.Offered(tool.CatalogWork) || s.Offered(tool.CatalogPlan) && !c.SideEffect.ReadOnly() {
				t.Errorf("catalogs %v", s.Catalogs)
			}
		})
	}
}

// spec: VB-25
func TestNamesAreUnique(t *testing.T) {
	var names []string
	for _, s := range Catalog() {
		for _, name := range slices.Compact([]string{s.ID, s.WireName()}) {
			if slices.Contains(names, name) {
				t.Errorf("%s is taken twice", name)
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Error("no tools")
	}
}

// spec: VB-25
func TestEveryObjectOfASchemaIsClosed(t *testing.T) {
	for _, s := range Catalog() {
		for _, raw := range []json.RawMessage{s.Input, s.Output} {
			if raw == nil {
				continue
			}
			var schema map[string]any
			if err := json.Unmarshal(raw, &schema); err != nil {
				t.Fatal(err)
			}
			for _, place := range open("", schema) {
				t.Errorf("%s: %q lets other properties in", s.ID, place)
			}
		}
	}
}

// open returns the places of objects that do not refuse other properties.
func open(place string, v any) []string {
	var found []string
	switch v := v.(type) {
	case map[string]any:
		if v["type"] == "object" && v["additionalProperties"] != false {
			found = append(found, place+"/")
		}
		for key, inner := range v {
			found = append(found, open(place+"/"+key, inner)...)
		}
	case []any:
		for i, inner := range v {
			found = append(found, open(fmt.Sprintf("%s/%d", place, i), inner)...)
		}
	}
	return found
}

// spec: VB-26, VB-35
func TestEveryReasonIsFixedText(t *testing.T) {
	codes := map[tool.Code]string{}
	for _, r := range tool.Reasons() {
		codes[r.Code] = r.Sentence
	}
	for _, s := range Catalog() {
		for _, r := range s.Reasons {
			if !r.Code.Known() || r.Sentence == "" || strings.ContainsAny(r.Sentence, "%{}") {
				t.Errorf("%s: %s says %q", s.ID, r.Code, r.Sentence)
			}
			if other, taken := codes[r.Code]; taken && other != r.Sentence {
				t.Errorf("%s: %s has two sentences", s.ID, r.Code)
			}
			codes[r.Code] = r.Sentence
		}
	}
}
