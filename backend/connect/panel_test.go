package connect_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"

	"countersign/backend/connect"
)

var update = flag.Bool("update", false, "write the golden files")

// disk is files in memory.
type disk struct {
	files  map[string]string
	errs   map[string]error
	reads  int
	writes int
	// between is called before a write looks at the file again.
	between func()
}

func (d *disk) Read(path, within string) (connect.File, error) {
	d.reads++
	if err := d.errs[path]; err != nil {
		return connect.File{}, err
	}
	text, ok := d.files[path]
	f := connect.File{Path: path, Real: path, Within: within, Exists: ok}
	if ok {
		f.Content = []byte(text)
	}
	return f, nil
}

func (d *disk) Write(f connect.File, content []byte) error {
	if d.between != nil {
		d.between()
	}
	if text, ok := d.files[f.Path]; ok != f.Exists || text != string(f.Content) {
		return connect.ErrChanged
	}
	d.writes++
	d.files[f.Path] = string(content)
	return nil
}

func plainFacts() connect.Facts {
	return connect.Facts{Program: "/opt/countersign/countersign", Workspace: "/home/you/src/dispatchd", UserHome: "/home/you"}
}

// hostile are facts whose paths hold what the formats and the shell have a meaning for, but
// nothing that a client would replace.
func hostile() connect.Facts {
	return connect.Facts{
		Program:   "/opt/my tools/\"quoted\" it's/back\\slash/countersign",
		Home:      "/home/you/ключи 🔑/\u202egnp.home\n[table]",
		Workspace: "/home/you/a b/#x; rm -rf ~ & `id` | %s/é\u0301\x7f'''\"\"\"",
		UserHome:  "/home/you",
	}
}

func panel(f connect.Facts, d *disk) *connect.Panel {
	return connect.NewPanel(func() connect.Facts { return f }, d)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-reviewed +now):\n%s", file, d)
	}
}

func TestEachClientIsToldExactlyWhatWasReviewed(t *testing.T) {
	moved := plainFacts()
	moved.Home = "/srv/desk"
	for name, f := range map[string]connect.Facts{"plain.golden": plainFacts(), "home.golden": moved, "hostile.golden": hostile()} {
		var b strings.Builder
		for _, c := range panel(f, &disk{}).Clients() {
			b.WriteString("== " + c.Name + "\nplace: " + c.Place + "\nstate: " + string(c.State) + "\n")
			for what, text := range map[string]string{"command": c.Command, "trouble": c.Trouble} {
				if text != "" {
					b.WriteString(what + ": " + text + "\n")
				}
			}
			b.WriteString(c.Fragment + "\n")
		}
		golden(t, name, b.String())
	}
}

