package manifest_test

import (
	"slices"
	"strings"
	"testing"

	"countersign/backend/toolset/manifest"
)

func TestWhatAnAssemblySaysIsChecked(t *testing.T) {
	set, _, err := manifest.Parse("Acme", []byte(`{"runner":"dotnet","assembly":"A.dll","approval":"always","tools":{"a":{"pathArguments":["p"]},"off":{"catalogs":[]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	fine := manifest.Described{Type: "A", Name: "a", Description: "d", Schema: `{"properties":{"p":{}}}`}
	with := func(change func(*manifest.Described)) manifest.Described {
		d := fine
		d.Name = "b"
		change(&d)
		return d
	}
	rows := []struct {
		about string
		one   manifest.Described
		// field is that of the note, "" where the tool is taken.
		field string
	}{
		{"no description", with(func(d *manifest.Described) { d.Description = "\n" }), ""},
		{"an empty name", with(func(d *manifest.Described) { d.Name = "" }), "assembly"},
		{"a name with a slash", with(func(d *manifest.Described) { d.Name = "a/b" }), "assembly"},
		{"a long type", with(func(d *manifest.Described) { d.Name, d.Type = "!", strings.Repeat("\u2603", 99) }), "assembly"},
		{"no schema", with(func(d *manifest.Described) { d.Schema = "" }), "assembly"},
		{"a schema that is no JSON", with(func(d *manifest.Described) { d.Schema = "{" }), "assembly"},
		{"a schema of a list", with(func(d *manifest.Described) { d.Schema = `{"type":"array"}` }), "assembly.b.schema"},
		{"a schema that is no object", with(func(d *manifest.Described) { d.Schema = `true` }), "assembly.b.schema"},
		{"a schema of elsewhere", with(func(d *manifest.Described) { d.Schema = `{"$ref":"http://x/y"}` }), "assembly.b.schema"},
	}
	for _, row := range rows {
		tools, notes, err := set.Describe([]manifest.Described{fine, row.one, {Name: "off", Schema: "{}"}})
		if err != nil || tools[0].Name != "a" || tools[0].Approval != manifest.ApprovalAlways || !slices.Equal(tools[0].PathArguments, []string{"p"}) {
			t.Fatalf("%s: %+v %v", row.about, tools, err)
		}
		if taken := len(tools) == 2 && len(notes) == 0; taken != (row.field == "") || !taken && (len(notes) != 1 || notes[0].Field != row.field || len(notes[0].Text) > 2000) {
			t.Errorf("%s: %+v %+v", row.about, tools, notes)
		}
	}
	for about, all := range map[string][]manifest.Described{
		"none":                  nil,
		"two of a name":         {fine, fine},
		"an overlay of nothing": {with(func(*manifest.Described) {}), {Name: "off", Schema: "{}"}},
	} {
		if tools, _, err := set.Describe(all); err == nil {
			t.Errorf("%s: %+v", about, tools)
		}
	}
}
