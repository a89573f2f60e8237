//go:build linux

package toolset_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/clock"
	"countersign/backend/host/process/processtest"
	"countersign/backend/host/workspace"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// otherwise says why a case is not run here.
var otherwise = map[string]string{
	"exec-120": "it is about Windows",
	"exec-255": "it kills this program: the tests of processes do that to a program of their own",
	"exec-257": "no test can suspend the machine; the limit runs on a clock that stands still meanwhile",
}

// execCase is a case about the program of a set.
type execCase struct {
	ID, Area, Title string
	Setup           struct {
		Child   string
		Timeout json.RawMessage `json:"timeoutSeconds"`
		Stdin   *bool
		Raw     string      `json:"args_raw"`
		Set     []string    `json:"set_command"`
		Tool    []string    `json:"tool_command"`
		Map     [][2]string `json:"argv_map"`
		Command []string
		Files   map[string]string `json:"set_files"`
		Symlink map[string]string
	}
	Expect struct {
		Status, Reason string
		Text           *string
		Contains       string `json:"text_contains"`
		Stdout         *string
		Exit           *int      `json:"exit_code"`
		Code           tool.Code `json:"reason_code"`
		Alive          *int      `json:"alive_after"`
		Ran            string
		Spawned        *bool
		Argv           []string        `json:"argv_after_executable"`
		Exact          json.RawMessage `json:"stdin_exact_json"`
		Refused        string
	}
}