// words is the command line that an entry of any client starts.
func wordsIn(t *testing.T, c connect.Client, text []byte) []string {
	t.Helper()
	var all map[string]any
	if c.Language == "toml" {
		if err := toml.Unmarshal(text, &all); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	} else {
		plain, err := hujson.Standardize(text)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		if err := json.Unmarshal(plain, &all); err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
	var entry map[string]any
	for _, key := range []string{"mcpServers", "mcp_servers", "mcp", "servers"} {
		if table, ok := all[key].(map[string]any); ok {
			entry, _ = table["countersign"].(map[string]any)
		}
	}
	var out []string
	if one, ok := entry["command"].(string); ok {
		out = append(out, one)
	}
	for _, key := range []string{"command", "args"} {
		list, _ := entry[key].([]any)
		for _, v := range list {
			out = append(out, v.(string))
		}
	}
	return out
}

func TestAnEntryStartsExactlyThisDeskWhateverItsPaths(t *testing.T) {
	f := hostile()
	here := []string{f.Program, "mcp", "--home", f.Home, "--workspace", f.Workspace}
	anywhere := here[:4]
	seen := 0
	for _, c := range panel(f, &disk{}).Clients() {
		if c.Fragment == "" {
			continue
		}
		seen++
		want := here
		if c.User {
			want = anywhere
		}
		if d := cmp.Diff(want, wordsIn(t, c, []byte(c.Fragment))); d != "" {
			t.Errorf("%s: %s", c.ID, d)
		}
	}
	if seen < 6 {
		t.Errorf("only %d clients have an entry", seen)
	}
}

func TestACommandReachesTheProgramWordByWord(t *testing.T) {
	f := hostile()
	for _, c := range panel(f, &disk{}).Clients() {
		if c.Command == "" {
			continue
		}
		line := c.Command
		if c.ID == "claude" {
			_, line, _ = strings.Cut(line, "claude mcp add countersign -- ")
		}
		out, err := exec.Command("bash", "-c", "printf '%s\\0' "+line).Output()
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		want := []string{f.Program, "mcp", "--home", f.Home, "--workspace", f.Workspace, ""}
		if d := cmp.Diff(want, strings.Split(string(out), "\x00")); d != "" {
			t.Errorf("%s: %s", c.ID, d)
		}
	}
}

// A limit is of use only if the person's answer may take a day.
func TestEveryClientWithALimitWaitsForADay(t *testing.T) {
	limits := map[string]string{
		"claude": `"timeout": 86400000`, "codex": "tool_timeout_sec = 86400", "opencode": `"timeout": 86400000`,
		"gemini": `"timeout": 86400000`, "qwen": `"timeout": 86400000`,
	}
	for _, c := range panel(plainFacts(), &disk{}).Clients() {
		if !strings.Contains(c.Fragment, limits[c.ID]) {
			t.Errorf("%s: %s", c.ID, c.Fragment)
		}
	}
}

func TestAPathThatAClientWouldReplaceHasNoEntryThere(t *testing.T) {
	for path, none := range map[string][]string{
		"/w/${HOME}": {"claude", "crush", "cursor", "gemini", "qwen", "vscode"},
		"/w/{env:X}": {"opencode"},
		"/w/\xff":    {"claude", "codex", "crush", "cursor", "gemini", "opencode", "other", "qwen", "vscode"},
	} {
		f := plainFacts()
		f.Program = path + "/countersign"
		var got []string
		d := &disk{}
		p := panel(f, d)
		for _, c := range p.Clients() {
			if c.Fragment == "" && c.Command == "" {
				got = append(got, c.ID)
				if c.Trouble == "" || c.State != connect.StateNone {
					t.Errorf("%q %s: %+v", path, c.ID, c)
				}
				if _, err := p.Plan(c.ID); err == nil {
					t.Errorf("%q %s: a plan was made", path, c.ID)
				}
			}
		}
		slices.Sort(got)
		if d := cmp.Diff(none, got); d != "" {
			t.Errorf("%q: %s", path, d)
		}
	}
}

func TestWithoutTheProgramThereIsNothingToGive(t *testing.T) {
	f := plainFacts()
	f.Program = ""
	for _, c := range panel(f, &disk{}).Clients() {
		if c.Command != "" || c.Fragment != "" || !strings.Contains(c.Trouble, "countersign") {
			t.Errorf("%+v", c)
		}
	}
}

func TestAnEntryIsWrittenAfterItsChangeWasSeen(t *testing.T) {
	const path = "/home/you/.codex/config.toml"
	d := &disk{files: map[string]string{path: "model = \"x\"\n"}}
	p := panel(plainFacts(), d)
	plan, err := p.Plan("codex")
	if err != nil || plan.Client.State != connect.StateAbsent || plan.Diff.Additions != 5 || plan.Diff.Deletions != 0 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if d.writes > 0 {
		t.Fatal("a plan wrote")
	}
	got, written, err := p.Write("codex", plan.Hash)
	if err != nil || !written || got.Client.State != connect.StateCurrent {
		t.Fatalf("%+v %v %v", got, written, err)
	}
	want := "model = \"x\"\n\n[mcp_servers.countersign]\ncommand = \"/opt/countersign/countersign\"\nargs = [\"mcp\"]\ntool_timeout_sec = 86400\n"
	if diff := cmp.Diff(want, d.files[path]); diff != "" {
		t.Error(diff)
	}
	if _, written, err := p.Write("codex", plan.Hash); err != nil || written || d.writes != 1 {
		t.Errorf("a second write: %v %v, %d writes", written, err, d.writes)
	}
}

func TestAChangeThatWasNotSeenIsNotWritten(t *testing.T) {
	const path = "/home/you/src/dispatchd/.mcp.json"
	d := &disk{files: map[string]string{}}
	p := panel(plainFacts(), d)
	plan, err := p.Plan("claude")
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{"", "0", strings.Repeat("0", 64)} {
		if _, written, err := p.Write("claude", hash); err != nil || written {
			t.Errorf("%q: %v %v", hash, written, err)
		}
	}
	d.files[path] = "{}\n"
	now, written, err := p.Write("claude", plan.Hash)
	if err != nil || written || now.Hash == plan.Hash || now.Diff.Created {
		t.Errorf("%+v %v %v", now, written, err)
	}
	d.between = func() { d.files[path] = "{\"a\": 1}\n" }
	if now, written, err = p.Write("claude", now.Hash); err != nil || written || !strings.Contains(now.Diff.Unified, `"a": 1`) {
		t.Errorf("changed while writing: %+v %v %v", now, written, err)
	}
	if d.writes > 0 || d.files[path] != "{\"a\": 1}\n" {
		t.Errorf("%d writes, %q", d.writes, d.files[path])
	}
}

func TestTheStateOfAClientIsToldByItsFile(t *testing.T) {
	const path = "/home/you/src/dispatchd/.vscode/mcp.json"
	entry := `{"servers": {"countersign": {"command": "/opt/countersign/countersign", "args": ["mcp", "--workspace", "/home/you/src/dispatchd"]}}}`
	for text, want := range map[string]connect.State{
		"{}":                               connect.StateAbsent,
		" \n":                              connect.StateAbsent,
		"\ufeff{\"servers\": {\"x\": {}}}": connect.StateAbsent,
		entry:                              connect.StateCurrent,
		strings.Replace(entry, "dispatchd", "other", 1):                 connect.StateDiffers,
		strings.Replace(entry, `"args"`, `"type": "sse", "args"`, 1):    connect.StateDiffers,
		strings.Replace(entry, `"command"`, `"url": "x", "command"`, 1): connect.StateUnreadable,
		"{":        connect.StateUnreadable,
		"{\"\xff":  connect.StateUnreadable,
		"\x00\x01": connect.StateUnreadable,
	} {
		d := &disk{files: map[string]string{path: text}}
		for _, c := range panel(plainFacts(), d).Clients() {
			if c.ID != "vscode" {
				continue
			}
			if c.State != want || (c.Trouble != "") != (want == connect.StateUnreadable) || c.Fragment == "" {
				t.Errorf("%q: %+v", text, c)
			}
		}
	}
}

func TestAMarkAtTheStartIsKept(t *testing.T) {
	const path = "/home/you/src/dispatchd/.cursor/mcp.json"
	d := &disk{files: map[string]string{path: "\ufeff{\r\n}\r\n"}}
	p := panel(plainFacts(), d)
	plan, err := p.Plan("cursor")
	if err != nil {
		t.Fatal(err)
	}
	if _, written, err := p.Write("cursor", plan.Hash); err != nil || !written {
		t.Fatal(written, err)
	}
	got := d.files[path]
	if !strings.HasPrefix(got, "\ufeff{\r\n  \"mcpServers\": {\r\n") || !strings.HasSuffix(got, "}\r\n") || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Errorf("%q", got)
	}
}

