package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// placeCase is a line of the cases about paths that says what a file tool gets.
type placeCase struct {
	ID    string
	Path  string
	Gen   map[string]any `json:"path_gen"`
	OS    string
	Setup struct {
		Files, Dirs       []string
		Symlink, Hardlink map[string]string
		Chain             int `json:"symlink_chain"`
	}
	Expect struct{ File any }
}

func placeCases(t *testing.T) []placeCase {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/paths.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	out := []placeCase{}
	for line := range bytes.Lines(data) {
		var c struct {
			Expect struct{ File json.RawMessage }
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		if c.Expect.File == nil {
			continue
		}
		var whole placeCase
		if err := json.Unmarshal(line, &whole); err != nil {
			t.Fatal(err)
		}
		out = append(out, whole)
	}
	return out
}

// stage makes what a case begins with below top and returns its path there.
func (c *placeCase) stage(t *testing.T, top string) string {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	moved := func(path string) string {
		for _, root := range []string{"/w", "/w2", "/w-backup", "/outside"} {
			if path == root || strings.HasPrefix(path, root+"/") {
				return top + path
			}
		}
		return path
	}
	for _, dir := range append(c.Setup.Dirs, ".", "../outside") {
		must(os.MkdirAll(filepath.Join(top, "w", dir), 0o755))
	}
	for _, name := range c.Setup.Files {
		must(os.WriteFile(filepath.Join(top, "w", name), []byte("needle\n"), 0o644))
	}
	for name, to := range c.Setup.Symlink {
		must(os.Symlink(moved(to), filepath.Join(top, "w", name)))
	}
	for name, to := range c.Setup.Hardlink {
		must(os.WriteFile(filepath.Join(top, "w", to), []byte("needle\n"), 0o644))
		must(os.Link(filepath.Join(top, "w", to), filepath.Join(top, "w", name)))
	}
	for i := range c.Setup.Chain {
		must(os.Symlink(fmt.Sprintf("l%d", i+2), filepath.Join(top, "w", fmt.Sprintf("l%d", i+1))))
	}
	if gen, ok := c.Gen["join"].([]any); ok {
		c.Path = strings.Repeat(gen[1].(string)+gen[0].(string), int(gen[2].(float64))-1) + gen[1].(string)
	}
	return moved(c.Path)
}

// verdict is the code that a case wants, "" where any may do that read gets too.
func (c *placeCase) verdict() string {
	want, _ := c.Expect.File.(string)
	switch {
	case c.OS == "windows":
		return ""
	case strings.HasPrefix(want, "classified outside"), strings.HasPrefix(want, "restricted"):
		return "approval.no_operator"
	case strings.HasPrefix(want, "error: "):
		return "tool.arguments_invalid"
	}
	return ""
}

// Wherever a path leads, grep and glob get what read gets, through the whole pipeline:
// the same question, the same refusal, the same miss.
//
// spec: KH-39, KH-41
func TestPathCasesOfSearchesThroughTheCommandLine(t *testing.T) {
	cases := placeCases(t)
	if len(cases) < 50 {
		t.Fatalf("only %d cases", len(cases))
	}
	// Each case has a workspace and a session of its own; the home knows none of them.
	b := newBench(t)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			top := t.TempDir()
			path := c.stage(t, top)
			b.workspace = filepath.Join(top, "w")
			var in bytes.Buffer
			for _, call := range []map[string]any{
				{"id": "read", "tool": "read", "arguments": map[string]any{"file_path": path}},
				{"id": "grep", "tool": "grep", "arguments": map[string]any{"pattern": "needle", "path": path}},
				{"id": "glob", "tool": "glob", "arguments": map[string]any{"pattern": "*", "path": path}},
			} {
				if err := printJSON(&in, call); err != nil {
					t.Fatal(err)
				}
			}
			got := b.run(t, &in, "call", "--stdin", "--trust-workspace", "--clock", still)
			out := outcomes(t, got.stdout)
			if len(out) != 3 {
				t.Fatalf("%d answers: %s", len(out), got.stderr)
			}
			read := out[0]["reason_code"]
			if want := c.verdict(); want != "" && read != want {
				t.Errorf("read ended with %v, want %s", read, want)
			}
			if out[1]["reason_code"] != read {
				t.Errorf("grep ended with %v, read with %v", out[1]["reason_code"], read)
			}
			glob := out[2]["reason_code"]
			file := out[0]["status"] == "succeeded" && glob == "tool.invalid_arguments.not_a_directory"
			if glob != read && !file {
				t.Errorf("glob ended with %v, read with %v", glob, read)
			}
		})
	}
}