// shown are the cases whose set-up or end needs words of its own.
var shown = map[string]func(b *bed, c *execCase){
	"exec-073": func(b *bed, _ *execCase) {
		spec := b.script(`cat > "$CRYSTAL_TOOL_DATA/in"`, nil)
		raw := `{"a":"é","n":1.50}`
		_, err := b.call(b.t.Context(), spec, raw)
		b.must(err)
		if got := b.dataFile("in"); got != raw {
			b.t.Errorf("it read %q", got)
		}
	},
	"exec-082": func(b *bed, c *execCase) {
		spec := b.script(c.Setup.Child, nil)
		r, err := b.call(b.t.Context(), spec, `{"a":"`+strings.Repeat("x", 8<<20-100)+`"}`)
		b.must(err)
		if r.Metadata.Truncation == nil {
			b.t.Error("10 MiB were shown")
		}
	},
	"exec-084": func(b *bed, c *execCase) { c.reports(b) },
	"exec-087": func(b *bed, _ *execCase) {
		b = newBed(b.t, "CRYSTAL_WORKSPACE=/evil", "CRYSTAL_APPROVAL=full", "CRYSTAL_HOME=/h", "CRYSTAL_OTHER=x", "COUNTERSIGN_HOME=/h", "COUNTERSIGN_X=1", "KEPT=yes")
		spec := b.script(`env > "$CRYSTAL_TOOL_DATA/env"`, nil)
		_, err := b.call(b.t.Context(), spec, `{}`)
		b.must(err)
		w := b.places.Workspace
		var got []string
		for line := range strings.Lines(b.dataFile("env")) {
			name, _, _ := strings.Cut(line, "=")
			if strings.HasPrefix(name, "CRYSTAL") || strings.HasPrefix(name, "COUNTERSIGN") || name == "KEPT" || name == "PWD" {
				got = append(got, strings.TrimSpace(line))
			}
		}
		slices.Sort(got)
		want := []string{
			"CRYSTAL_APPROVAL=edit", "CRYSTAL_PROJECT_DATA=" + w + "/.countersign/data/tools/probe", "CRYSTAL_SESSION=s-1",
			"CRYSTAL_TOOL_DATA=" + b.places.Home + "/data/tools/probe", "CRYSTAL_WORKSPACE=" + w, "KEPT=yes", "PWD=" + w,
		}
		if !slices.Equal(got, want) {
			b.t.Errorf("it has %q", got)
		}
	},
	"exec-094": func(b *bed, _ *execCase) {
		// A file stands where a folder would have to be made.
		b.file(".countersign/data", "")
		spec := b.script(`test -d "$CRYSTAL_PROJECT_DATA" && echo there || echo none`, nil)
		if r, err := b.call(b.t.Context(), spec, `{}`); said(r, err) != "none\n" || err != nil {
			b.t.Errorf("%q %v", said(r, err), err)
		}
	},
	"exec-095": func(b *bed, _ *execCase) {
		outside := b.workspace("../outside")
		b.must(os.MkdirAll(outside, 0o755))
		b.must(os.MkdirAll(b.workspace(".countersign/data"), 0o755))
		b.must(os.Symlink(outside, b.workspace(".countersign/data/tools")))
		spec := b.script(`echo ran`, nil)
		r, err := b.call(b.t.Context(), spec, `{}`)
		made, _ := os.ReadDir(outside)
		if said(r, err) != "ran\n" || len(made) > 0 {
			b.t.Errorf("%q %v, made %v", said(r, err), err, made)
		}
	},
	"exec-097": func(b *bed, _ *execCase) {
		link := b.workspace("../link")
		b.must(os.Symlink(b.places.Workspace, link))
		w, err := workspace.Open(link, workspace.Options{Home: b.places.Home, Clock: clock.System()})
		b.must(err)
		defer func() { _ = w.Close() }()
		b.host.Files = w
		spec := b.script(`echo "$PWD $(pwd -P) $CRYSTAL_WORKSPACE"`, nil)
		r, err := b.call(b.t.Context(), spec, `{}`)
		if real := b.places.Workspace; said(r, err) != real+" "+real+" "+real+"\n" {
			b.t.Errorf("%q %v", said(r, err), err)
		}
	},
	"exec-105": func(b *bed, c *execCase) {
		program(b.t, b.workspace("helper"), "#!/bin/sh\necho bad\n", 0o755)
		b.search = ".::/usr/bin"
		c.resolves(b)
	},
	"exec-135": func(b *bed, _ *execCase) {
		for cut := range 4 {
			spec := b.script(`printf %`+strconv.Itoa(cut)+`s ''; yes 日本語 | head -c 300000 | tr -d '\n'`, nil)
			r, err := b.call(b.t.Context(), spec, `{}`)
			if text := said(r, err); err != nil || strings.ContainsRune(text, '\uFFFD') || len(text) > 50<<10 {
				b.t.Errorf("%d: half a character in %d bytes, %v", cut, len(text), err)
			}
		}
	},
	"exec-137": func(b *bed, c *execCase) {
		spec := b.script(c.Setup.Child, nil)
		r, err := b.call(b.t.Context(), spec, `{}`)
		if text := said(r, err); err != nil || strings.ContainsRune(text, 0) || !strings.HasPrefix(text, "a") || !strings.HasSuffix(text, "b") {
			b.t.Errorf("%q %v", text, err)
		}
	},
	"exec-141": func(b *bed, _ *execCase) {
		spec := b.script(`seq 1 300000 | awk '{printf "\rprogress %d%%", $1}'`, nil)
		r, err := b.call(b.t.Context(), spec, `{}`)
		if text := said(r, err); len(text) > 50<<10 || !strings.HasSuffix(text, "progress 300000%") {
			b.t.Errorf("%d bytes that end in %q, %v", len(text), text[max(0, len(text)-40):], err)
		}
	},
	"exec-143": func(b *bed, c *execCase) {
		// It is text of the program like any other. That the window asks for nothing is shown there.
		spec := b.script(c.Setup.Child, nil)
		if r, err := b.call(b.t.Context(), spec, `{}`); said(r, err) != "![x](http://192.0.2.1/?d=secret)\n" || err != nil {
			b.t.Errorf("%q %v", said(r, err), err)
		}
	},
	"exec-144": func(b *bed, c *execCase) {
		spec := b.script(c.Setup.Child, nil)
		r, err := b.call(b.t.Context(), spec, `{}`)
		b.must(err)
		if len(r.Content) != 1 || spec.Class.OutputTrust != tool.TrustExternalUntrusted || r.Trust != "" {
			b.t.Errorf("%d parts, %s", len(r.Content), spec.Class.OutputTrust)
		}
	},
	"exec-253": func(b *bed, _ *execCase) {
		spec := b.set("probe", map[string]any{"command": []string{"/bin/true"}})
		ends := map[tool.Code]int{}
		// A third of the rounds that the case has: a start costs much under the race detector.
		for i := range 300 {
			ctx, cancel := context.WithCancel(b.t.Context())
			timer := time.AfterFunc(time.Duration(i%40)*50*time.Microsecond, cancel)
			r, err := b.call(ctx, spec, `{}`)
			if (err == nil) == (r.Content == nil) {
				b.t.Fatalf("call %d has %d parts and %v", i, len(r.Content), err)
			}
			ends[code(err)]++
			timer.Stop()
			cancel()
		}
		for c := range ends {
			if c != "" && c != tool.CodeCancelled && c != tool.Code(context.Canceled.Error()) {
				b.t.Errorf("%v", ends)
			}
		}
	},
	"exec-260": func(b *bed, c *execCase) {
		spec := b.script(c.Setup.Child, nil)
		for range 200 {
			_, err := b.call(b.t.Context(), spec, `{}`)
			b.must(err)
		}
		if dead := zombies(b.t); len(dead) > 0 {
			b.t.Errorf("%d processes were not collected", len(dead))
		}
	},
}

