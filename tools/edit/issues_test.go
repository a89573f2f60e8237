package edit_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/tool"
	"countersign/tools/edit"
	"countersign/tools/read"
	"countersign/tools/scenariotest"
)

// fault is what others got wrong: an edit of a file, with what it must come to.
type fault struct {
	file string
	// edits are pairs of strings, made one after the other.
	edits [][2]string
	want  string
	code  tool.Code
	// before, if given, is done between reading the file and editing it.
	before func(*testing.T, *session)
}

func faults() map[string]fault {
	one := func(file, old, new, want string) fault {
		return fault{file: file, edits: [][2]string{{old, new}}, want: want}
	}
	refused := func(file, old, new string, code tool.Code) fault {
		return fault{file: file, edits: [][2]string{{old, new}}, want: file, code: code}
	}
	touch := func(t *testing.T, s *session) {
		must(t, os.Chtimes(s.Path("a"), time.Time{}, scenariotest.Noon.Add(time.Hour)))
	}
	sjis := "# \x93\xfa\x96\x7b\nprint(1)\n"
	gbk := "# \xd6\xd0\xce\xc4\nx = 1\n"
	return map[string]fault{
		"iss-063": refused("function foo() {\n  a\n  b\n}\n", "function foo() {\n}\n", "x\n", edit.CodeNotFound),
		"iss-064": refused("outline: 3px;\n"+strings.Repeat("rule: x;\n", 2000)+"/* end */\n", "outline: 3px;\n}\n/* end */", "x", edit.CodeNotFound),
		"iss-067": one("f {\n\n  one\n\n  two\n\n}\n", "f {\n\n  one\n\n  twoo\n\n}", "f {\n}", "f {\n}\n"),
		"iss-068": one("say\n", "say", `log("$& ok")`, "log(\"$& ok\")\n"),
		"iss-071": one("print(\"Hello\\nworld\")\n", `"Hello\nworld"`, `"Bye\nworld"`, "print(\"Bye\\nworld\")\n"),
		"iss-073": one(`{"a": "[\"b\"]"}`, `"[\"b\"]"`, `"[\"c\\d\"]"`, `{"a": "[\"c\\d\"]"}`),
		"iss-075": one("it's\n", "'", "&apos;", "it&apos;s\n"),
		"iss-077": {
			file:  "class A:\n    def f():\n        one()\n\n    def g():\n        two()\n",
			edits: [][2]string{{"def f():\n    one()", "def f():\n    if x:\n        one()"}, {"def g():\n    two()", "def g():\n    pass"}},
			want:  "class A:\n    def f():\n        if x:\n            one()\n\n    def g():\n        pass\n",
		},
		"iss-078": one("a\nb\nc\n", "b\n", "B\n", "a\nB\nc\n"),
		"iss-081": one("one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2", "1\r\n2\r\nthree\r\n"),
		"iss-083": one("a\r\nb\r\n", "a\n", "a\nnew\n", "a\r\nnew\r\nb\r\n"),
		"iss-086": {file: "a\n", edits: [][2]string{{"a", "b"}}, want: "b\n", before: touch},
		"iss-088": {file: "a\n", edits: [][2]string{{"a", "b"}, {"b", "c"}}, want: "c\n", before: touch},
		"iss-090": one("'%s'\n", "'%s'", "‘%s’", "‘%s’\n"),
		"iss-095": refused(sjis, "print(1)", "print(\"日本\")", edit.CodeNotText),
		"iss-097": one("// \xa9 X\r\nreturn 0;\r\n", "return 0;", "return 1;", "// \xa9 X\r\nreturn 1;\r\n"),
		"iss-098": refused(gbk, "x = 1", "x = \"中文\"", edit.CodeNotText),
	}
}

// What was reported of the editing of others does not happen here.
//
// spec: KH-34, KH-35
func TestReportedFaultsOfEditingDoNotHappen(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "testdata", "cases", "issues.jsonl"))
	must(t, err)
	defer f.Close()
	shown := faults()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c struct{ ID, Area, Gist string }
		must(t, json.Unmarshal(lines.Bytes(), &c))
		if c.Area != "edits and diffs" && c.Area != "encoding damage" {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			fault, ok := shown[c.ID]
			if !ok {
				t.Fatalf("nothing shows that this does not happen: %s", c.Gist)
			}
			fault.play(t)
		})
	}
	if n != len(shown) {
		t.Errorf("%d faults are shown, %d reported", len(shown), n)
	}
}

func (f fault) play(t *testing.T) {
	s := newSession(t)
	s.Has("a", f.file)
	s.Forget("a")
	spec := read.Spec()
	r, err := spec.Run(t.Context(), s.Env("a"), tool.Args{Canonical: []byte(`{"file_path":"a"}`)})
	must(t, err)
	s.Put(r.Files[0].Stamp)
	if f.before != nil {
		f.before(t, s)
	}
	for _, e := range f.edits {
		if _, err := s.edit(t.Context(), "a", e[0], e[1]); scenariotest.Code(err) != f.code {
			t.Errorf("%q: %v, want %q", e[0], err, f.code)
		}
	}
	if got := s.Holds("a"); got != f.want {
		t.Errorf("holds %q, want %q", got, f.want)
	}
}
