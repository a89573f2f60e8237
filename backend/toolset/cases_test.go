package toolset_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/toolset"
	"countersign/backend/toolset/manifest"
)

// one is a case of the collection: what lies in the trees, and what comes of it.
type one struct {
	ID, Title     string
	Home, Project map[string]json.RawMessage
	ProjectFiles  map[string]string `json:"project_files"`
	ProjectDirs   []string          `json:"project_dirs"`
	Symlink       map[string]string
	Outside       json.RawMessage
	Fifo          []string
	GenSets       int `json:"gen_sets"`
	Config        map[string]any
	Expect        expected
}

// expected is what a case says. What it says of settings, commands and calls is shown by the
// tests of those.
type expected struct {
	Loaded        map[string][]string
	LoadedTools   []string       `json:"loaded_tools"`
	LoadedCount   int            `json:"loaded_count"`
	Skipped       map[string]any `json:"skipped"`
	Omitted       json.RawMessage
	Notes         []any
	NotesAtLeast  int  `json:"notes_at_least"`
	HomeHidden    bool `json:"home_hidden"`
	Either        []expected
	Accept        []expected
	Tool          map[string]map[string]any
	Argv          map[string][]string
	Catalogs      []string
	Timeout       int    `json:"timeoutSeconds"`
	Declared      string `json:"declared"`
	SchemaAsItWas bool   `json:"schema_sent_verbatim"`
}

var builtin = []string{"read", "list", "tree", "glob", "grep", "search", "todowrite", "todoread", "question", "edit", "write", "bash", "skill"}

func cases(t *testing.T) []one {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/manifest.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []one
	for line := range bytes.Lines(data) {
		var c one
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, c)
	}
	if len(out) < 100 {
		t.Fatalf("only %d cases", len(out))
	}
	return out
}

// text is what a case has for a manifest, nil where there is none.
func text(t *testing.T, raw json.RawMessage) []byte {
	t.Helper()
	var recipe struct {
		Raw *string
		B64 *string
		Gen *struct {
			Prefix, Mid, Suffix string
			Open                []any `json:"repeat_open"`
			Close               []any `json:"repeat_close"`
		}
	}
	if string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, &recipe); err != nil {
		t.Fatal(err)
	}
	repeat := func(r []any) string { return strings.Repeat(r[0].(string), int(r[1].(float64))) }
	switch {
	case recipe.Raw != nil:
		return []byte(*recipe.Raw)
	case recipe.B64 != nil:
		data, err := base64.StdEncoding.DecodeString(*recipe.B64)
		if err != nil {
			t.Fatal(err)
		}
		return data
	case recipe.Gen != nil:
		g := recipe.Gen
		return []byte(g.Prefix + repeat(g.Open) + g.Mid + repeat(g.Close) + g.Suffix)
	}
	return raw
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// lay puts the sets of a case where they are looked for.
func lay(t *testing.T, c one) toolset.Places {
	t.Helper()
	places := toolset.Places{Home: t.TempDir(), UserHome: t.TempDir(), Workspace: t.TempDir(), Crystal: true}
	home, project := filepath.Join(places.Home, "tools"), filepath.Join(places.Workspace, ".countersign", "tools")
	for tree, sets := range map[string]map[string]json.RawMessage{home: c.Home, project: c.Project} {
		for name, raw := range sets {
			dir := filepath.Join(tree, name)
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if data := text(t, raw); data != nil {
				put(t, filepath.Join(dir, manifest.FileName), data)
			}
		}
	}
	for path, data := range c.ProjectFiles {
		put(t, filepath.Join(project, path), []byte(data))
	}
	for _, path := range c.ProjectDirs {
		if err := os.MkdirAll(filepath.Join(project, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range c.GenSets {
		put(t, filepath.Join(project, fmt.Sprintf("set%d", i), manifest.FileName), []byte(`{"runner":"exec","description":"d","schema":{"type":"object"},"command":["tool"]}`))
	}
	layOdd(t, c, project)
	return places
}

// layOdd makes the links and pipes of a case.
func layOdd(t *testing.T, c one, project string) {
	t.Helper()
	outside := t.TempDir()
	if c.Outside != nil {
		put(t, filepath.Join(outside, "tools.json"), c.Outside)
	}
	put(t, filepath.Join(outside, "set", "tools.json"), []byte(`{"runner":"exec","description":"d","schema":{},"command":["tool"]}`))
	for path, to := range c.Symlink {
		path = filepath.Join(project, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, strings.TrimPrefix(to, "/outside/")), path); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range c.Fifo {
		path = filepath.Join(project, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		makePipe(t, path)
	}
}

func reserved(name string) bool { return slices.Contains(builtin, name) }

func scan(t *testing.T, places toolset.Places) toolset.Inventory {
	t.Helper()
	got, err := toolset.Scan(t.Context(), toolset.Options{Trees: places.Trees(), Trusted: true, Reserved: reserved})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// loaded are the names of the tools that are offered, by their sets.
func loaded(inventory toolset.Inventory) map[string][]string {
	out := map[string][]string{}
	for _, e := range inventory.Entries {
		if e.Status != toolset.StatusLoaded {
			continue
		}
		for _, t := range e.Tools {
			out[e.Directory] = append(out[e.Directory], t.Name)
		}
	}
	return out
}

func TestCasesOfManifests(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			if off, ok := c.Config["externalTools"]; ok && off == false {
				// Nothing is scanned then, which is for whoever reads the settings.
				return
			}
			inventory := scan(t, lay(t, c))
			legibleNotes(t, inventory.Notes)
			options := append(append([]expected{}, c.Expect.Either...), c.Expect.Accept...)
			if len(c.Expect.Either) == 0 {
				options = append(options, c.Expect)
			}
			var faults []string
			for _, want := range options {
				fault := differs(inventory, want)
				if fault == "" {
					return
				}
				faults = append(faults, fault)
			}
			t.Errorf("%s\nnotes: %+v", strings.Join(faults, "\nor "), inventory.Notes)
		})
	}
}

// legibleNotes holds every note to what a note must be.
func legibleNotes(t *testing.T, notes []toolset.Note) {
	t.Helper()
	for _, n := range notes {
		if strings.ContainsFunc(n.Set+n.Text+n.Field, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) }) {
			t.Errorf("a note holds what cannot be seen: %q", n)
		}
		if n.Set == "" || !regexp.MustCompile(`^[A-Z"t].*\. [A-Z].*\.$`).MatchString(n.Text) {
			t.Errorf("a note that says too little: %+v", n)
		}
	}
}

