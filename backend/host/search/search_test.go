package search_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/backend/host/search"
	"countersign/backend/tool"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tree is a folder with files, and a search over it.
type tree struct {
	*search.Searcher
	root tool.Path
}

func newTree(t *testing.T, files map[string]string) tree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program, err := search.Find("")
	if err != nil {
		t.Fatal("these tests need ripgrep: build/dev/setup.sh test")
	}
	return tree{
		Searcher: &search.Searcher{Program: program.Path, Workspace: dir},
		root:     tool.Path{Arg: dir, Abs: dir, Real: dir, Rel: ".", Zone: tool.ZoneWorkspace, Kind: tool.KindDirectory},
	}
}

func (tr tree) at(name string, kind tool.FileKind) tool.Path {
	p := tr.root.Child(tool.Entry{Name: name, Kind: kind})
	return p
}

// grep returns "path:line:text" for every hit, sorted.
func (tr tree) grep(t *testing.T, q tool.GrepQuery) ([]string, error) {
	t.Helper()
	if q.Root.Kind == "" {
		q.Root = tr.root
	}
	out := []string{}
	err := tr.Grep(t.Context(), q, func(f tool.FileHits) bool {
		for _, h := range f.Hits {
			out = append(out, cmp.Or(f.File.Path.Rel, f.File.Path.Real)+":"+string(rune('0'+h.Line))+":"+h.Text)
		}
		return true
	})
	slices.Sort(out)
	return out, err
}

func (tr tree) list(t *testing.T, q tool.ListQuery) []string {
	t.Helper()
	if q.Root.Kind == "" {
		q.Root = tr.root
	}
	out := []string{}
	if err := tr.List(t.Context(), q, func(f tool.FoundFile) bool {
		out = append(out, f.Below)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestOnlyWhatIsWantedIsSearched(t *testing.T) {
	tr := newTree(t, map[string]string{
		"a.go": "needle\n", "sub/b.go": "x\nneedle 2\n", ".hidden": "needle\n", "build/out.go": "needle\n", "own/c.go": "needle\n",
		".gitignore": "/build\n", ".countersignignore": "/own\n", "bin.dat": "needle\n\x00needle\n", "sub/.ignore": "d.go\n", "sub/d.go": "needle\n",
	})
	if err := os.Symlink("a.go", filepath.Join(tr.Workspace, "link.go")); err != nil {
		t.Fatal(err)
	}
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "needle"})
	same(t, got, []string{"a.go:1:needle", "sub/b.go:2:needle 2"})
	same(t, err, nil)
	got, err = tr.grep(t, tool.GrepQuery{Pattern: "needle", Root: tr.at("sub", tool.KindDirectory)})
	same(t, got, []string{"sub/b.go:2:needle 2"})
	same(t, err, nil)
	same(t, tr.list(t, tool.ListQuery{}), []string{"a.go", "bin.dat", "sub/b.go"})
	same(t, tr.list(t, tool.ListQuery{Without: []string{"sub"}}), []string{"a.go", "bin.dat"})
	same(t, tr.list(t, tool.ListQuery{Root: tr.at("sub", tool.KindDirectory)}), []string{"b.go"})
}

func TestNamesNarrowWithoutUndoingIgnoreFiles(t *testing.T) {
	tr := newTree(t, map[string]string{"a.go": "needle", "a.ts": "needle", "b.tsx": "needle", "ignored.go": "needle", ".gitignore": "ignored.go\n"})
	for glob, want := range map[string][]string{
		"*.go":       {"a.go:1:needle"},
		"*.{ts,tsx}": {"a.ts:1:needle", "b.tsx:1:needle"},
		// What ripgrep may read in another way is left to the caller.
		"include:c": {"a.go:1:needle", "a.ts:1:needle", "b.tsx:1:needle"},
		"{a,}*":     {"a.go:1:needle", "a.ts:1:needle", "b.tsx:1:needle"},
		"[":         {"a.go:1:needle", "a.ts:1:needle", "b.tsx:1:needle"},
	} {
		got, err := tr.grep(t, tool.GrepQuery{Pattern: "needle", Names: glob})
		same(t, got, want)
		same(t, err, nil)
	}
}

func TestCaseCountsOnlyWhereThePatternHasUpperCase(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "Needle\nneedle\n"})
	for pattern, want := range map[string][]string{"needle": {"a:1:Needle", "a:2:needle"}, "Needle": {"a:1:Needle"}} {
		got, _ := tr.grep(t, tool.GrepQuery{Pattern: pattern})
		same(t, got, want)
	}
	got, _ := tr.grep(t, tool.GrepQuery{Pattern: "NEEDLE", IgnoreCase: true})
	same(t, got, []string{"a:1:Needle", "a:2:needle"})
}

