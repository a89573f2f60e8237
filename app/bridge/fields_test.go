package bridge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/tools"
)

// line is a row of the table as a person would read it.
func line(f FieldRow) string {
	parts := []string{strings.Repeat("  ", f.Depth) + f.Name, f.Type}
	if f.Required {
		parts = append(parts, "required")
	}
	parts = append(parts, f.Limits...)
	if len(f.Choices) > 0 {
		parts = append(parts, "{"+strings.Join(f.Choices, "|")+"}")
	}
	if f.Default != "" {
		parts = append(parts, "default "+f.Default)
	}
	if f.Description != "" {
		parts = append(parts, f.Description)
	}
	return strings.Join(parts, "; ")
}

func TestASchemaIsToldAsATable(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		want         []string
	}{
		{"nothing", `{"type":"object","additionalProperties":false}`, nil},
		{"required first, in the schema's order", `{"required":["b","a"],"properties":{"a":{"type":"string"},"b":{"type":"boolean"},"0":{"type":"null"}}}`,
			[]string{"b; yes or no; required", "a; text; required", "0; nothing"}},
		{"numbers", `{"properties":{"a":{"type":"integer","minimum":5,"maximum":900,"default":300},"b":{"type":"integer","minimum":1,"maximum":2147483647},
			"c":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5,"multipleOf":0.1},"d":{"type":"integer","maximum":86400}}}`,
			[]string{"a; whole number; 5 to 900; default 300", "b; whole number; at least 1", "c; number; over 0; under 1.5; a multiple of 0.1", "d; whole number; at most 86,400"}},
		{"texts", `{"properties":{"a":{"type":"string","minLength":1,"maxLength":4096},"b":{"type":"string","maxLength":1},"c":{"type":"string","minLength":2,"maxLength":2},
			"d":{"type":"string","pattern":"^a+$","format":"uri","default":"<a & b>"},"e":{"type":["string","null"],"description":"Said."}}}`,
			[]string{"a; text; 1 to 4,096 characters", "b; text; at most 1 character", "c; text; exactly 2 characters", `d; text; of the form ^a+$; format uri; default "<a & b>"`, "e; text or nothing; Said."}},
		{"choices", `{"properties":{"a":{"enum":["dev","staging","production"],"default":"dev"},"b":{"enum":[1,null,{"x":1}]},"c":{"const":true}}}`,
			[]string{`a; one of 3; {dev|staging|production}; default "dev"`, `b; one of 3; {1|null|{"x":1}}`, "c; always the same; {true}"}},
		{"inside", `{"properties":{"todos":{"type":"array","minItems":0,"maxItems":50,"uniqueItems":true,"items":{"type":"object","required":["id"],"properties":
			{"id":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}},"env":{"type":"object","additionalProperties":{"type":"object","properties":{"v":{"type":"string"}}}}}}`,
			[]string{"env; group of fields", "  any other name; group of fields", "    v; text",
				"todos; list of groups of fields; at most 50 entries; no entry twice", "  id; text; required", "  tags; list of text"}},
		{"forms and references", `{"$defs":{"p":{"type":"object","properties":{"x":{"type":"integer"}}}},"properties":{"a":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/p"}]},
			"b":{"$ref":"#/$defs/nowhere"},"c":{"items":{"type":"number"}}}}`,
			[]string{"a; text or group of fields", "  x; whole number", "b; anything", "c; list of number"}},
		{"a ring", `{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}},"r":{"$ref":"#/$defs/r"}},"properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/r"}}}`,
			[]string{"a; group of fields", "  next; group of fields", "    next; group of fields", "      next; group of fields", "        next; group of fields",
				"          next; group of fields", "            next; group of fields", "b; anything"}},
		{"odd shapes", `{"properties":{"a":true,"b":{"type":7,"enum":"x","required":{},"items":[{}],"properties":[]},"c":{"type":"unheard"}}}`,
			[]string{"a; anything", "b; group of fields", "c; unknown"}},
		{"no JSON", `{`, nil},
		{"a list", `[]`, nil},
	} {
		var got []string
		for _, f := range fieldRows([]byte(c.schema)) {
			got = append(got, line(f))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s\n%s", c.name, d)
		}
	}
}

func TestTheTableOfASchemaHasAnEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"properties":{`)
	for i := range 5000 {
		fmt.Fprintf(&b, `"f%d":{"type":"string"},`, i)
	}
	b.WriteString(`"z":{}}}`)
	if got := len(fieldRows([]byte(b.String()))); got != maxFields {
		t.Errorf("%d rows", got)
	}
}

func TestEveryBuiltInSchemaHasItsFieldsInTheTable(t *testing.T) {
	for _, spec := range tools.Catalog() {
		rows := fieldRows(spec.Input)
		if len(rows) != len(parameterRows(&spec)) {
			t.Errorf("%s: %d rows for %d parameters", spec.ID, len(rows), len(parameterRows(&spec)))
		}
		for _, row := range rows {
			if row.Description == "" || row.Type == "unknown" || row.Type == "anything" {
				t.Errorf("%s: %+v", spec.ID, row)
			}
		}
	}
}

func TestAnExactSchemaKeepsItsOwnOrder(t *testing.T) {
	if got := indented([]byte(`{"b":1,"a":[1.50]}`)); got != "{\n  \"b\": 1,\n  \"a\": [\n    1.50\n  ]\n}" {
		t.Error(got)
	}
	if got := indented([]byte(`{`)); got != "{" {
		t.Error(got)
	}
}
