package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app/desk"
	"countersign/backend/session"
	"countersign/tools"
)

// spec: VS-2, KH-9
func TestWhatEveryCommandPrints(t *testing.T) {
	b := newBench(t)
	if err := os.WriteFile(filepath.Join(b.workspace, "notes.md"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		golden string
		code   int
		stdin  string
		args   []string
	}{
		{"call-succeeded.json", 0, "", []string{"call", "math.calculate", `{"expression":"10/3"}`}},
		{"call-wire-name.json", 0, "", []string{"call", "system_current_time"}},
		{"call-stdin-arguments.json", 0, `{"expression":"2^10"}`, []string{"call", "math.calculate", "-", "--json"}},
		{"call-failed.json", 2, "", []string{"call", "math.calculate", `{"expression":"1/0"}`}},
		{"call-schema.json", 2, "", []string{"call", "math.calculate", `{"expression":5,"x":1}`}},
		{"call-not-json.json", 2, "", []string{"call", "math.calculate", `{"expression":`}},
		{"call-read.json", 0, "", []string{"call", "read", `{"file_path":"notes.md"}`}},
		{"call-write.json", 0, "", []string{"call", "write", `{"file_path":"new.md","content":"<a> & b\n"}`, "--preset", "edit", "--trust-workspace"}},
		{"call-denied-headless.json", 4, "", []string{"call", "write", `{"file_path":"x.md","content":"x"}`, "--trust-workspace"}},
		{"call-denied-untrusted.json", 4, "", []string{"call", "write", `{"file_path":"x.md","content":"x"}`}},
		{"call-denied-read-only.json", 4, "", []string{"call", "write", `{"file_path":"x.md","content":"x"}`, "--preset", "edit", "--trust-workspace", "--read-only"}},
		{"call-unknown.json", 4, "", []string{"call", "nonesuch"}},
		{"call-not-enabled.json", 4, "", []string{"call", "demo.external_write", `{"destination":"a","content":"b"}`}},
		{"call-sets.json", 4, "", []string{"call", "math.calculate", `{"expression":"1"}`, "--sets", "coding"}},
		{"explain-allow.json", 0, "", []string{"explain", "math.calculate", `{"expression":"1"}`}},
		{"explain-ask.json", 0, "", []string{"explain", "write", `{"file_path":"x.md","content":"x"}`, "--trust-workspace"}},
		{"explain-outside.json", 0, "", []string{"explain", "read", `{"file_path":"/etc/hostname"}`}},
		{"explain-command.json", 0, "", []string{"explain", "bash", `{"command":"make test","workdir":"."}`, "--trust-workspace", "--preset", "edit"}},
		{"explain-input.json", 0, "", []string{"explain", "process", `{"action":"write","id":"p1","input":"y\n"}`, "--trust-workspace"}},
		{"call-command.json", 4, "", []string{"call", "bash", `{"command":"touch $A"}`, "--trust-workspace", "--preset", "full"}},
		{"call-processes.json", 0, "", []string{"call", "process", `{"action":"list"}`}},
		{"explain-ended.json", 4, "", []string{"explain", "nonesuch", `{}`}},
		{"explain-stdin.jsonl", 4, "{\"id\":7,\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"1\"}}\n{\"tool\":\"nonesuch\"}\n", []string{"explain", "--stdin"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			got := b.run(t, strings.NewReader(c.stdin), append(c.args, "--clock", still)...)
			if got.code != c.code || got.stderr != "" {
				t.Errorf("exit %d, stderr %q, want exit %d", got.code, got.stderr, c.code)
			}
			b.golden(t, c.golden, got)
		})
	}
	for _, c := range []struct {
		golden string
		args   []string
	}{
		{"tools-list.txt", []string{"tools", "list"}},
		{"tools-list-aligned.txt", []string{"tools", "list", "--format", "text"}},
		{"tools-list.json", []string{"tools", "list", "--json"}},
		{"tools-list-home.json", []string{"tools", "list", "--format", "json", "--source", "home"}},
		{"tools-show-set.json", []string{"tools", "show", "exact", "--json"}},
		{"tools-show-tool.txt", []string{"tools", "show", "math_calculate"}},
		{"tools-show-write.txt", []string{"tools", "show", "write"}},
		{"tools-show-process.txt", []string{"tools", "show", "process"}},
		{"tools-show-set.txt", []string{"tools", "show", "exact"}},
		{"tools-show-table.txt", []string{"tools", "show", "write", "--format", "table"}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			got := b.run(t, nil, c.args...)
			if got.code != 0 || got.stderr != "" {
				t.Errorf("exit %d, stderr %q", got.code, got.stderr)
			}
			b.golden(t, c.golden, got)
		})
	}
}