// zombies are our children that nobody collected.
func zombies(t *testing.T) (dead []string) {
	t.Helper()
	self := strconv.Itoa(os.Getpid())
	list, err := os.ReadFile("/proc/self/task/" + self + "/children")
	if err != nil {
		t.Fatal(err)
	}
	for pid := range strings.FieldsSeq(string(list)) {
		if n, _ := strconv.Atoi(pid); processtest.State(n) == "Z" {
			dead = append(dead, pid)
		}
	}
	return dead
}

// dataFile is a file that a program left among the data of its set.
func (b *bed) dataFile(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.places.Home, "data", "tools", "probe", name))
	b.must(err)
	return string(text)
}

// spec: CX-1, CX-2, CX-3, CX-4, CX-5, CX-6, CX-7, CX-8, CX-9, CX-10, CX-11, CX-12, CX-13, CX-15, CX-20, CX-21, CX-22, CX-32, CX-33, CX-34, CX-35, CX-36
func TestCasesOfPrograms(t *testing.T) {
	areas := map[string]int{"argv": 25, "stdin": 4, "environment": 4, "resolve": 7, "text-output": 9, "process-tree": 9}
	for area, number := range areas {
		ran := 0
		for line := range casesOf(t, "exec.jsonl", area) {
			var c execCase
			ran++
			var named struct{ ID string }
			if err := json.Unmarshal(line, &named); err != nil {
				t.Fatal(err)
			}
			if otherwise[named.ID] != "" {
				continue
			}
			show := shown[named.ID]
			// One that is shown in its own way may have fields of another form.
			if err := json.Unmarshal(line, &c); err != nil && show == nil {
				t.Fatal(err)
			}
			t.Run(named.ID, func(t *testing.T) {
				b := newBed(t)
				switch {
				case show != nil:
					show(b, &c)
				case c.Area == "argv":
					c.reports(b)
				case c.Area == "resolve":
					c.resolves(b)
				default:
					c.prints(b)
				}
			})
		}
		if ran != number {
			t.Errorf("%d cases of %s", ran, area)
		}
	}
}

// reports runs a program that tells what it was started with.
func (c *execCase) reports(b *bed) {
	tell := `for word in "$@"; do printf '%s\0' "$word"; done > "$CRYSTAL_TOOL_DATA/argv"; cat > "$CRYSTAL_TOOL_DATA/in"; touch "$CRYSTAL_TOOL_DATA/ran"`
	command := c.Setup.Set
	if command == nil {
		command = []string{"tool"}
	}
	program(b.t, filepath.Join(b.home("probe"), command[0]), "#!/bin/sh\n"+tell+"\n", 0o755)
	properties, argv := "", ""
	var paths []string
	for i, f := range c.Setup.Map {
		if i > 0 {
			properties, argv = properties+",", argv+","
		}
		name, _ := json.Marshal(f[0])
		word, _ := json.Marshal(f[1])
		properties, argv = properties+string(name)+":{}", argv+string(name)+":"+string(word)
		if c.Expect.Refused == "empty path" {
			paths = append(paths, f[0])
		}
	}
	one := map[string]any{
		"name": "probe", "description": "d", "command": c.Setup.Tool, "argv": json.RawMessage("{" + argv + "}"),
		"schema": json.RawMessage(`{"type":"object","properties":{` + properties + `}}`),
	}
	if c.Setup.Tool == nil {
		one["command"] = []string{}
	}
	if paths != nil {
		one["pathArguments"] = paths
	}
	text, err := json.Marshal(map[string]any{"runner": "exec", "command": command, "tools": []any{one}})
	b.must(err)
	put(b.t, filepath.Join(b.home("probe"), "tools.json"), text)
	r, err := b.call(b.t.Context(), b.spec("probe"), c.Setup.Raw)
	if c.Expect.Refused != "" {
		_, statErr := os.Stat(filepath.Join(b.places.Home, "data", "tools", "probe", "ran"))
		if code(err) != tool.CodeArgumentsInvalid || statErr == nil || b.marks > 0 {
			b.t.Errorf("%s: %q %v, ran: %v", c.Title, said(r, err), err, statErr == nil)
		}
		return
	}
	b.must(err)
	got := strings.Split(strings.TrimSuffix(b.dataFile("argv"), "\x00"), "\x00")
	if !slices.Equal(got, c.Expect.Argv) {
		b.t.Errorf("%s: %q", c.Title, got)
	}
	// What it reads is what was sent, byte for byte.
	if in := b.dataFile("in"); in != c.Setup.Raw {
		b.t.Errorf("%s: it read %q", c.Title, in)
	}
}

