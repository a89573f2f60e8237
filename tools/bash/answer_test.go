package bash_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/bound"
	"countersign/backend/tool"
	"countersign/tools/bash"
	"countersign/tools/scenariotest"
)

// canned is a machine on which every command comes to the same.
type canned struct {
	tool.Processes
	ran tool.Ran
	err error
	// asked is what was to be run.
	asked tool.RunRequest
}

func (c *canned) Run(_ context.Context, r tool.RunRequest) (tool.Ran, error) {
	c.asked = r
	return c.ran, c.err
}

func (c *canned) Similar(context.Context, string) string { return "" }

func run(t *testing.T, c *canned, arguments map[string]string) (tool.Result, string, error) {
	t.Helper()
	return scenariotest.InFolder(t, t.Context(), bash.Spec(), tool.Host{Processes: c}, arguments)
}

func code(n int) tool.Ending { return tool.Ending{Code: &n} }

// spec: KH-47, KH-56
func TestAnAnswerSaysWhatIsMissingOfTheOutput(t *testing.T) {
	for name, c := range map[string]struct {
		ran  tool.Ran
		want string
	}{
		"nothing":   {tool.Ran{Ending: code(0), Duration: 3210 * time.Millisecond}, "$ x\n[exit code 0 · 3.2s · cwd /w]"},
		"long":      {tool.Ran{Ending: code(1), Duration: 125 * time.Second}, "$ x\n[exit code 1 · 125.0s · cwd /w]"},
		"no code":   {tool.Ran{}, "$ x\n[exit code null · 0.0s · cwd /w]"},
		"a signal":  {tool.Ran{Ending: tool.Ending{Signal: "SIGKILL"}}, "$ x\n[exit code null (SIGKILL) · 0.0s · cwd /w]"},
		"full disk": {tool.Ran{Ending: code(0), Output: tool.Captured{Head: "a\n", Lines: 1, Bytes: 2, Lost: 2 << 20}}, "$ x\na\n[2 MB of the output could not be kept.]\n[exit code 0 · 0.0s · cwd /w]"},
		"held": {
			tool.Ran{Ending: code(0), Output: tool.Captured{Head: "a", Lines: 1, Bytes: 1, Held: true}},
			"$ x\na\n[Something that the command left behind holds its output open; what that prints from now on is not shown.]\n[exit code 0 · 0.0s · cwd /w]",
		},
		"left, and holds it": {
			tool.Ran{Ending: code(0), Output: tool.Captured{Held: true}, Left: &tool.Process{ID: "p9"}},
			"$ x\n[Still running in the background: process p9. Use process {\"action\":\"read\",\"id\":\"p9\"} to see new output, or {\"action\":\"stop\",\"id\":\"p9\"} to stop it.]\n[exit code 0 · 0.0s · cwd /w]",
		},
		"the middle is not at hand": {
			tool.Ran{Ending: code(0), Output: tool.Captured{
				Head: strings.Repeat("h\n", 300), Tail: strings.Repeat("t\n", 300), Lines: 10_600, Bytes: 21_200, OmittedBytes: 20_000,
			}},
			"$ x\n" + strings.Repeat("h\n", 250) + bound.Marker(10_200, 20_400, "") + "\n" + strings.Repeat("t\n", 150) + "[exit code 0 · 0.0s · cwd /w]",
		},
	} {
		_, text, err := run(t, &canned{ran: c.ran}, map[string]string{"command": "x"})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, text); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// spec: KH-9, KH-20, KH-48
func TestTheWindowHearsOfACommandByItsMetadata(t *testing.T) {
	r, _, err := run(t, &canned{ran: tool.Ran{
		Ending: code(1), Duration: 4100 * time.Millisecond,
		Output: tool.Captured{Head: strings.Repeat("a\n", 500), Lines: 500, Bytes: 1000},
	}}, map[string]string{"command": "npm test"})
	if err != nil {
		t.Fatal(err)
	}
	n := 1
	want := tool.Metadata{
		Title: "Run npm test · exit 1 · 4.1s", ExitCode: &n, Extra: map[string]any{"cwd": "/w"},
		Truncation: &tool.Truncation{OriginalBytes: 1000, OriginalLines: 500, ShownHeadLines: 250, ShownTailLines: 150, OmittedLines: 100},
	}
	if d := cmp.Diff(want, r.Metadata); d != "" {
		t.Error(d)
	}
	if r.Trust != tool.TrustExternalUntrusted {
		t.Error("a command that nobody read may have reached anything, so its output is foreign text")
	}
}

func TestALongCommandIsNotRepeatedWhole(t *testing.T) {
	c := &canned{ran: tool.Ran{Ending: code(0)}}
	long := "echo " + strings.Repeat("é", 40_000)
	r, text, err := run(t, c, map[string]string{"command": long})
	if err != nil || c.asked.Command != long {
		t.Fatal("the command was not run as it is", err)
	}
	if !strings.HasPrefix(text, "$ echo éé") || !strings.Contains(text, "… [command truncated]\n[exit code 0") || len(text) > 5<<10 {
		t.Errorf("%d bytes: %.40q", len(text), text)
	}
	if len(r.Metadata.Title) > 300 {
		t.Errorf("%q", r.Metadata.Title)
	}
}

// What a command is given room for passes the bounds of the pipeline as it is, so that
// nothing is cut or kept twice.
//
// spec: KH-19, KH-46, KH-59
func TestTheLongestAnswerNeedsNoSecondCut(t *testing.T) {
	c := &canned{ran: tool.Ran{Ending: code(0), Output: tool.Captured{
		Head: strings.Repeat("x", 64<<10), Lines: 1, Bytes: 64 << 10, Lost: 1, Held: true,
	}}}
	_, text, err := run(t, c, map[string]string{"command": strings.Repeat("y\n", 4000)})
	if err != nil {
		t.Fatal(err)
	}
	if b := bash.Spec().Bounding; !bound.Fits(text, b) || len(text) > bound.BackstopBytes-1<<10 {
		t.Errorf("%d bytes, %d lines", len(text), bound.Lines(text))
	}
	if len(text) < 30<<10 {
		t.Errorf("only %d bytes of 30 KB were used", len(text))
	}
}

// spec: KH-44
func TestTheLimitOfACommandIsBounded(t *testing.T) {
	for arguments, want := range map[string]time.Duration{
		`{"command":"x"}`: 120 * time.Second, `{"command":"x","timeout_ms":1}`: time.Millisecond, `{"command":"x","timeout_ms":299999}`: 299999 * time.Millisecond,
		`{"command":"x","timeout_ms":300000}`: 300 * time.Second, `{"command":"x","timeout_ms":300001}`: 300 * time.Second,
		`{"command":"x","timeout_ms":12345678901234567890123}`: 300 * time.Second, `{"command":"x","timeout_ms":1e400}`: 300 * time.Second,
	} {
		c := &canned{}
		spec := bash.Spec()
		_, _, err := scenariotest.InFolderRaw(t, t.Context(), spec, tool.Host{Processes: c}, arguments)
		if err != nil || c.asked.Limit != want {
			t.Errorf("%s: %s, %v", arguments, c.asked.Limit, err)
		}
		if spec.Class.Timeout <= c.asked.Limit {
			t.Errorf("the call may take %s", spec.Class.Timeout)
		}
	}
}

// An error of the machine that is none of a call that ended goes on as it is.
//
// spec: KH-47
func TestACommandThatCannotStartSaysWhy(t *testing.T) {
	refused := tool.Errorf(tool.CodeSpawn, "exec").WithText("Command failed to start: the shell could not be run.")
	_, text, err := run(t, &canned{err: refused}, map[string]string{"command": "x"})
	if !errors.Is(err, refused) || text != "Command failed to start: the shell could not be run." {
		t.Errorf("%q, %v", text, err)
	}
}

func TestWithoutAMachineTheToolIsNotAvailable(t *testing.T) {
	_, _, err := scenariotest.InFolder(t, t.Context(), bash.Spec(), tool.Host{}, map[string]string{"command": "x"})
	if scenariotest.Code(err) != tool.CodeUnavailable {
		t.Error(err)
	}
}

// A host that cannot run programs says which part is missing: the case exec-326.
//
// spec: KH-42, VS-2
func TestAHostWithoutProcessesNamesWhatIsMissing(t *testing.T) {
	_, _, err := scenariotest.InFolder(t, t.Context(), bash.Spec(), tool.Host{}, map[string]string{"command": "ls"})
	own, ok := errors.AsType[*tool.Error](err)
	if !ok || own.Code != tool.CodeUnavailable || len(own.Content) != 1 || !strings.Contains(own.Content[0].Text.Open(), "run programs") {
		t.Errorf("%v", err)
	}
}
