package write_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/host/workspace"
	"countersign/backend/tool"
	"countersign/tools/read"
	"countersign/tools/scenariotest"
)

// pathCase is a line of the cases about paths.
type pathCase struct {
	ID        string         `json:"id"`
	Path      string         `json:"path"`
	PathGen   map[string]any `json:"path_gen"`
	OS        string         `json:"os"`
	Workspace string         `json:"workspace"`
	Setup     struct {
		Files    []string          `json:"files"`
		Dirs     []string          `json:"dirs"`
		Symlink  map[string]string `json:"symlink"`
		Hardlink map[string]string `json:"hardlink"`
		Chain    int               `json:"symlink_chain"`
		Op       string            `json:"op"`
	} `json:"setup"`
	Expect struct {
		File    string `json:"file"`
		OnLinux string `json:"on_linux"`
	} `json:"expect"`
}

func pathCases(t *testing.T) []pathCase {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "cases", "paths.jsonl"))
	must(t, err)
	defer f.Close()
	var all []pathCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// Lines of other regimes give their expectation another form.
		var any struct {
			Expect struct {
				File json.RawMessage `json:"file"`
			} `json:"expect"`
		}
		must(t, json.Unmarshal(lines.Bytes(), &any))
		if any.Expect.File == nil {
			continue
		}
		var c pathCase
		must(t, json.Unmarshal(lines.Bytes(), &c))
		all = append(all, c)
	}
	if len(all) < 50 {
		t.Fatalf("only %d cases of the regime", len(all))
	}
	return all
}

// stage makes the folder of a case: /w and what lies beside it stand below a
// temporary folder, other absolute paths stay themselves.
func (c *pathCase) stage(t *testing.T) *session {
	t.Helper()
	s := newSession(t)
	for _, dir := range append(c.Setup.Dirs, "../outside") {
		must(t, os.MkdirAll(s.Path(dir), 0o755))
	}
	for _, name := range c.Setup.Files {
		s.Has(name, "text of "+name+"\n")
	}
	for name, to := range c.Setup.Symlink {
		must(t, os.Symlink(s.moved(to), s.Path(name)))
	}
	for name, to := range c.Setup.Hardlink {
		s.Has(to, "old\n")
		must(t, os.Link(s.Path(to), s.Path(name)))
		s.Knows(name, "old\n")
	}
	for i := range c.Setup.Chain {
		must(t, os.Symlink(fmt.Sprintf("l%d", i+2), filepath.Join(s.Top, "w", fmt.Sprintf("l%d", i+1))))
	}
	if gen, ok := c.PathGen["join"].([]any); ok {
		c.Path = strings.Repeat(gen[1].(string)+gen[0].(string), int(gen[2].(float64))-1) + gen[1].(string)
	}
	c.Path = s.moved(c.Path)
	return s
}

// moved puts a path of the cases below the temporary folder.
func (s *session) moved(path string) string {
	for _, root := range []string{"/w", "/w2", "/w-backup", "/outside"} {
		if path == root || strings.HasPrefix(path, root+"/") {
			return s.Top + path
		}
	}
	return path
}

func (s *session) readPath(path string) (string, error) {
	s.T.Helper()
	spec := read.Spec()
	b, err := json.Marshal(map[string]string{"file_path": path})
	must(s.T, err)
	r, err := spec.Run(s.T.Context(), s.env(path), tool.Args{Canonical: b})
	if err != nil {
		return "", err
	}
	return r.Content[0].Text.Open(), nil
}

// The verdicts of the regime file that read and write can show. Whether a protected
// name asks is policy's; here it is that policy gets the name to judge.
//
// spec: KH-23, KH-26, KH-29
func TestPathCasesOfTheFileTools(t *testing.T) {
	for _, c := range pathCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			s := c.stage(t)
			expect := c.Expect.File
			if c.OS == "windows" {
				if err := workspace.Check(c.Path, "windows"); err == nil {
					t.Error("the path is taken on Windows")
				}
				expect = "literal name"
				if strings.HasPrefix(c.Path, "/") {
					expect = "classified outside workspace"
				}
			}
			c.check(t, s, expect)
		})
	}
}

