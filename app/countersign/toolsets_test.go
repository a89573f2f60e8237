package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// setsOf are the sets that are not built in, as tools list prints them.
func setsOf(t *testing.T, r run) (sets []map[string]any, notes []any) {
	t.Helper()
	var out struct {
		Sets  []map[string]any
		Notes []any
	}
	if err := json.Unmarshal([]byte(r.stdout), &out); err != nil {
		t.Fatalf("%v in %q, %q", err, r.stdout, r.stderr)
	}
	for _, s := range out.Sets {
		if s["origin"] != "builtin" {
			sets = append(sets, s)
		}
	}
	return sets, out.Notes
}

// content is the text of the only outcome that was printed.
func content(t *testing.T, r run) string {
	t.Helper()
	o := one(t, r)
	parts, _ := o["content"].([]any)
	text := ""
	for _, p := range parts {
		part, _ := p.(map[string]any)
		said, _ := part["text"].(string)
		text += said
	}
	return text
}

// spec: CT-17
func TestANewToolSetWorks(t *testing.T) {
	b := newBench(t)
	if got := b.run(t, nil, "tools", "new", "Acme.Tools"); got.code != exitOK || !strings.Contains(got.stdout, "Acme_Tools_greet") {
		t.Fatalf("%+v", got)
	}
	dir := filepath.Join(b.home, "tools", "Acme.Tools")
	if got := b.run(t, nil, "tools", "check", dir); got.code != exitOK || !strings.Contains(got.stdout, "The set Acme.Tools can be used.") {
		t.Errorf("%+v", got)
	}
	got := b.run(t, nil, "call", "Acme_Tools_greet", `{"name":"World"}`, "--preset", "full", "--trust-workspace")
	if text := content(t, got); got.code != exitOK || text != "Hello, World.\n" {
		t.Errorf("%d %q", got.code, text)
	}
	if err := os.WriteFile(filepath.Join(b.workspace, "a.txt"), []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = b.run(t, nil, "call", "Acme_Tools_count", `{"path":"a.txt"}`, "--preset", "full", "--trust-workspace", "--sets", "Acme.Tools")
	if text := content(t, got); got.code != exitOK || !strings.HasSuffix(text, "a.txt has 2 lines.\n") {
		t.Errorf("%d %q", got.code, text)
	}
	got = b.run(t, nil, "call", "Acme_Tools_count", `{"path":"../a.txt"}`, "--preset", "full", "--trust-workspace")
	if o := one(t, got); got.code != exitDenied || o["reason_code"] != "approval.no_operator" {
		t.Errorf("a path outside: %d %v", got.code, o["reason_code"])
	}
	before, _ := os.ReadFile(filepath.Join(dir, "tools.json"))
	if got := b.run(t, nil, "tools", "new", "Acme.Tools"); got.code != exitUsage || !strings.Contains(got.stderr, "left as it is") {
		t.Errorf("a second one: %+v", got)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "tools.json")); string(after) != string(before) {
		t.Error("it was written over")
	}
	if got := b.run(t, nil, "tools", "new", "mine", "--source", "project"); got.code != exitOK || !strings.HasPrefix(got.stdout, "Written: "+filepath.Join(b.workspace, ".countersign")) {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"tools", "new", "../x"}, {"tools", "new", "x", "--source", "moon"}, {"tools", "new"}} {
		if got := b.run(t, nil, args...); got.code != exitUsage {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// spec: CT-5, CT-14, CT-17, CT-25
func TestToolsListTellsOfSetsAndOfTrust(t *testing.T) {
	b := newBench(t)
	put := func(folder, name, text string) {
		dir := filepath.Join(folder, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "tools.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const set = `{"runner":"exec","description":"d","schema":{"type":"object"},"command":["/bin/echo"],"approval":"always"}`
	home, project, crystal := filepath.Join(b.home, "tools"), filepath.Join(b.workspace, ".countersign/tools"), filepath.Join(b.workspace, ".crystal/tools")
	put(home, "a", set)
	put(project, "a", set)
	put(crystal, "c", set)
	put(home, "broken", `{"runner":`)
	put(home, "off", `{"runner":"exec","description":"d","schema":{},"command":["x"],"enabled":false}`)
	put(home, "net", `{"runner":"dotnet","assembly":"A.dll"}`)
	brief := func(r run) []string {
		sets, _ := setsOf(t, r)
		out := []string{}
		for _, s := range sets {
			line := strings.Join([]string{s["origin"].(string), s["tree"].(string), s["directory"].(string), s["status"].(string)}, " ")
			for _, one := range s["tools"].([]any) {
				tool := one.(map[string]any)
				approval := tool["approval"].(map[string]any)
				line += " " + tool["id"].(string) + " " + approval["declared"].(string) + "/" + approval["effective"].(string)
			}
			out = append(out, line)
		}
		return out
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--json"}, []string{
			"project .countersign a untrusted", "project .crystal c untrusted", "home .countersign a loaded a always/always", "home .countersign broken skipped",
			"home .countersign net unavailable", "home .countersign off disabled",
		}},
		{[]string{"--format", "json", "--trust-workspace"}, []string{
			"project .countersign a loaded a always/inherit", "project .crystal c loaded c always/inherit", "home .countersign a hidden", "home .countersign broken skipped",
			"home .countersign net unavailable", "home .countersign off disabled",
		}},
		{[]string{"--json", "--source", "project", "--trust-workspace"}, []string{"project .countersign a loaded a always/inherit", "project .crystal c loaded c always/inherit"}},
	} {
		if d := cmp.Diff(c.want, brief(b.run(t, nil, append([]string{"tools", "list"}, c.args...)...))); d != "" {
			t.Errorf("%v (-want +got)\n%s", c.args, d)
		}
	}
	if _, notes := setsOf(t, b.run(t, nil, "tools", "list", "--json")); len(notes) < 2 {
		t.Errorf("notes: %v", notes)
	}
	if got := b.run(t, nil, "tools", "list", "--format", "text"); !strings.Contains(got.stdout, "broken") || !strings.Contains(got.stdout, "note") {
		t.Errorf("%s", got.stdout)
	}
	if got := b.run(t, nil, "tools", "show", "c", "--trust-workspace"); got.code != exitOK || !strings.Contains(got.stdout, "project .crystal") {
		t.Errorf("%+v", got)
	}
}

func TestSetsAreSwitchedAndTheirChangesAcceptedOnTheCommandLine(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(b.home, "tools", "greet")
	file := filepath.Join(dir, "tools.json")
	write := func(text string) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const first = `{"runner":"exec","description":"d","schema":{"type":"object"},"command":["/bin/echo","one"]}`
	write(first)
	call := func() string {
		return content(t, b.run(t, nil, "call", "greet", "--preset", "full", "--trust-workspace"))
	}
	if got := call(); got != "one\n" {
		t.Errorf("got %q", got)
	}
	if got := b.run(t, nil, "tools", "disable", "greet"); got.code != exitOK || !strings.HasPrefix(got.stdout, "Disabled: home set greet in ") {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "call", "greet", "--preset", "full", "--trust-workspace"); one(t, got)["reason_code"] != "tool.not_found" {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "tools", "enable", "greet", "--source", "home"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := call(); got != "one\n" {
		t.Errorf("got %q", got)
	}
	write(strings.Replace(first, "one", "two\\u001b[2J", 1))
	if got := b.run(t, nil, "call", "greet", "--preset", "full", "--trust-workspace"); one(t, got)["reason_code"] != "policy.set_changed" || got.code != exitDenied {
		t.Errorf("%+v", got)
	}
	shown := b.run(t, nil, "tools", "show", "greet")
	print := regexp.MustCompile(`--source home --fingerprint ([0-9a-f]{64})\n`).FindStringSubmatch(shown.stdout)
	if print == nil || !strings.Contains(shown.stdout, "\n+") || strings.Contains(shown.stdout, "\x1b") {
		t.Fatalf("%q", shown.stdout)
	}
	for _, args := range [][]string{{"greet"}, {"greet", "--fingerprint", strings.Repeat("0", 64)}, {"other", "--fingerprint", print[1]}} {
		if got := b.run(t, nil, append([]string{"tools", "accept"}, args...)...); got.code != exitUsage {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := b.run(t, nil, "tools", "accept", "greet", "--fingerprint", print[1]); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := call(); !strings.HasPrefix(got, "two") {
		t.Errorf("got %q", got)
	}
	write(`{"runner":`)
	if got := b.run(t, nil, "tools", "enable", "greet"); got.code != exitFailed || !strings.Contains(got.stderr, "left as it is") {
		t.Errorf("%+v", got)
	}
	if text, _ := os.ReadFile(file); string(text) != `{"runner":` {
		t.Errorf("a broken manifest became %s", text)
	}
	if got := b.run(t, nil, "tools", "check", dir); got.code != exitFailed || !strings.Contains(got.stdout, "problem") {
		t.Errorf("%+v", got)
	}
	write(`{"runner":"dotnet","assembly":"A.dll"}`)
	if got := b.run(t, nil, "tools", "check", dir); got.code != exitFailed || !strings.Contains(got.stdout, "not there") {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "A.dll"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := b.run(t, nil, "tools", "check", dir); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := b.run(t, nil, "tools", "enable", "coding"); got.code != exitUsage || !strings.Contains(got.stderr, "Built-in sets") {
		t.Errorf("%+v", got)
	}
}

// An agent cannot switch a set, or accept its change, by calling us.
//
// spec: CS-3
func TestSetsAreNotSwitchedFromInsideACommand(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{{"tools", "enable", "x"}, {"tools", "disable", "x"}, {"tools", "accept", "x", "--fingerprint", "f"}} {
		var out, errs strings.Builder
		p := &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, inside: func() bool { return true }}
		if code := p.run(t.Context(), append(args, "--home", b.home, "--workspace", b.workspace)); code != exitUsage || !strings.Contains(errs.String(), "is not taken here") {
			t.Errorf("%v: %d %s", args, code, errs.String())
		}
	}
}