// differs says in which way the inventory is not what was expected, "" where it is.
func differs(inventory toolset.Inventory, want expected) string {
	got := loaded(inventory)
	status := map[string]toolset.Status{}
	for _, e := range inventory.Entries {
		if e.Status != toolset.StatusHidden {
			status[e.Directory] = e.Status
		} else if e.HiddenBy == nil || e.HiddenBy.Origin != toolset.OriginProject {
			return "hidden by nobody"
		}
	}
	switch {
	case want.Loaded != nil && !maps.EqualFunc(got, want.Loaded, func(a, b []string) bool { return slices.Equal(a, b) }):
		return fmt.Sprintf("loaded %v, want %v", got, want.Loaded)
	case want.LoadedTools != nil && len(got) != 0:
		return fmt.Sprintf("loaded %v, want none", got)
	case want.LoadedCount > 0 && len(got) != want.LoadedCount:
		return fmt.Sprintf("loaded %d sets, want %d", len(got), want.LoadedCount)
	case want.Notes != nil && len(inventory.Notes) != len(want.Notes), len(inventory.Notes) < want.NotesAtLeast:
		return fmt.Sprintf("%d notes, want %v, at least %d", len(inventory.Notes), want.Notes, want.NotesAtLeast)
	}
	for name := range want.Skipped {
		if status[name] != toolset.StatusSkipped {
			return fmt.Sprintf("%q is %q, want skipped", name, status[name])
		}
	}
	if want.HomeHidden && !slices.ContainsFunc(inventory.Entries, func(e toolset.Entry) bool { return e.Status == toolset.StatusHidden }) {
		return "the set of the home is not hidden"
	}
	return differsInside(inventory, want)
}

// differsInside compares what is said of a tool.
func differsInside(inventory toolset.Inventory, want expected) string {
	for _, e := range inventory.Entries {
		if e.Status != toolset.StatusLoaded {
			continue
		}
		if argv := want.Argv[e.Directory]; argv != nil && !slices.Equal(slices.Concat(e.Set.Command, e.Tools[0].Command), argv) {
			return fmt.Sprintf("the command is %q, want %q", e.Set.Command, argv)
		}
		if want.Timeout > 0 && e.Set.Timeout != time.Duration(want.Timeout)*time.Second {
			return fmt.Sprintf("the timeout is %v", e.Set.Timeout)
		}
		if want.Declared != "" && string(e.Tools[0].Approval) != want.Declared {
			return fmt.Sprintf("declared is %q", e.Tools[0].Approval)
		}
		if want.SchemaAsItWas && !bytes.Contains(e.Manifest, e.Tools[0].Schema) {
			return fmt.Sprintf("the schema became %s", e.Tools[0].Schema)
		}
		for _, tool := range e.Tools {
			if want.Catalogs != nil && fmt.Sprint(tool.Catalogs) != fmt.Sprint(want.Catalogs) {
				return fmt.Sprintf("the catalogs are %v", tool.Catalogs)
			}
			if fields, ok := want.Tool[tool.Name]; ok {
				if diff := cmp.Diff(fields, fieldsOf(e.Set, tool, fields)); diff != "" {
					return diff
				}
			}
		}
	}
	return ""
}

// fieldsOf is a tool in the words of a case, with the fields that the case has.
func fieldsOf(set *manifest.Set, tool manifest.Tool, like map[string]any) map[string]any {
	flags := []any{}
	for _, f := range tool.Flags {
		flags = append(flags, []any{f.Property, f.Word})
	}
	list := func(texts []string) []any {
		out := []any{}
		for _, s := range texts {
			out = append(out, s)
		}
		return out
	}
	catalogs := []any{}
	for _, c := range tool.Catalogs {
		catalogs = append(catalogs, string(c))
	}
	all := map[string]any{
		"stdin": set.Stdin, "argv": flags, "pathArguments": list(tool.PathArguments), "timeoutSeconds": set.Timeout.Seconds(),
		"output": string(tool.Output), "catalogs": catalogs, "approval": string(tool.Approval),
	}
	maps.DeleteFunc(all, func(name string, _ any) bool { _, ok := like[name]; return !ok })
	return all
}
