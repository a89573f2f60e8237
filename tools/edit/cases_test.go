package edit_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"countersign/backend/tool"
	"countersign/tools/read"
	"countersign/tools/scenariotest"
)

// toolCase is a line of the cases that sets a scene instead of two strings.
type toolCase struct {
	ID    string
	Level string
	Setup struct {
		File     string
		Read     any
		External string
		Fault    string
		Parallel [][2]string
		Before   string `json:"file_before"`
	}
	Expect struct {
		OK    bool
		Error string
		After *string `json:"file_after"`
	}
}

var toolCodes = map[string]tool.Code{
	"": "", "stale": tool.CodeStale, "io": tool.CodeIO, "is_directory": tool.CodeIsDirectory,
	"not_read": tool.CodeNotRead, "file_not_found": tool.CodeFileNotFound,
}

func toolCases(t *testing.T) []toolCase {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "cases", "edit.jsonl"))
	must(t, err)
	defer f.Close()
	var out []toolCase
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var head struct{ Level string }
		must(t, json.Unmarshal(lines.Bytes(), &head))
		if head.Level != "tool" {
			continue
		}
		var c toolCase
		must(t, json.Unmarshal(lines.Bytes(), &c))
		out = append(out, c)
	}
	if len(out) < 5 {
		t.Fatalf("only %d cases", len(out))
	}
	return out
}

// The cases that need more than two strings; the others go through the command line.
//
// spec: KH-22, KH-33, KH-58
func TestToolCases(t *testing.T) {
	for _, c := range toolCases(t) {
		t.Run(c.ID, func(t *testing.T) { c.play(t, newSession(t)) })
	}
}

func (c *toolCase) play(t *testing.T, s *session) {
	old, edits := "old\n", [][2]string{{"old", "new"}}
	switch {
	case c.Setup.Fault == "ENOSPC":
		s.Disk(0, "size=64k")
		edits[0][1] = strings.Repeat("new", 100_000)
	case strings.Contains(c.Setup.File, "5000 lines"):
		old = strings.Repeat("line\n", 4999) + "old\n"
	case c.Setup.Parallel != nil:
		old, edits = c.Setup.Before, c.Setup.Parallel
	}
	if c.Setup.File == "directory" {
		must(t, os.Mkdir(s.Path("a"), 0o755))
	} else {
		s.Has("a", old)
	}
	if part, ok := c.Setup.Read.(string); ok {
		s.Forget("a")
		s.readPart(part)
	}
	if c.Setup.External == "LF to CRLF" {
		old = strings.ReplaceAll(old, "\n", "\r\n")
		must(t, os.WriteFile(s.Path("a"), []byte(old), 0o644))
	}
	errs := make([]error, len(edits))
	var wg sync.WaitGroup
	for i, e := range edits {
		wg.Go(func() { _, errs[i] = s.edit(t.Context(), "a", e[0], e[1]) })
	}
	wg.Wait()
	for _, err := range errs {
		want, known := toolCodes[c.Expect.Error]
		if scenariotest.Code(err) != want || !known || (err == nil) != c.Expect.OK {
			t.Errorf("%v, want %q", err, c.Expect.Error)
		}
	}
	switch got := s.Holds("a"); {
	case c.Expect.After != nil && got != *c.Expect.After:
		t.Errorf("holds %q", got)
	case !c.Expect.OK && c.Setup.File != "directory" && got != old:
		t.Errorf("changed to %q", got)
	}
	if entries, err := os.ReadDir(s.Path("")); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// readPart reads as the words of a case say: "offset 1 limit 10".
func (s *session) readPart(part string) {
	s.T.Helper()
	words := strings.Fields(part)
	if len(words) != 4 || words[0] != "offset" || words[2] != "limit" {
		s.T.Fatalf("nothing shows how to read %q", part)
	}
	spec := read.Spec()
	r, err := spec.Run(s.T.Context(), s.Env("a"), tool.Args{Canonical: []byte(`{"file_path":"a","offset":` + words[1] + `,"limit":` + words[3] + `}`)})
	must(s.T, err)
	s.Put(r.Files[0].Stamp)
}
