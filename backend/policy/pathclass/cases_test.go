package pathclass

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"countersign/backend/tool"
)

type pathCase struct {
	ID        string         `json:"id"`
	Group     string         `json:"group"`
	Workspace string         `json:"workspace"`
	Path      string         `json:"path"`
	PathGen   *pathGen       `json:"path_gen"`
	OS        System         `json:"os"`
	Setup     map[string]any `json:"setup"`
	Expect    map[string]any `json:"expect"`
}

// pathGen is [separator, unit, count].
type pathGen struct {
	Join []any `json:"join"`
}

func (c pathCase) path() string {
	if c.PathGen == nil {
		return c.Path
	}
	unit, n := c.PathGen.Join[1].(string), int(c.PathGen.Join[2].(float64))
	return strings.Join(slices.Repeat([]string{unit}, n), c.PathGen.Join[0].(string))
}

// byFileTools are the cases that need a disk: links, races, kinds of file and what a
// directory holds. The tools that read and write run them.
var byFileTools = []string{
	"path-052", "path-054", "path-060", "path-062", "path-065", "path-067",
	"path-070", "path-072", "path-074",
	"path-078", "path-082", "path-083", "path-084", "path-087", "path-088", "path-092",
	"path-122", "path-125", "path-126",
}

// verdicts says in which terms of this package each sentence of the cases holds.
var verdicts = map[string]func(t *testing.T, sys System, c pathCase){
	"classified outside workspace: ask once, never auto": lies(Outside),
	"ok, inside":                       free,
	"ok: a directory":                  lies(Inside),
	"error: empty path":                lies(Refused),
	"error: name too long":             lies(Refused),
	"ok as a name '~' or OUT (home)":   lies(Inside),
	"literal name":                     lies(Inside),
	"outside or error on Windows":      lies(Outside, Refused),
	"ordinary write, but worth a mark": is(Marked, Free, Free),
	"restricted: asks every time, Once only (strict: blocked)":        is(Credential, Restricted, Restricted),
	"restricted or outside: asks, Once only, never silently expanded": is(Credential, Restricted, Restricted),
}

func lies(where ...Containment) func(*testing.T, System, pathCase) {
	return func(t *testing.T, sys System, c pathCase) {
		if got := Contain(sys, c.Workspace, c.path(), false); !slices.Contains(where, got) {
			t.Errorf("Contain = %s, want one of %v", got, where)
		}
	}
}

func is(kind Kind, read, write Hold) func(*testing.T, System, pathCase) {
	return func(t *testing.T, sys System, c pathCase) {
		lies(Inside)(t, sys, c)
		f := classifyCase(sys, c)
		if f.Read.Hold != read || f.Write.Hold != write || f.Kind() != kind {
			t.Errorf("Classify = %+v, want %s with read %d and write %d", f, kind, read, write)
		}
	}
}

func free(t *testing.T, sys System, c pathCase) { is(Ordinary, Free, Free)(t, sys, c) }

func classifyCase(sys System, c pathCase) Finding {
	abs := c.Workspace + "/" + c.path()
	return Classify(Place{System: sys, Lexical: abs, Real: abs, Workspace: c.Workspace})
}

// spec: RS-3, RS-4, CS-10
func TestCasesThatTextAloneDecides(t *testing.T) {
	raw, err := os.ReadFile("../../../tools/testdata/cases/paths.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		var c pathCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(byFileTools, c.ID) {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			if c.run(t) {
				ran++
			}
		})
	}
	if ran != 39 {
		t.Errorf("%d cases ran; a case file that grew or shrank wants a look", ran)
	}
}

// run reports whether the case says anything about the file tools.
func (c pathCase) run(t *testing.T) bool {
	systems := []System{Linux, Darwin, Windows}
	if c.OS != "" {
		systems = []System{c.OS}
	} else if c.Group == "containment" {
		systems = []System{Linux, Darwin}
	}
	said := false
	for _, sys := range systems {
		if want, ok := c.Expect["file"].(string); ok {
			check, known := verdicts[want]
			if !known {
				t.Fatalf("no check for %q", want)
			}
			check(t, sys, c)
			said = true
		}
		for _, access := range []tool.Access{tool.AccessRead, tool.AccessWrite} {
			want, ok := c.Expect[string(access)].(string)
			if !ok || c.Group != "credential" {
				continue
			}
			got := classifyCase(sys, c).For(access).Hold
			if hold := holdOf(want); got != hold {
				t.Errorf("%s on %s = %d, want %d", access, sys, got, hold)
			}
			said = true
		}
		if _, ok := c.Expect["on_linux"]; ok && Contain(Linux, c.Workspace, c.path(), false) == Refused {
			t.Error("refused on Linux, where it is a path")
		}
	}
	return said
}

func holdOf(sentence string) Hold {
	switch {
	case strings.HasPrefix(sentence, "blocked"):
		return Blocked
	case strings.HasPrefix(sentence, "restricted"):
		return Restricted
	}
	return Free
}
