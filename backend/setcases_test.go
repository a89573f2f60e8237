package backend

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/backend/config"
	"countersign/backend/session"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// setCase is a case of the collection of manifests, as far as the engine answers it.
type setCase struct {
	ID, Title, Command string
	Home, Project      map[string]json.RawMessage
	Config             map[string]any
	Odd                bool `json:"-"`
	Expect             setExpected
}

type setExpected struct {
	Loaded              map[string][]string
	LoadedTools         []string `json:"loaded_tools"`
	BuiltInUnchanged    string   `json:"built_in_unchanged"`
	Declared, Effective string
	SourcePolicy        map[string]string `json:"source_policy"`
	Either              []setExpected
	Catalogs            []tool.Catalog
	Class               string
	Decisions           map[string]string
	After               map[string]any
	Changed             string
	ConfigKept          *bool  `json:"config_after_save_has_field"`
	FilesOpened         *int   `json:"files_opened"`
	CallUnknown         string `json:"call_unknown"`
}

func setCases(t *testing.T) []setCase {
	t.Helper()
	data, err := os.ReadFile("../tools/testdata/cases/manifest.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []setCase
	for line := range bytes.Lines(data) {
		var c setCase
		var all map[string]any
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &all); err != nil {
			t.Fatal(err)
		}
		for _, odd := range []string{"project_files", "project_dirs", "symlink", "fifo", "gen_sets"} {
			c.Odd = c.Odd || all[odd] != nil
		}
		out = append(out, c)
	}
	return out
}

// laid writes the manifests of a case below a folder. ok is false where one is made by a recipe,
// which the package that reads manifests follows.
func laid(t *testing.T, folder string, sets map[string]json.RawMessage) (ok bool) {
	t.Helper()
	for name, text := range sets {
		var recipe struct{ Raw, B64, Gen any }
		if err := json.Unmarshal(text, &recipe); err != nil || recipe.B64 != nil || recipe.Gen != nil || string(text) == "null" {
			return false
		}
		if raw, is := recipe.Raw.(string); is {
			text = []byte(raw)
		}
		putSet(t, folder, name, string(text))
	}
	return true
}

// putSet writes a manifest into the directory of a set.
func putSet(t *testing.T, tools, name, text string) string {
	t.Helper()
	dir := filepath.Join(tools, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "tools.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// callable are the tools that a session can call, by their sets.
func callable(s ToolSets) map[string][]string {
	out := map[string][]string{}
	for _, set := range s.Sets {
		if set.Status != toolset.StatusLoaded {
			continue
		}
		// The registry sorts; a manifest has an order.
		for _, t := range set.Tools {
			if slices.ContainsFunc(set.Specs, func(spec *tool.Spec) bool { return spec.ID == t.Name }) {
				out[set.Directory] = append(out[set.Directory], t.Name)
			}
		}
	}
	return out
}

// spec: CT-1, CT-4, CT-5, CT-7, CT-8, CT-9, CT-10, CT-18, CT-19, CT-20, CT-22, CT-23
func TestCasesOfManifestsAreWhatSessionsCanCall(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, false, "")
	looked := 0
	for _, c := range setCases(t) {
		workspace := t.TempDir()
		if c.Odd || c.Home != nil || c.Config != nil || !laid(t, filepath.Join(workspace, ".countersign/tools"), c.Project) {
			continue
		}
		got, err := e.ToolSets(t.Context(), SetPlace{Workspace: workspace, Trust: true}, true)
		if err != nil {
			t.Fatal(err)
		}
		options := append(slices.Clone(c.Expect.Either), c.Expect)
		if len(c.Expect.Either) > 0 {
			options = c.Expect.Either
		}
		if !slices.ContainsFunc(options, func(want setExpected) bool {
			return want.Loaded == nil && len(callable(got)) == len(want.LoadedTools) || maps.EqualFunc(callable(got), want.Loaded, slices.Equal)
		}) && (c.Expect.Loaded != nil || c.Expect.LoadedTools != nil || c.Expect.Either != nil) {
			t.Errorf("%s %s: %v can be called, notes %+v", c.ID, c.Title, callable(got), got.Notes)
		}
		if name := c.Expect.BuiltInUnchanged; name != "" {
			if spec, is := e.Spec(name); is && spec.Source != tool.SourceBuiltin {
				t.Errorf("%s: %s is a stranger's", c.ID, name)
			}
		}
		for _, set := range got.Sets {
			for _, spec := range set.Specs {
				if c.Expect.Catalogs != nil && !slices.Equal(spec.Catalogs, c.Expect.Catalogs) {
					t.Errorf("%s: catalogs %v", c.ID, spec.Catalogs)
				}
				if spec.Class.SideEffect != tool.EffectCodeExecution || spec.Class.Target != tool.TargetHost || spec.Class.OutputTrust != tool.TrustExternalUntrusted {
					t.Errorf("%s: class %+v", c.ID, spec.Class)
				}
			}
		}
		looked++
	}
	if looked < 80 {
		t.Errorf("only %d cases were looked at", looked)
	}
}

// spec: CT-13, CT-15, CT-17, CT-24, CT-25, CT-37
func TestCasesOfSettingsAndSwitches(t *testing.T) {
	looked := []string{}
	for _, c := range setCases(t) {
		if c.Config == nil && c.Command == "" {
			continue
		}
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			p := newPlace(t)
			if c.Config != nil {
				text, err := json.Marshal(c.Config)
				if err != nil {
					t.Fatal(err)
				}
				putText(t, filepath.Join(p.home, "config.json"), string(text))
			}
			home, project := filepath.Join(p.home, "tools"), filepath.Join(p.workspace, ".countersign/tools")
			laid(t, home, c.Home)
			laid(t, project, c.Project)
			e := p.open(t, false, "")
			holdSettings(t, e, c)
			if verb, name, is := strings.Cut(strings.TrimPrefix(c.Command, "tools "), " "); is {
				entry, err := e.EnableSet(t.Context(), SetRef{SetPlace: SetPlace{Trust: true}, Directory: name}, verb == "enable")
				if err != nil || c.Expect.Changed != "" && string(entry.Tree.Origin) != c.Expect.Changed {
					t.Errorf("%s: %+v, %v", c.Command, entry.Tree, err)
				}
				for key, want := range c.Expect.After {
					var after map[string]any
					text, _ := os.ReadFile(filepath.Join(entry.Path, "tools.json"))
					if err := json.Unmarshal(text, &after); err != nil || after[key] != want {
						t.Errorf("%s is %v in %s", key, after[key], text)
					}
				}
			}
			got, err := e.ToolSets(t.Context(), SetPlace{Trust: true}, true)
			if err != nil {
				t.Fatal(err)
			}
			if c.Expect.Loaded != nil && !maps.EqualFunc(callable(got), c.Expect.Loaded, slices.Equal) {
				t.Errorf("%v can be called", callable(got))
			}
			if c.Expect.FilesOpened != nil && (len(got.Sets) != 0 || len(got.Notes) != 0) {
				t.Errorf("something was scanned: %+v", got)
			}
			for _, set := range got.Sets {
				for _, spec := range set.Specs {
					declared, effective := EffectiveApproval(spec, e.Rules())
					if c.Expect.Declared != "" && declared != c.Expect.Declared || c.Expect.Effective != "" && effective != c.Expect.Effective {
						t.Errorf("declared %s, effective %s", declared, effective)
					}
				}
			}
		})
		looked = append(looked, c.ID)
	}
	if len(looked) < 8 {
		t.Errorf("only %v", looked)
	}
}