func (c *pathCase) check(t *testing.T, s *session, expect string) {
	t.Helper()
	root := s.Path("")
	p, err := s.Files.Resolve(c.Path)
	begins := func(prefixes ...string) bool {
		for _, prefix := range prefixes {
			if strings.HasPrefix(expect, prefix) {
				return true
			}
		}
		return false
	}
	switch {
	case begins("error: "), expect == "error" && c.Setup.Chain > 0:
		if scenariotest.Code(err) != tool.CodeArgumentsInvalid {
			t.Errorf("%+v, %v", p, err)
		}
		return
	case err != nil:
		t.Fatal(err)
	}
	switch {
	case begins("classified outside workspace"):
		if p.Zone != tool.ZoneOutside || p.Rel != "" {
			t.Errorf("%+v", p)
		}
		if c.Setup.Symlink["link"] == "/proc/cpuinfo" {
			if got, err := s.readPath(c.Path); err != nil || !strings.Contains(got, "processor") {
				t.Errorf("once allowed: %.80q, %v", got, err)
			}
		}
	case begins("ok: creates"):
		c.roundTrip(t, s, p, filepath.Join(root, c.Setup.Symlink[c.Path]))
	case begins("ok: a directory"), begins("lists the entries"):
		if got, err := s.readPath(c.Path); err != nil || !strings.HasPrefix(got, p.Real+" (directory, ") {
			t.Errorf("%q, %v", got, err)
		}
	case begins("ok, inside", "ok as a name", "literal name", "ordinary write"):
		c.roundTrip(t, s, p, filepath.Join(root, c.Path))
	case begins("restricted"):
		if p.Zone != tool.ZoneWorkspace || p.Rel != c.Path || p.Real != root+"/"+c.Path {
			t.Errorf("%+v", p)
		}
	case begins("a changes; b keeps"):
		if _, err := s.write(t.Context(), "a", "new\n"); err != nil || s.Holds("a") != "new\n" || s.Holds("b") != "old\n" {
			t.Errorf("%v, a %q, b %q", err, s.Holds("a"), s.Holds("b"))
		}
	case begins("not found, suggests"):
		_, err := s.readPath(c.Path)
		if want := "Did you mean one of these? " + c.Setup.Files[0]; scenariotest.Code(err) != tool.CodeFileNotFound || !strings.HasSuffix(scenariotest.Said(err), want) {
			t.Errorf("%v, %q", err, scenariotest.Said(err))
		}
	case begins("the composed one only"):
		if got, err := s.readPath(c.Path); err != nil || !strings.HasSuffix(got, "→text of "+c.Path) {
			t.Errorf("%q, %v", got, err)
		}
	case expect == "error":
		if _, err := s.readPath(c.Path); scenariotest.Code(err) != tool.CodeFileNotFound {
			t.Errorf("read: %v", err)
		}
		if _, err := s.write(t.Context(), c.Path, "x"); scenariotest.Code(err) != tool.CodeIO {
			t.Errorf("write: %v", err)
		}
	default:
		t.Errorf("nothing shows %q", expect)
	}
}

// roundTrip writes a new file at the path and reads it back, and looks for it where
// it must be.
func (c *pathCase) roundTrip(t *testing.T, s *session, p tool.Path, where string) {
	t.Helper()
	if p.Zone != tool.ZoneWorkspace || p.Real != where {
		t.Errorf("%+v, want %q", p, where)
	}
	if _, err := s.write(t.Context(), c.Path, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(where); err != nil || string(b) != "hello\n" {
		t.Errorf("%q, %v", b, err)
	}
	if got, err := s.readPath(c.Path); err != nil || !strings.HasSuffix(got, "     1→hello") {
		t.Errorf("%q, %v", got, err)
	}
}
