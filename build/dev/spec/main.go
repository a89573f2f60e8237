// Command spec lists the requirements that no test names.
//
// lines.txt holds every requirement's id with a short title. A test that shows one
// says so in a comment that begins with "spec:", followed by ids and commas. An id that lines.txt
// does not hold is an error. It proves that a test claims a line, not that the
// claim is good: that stays with whoever reviews the test.
package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
)

//go:embed lines.txt
var lines string

func main() {
	asJSON := flag.Bool("json", false, "print one JSON object")
	root := flag.String("root", ".", "the folder to search for tests")
	flag.Parse()
	if err := run(*root, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "spec:", err)
		os.Exit(1)
	}
}

func run(root string, asJSON bool) error {
	want, err := parseLines(lines)
	if err != nil {
		return err
	}
	claims, err := scan(os.DirFS(root))
	if err != nil {
		return err
	}
	result := compare(want, claims)
	if asJSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(result)
	} else {
		result.print(os.Stdout)
	}
	if err != nil {
		return err
	}
	if len(result.Unknown) > 0 {
		return fmt.Errorf("%d comments name what lines.txt does not hold", len(result.Unknown))
	}
	return nil
}

// Result is the comparison of all requirements with what tests claim to show.
type Result struct {
	Total   int        `json:"total"`
	Covered []Covered  `json:"covered"`
	Missing []Line     `json:"missing"`
	Unknown []Citation `json:"unknown"`
}

// Covered is a requirement with the places that name it.
type Covered struct {
	Line
	Tests []string `json:"tests"`
}

func compare(want []Line, claims []Citation) Result {
	at := map[string][]string{}
	for _, c := range claims {
		at[c.ID] = append(at[c.ID], c.At)
	}
	result := Result{Total: len(want), Covered: []Covered{}, Missing: []Line{}, Unknown: []Citation{}}
	known := map[string]bool{}
	for _, line := range want {
		known[line.ID] = true
		if tests := at[line.ID]; len(tests) > 0 {
			result.Covered = append(result.Covered, Covered{line, tests})
		} else {
			result.Missing = append(result.Missing, line)
		}
	}
	for _, c := range claims {
		if !known[c.ID] {
			result.Unknown = append(result.Unknown, c)
		}
	}
	slices.SortFunc(result.Unknown, func(a, b Citation) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID)) })
	return result
}