func putText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holdSettings holds a case against the settings that came of it.
func holdSettings(t *testing.T, e *Engine, c setCase) {
	t.Helper()
	word := func(author bool) string {
		if author {
			return "author"
		}
		return "host"
	}
	for origin, want := range c.Expect.SourcePolicy {
		if got := word(e.Rules().Authors.Followed(origin)); got != want {
			t.Errorf("%s sets follow the %s", origin, got)
		}
	}
	if c.Expect.ConfigKept == nil {
		return
	}
	lock := true
	if err := e.SetRules(t.Context(), config.Patch{ReadOnly: &lock}); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(e.Paths().File())
	if got := strings.Contains(string(text), "externalTools"); got != *c.Expect.ConfigKept {
		t.Errorf("the file after a change: %s", text)
	}
}

// spec: CT-21, CT-27, CT-28, CT-29, CT-31
func TestCasesOfCalls(t *testing.T) {
	looked := 0
	for _, c := range setCases(t) {
		switch c.ID {
		case "man-262", "man-297", "man-299":
		default:
			continue
		}
		looked++
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			p := newPlace(t)
			laid(t, filepath.Join(p.home, "tools"), c.Home)
			laid(t, filepath.Join(p.workspace, ".countersign/tools"), c.Project)
			e := p.open(t, false, "")
			explain := func(preset session.Preset, catalog tool.Catalog, name, arguments string) (tool.Decision, tool.Code) {
				rules := session.Rules{Preset: preset, Catalog: catalog, Profile: session.ProfileDesktop, Authors: session.Authors{Home: true}}
				s, err := e.OpenSession(t.Context(), SessionRequest{Workspace: p.workspace, Rules: &rules, TrustWorkspace: true, Unstored: true})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				got := s.Explain(t.Context(), tool.Call{Name: name, Arguments: []byte(arguments)})
				if got.Decision == nil {
					return tool.Decision{}, got.ReasonCode
				}
				return *got.Decision, got.ReasonCode
			}
			switch c.ID {
			case "man-262":
				inside, _ := explain(session.PresetDefault, tool.CatalogWork, "x", `{"p":"in.txt"}`)
				outside, _ := explain(session.PresetFull, tool.CatalogWork, "x", `{"p":"../../outside.txt"}`)
				if inside.Verdict != tool.VerdictAllow || outside.Verdict != tool.VerdictAsk {
					t.Errorf("inside %+v, outside %+v", inside, outside)
				}
			case "man-297":
				for word, want := range c.Expect.Decisions {
					preset, catalog := session.Preset(word), tool.CatalogWork
					if word == "plan" {
						preset, catalog = session.PresetDefault, tool.CatalogPlan
					}
					got, code := explain(preset, catalog, "x", `{}`)
					verdict, layer := tool.VerdictAsk, tool.LayerOperator
					if word == "full" {
						verdict, layer = tool.VerdictAllow, tool.LayerPreset
					}
					if code != "" || got.Verdict != verdict || got.Chain[len(got.Chain)-1].Layer != layer {
						t.Errorf("%s, %q: %s %+v", word, want, code, got)
					}
					reviewed := slices.ContainsFunc(got.Chain, func(l tool.Link) bool { return l.Layer == tool.LayerReviewer })
					if reviewed != (want == "reviewer") {
						t.Errorf("%s, %q: %+v", word, want, got.Chain)
					}
				}
			case "man-299":
				if _, code := explain(session.PresetDefault, tool.CatalogWork, "y", `{}`); code != tool.CodeNotFound {
					t.Errorf("a name that did not load: %s", code)
				}
				if got, code := explain(session.PresetDefault, tool.CatalogWork, "x", `{}`); code != "" || got.Verdict != tool.VerdictAsk {
					t.Errorf("a name that did: %s %+v", code, got)
				}
			}
		})
	}
	if looked != 3 {
		t.Errorf("%d cases", looked)
	}
}
