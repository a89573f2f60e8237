package main

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestEveryRequirementIsListedOnce(t *testing.T) {
	found, err := parseLines(lines)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 292 {
		t.Errorf("%d lines, want 292", len(found))
	}
	for _, bad := range []string{"KH-1", "KH-1 a\nKH-1 b", "kh-1 a", "KH1 a"} {
		if _, err := parseLines(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestClaimsOfTestsAreComparedWithTheLines(t *testing.T) {
	tree := fstest.MapFS{
		"backend/a/a_test.go":             {Data: []byte("// spec: AA-1, AA-9\nfunc TestA() {}\n\t// spec: AA-2\n")},
		"backend/a/a.go":                  {Data: []byte("// spec: AA-3\n")},
		"backend/a/atest/suite.go":        {Data: []byte("// spec: AA-2\n")},
		"frontend/src/card.test.ts":       {Data: []byte("  // spec: AA-2a\n")},
		"frontend/e2e/journey.ts":         {Data: []byte(`const s = "// spec: AA-3";`)},
		"frontend/node_modules/x.test.ts": {Data: []byte("// spec: AA-3\n")},
		"frontend/src/untested.ts":        {Data: []byte("// spec: AA-3\n")},
		"backend/a/testdata/copy_test.go": {Data: []byte("// spec: AA-3\n")},
		"backend/a/prose_test.go":         {Data: []byte("// see the spec: it says so\n// spec: AA-1 and more\n")},
	}
	claims, err := scan(tree)
	if err != nil {
		t.Fatal(err)
	}
	line := func(id string) Line { return Line{"S", id, "title"} }
	got := compare([]Line{line("AA-1"), line("AA-2"), line("AA-2a"), line("AA-3")}, claims)
	want := Result{
		Total: 4,
		Covered: []Covered{
			{line("AA-1"), []string{"backend/a/a_test.go:1"}},
			{line("AA-2"), []string{"backend/a/a_test.go:3", "backend/a/atest/suite.go:1"}},
			{line("AA-2a"), []string{"frontend/src/card.test.ts:1"}},
		},
		Missing: []Line{line("AA-3")},
		Unknown: []Citation{{"AA-9", "backend/a/a_test.go:1"}, {"AA-1 and more", "backend/a/prose_test.go:2"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
