package main

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Line is one requirement.
type Line struct {
	Section string `json:"section"`
	ID      string `json:"id"`
	Title   string `json:"title"`
}

// Citation is an id in a comment of a test.
type Citation struct {
	ID string `json:"id"`
	// At is the file and line, "backend/store/store_test.go:17".
	At string `json:"at"`
}

var (
	idPattern   = regexp.MustCompile(`^[A-Z]{2}-[0-9]+[a-z]?$`)
	specPattern = regexp.MustCompile(`^\s*(?://|#|\*|<!--)\s*spec:(.*)$`)
)

// parseLines reads "ID title" lines under "# section" headings.
func parseLines(text string) ([]Line, error) {
	var found []Line
	section := ""
	seen := map[string]bool{}
	for i, row := range strings.Split(text, "\n") {
		row = strings.TrimSpace(row)
		if heading, ok := strings.CutPrefix(row, "# "); ok {
			section = heading
			continue
		}
		if row == "" {
			continue
		}
		id, title, _ := strings.Cut(row, " ")
		if !idPattern.MatchString(id) || title == "" || seen[id] {
			return nil, fmt.Errorf("lines.txt:%d: want a new id and a title", i+1)
		}
		seen[id] = true
		found = append(found, Line{section, id, title})
	}
	return found, nil
}

// scan returns every id that a test below root names, in the order of the tree.
func scan(root fs.FS) ([]Citation, error) {
	var found []Citation
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch entry.Name() {
			case "node_modules", "dist", "bin", ".git", "testdata":
				return fs.SkipDir
			}
			return nil
		}
		if !isTest(name) {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		found = append(found, citations(name, string(text))...)
		return nil
	})
	return found, err
}

// isTest reports whether a file holds tests: Go tests and contract suites, unit
// tests of the page, journeys.
func isTest(name string) bool {
	switch path.Ext(name) {
	case ".go":
		return strings.HasSuffix(name, "_test.go") || strings.HasSuffix(path.Dir(name), "test")
	case ".ts", ".js", ".mjs":
		return strings.Contains(path.Base(name), ".test.") || strings.Contains("/"+name, "/e2e/")
	}
	return false
}

func citations(name, text string) []Citation {
	var found []Citation
	for i, row := range strings.Split(text, "\n") {
		match := specPattern.FindStringSubmatch(row)
		if match == nil {
			continue
		}
		for id := range strings.SplitSeq(match[1], ",") {
			found = append(found, Citation{strings.TrimSpace(id), fmt.Sprintf("%s:%d", name, i+1)})
		}
	}
	return found
}

func (r Result) print(w io.Writer) {
	section := ""
	for _, line := range r.Missing {
		if line.Section != section {
			section = line.Section
			fmt.Fprintf(w, "\n%s\n", section)
		}
		fmt.Fprintf(w, "  %-7s %s\n", line.ID, line.Title)
	}
	for _, c := range r.Unknown {
		fmt.Fprintf(w, "\n%s: unknown %q", c.At, c.ID)
	}
	fmt.Fprintf(w, "\n%d of %d requirements are named by a test; the %d above are not.\n", len(r.Covered), r.Total, len(r.Missing))
}