func TestTheFileThatExistsIsTheOne(t *testing.T) {
	const commented = "/home/you/src/dispatchd/opencode.jsonc"
	d := &disk{files: map[string]string{commented: "{ /* mine */ }"}}
	plan, err := panel(plainFacts(), d).Plan("opencode")
	if err != nil || plan.Client.Place != "opencode.jsonc" || plan.Client.Path != commented {
		t.Errorf("%+v %v", plan, err)
	}
}

func TestWhyAFileIsNotWrittenIsSaid(t *testing.T) {
	const path = "/home/you/src/dispatchd/.mcp.json"
	said := map[string]bool{}
	for _, cause := range []error{
		connect.ErrTooLarge, connect.ErrNoFile, connect.ErrOutside, connect.ErrShut, connect.ErrKept, connect.ErrShared,
		connect.ErrFull, errors.New("/secret/path broke"),
	} {
		_, err := panel(plainFacts(), &disk{errs: map[string]error{path: cause}}).Plan("claude")
		trouble, ok := errors.AsType[*connect.Trouble](err)
		if !ok || !errors.Is(err, cause) || strings.Contains(trouble.Words, "secret") || said[trouble.Words] {
			t.Errorf("%v: %v", cause, err)
			continue
		}
		said[trouble.Words] = true
	}
	if _, err := panel(plainFacts(), &disk{}).Plan("../../etc"); !errors.Is(err, connect.ErrUnknown) {
		t.Error(err)
	}
}

func TestACallerIsKnownByItsName(t *testing.T) {
	for name, want := range map[string]string{
		"claude-code": "claude", "codex-mcp-client": "codex", "qwen-cli-mcp-client-countersign": "qwen", "evil": "", "": "",
	} {
		if got := connect.ClientOf(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// The README shows what the page would, so that neither is out of date.
func TestTheREADMEShowsTheSameEntries(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "## Connecting an agent\n")
	part, _, _ = strings.Cut(part, "\n## ")
	f := connect.Facts{Program: "/path/to/countersign", UserHome: "/home/you"}
	known := map[string]bool{}
	for _, c := range panel(f, &disk{}).Clients() {
		known[c.Fragment], known[c.Command+"\n"] = true, true
	}
	blocks := strings.Split(part, "```")
	shown := 0
	for i := 1; i < len(blocks); i += 2 {
		language, block, _ := strings.Cut(blocks[i], "\n")
		if !strings.Contains(block, "mcp") {
			continue
		}
		shown++
		if !known[block] {
			t.Errorf("the README has a block of %s that no client is given:\n%s", language, block)
		}
	}
	if shown < 3 {
		t.Errorf("the README shows %d entries", shown)
	}
}