func TestSessionsAreListedShownAndExported(t *testing.T) {
	b := newBench(t)
	in := "{\"id\":\"a\",\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"1+1\"}}\n" +
		"{\"id\":\"b\",\"tool\":\"nonesuch\",\"arguments\":{\"x\":\"```\\u001b[2J\"}}\n"
	if got := b.run(t, strings.NewReader(in), "call", "--stdin", "--clock", still); got.code != 4 {
		t.Fatalf("%+v", got)
	}
	list := b.run(t, nil, "sessions", "list", "--json")
	b.golden(t, "sessions-list.json", list)
	b.golden(t, "sessions-list.txt", b.run(t, nil, "sessions", "list"))
	id := idForm.FindString(list.stdout)
	for name, args := range map[string][]string{
		"sessions-show.txt":     {"sessions", "show", id},
		"sessions-show.json":    {"sessions", "show", id, "--json"},
		"sessions-export.jsonl": {"sessions", "export", id, "--json"},
		"sessions-export.md":    {"sessions", "export", id, "--format", "markdown"},
	} {
		got := b.run(t, nil, args...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%s: exit %d, %q", name, got.code, got.stderr)
		}
		if strings.Contains(got.stdout, "\x1b") {
			t.Errorf("%s: foreign text could move the cursor", name)
		}
		b.golden(t, name, got)
	}
	whole := b.run(t, nil, "sessions", "export", id)
	if got := b.run(t, nil, "sessions", "export", id[:8]); got != whole || got.code != exitOK {
		t.Errorf("by the beginning of its id: %+v", got)
	}
	for _, none := range []string{"", "%", id + "0", "_" + id[1:8]} {
		if got := b.run(t, nil, "sessions", "show", none); got.code != 1 || !strings.Contains(got.stderr, "no session of that id") {
			t.Errorf("%q: %+v", none, got)
		}
	}
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := b.run(t, nil, "sessions", "show", id[:1]); got.code != 1 || !strings.Contains(got.stderr, "several sessions") {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "sessions", "show", "nonesuch"); got.code != 1 || !strings.Contains(got.stderr, "no session of that id") {
		t.Errorf("%+v", got)
	}
}

func TestAFenceCannotBeEndedFromInside(t *testing.T) {
	var w strings.Builder
	fence(&w, "", "a\n````\nb")
	if w.String() != "`````\na\n````\nb\n`````\n\n" {
		t.Errorf("got %q", w.String())
	}
}

func TestForeignTextCannotSteerATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b[2Jb":        "a<U+001B>[2Jb",
		"a\u202eb\u200bc":  "a<U+202E>b<U+200B>c",
		"a\nb\tc":          "a⏎b c",
		"\u009b31m":        "<U+009B>31m",
		"größe 漢字 e\u0301": "größe 漢字 e\u0301",
	} {
		if got := desk.Visible(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
	if got := desk.Lines("a\r\nb\tc"); got != "a<U+000D>\nb\tc" {
		t.Errorf("got %q", got)
	}
}

// The names of presets are no catalogs, and the other way round.
//
// spec: CT-20
func TestPresetsAndCatalogsAreTwoThings(t *testing.T) {
	b := newBench(t)
	for _, preset := range session.Presets() {
		for _, args := range [][]string{{"call", "math.calculate"}, {"explain", "math.calculate", `{"expression":"1"}`}, {"mcp"}} {
			got := b.run(t, nil, append(args, "--catalog", string(preset))...)
			if got.code != exitUsage || !strings.Contains(got.stderr, "plan or work") {
				t.Errorf("%v with catalog %s: %+v", args, preset, got)
			}
		}
	}
	for _, catalog := range []string{"plan", "work"} {
		if got := b.run(t, nil, "call", "math.calculate", "--preset", catalog); got.code != exitUsage || !strings.Contains(got.stderr, "--preset takes") {
			t.Errorf("preset %s: %+v", catalog, got)
		}
	}
}

func TestUsageIsOneSentenceAndExitOne(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{
		{},
		{"nonesuch"},
		{"call"},
		{"call", "a", "{}", "c"},
		{"call", "a", "--stdin"},
		{"explain", "a"},
		{"call", "a", "--preset", "auto"},
		{"call", "a", "--catalog", "all"},
		{"call", "a", "--profile", "x"},
		{"call", "a", "--clock", "noon"},
		{"call", "a", "--nonesuch"},
		{"explain", "a", "{}", "--allow", ""},
		{"tools"},
		{"tools", "list", "--format", "xml"},
		{"tools", "list", "--json", "--format", "text"},
		{"tools", "list", "--source", "mars"},
		{"tools", "show", "nonesuch"},
		{"tools", "enable", "exact"},
		{"sessions"},
		{"sessions", "list", "--limit", "0"},
		{"sessions", "search", "x"},
		{"sessions", "export", "x", "--format", "pdf"},
		{"sessions", "export", "x", "--format", "markdown", "--json"},
		{"serve", "--listen", ":0"},
		{"serve", "--model", "nonesuch"},
		{"agent", "x"},
		{"call", "math.calculate", `{"expression":"1"}`, "--sets", "bogus"},
		{"call", "math.calculate", `{"expression":"1"}`, "--sets", "exact,Exact"},
		{"explain", "math.calculate", `{"expression":"1"}`, "--sets", "exact,bogus"},
		{"mcp", "--sets", "bogus"},
	} {
		got := b.run(t, nil, args...)
		if got.code != exitUsage || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, got.code, got.stdout, got.stderr)
		}
	}
	b.workspace = filepath.Join(b.workspace, "nonesuch")
	if got := b.run(t, nil, "call", "math.calculate"); got.code != 1 || !strings.Contains(got.stderr, "--workspace") {
		t.Errorf("%+v", got)
	}
}