// A query has no way to become an option.
func TestArgumentsStayArguments(t *testing.T) {
	tr := newTree(t, map[string]string{"-e": "--files\n", "--pre=sh": "--pre=touch made\n"})
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "--files"})
	same(t, got, []string{"-e:1:--files"})
	same(t, err, nil)
	got, err = tr.grep(t, tool.GrepQuery{Pattern: "--pre=touch made", Root: tr.at("--pre=sh", tool.KindFile)})
	same(t, got, []string{"--pre=sh:1:--pre=touch made"})
	same(t, err, nil)
}

func TestConfigurationOfThePersonHasNoSay(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "needle\n", ".config/git/ignore": "a\n"})
	config := filepath.Join(t.TempDir(), "rc")
	if err := os.WriteFile(config, []byte("--invert-match\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RIPGREP_CONFIG_PATH", config)
	t.Setenv("HOME", tr.Workspace)
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "needle"})
	same(t, got, []string{"a:1:needle"})
	same(t, err, nil)
}

func TestHeldFilesAreNeitherShownNorCounted(t *testing.T) {
	tr := newTree(t, map[string]string{"a.txt": "token=1\n", "id_rsa": "token=2\n", "keys/b.txt": "token=3\n"})
	tr.Held = func(root tool.Path, real string) bool {
		return strings.HasSuffix(real, "id_rsa") || strings.Contains(real, "/keys") && !strings.Contains(root.Real, "/keys")
	}
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "token"})
	same(t, got, []string{"a.txt:1:token=1"})
	same(t, err, nil)
	// Their names are told only where the folder could be listed.
	same(t, tr.list(t, tool.ListQuery{}), []string{"a.txt", "id_rsa"})
	got, _ = tr.grep(t, tool.GrepQuery{Pattern: "token", Root: tr.at("keys", tool.KindDirectory)})
	same(t, got, []string{"keys/b.txt:1:token=3"})
}

// A file is judged by its name only where its folder was judged by the disk.
func TestFilesOfAnOpenFolderAreJudgedByNameAlone(t *testing.T) {
	tr := newTree(t, map[string]string{
		"open/a.txt": "token\n", "open/b.txt": "token\n", "open/secret.txt": "token\n",
		"shut/a.txt": "token\n", "shut/ours.txt": "token\n",
	})
	var onDisk, byName []string
	below := func(path string) string { return strings.TrimPrefix(path, tr.Workspace) }
	tr.Held = func(_ tool.Path, real string) bool {
		onDisk = append(onDisk, below(real))
		return strings.Contains(real, "/shut") && !strings.HasSuffix(real, "/ours.txt")
	}
	tr.HeldByName = func(_, p tool.Path) bool {
		byName = append(byName, below(p.Real))
		return strings.HasSuffix(p.Real, "/secret.txt")
	}
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "token"})
	same(t, err, nil)
	same(t, got, []string{"open/a.txt:1:token", "open/b.txt:1:token", "shut/ours.txt:1:token"})
	slices.Sort(onDisk)
	slices.Sort(byName)
	same(t, onDisk, []string{"/open", "/shut", "/shut/a.txt", "/shut/ours.txt"})
	same(t, byName, []string{"/open/a.txt", "/open/b.txt", "/open/secret.txt"})
}

// However many are asked about at a time, all are told, once, and no more than are wanted.
func TestListsOfManyFilesAreWhole(t *testing.T) {
	files := map[string]string{}
	for i := range 1500 {
		files[fmt.Sprintf("d%d/f%04d", i%9, i)] = ""
	}
	tr := newTree(t, files)
	same(t, len(tr.list(t, tool.ListQuery{})), len(files))
	n := 0
	err := tr.List(t.Context(), tool.ListQuery{Root: tr.root}, func(tool.FoundFile) bool {
		n++
		return n < 700
	})
	same(t, err, nil)
	same(t, n, 700)
}

func TestBadPatternsAreRefusedWithTheirPlace(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x\n"})
	for pattern, want := range map[string]string{
		"foo(":    "unclosed group, at character 4",
		"a[z-a]":  "invalid character class range, the start must be <= the end, at character 3",
		"*":       "repetition operator missing expression, at character 1",
		"a\nb":    "asks for a line break",
		`\q`:      "unrecognized escape sequence, at character 1",
		`ää(?P<x`: "unclosed capture group name, at character 8",
	} {
		_, err := tr.grep(t, tool.GrepQuery{Pattern: pattern})
		e, ok := errors.AsType[*tool.Error](err)
		if !ok || e.Code != tool.CodeBadPattern || !strings.Contains(e.Content[0].Text.Open(), want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
			if ok && len(e.Content) > 0 {
				t.Log(e.Content[0].Text.Open())
			}
		}
	}
}

