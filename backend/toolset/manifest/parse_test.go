package manifest_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/tool"
	"countersign/backend/toolset/manifest"
)

// fields replaces, adds or (with "") removes members of an object.
func fields(text string, with map[string]string) string {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		panic(err)
	}
	for name, value := range with {
		if value == "" {
			delete(members, name)
			continue
		}
		members[name] = json.RawMessage(value)
	}
	out, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(out)
}

const (
	single = `{"runner":"exec","description":"d","schema":{"type":"object","properties":{"a":{"type":"string"},"b":{}}},"command":["run"]}`
	one    = `{"name":"t1","description":"d","schema":{"type":"object","properties":{"a":{}}},"command":["sub"]}`
	two    = `{"name":"t2","description":"d","schema":{}}`
	dotnet = `{"runner":"dotnet","assembly":"A.dll"}`
)

func list(tools ...string) string {
	return `{"runner":"exec","command":["run"],"tools":[` + strings.Join(tools, ",") + `]}`
}

func parsed(t *testing.T, directory, text string) (*manifest.Set, []manifest.Note) {
	t.Helper()
	s, notes, err := manifest.Parse(directory, []byte(text))
	if err != nil {
		t.Fatalf("%s was refused: %v", text, err)
	}
	return s, notes
}

// spec: CT-1, CT-9, CT-22, CT-37, CX-14
func TestShorthandIsOneToolWithTheNameOfItsDirectory(t *testing.T) {
	got, notes := parsed(t, "ship", fields(single, map[string]string{
		"argv": `{"b":"--b","a":"-a"}`, "pathArguments": `["a","a"]`, "output": `"content"`, "stdin": "false",
		"timeoutSeconds": "7", "catalogs": `["work"]`, "approval": `"always"`, "enabled": "true", "name": `{"any":1}`,
		"command": `["run","","$HOME","{a}"]`,
	}))
	over := manifest.Overlay{Catalogs: []tool.Catalog{tool.CatalogWork}, Approval: manifest.ApprovalAlways}
	want := &manifest.Set{
		Runner: manifest.RunnerExec, Enabled: true, Timeout: 7 * time.Second, Command: []string{"run", "", "$HOME", "{a}"}, Defaults: over,
		Tools: []manifest.Tool{{
			Name: "ship", Description: "d", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`),
			Flags: []manifest.Flag{{Property: "b", Word: "--b"}, {Property: "a", Word: "-a"}}, Output: manifest.OutputContent,
			Overlay: manifest.Overlay{Catalogs: over.Catalogs, Approval: over.Approval, PathArguments: []string{"a"}},
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(notes) > 0 {
		t.Errorf("notes %v, set (-want +got):\n%s", notes, diff)
	}
}

// spec: CT-22
func TestDefaults(t *testing.T) {
	got, _ := parsed(t, "x", single)
	if !got.Enabled || !got.Stdin || got.Timeout != 120*time.Second || got.Tools[0].Output != manifest.OutputText ||
		got.Tools[0].Approval != manifest.ApprovalInherit || !slices.Equal(got.Tools[0].Catalogs, tool.Catalogs()) {
		t.Errorf("defaults: %+v", got)
	}
}

// spec: CT-19, CT-37
func TestAToolReplacesWhatItsSetSays(t *testing.T) {
	text := fields(list(fields(one, map[string]string{"catalogs": `["plan"]`, "approval": `"inherit"`, "stdin": "5", "timeoutSeconds": "0", "runner": "1", "enabled": "3"}), two),
		map[string]string{"catalogs": `["work","plan","work"]`, "approval": `"always"`})
	got, notes := parsed(t, "Acme.Tools", text)
	if len(notes) > 0 || len(got.Tools) != 2 {
		t.Fatalf("%v %+v", notes, got)
	}
	first, second := got.Tools[0], got.Tools[1]
	if !slices.Equal(first.Catalogs, []tool.Catalog{tool.CatalogPlan}) || first.Approval != manifest.ApprovalInherit || !slices.Equal(first.Command, []string{"sub"}) {
		t.Errorf("the first: %+v", first)
	}
	if !slices.Equal(second.Catalogs, tool.Catalogs()) || second.Approval != manifest.ApprovalAlways || second.Command != nil {
		t.Errorf("the second: %+v", second)
	}
}

// spec: CT-18
func TestABadOverrideLeavesOneToolOut(t *testing.T) {
	for _, bad := range []map[string]string{
		{"catalogs": "[]"}, {"catalogs": `["full"]`}, {"catalogs": `"plan"`}, {"catalogs": "null"},
		{"approval": `"Always"`}, {"approval": `""`}, {"approval": "null"}, {"approval": "1"},
	} {
		got, notes := parsed(t, "x", list(fields(one, bad), two))
		if len(notes) != 1 || len(got.Tools) != 1 || got.Tools[0].Name != "t2" || !slices.Equal(got.Omitted, []string{"t1"}) {
			t.Errorf("%v: %v %+v", bad, notes, got)
		}
		got, notes = parsed(t, "x", fields(dotnet, map[string]string{"tools": `{"t1":` + fields("{}", bad) + `,"t2":{"pathArguments":["p"]}}`}))
		if len(notes) != 1 || len(got.Overlays) != 1 || !slices.Equal(got.Overlays["t2"].PathArguments, []string{"p"}) || !slices.Equal(got.Omitted, []string{"t1"}) {
			t.Errorf("dotnet, %v: %v %+v", bad, notes, got)
		}
	}
	got, notes := parsed(t, "x", fields(dotnet, map[string]string{"tools": `{"a":{"output":"text"},"b":{"pathArguments":[""]},"c":[],"d":{"catalogs":["plan"]}}`}))
	if len(notes) != 3 || len(got.Overlays) != 1 || !slices.Equal(got.Overlays["d"].Catalogs, []tool.Catalog{tool.CatalogPlan}) {
		t.Errorf("dotnet: %v %+v", notes, got)
	}
}

// spec: CT-22, CT-36
func TestDotnet(t *testing.T) {
	got, notes := parsed(t, "Acme.Tools", fields(dotnet, map[string]string{"types": `["B","A","B"]`, "approval": `"always"`, "timeoutSeconds": `"unlimited"`}))
	want := &manifest.Set{
		Runner: manifest.RunnerDotnet, Enabled: true, Assembly: "A.dll", Types: []string{"A", "B"},
		Defaults: manifest.Overlay{Catalogs: tool.Catalogs(), Approval: manifest.ApprovalAlways},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(notes) > 0 {
		t.Errorf("notes %v, set (-want +got):\n%s", notes, diff)
	}
}

// spec: CT-4, CT-7, CT-18, CT-23
func TestRefusals(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 10001) + "1" + strings.Repeat("}", 10001)
	rows := []struct{ title, directory, text, field string }{
		{"empty", "x", "", ""},
		{"not JSON", "x", "runner: exec", ""},
		{"a list", "x", "[]", ""},
		{"null", "x", "null", ""},
		{"something after it", "x", single + "{}", ""},
		{"a comment", "x", "{/* n */}", ""},
		{"a comma at the end", "x", `{"runner":"exec",}`, "runner"},
		{"UTF-16", "x", "\xff\xfe{\x00}\x00", ""},
		{"not UTF-8", "x", `{"runner":"exec","description":"` + "\xe9" + `"}`, "description"},
		{"a lone surrogate", "x", `{"runner":"exec","description":"\ud800"}`, "description"},
		{"a key twice", "x", `{"runner":"exec","runner":"dotnet"}`, "runner"},
		{"a key twice, spelled in two ways", "x", `{"runner":"exec","r\u0075nner":"exec"}`, "runner"},
		{"a key twice below", "x", `{"runner":"exec","schema":{"type":"object","type":"object"}}`, "schema.type"},
		{"too deep", "x", `{"runner":"exec","schema":` + deep + `}`, ""},
		{"too large", "x", fields(single, map[string]string{"description": `"` + strings.Repeat("x", manifest.MaxBytes) + `"`}), ""},
		{"no runner", "x", "{}", "runner"},
		{"a runner of other case", "x", `{"runner":"Exec"}`, "runner"},
		{"a runner with a space", "x", `{"runner":"exec "}`, "runner"},
		{"runner null", "x", `{"runner":null}`, "runner"},
		{"a runner under another key", "x", `{"Runner":"exec"}`, "runner"},
		{"enabled as text", "x", fields(single, map[string]string{"enabled": `"false"`}), "enabled"},
		{"enabled null", "x", fields(single, map[string]string{"enabled": "null"}), "enabled"},
		{"off and wrong", "x", `{"runner":"exec","enabled":false,"catalogs":[]}`, "catalogs"},
		{"stdin 0", "x", fields(single, map[string]string{"stdin": "0"}), "stdin"},
		{"timeout 0", "x", fields(single, map[string]string{"timeoutSeconds": "0"}), "timeoutSeconds"},
		{"timeout -1", "x", fields(single, map[string]string{"timeoutSeconds": "-1"}), "timeoutSeconds"},
		{"timeout one too many", "x", fields(single, map[string]string{"timeoutSeconds": "4294968"}), "timeoutSeconds"},
		{"timeout past all numbers", "x", fields(single, map[string]string{"timeoutSeconds": "99999999999999999999"}), "timeoutSeconds"},
		{"timeout 1.0", "x", fields(single, map[string]string{"timeoutSeconds": "1.0"}), "timeoutSeconds"},
		{"timeout 1e2", "x", fields(single, map[string]string{"timeoutSeconds": "1e2"}), "timeoutSeconds"},
		{"timeout as text", "x", fields(single, map[string]string{"timeoutSeconds": `"5"`}), "timeoutSeconds"},
		{"timeout Unlimited", "x", fields(single, map[string]string{"timeoutSeconds": `"Unlimited"`}), "timeoutSeconds"},
		{"timeout null", "x", fields(single, map[string]string{"timeoutSeconds": "null"}), "timeoutSeconds"},
		{"no catalog", "x", fields(single, map[string]string{"catalogs": "[]"}), "catalogs"},
		{"a preset for a catalog", "x", fields(single, map[string]string{"catalogs": `["plan","full"]`}), "catalogs"},
		{"a catalog of other case", "x", fields(single, map[string]string{"catalogs": `["Plan"]`}), "catalogs"},
		{"approval of other case", "x", fields(single, map[string]string{"approval": `"Always"`}), "approval"},
		{"approval null", "x", fields(single, map[string]string{"approval": "null"}), "approval"},
		{"no description", "x", fields(single, map[string]string{"description": ""}), "description"},
		{"a blank description", "x", fields(single, map[string]string{"description": `" \n"`}), "description"},
		{"description 5", "x", fields(single, map[string]string{"description": "5"}), "description"},
		{"no schema", "x", fields(single, map[string]string{"schema": ""}), "schema"},
		{"schema true", "x", fields(single, map[string]string{"schema": "true"}), "schema"},
		{"a schema of text", "x", fields(single, map[string]string{"schema": `{"type":"string"}`}), "schema"},
		{"a schema of two types", "x", fields(single, map[string]string{"schema": `{"type":["object","null"]}`}), "schema"},
		{"a schema that is none", "x", fields(single, map[string]string{"schema": `{"type":"object","properties":{"a":{"minLength":"x"}}}`}), "schema"},
		{"a schema elsewhere", "x", fields(single, map[string]string{"schema": `{"$ref":"https://example.invalid/s.json"}`}), "schema"},
		{"no command", "x", fields(single, map[string]string{"command": ""}), "command"},
		{"an empty command", "x", fields(single, map[string]string{"command": "[]"}), "command"},
		{"command null", "x", fields(single, map[string]string{"command": "null"}), "command"},
		{"command as text", "x", fields(single, map[string]string{"command": `"run"`}), "command"},
		{"a number in the command", "x", fields(single, map[string]string{"command": `["run",1]`}), "command.1"},
		{"NUL in the command", "x", fields(single, map[string]string{"command": `["run","\u0000"]`}), "command.1"},
		{"an empty program", "x", fields(single, map[string]string{"command": `["","a"]`}), "command"},
		{"an empty program of a tool", "x", fields(list(fields(one, map[string]string{"command": `[" "]`})), map[string]string{"command": ""}), "tools.0.command"},
		{"argv as a list", "x", fields(single, map[string]string{"argv": `[]`}), "argv"},
		{"argv null", "x", fields(single, map[string]string{"argv": `null`}), "argv"},
		{"a flag that is a number", "x", fields(single, map[string]string{"argv": `{"a":1}`}), "argv"},
		{"an empty flag", "x", fields(single, map[string]string{"argv": `{"a":""}`}), "argv"},
		{"NUL in a flag", "x", fields(single, map[string]string{"argv": `{"a":"-\u0000"}`}), "argv"},
		{"a flag for no property", "x", fields(single, map[string]string{"argv": `{"ghost":"--g"}`}), "argv"},
		{"a path that is no property", "x", fields(single, map[string]string{"pathArguments": `["ghost"]`}), "pathArguments"},
		{"a path without a name", "x", fields(single, map[string]string{"pathArguments": `[""]`}), "pathArguments"},
		{"paths null", "x", fields(single, map[string]string{"pathArguments": `null`}), "pathArguments"},
		{"paths as text", "x", fields(single, map[string]string{"pathArguments": `"a"`}), "pathArguments"},
		{"output json", "x", fields(single, map[string]string{"output": `"json"`}), "output"},
		{"output null", "x", fields(single, map[string]string{"output": `null`}), "output"},
		{"a directory that is no tool", "a.b", single, ""},
		{"tools null", "x", fields(list(), map[string]string{"tools": "null"}), "tools"},
		{"no tools", "x", list(), "tools"},
		{"tools as an object", "x", fields(list(), map[string]string{"tools": "{}"}), "tools"},
		{"a tool that is text", "x", list(`"t1"`), "tools.0"},
		{"mixed with a description", "x", fields(list(one), map[string]string{"description": `"d"`}), "description"},
		{"mixed with a schema", "x", fields(list(one), map[string]string{"schema": `{}`}), "schema"},
		{"mixed with argv", "x", fields(list(one), map[string]string{"argv": `{}`}), "argv"},
		{"mixed with paths", "x", fields(list(one), map[string]string{"pathArguments": `[]`}), "pathArguments"},
		{"mixed with output", "x", fields(list(one), map[string]string{"output": `"text"`}), "output"},
		{"one name twice", "x", list(one, one), "tools.1.name"},
		{"no name", "x", list(fields(one, map[string]string{"name": ""})), "tools.0.name"},
		{"a name with a dot", "x", list(fields(one, map[string]string{"name": `"a.b"`})), "tools.0.name"},
		{"a name of 65", "x", list(fields(one, map[string]string{"name": `"` + strings.Repeat("a", 65) + `"`})), "tools.0.name"},
		{"a name with a line end", "x", list(fields(one, map[string]string{"name": `"a\n"`})), "tools.0.name"},
		{"a name in other letters", "x", list(fields(one, map[string]string{"name": `"na\u00efve"`})), "tools.0.name"},
		{"a tool without description", "x", list(two, fields(one, map[string]string{"description": ""})), "tools.1.description"},
		{"no assembly", "x", fields(dotnet, map[string]string{"assembly": ""}), "assembly"},
		{"an assembly elsewhere", "x", fields(dotnet, map[string]string{"assembly": `"../A.dll"`}), "assembly"},
		{"an assembly elsewhere on Windows", "x", fields(dotnet, map[string]string{"assembly": `"..\\A.dll"`}), "assembly"},
		{"an assembly that is the directory", "x", fields(dotnet, map[string]string{"assembly": `".."`}), "assembly"},
		{"an assembly in a stream", "x", fields(dotnet, map[string]string{"assembly": `"A.dll:b"`}), "assembly"},
		{"types empty", "x", fields(dotnet, map[string]string{"types": "[]"}), "types"},
		{"types with an empty name", "x", fields(dotnet, map[string]string{"types": `["A",""]`}), "types"},
		{"types null", "x", fields(dotnet, map[string]string{"types": "null"}), "types"},
		{"dotnet tools as a list", "x", fields(dotnet, map[string]string{"tools": `[{"name":"a"}]`}), "tools"},
		{"dotnet tools null", "x", fields(dotnet, map[string]string{"tools": `null`}), "tools"},
		{"a dotnet name that none can have", "x", fields(dotnet, map[string]string{"tools": `{"a.b":{}}`}), "tools"},
		{"dotnet with output", "x", fields(dotnet, map[string]string{"output": `"text"`}), "output"},
		{"dotnet with paths at the root", "x", fields(dotnet, map[string]string{"pathArguments": `["a"]`}), "pathArguments"},
	}
	for _, row := range rows {
		t.Run(row.title, func(t *testing.T) {
			s, _, err := manifest.Parse(row.directory, []byte(row.text))
			refusal, ok := err.(*manifest.Refusal)
			if !ok || s != nil {
				t.Fatalf("it was taken: %+v, %v", s, err)
			}
			if row.title != "too deep" && refusal.Field != row.field {
				t.Errorf("the field is %q, want %q: %s", refusal.Field, row.field, refusal.Text)
			}
			sentences := strings.Split(strings.TrimSuffix(refusal.Text, "."), ". ")
			if !strings.HasPrefix(refusal.Text, "tools.json: ") || !strings.HasSuffix(refusal.Text, ".") || len(sentences) < 2 {
				t.Errorf("the note lacks the file, the fault or the remedy: %s", refusal.Text)
			}
		})
	}
}

// spec: CT-4
func TestUnknownFieldsHaveNoEffect(t *testing.T) {
	want, _ := parsed(t, "x", single)
	got, notes := parsed(t, "x", fields(single, map[string]string{
		"APPROVAL": `"always"`, "Enabled": "false", "modes": `["plan"]`, "id": `"y"`, "\u017ftdin": "false", "assembly": "7", "types": "null",
	}))
	if diff := cmp.Diff(want, got); diff != "" || len(notes) > 0 {
		t.Errorf("notes %v (-want +got):\n%s", notes, diff)
	}
	// What the other runner knows is ignored too.
	want, _ = parsed(t, "x", dotnet)
	got, _ = parsed(t, "x", fields(dotnet, map[string]string{"command": "5", "stdin": "5", "argv": "5", "schema": "5", "description": "5"}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("dotnet (-want +got):\n%s", diff)
	}
}

func TestTheSchemaIsKeptAsItWasWritten(t *testing.T) {
	schema := `{ "type":"object", "properties" : {"id":{"maximum":9007199254740993,"default":1.50}}}`
	got, _ := parsed(t, "x", fields(single, map[string]string{"schema": schema}))
	kept := bytes.ReplaceAll(got.Tools[0].Schema, []byte(" "), nil)
	if string(kept) != strings.ReplaceAll(schema, " ", "") {
		t.Errorf("the schema became %s", got.Tools[0].Schema)
	}
	raw, _ := parsed(t, "x", `{"runner":"exec","description":"d","command":["a"],"schema":`+schema+"}")
	if string(raw.Tools[0].Schema) != schema {
		t.Errorf("the schema became %s", raw.Tools[0].Schema)
	}
}

// spec: CT-4
func TestNamesOfDirectoriesAndTools(t *testing.T) {
	rows := []struct {
		name            string
		directory, tool bool
	}{
		{"a", true, true}, {"Acme.Tools", true, false}, {"a-b_C9", true, true}, {"tool.", true, false},
		{strings.Repeat("a", 64), true, true}, {strings.Repeat("a", 65), false, false},
		{"", false, false}, {".hidden", false, false}, {"-x", false, false}, {"_x", false, false}, {"9a", false, false},
		{"my tool", false, false}, {"a/b", false, false}, {"a\n", false, false}, {"\u00e4", false, false}, {"a:b", false, false}, {"\u212a", false, false},
	}
	for _, row := range rows {
		if got := manifest.LegalDirectory(row.name); got != row.directory {
			t.Errorf("directory %q: %v", row.name, got)
		}
		if got := manifest.LegalTool(row.name); got != row.tool {
			t.Errorf("tool %q: %v", row.name, got)
		}
	}
}
