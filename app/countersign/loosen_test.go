package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Inside one of our commands every flag that loosens is refused, and what tightens is taken.
//
// spec: CS-3, RS-1
func TestFlagsThatLoosenAreRefusedInsideACommand(t *testing.T) {
	b := newBench(t)
	inside := func(args ...string) run {
		var out, errs strings.Builder
		p := &program{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, inside: func() bool { return true }}
		code := p.run(t.Context(), append(args, "--home", b.home, "--workspace", b.workspace))
		return run{code, out.String(), errs.String()}
	}
	for _, flags := range [][]string{
		{"--preset", "full"}, {"--preset", "default"}, {"--trust-workspace"}, {"--sets", "coding"}, {"--profile", "desktop"},
		{"--catalog", "work"}, {"--read-only=false"},
	} {
		for _, command := range [][]string{{"call", "math.calculate", `{"expression":"1"}`}, {"explain", "math.calculate", `{"expression":"1"}`}} {
			got := inside(append(command, flags...)...)
			name, _, _ := strings.Cut(flags[0], "=")
			if got.code != exitUsage || got.stdout != "" || !strings.HasPrefix(got.stderr, name+" is not taken here: ") {
				t.Errorf("%v: exit %d, %q, %q", flags, got.code, got.stdout, got.stderr)
			}
		}
	}
	for _, args := range [][]string{
		{"explain", "bash", `{"command":"ls"}`, "--allow", "ls *"}, {"tools", "list", "--trust-workspace"}, {"tools", "show", "coding", "--trust-workspace"},
	} {
		if got := inside(args...); got.code != exitUsage || got.stdout != "" {
			t.Errorf("%v: exit %d, %q", args, got.code, got.stdout)
		}
	}
	for _, flags := range [][]string{nil, {"--catalog", "plan"}, {"--profile", "strict"}, {"--read-only"}, {"--clock", still}} {
		if got := inside(append([]string{"call", "math.calculate", `{"expression":"1"}`}, flags...)...); got.code == exitUsage {
			t.Errorf("%v: %q", flags, got.stderr)
		}
	}
	if got := inside("serve"); got.code != exitUsage || got.stdout != "" {
		t.Errorf("exit %d, %q", got.code, got.stdout)
	}
	if got := inside("tools", "list"); got.code != exitOK {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
}

// named makes the program under test a file with the name that people start.
func named(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "countersign")
	if os.Link(self, path) == nil {
		return path
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// The real program, started by a script that its own tool bash runs, does not answer for the
// person; not with its mark taken away, and not from a session of its own.
//
// spec: CS-3
func TestTheProgramDoesNotLoosenForItsOwnCommands(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("elsewhere the mark alone is looked at")
	}
	b, program := newBench(t), named(t)
	call := fmt.Sprintf(`%s call math.calculate '{"expression":"1"}' --home %s --workspace %s`, program, t.TempDir(), b.workspace)
	script := "#!/bin/bash\nexport " + childVariable + "=0\n" +
		call + " --preset full; echo marked $?\n" + call + "; echo plain $?\n"
	if runtime.GOOS == "linux" {
		script += "env -u COMMAND_TREE " + call + " --trust-workspace; echo unmarked $?\n" +
			"env -i " + childVariable + "=0 setsid -w " + call + " --preset edit; echo alone $?\n"
	}
	if err := os.WriteFile(filepath.Join(b.workspace, "x.sh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, "call", "bash", `{"command":"./x.sh 2>&1"}`, "--preset", "full", "--trust-workspace",
		"--home", b.home, "--workspace", b.workspace)
	c.Env = append(os.Environ(), childVariable+"=0")
	got := finish(t, c)
	o := outcomes(t, got.stdout)
	if got.code != exitOK || len(o) != 1 {
		t.Fatalf("exit %d, %q, %q", got.code, got.stdout, got.stderr)
	}
	said := text(o[0])
	for _, want := range []string{"--preset is not taken here", "marked 1\n", "plain 0\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	for _, want := range []string{"--trust-workspace is not taken here", "unmarked 1\n", "alone 1\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
}