func TestDoctorSaysWhatIsThereAndMakesNothing(t *testing.T) {
	b := newBench(t)
	got := b.run(t, nil, "doctor")
	if !strings.Contains(got.stdout, "is not there yet") {
		t.Errorf("%+v", got)
	}
	if left, err := os.ReadDir(filepath.Dir(b.home)); err != nil || len(left) > 0 {
		t.Errorf("doctor left %v, %v", left, err)
	}
	b.run(t, nil, "tools", "list")
	checks := one(t, b.run(t, nil, "doctor", "--json"))["checks"].([]any)
	states := map[string]any{}
	for _, c := range checks {
		f := c.(map[string]any)
		states[f["name"].(string)] = f["state"]
	}
	for name, want := range map[string]string{"home": "ok", "settings": "ok", "history": "ok", "workspace": "ok", "desk": "note"} {
		if states[name] != want {
			t.Errorf("%s is %v", name, states[name])
		}
	}
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(`{"preset":"auto"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got = b.run(t, nil, "doctor")
	if got.code != exitUsage || !strings.Contains(got.stdout, "preset") || !strings.Contains(got.stdout, "problem") {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`); got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("a call under settings that are not understood: %+v", got)
	}
}

// has knows no set that has a directory.
func (*bench) has(string) bool { return false }

func TestAnUnknownSetIsRefusedWithTheKnownOnes(t *testing.T) {
	b := newBench(t)
	for _, spec := range tools.Catalog() {
		if err := checkSets(spec.Set, b.has); err != nil {
			t.Errorf("the set of %s is not known", spec.ID)
		}
	}
	for _, name := range session.DefaultSets() {
		if err := checkSets(name, b.has); err != nil {
			t.Errorf("the set %s is on and not known", name)
		}
	}
	got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`, "--sets", "bogus\x1b")
	if !strings.Contains(got.stderr, "coding") || !strings.Contains(got.stderr, "web") || strings.Contains(got.stderr, "bogus") {
		t.Errorf("%+v", got)
	}
	// One that is known and has no tool yet.
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`, "--sets", "web, exact"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
}

func TestSettingsThatAreMisspeltOrUnknownAreTold(t *testing.T) {
	b := newBench(t)
	b.run(t, nil, "tools", "list")
	write := func(content string) {
		if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"readonly":true}`)
	got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`)
	if want := "config.json: the key \"readonly\" must be spelt \"readOnly\".\n"; got.code != exitUsage || got.stderr != want {
		t.Errorf("%+v", got)
	}
	write(`{"later":true,"zoom\u001b":1}`)
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`); got.code != exitOK || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	got = b.run(t, nil, "doctor")
	if !strings.Contains(got.stdout, `"later"`) || !strings.Contains(got.stdout, "zoom") || strings.Contains(got.stdout, "\x1b") {
		t.Errorf("%+v", got)
	}
	write(`{"toolSets":["exact","exakt"]}`)
	got = b.run(t, nil, "doctor")
	if !strings.Contains(got.stdout, `not known: "exakt"`) {
		t.Errorf("%+v", got)
	}
}

func TestDoctorTellsOfAHomeThatCannotBeMade(t *testing.T) {
	b := newBench(t)
	// Nobody makes a folder there, whatever the mode says.
	b.home = "/proc/countersign/home"
	got := b.run(t, nil, "doctor")
	if got.code != exitUsage || !strings.Contains(got.stdout, "problem") || !strings.Contains(got.stdout, "cannot be made") || !strings.Contains(got.stdout, "--home") {
		t.Errorf("%+v", got)
	}
}

func TestVersion(t *testing.T) {
	b := newBench(t)
	if got := b.run(t, nil, "version"); got.code != 0 || !strings.HasPrefix(got.stdout, "countersign ") {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "--version"); got.code != 0 || !strings.HasPrefix(got.stdout, "countersign ") || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := one(t, b.run(t, nil, "version", "--json")); got["version"] == "" {
		t.Errorf("%+v", got)
	}
}