// resolves runs the program that a command names, which tells where it lies.
func (c *execCase) resolves(b *bed) {
	for name := range c.Setup.Files {
		program(b.t, filepath.Join(b.home("probe"), name), "#!/bin/sh\necho set\n", 0o755)
	}
	program(b.t, filepath.Join(b.home("other"), "run"), "#!/bin/sh\necho other\n", 0o755)
	for name, to := range c.Setup.Symlink {
		b.must(os.MkdirAll(b.home("probe"), 0o755))
		b.must(os.Symlink(to, filepath.Join(b.home("probe"), name)))
	}
	spec := b.set("probe", map[string]any{"command": c.Setup.Command})
	r, err := b.call(b.t.Context(), spec, `{}`)
	text := said(r, err)
	switch {
	case c.Expect.Stdout != nil && text == *c.Expect.Stdout:
	case c.Expect.Ran != "" && text == "set\n":
	case c.Expect.Status == "failure" && code(err) == toolset.CodeStart && b.marks == 0 && (c.Expect.Reason == "not found") == strings.Contains(text, "not there"):
	default:
		b.t.Errorf("%s: %q %v", c.Title, text, err)
	}
}

// prints runs a script and looks at what came of it.
func (c *execCase) prints(b *bed) {
	fields := map[string]any{}
	if c.Setup.Timeout != nil {
		fields["timeoutSeconds"] = c.Setup.Timeout
	}
	if c.Setup.Stdin != nil {
		fields["stdin"] = *c.Setup.Stdin
	}
	spec := b.script(`echo $$ > "$CRYSTAL_TOOL_DATA/pid"; `+c.Setup.Child, fields)
	r, err := b.call(b.t.Context(), spec, `{}`)
	c.judge(b, r, err)
	if c.Expect.Alive != nil {
		pid, err := strconv.Atoi(strings.TrimSpace(b.dataFile("pid")))
		b.must(err)
		if processtest.Runs(pid) {
			b.t.Errorf("%s: it still runs", c.Title)
		}
	}
}

func (c *execCase) judge(b *bed, r tool.Result, err error) {
	text := said(r, err)
	want := c.Expect
	var m *tool.Metadata
	if e, ok := err.(*tool.Error); ok {
		m = e.Metadata
	}
	switch {
	case want.Reason == "timeout" && code(err) == tool.CodeTimeout:
	case want.Alive != nil && want.Reason == "" && code(err) == tool.CodeTimeout:
	case want.Status == "failure" && code(err) == want.Code && m != nil && m.ExitCode != nil && *m.ExitCode == *want.Exit:
	case want.Text != nil && err == nil && (text == *want.Text || *want.Text == "" && text == "[The program printed nothing.]"):
	case want.Stdout != nil && err == nil && text == *want.Stdout:
	default:
		b.t.Errorf("%s: %q %v", c.Title, text, err)
	}
	if !strings.Contains(text, want.Contains) {
		b.t.Errorf("%s: %q", c.Title, text)
	}
}