func TestWhatIsNotUTF8StaysLegible(t *testing.T) {
	tr := newTree(t, map[string]string{"a\nb\x1b": "caf\xe9 needle \xff\n", "c\xff": "needle\n"})
	var got []tool.FileHits
	err := tr.Grep(t.Context(), tool.GrepQuery{Root: tr.root, Pattern: "needle"}, func(f tool.FileHits) bool {
		f.File.ModTime = f.File.ModTime.Truncate(0)
		got = append(got, f)
		return true
	})
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	slices.SortFunc(got, func(a, b tool.FileHits) int { return cmp.Compare(a.File.Below, b.File.Below) })
	same(t, got[0].Hits, []tool.Hit{{Line: 1, Text: "caf\uFFFD needle \uFFFD", Spans: [][2]int{{7, 13}}}})
	same(t, []string{got[0].File.Below, got[1].File.Below}, []string{"a\nb\x1b", "c\xff"})
}

func TestALongLineIsKeptInPart(t *testing.T) {
	for name, text := range map[string]string{
		"plain":     "needle " + strings.Repeat("x", 3<<20),
		"escapes":   "needle " + strings.Repeat("\t\\\"\x01", 1<<18),
		"runes":     "needle " + strings.Repeat("ä€😀", 1<<17),
		"bytes":     "needle " + strings.Repeat("\xff\xe9", 1<<18),
		"many hits": strings.Repeat("needle ", 3000),
	} {
		for shift := range 4 {
			text := strings.Repeat("é", shift) + text
			tr := newTree(t, map[string]string{"a": "first\n" + text + "\nneedle last\n"})
			var got tool.FileHits
			if err := tr.Grep(t.Context(), tool.GrepQuery{Root: tr.root, Pattern: "needle"}, func(f tool.FileHits) bool {
				got = f
				return true
			}); err != nil || len(got.Hits) != 2 {
				t.Fatalf("%s: %d hits, %v", name, len(got.Hits), err)
			}
			h := got.Hits[0]
			want := string([]rune(text))
			if h.Line != 2 || !strings.HasPrefix(want, h.Text) || h.Cut != (len(h.Text) < len(want)) || len(h.Text) < min(len(want), 10_000) {
				t.Errorf("%s: line %d, cut %v, %d of %d bytes", name, h.Line, h.Cut, len(h.Text), len(want))
			}
			same(t, got.Hits[1], tool.Hit{Line: 3, Text: "needle last", Spans: [][2]int{{0, 6}}})
		}
	}
}

func TestFilesOutsideAreSearchedFromTheirOwnPlace(t *testing.T) {
	tr := newTree(t, map[string]string{"a.txt": "needle\n"})
	tr.Workspace = t.TempDir()
	tr.root.Rel = ""
	got, err := tr.grep(t, tool.GrepQuery{Pattern: "needle"})
	same(t, got, []string{filepath.Join(tr.root.Real, "a.txt") + ":1:needle"})
	same(t, err, nil)
	file := tr.root.Child(tool.Entry{Name: "a.txt", Kind: tool.KindFile})
	got, err = tr.grep(t, tool.GrepQuery{Pattern: "needle", Root: file})
	same(t, got, []string{filepath.Join(tr.root.Real, "a.txt") + ":1:needle"})
	same(t, err, nil)
}

func TestWithoutRipgrepThereIsAHint(t *testing.T) {
	tr := newTree(t, map[string]string{"a": "x"})
	t.Setenv("PATH", t.TempDir())
	if p, err := search.Find(""); !errors.Is(err, search.ErrMissing) || p.Path != "" {
		t.Errorf("found %v, %v", p, err)
	}
	for _, program := range []string{"", filepath.Join(tr.Workspace, "a")} {
		tr.Program = program
		for _, err := range []error{
			tr.Grep(context.Background(), tool.GrepQuery{Root: tr.root, Pattern: "x"}, nil),
			tr.List(context.Background(), tool.ListQuery{Root: tr.root}, nil),
		} {
			e, ok := errors.AsType[*tool.Error](err)
			if !ok || e.Code != tool.CodeUnavailable || !strings.Contains(e.Content[0].Text.Open(), "apt-get install ripgrep") {
				t.Errorf("%q: %v", program, err)
			}
		}
	}
}

func TestTheShippedProgramComesFirst(t *testing.T) {
	dir := t.TempDir()
	self := filepath.Join(dir, "countersign")
	if p, err := search.Find(self); err != nil || p.Shipped {
		t.Errorf("%v, %v", p, err)
	}
	beside := filepath.Join(dir, "rg")
	if err := os.WriteFile(beside, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := search.Find(self)
	same(t, p, search.Program{Path: beside, Shipped: true})
	same(t, err, nil)
}

func TestOnlyFilesAndFoldersAreSearched(t *testing.T) {
	tr := newTree(t, nil)
	for kind, code := range map[tool.FileKind]tool.Code{
		tool.KindAbsent: tool.CodeFileNotFound, tool.KindFIFO: tool.CodeNotAFile, tool.KindDevice: tool.CodeNotAFile, tool.KindLink: tool.CodeNotAFile,
	} {
		_, err := tr.grep(t, tool.GrepQuery{Pattern: "x", Root: tr.at("a", kind)})
		if e, ok := errors.AsType[*tool.Error](err); !ok || e.Code != code {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
