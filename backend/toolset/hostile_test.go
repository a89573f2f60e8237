//go:build linux

package toolset_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// pids are the numbers that a program wrote down.
func (b *bed) pids() (out []int) {
	b.t.Helper()
	for field := range strings.FieldsSeq(b.dataFile("pids")) {
		n, err := strconv.Atoi(field)
		b.must(err)
		out = append(out, n)
	}
	return out
}

// wants fails unless so many processes were written down and none of them runs.
func (b *bed) wants(count int) {
	b.t.Helper()
	pids := b.pids()
	if len(pids) != count {
		b.t.Errorf("%d processes were written down, want %d", len(pids), count)
	}
	for _, pid := range pids {
		if processtest.Runs(pid) {
			b.t.Errorf("process %d runs on: %s", pid, processtest.State(pid))
		}
	}
}

// spec: CX-35
func TestNothingOfAProgramRunsOn(t *testing.T) {
	const pids = `P="$CRYSTAL_TOOL_DATA/pids"; `
	rows := []struct {
		name, child, text string
		processes         int
	}{
		{"in the background, silent", `sleep 1000 >/dev/null 2>&1 & echo $! >> "$P"; echo done`, "done\n[What the program left running was ended.]", 1},
		{"holds the output open", `sleep 1000 & echo $! >> "$P"; echo done`, "done\n[What the program left running held its output open and was ended; its output is cut there.]", 1},
		{"holds the errors alone open", `sleep 1000 >/dev/null & echo $! >> "$P"; echo done`, "done\n[What the program left running held its output open and was ended; its output is cut there.]", 1},
		{"left the session", `setsid sh -c 'echo $$ >> "$P"; trap "" TERM HUP INT; sleep 1000 & echo $! >> "$P"; wait' >/dev/null 2>&1 & while ! test -s "$P"; do sleep 0.01; done; sleep 0.1; echo done`,
			"done\n[What the program left running was ended.]", 2},
		{"lost its parents and its environment", `setsid sh -c 'env -i sleep 1000 2>/dev/null & echo $! >> "$P"' 2>/dev/null; echo done`,
			"done\n[What the program left running held its output open and was ended; its output is cut there.]", 1},
		{"ended by itself in time", `(sleep 0.05; echo late) & echo done`, "done\nlate\n", 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := newBed(t)
			spec := b.script(pids+`export P; : > "$P"; `+row.child, nil)
			if r, err := b.call(t.Context(), spec, `{}`); said(r, err) != row.text || err != nil {
				t.Errorf("%q %v", said(r, err), err)
			}
			b.wants(row.processes)
		})
	}
}

func TestATreeEndsWithItsLimit(t *testing.T) {
	b := newBed(t)
	spec := b.script(`P="$CRYSTAL_TOOL_DATA/pids"; export P; for i in 1 2 3; do setsid sh -c 'trap "" TERM; echo $$ >> "$P"; while :; do sleep 1000; done' & done; echo $$ >> "$P"; echo partial; echo trouble >&2; wait`,
		map[string]any{"timeoutSeconds": 3})
	r, err := b.call(t.Context(), spec, `{}`)
	if got, want := said(r, err), "partial\ntrouble\n[Ended after 3s, the time limit of its tool set.]"; code(err) != tool.CodeTimeout || got != want {
		t.Errorf("%q %v", got, err)
	}
	b.wants(4)
}

func TestACancelledProgramSaysWhereItsOutputIs(t *testing.T) {
	b := newBed(t)
	spec := b.script(`P="$CRYSTAL_TOOL_DATA/pids"; sleep 1000 & echo so far; echo $$ $! > "$P"; wait`, map[string]any{"timeoutSeconds": "unlimited"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		path := filepath.Join(b.places.Home, "data", "tools", "probe", "pids")
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(path); strings.HasSuffix(string(text), "\n") {
				cancel()
			}
		}
	}()
	r, err := b.call(ctx, spec, `{}`)
	path, ok := strings.CutPrefix(said(r, err), "Output so far: ")
	if code(err) != tool.CodeCancelled || !ok {
		t.Fatalf("%q %v", said(r, err), err)
	}
	if kept, err := os.ReadFile(path); string(kept) != "so far\n" {
		t.Errorf("%q %v", kept, err)
	}
	b.wants(2)
	// One that was cancelled before it began did nothing.
	if _, err := b.call(ctx, spec, `{}`); code(err) != tool.CodeCancelled {
		t.Error(err)
	}
}

// spec: CX-20, CX-33, CX-35
func TestAnInputThatIsNotTaken(t *testing.T) {
	big := `{"a":"` + strings.Repeat("x", 1<<20) + `"}`
	rows := []struct {
		name, child, text string
		code              tool.Code
	}{
		{"it does not care", "echo done", "done\n", ""},
		{"it reads a little", "head -c 10", `{"a":"xxxx`, ""},
		{"it closes it and runs on", `echo $$ > "$CRYSTAL_TOOL_DATA/pids"; exec <&-; echo here; sleep 1000`,
			"here\n[Ended because it closed its standard input before it had read all of its arguments.]", toolset.CodeInput},
		{"it closes it and ends soon", "exec <&-; echo here", "here\n", ""},
		{"it sleeps", `echo $$ > "$CRYSTAL_TOOL_DATA/pids"; sleep 1000`, "[Ended after 1s, the time limit of its tool set.]", tool.CodeTimeout},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b := newBed(t)
			fields := map[string]any{}
			if row.code == tool.CodeTimeout {
				fields["timeoutSeconds"] = 1
			}
			spec := b.script(row.child, fields)
			if r, err := b.call(t.Context(), spec, big); said(r, err) != row.text || code(err) != row.code {
				t.Errorf("%q %v", said(r, err), err)
			}
			if row.code != "" {
				b.wants(1)
			}
		})
	}
}

func TestProgramsThatCannotBeStarted(t *testing.T) {
	b := newBed(t)
	dir := b.home("probe")
	program(t, filepath.Join(dir, "plain"), "#!/bin/sh\n", 0o644)
	program(t, filepath.Join(dir, "noline"), "echo hello\n", 0o755)
	program(t, filepath.Join(dir, "nothing"), "", 0o755)
	program(t, filepath.Join(dir, "orphan"), "#!/nowhere/sh\n", 0o755)
	program(t, filepath.Join(dir, "binary"), "\x7fELF\x02\x01\x01junk", 0o755)
	b.must(os.MkdirAll(filepath.Join(dir, "folder"), 0o755))
	b.must(os.Symlink("loop", filepath.Join(dir, "loop")))
	rows := map[string]string{
		"./plain": "no file that may be executed", "./folder": "no file that may be executed", dir: "no file that may be executed",
		"./missing": "not there", "missing": "not there", "/nowhere/program": "not there", "./loop": "not there",
		"./noline": "in its first line", "./nothing": "no program of this system", "./orphan": "by its first line", "./binary": "no program of this system",
	}
	for command, words := range rows {
		spec := b.set("probe", map[string]any{"command": []string{command}})
		r, err := b.call(t.Context(), spec, `{}`)
		if text := said(r, err); code(err) != toolset.CodeStart || !strings.Contains(text, words) || strings.Contains(text, dir) {
			t.Errorf("%s: %q %v", command, text, err)
		}
	}
	long := map[string]any{"command": []string{"/bin/echo"}, "schema": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{}}}, "argv": map[string]string{"a": "-a"}}
	r, err := b.call(t.Context(), b.set("probe", long), `{"a":"`+strings.Repeat("x", 4<<20)+`"}`)
	if code(err) != toolset.CodeStart || !strings.Contains(said(r, err), "too long") {
		t.Errorf("4 MiB of arguments: %q %v", said(r, err), err)
	}
}

func TestAPathOfAProgramMayHoldAnything(t *testing.T) {
	b := newBed(t)
	for _, name := range []string{"with spaces", "quote'\"$(x)", "-dash", "ünïcode", "new\nline"} {
		file := filepath.Join(b.home("probe"), name)
		program(t, file, "#!/bin/sh\necho \"$1\"\n", 0o755)
		for _, command := range []string{name, "./" + name, file} {
			spec := b.set("probe", map[string]any{"command": []string{command, "a b; $(id)"}})
			if r, err := b.call(t.Context(), spec, `{}`); said(r, err) != "a b; $(id)\n" || err != nil {
				t.Errorf("%q: %q %v", command, said(r, err), err)
			}
		}
	}
}

func TestAProgramThatASignalEnded(t *testing.T) {
	b := newBed(t)
	spec := b.script(`echo before; kill -SEGV $$`, nil)
	r, err := b.call(t.Context(), spec, `{}`)
	e, ok := err.(*tool.Error)
	if !ok || e.Code != toolset.CodeExit || said(r, err) != "before\n[Ended by SIGSEGV.]" || e.Metadata.ExitCode != nil || e.Metadata.Extra["signal"] != "SIGSEGV" {
		t.Errorf("%q %v", said(r, err), err)
	}
}

// spec: CX-36
func TestMuchOutputIsBoundedAndKept(t *testing.T) {
	b := newBed(t)
	const size = 200_000_000
	spec := b.script(`echo first; yes 0123456789 | head -c `+strconv.Itoa(size)+`; echo; echo last; echo trouble >&2`, nil)
	r, err := b.call(t.Context(), spec, `{}`)
	b.must(err)
	text := said(r, err)
	if len(text) > 50<<10 || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\ntrouble\n") || !strings.Contains(text, "lines omitted") {
		t.Errorf("%d bytes: %.30q … %q", len(text), text, text[max(0, len(text)-30):])
	}
	log, _ := r.Metadata.Extra["log"].(string)
	info, err := os.Stat(log)
	if err != nil || info.Size() != size+int64(len("first\n\nlast\ntrouble\n")) {
		t.Errorf("kept %v, %v", info, err)
	}
	if got := r.Metadata.Truncation; got == nil || got.OriginalBytes != info.Size() || got.SpillPath != log {
		t.Errorf("%+v", got)
	}
}

// Both streams are read at once, however much comes on one while the other is open.
func TestErrorsDoNotWaitForOutput(t *testing.T) {
	b := newBed(t)
	spec := b.script(`yes e | head -c 3000000 >&2; yes o | head -c 3000000; yes e | head -c 3000000 >&2; exit 7`, nil)
	r, err := b.call(t.Context(), spec, `{}`)
	text := said(r, err)
	if code(err) != toolset.CodeExit || !strings.HasPrefix(text, "o\no\n") || !strings.HasSuffix(text, "e\ne\n[exit code 7]") {
		t.Errorf("%.20q … %q %v", text, text[max(0, len(text)-40):], err)
	}
}

// spec: CX-10
func TestTheDataOfASetLiesWithItsTree(t *testing.T) {
	b := newBed(t)
	for _, folder := range []string{".countersign", ".crystal"} {
		tools, set := b.workspace(folder+"/tools"), "probe"+strings.TrimPrefix(folder, ".")
		program(t, filepath.Join(tools, set, "run"), "#!/bin/sh\necho \"$CRYSTAL_TOOL_DATA $CRYSTAL_PROJECT_DATA\"; test -d \"$CRYSTAL_TOOL_DATA\" && test -d \"$CRYSTAL_PROJECT_DATA\"\n", 0o755)
		spec := b.setIn(tools, set, map[string]any{"command": []string{"run"}})
		project := b.workspace(folder + "/data/tools/" + set)
		home := filepath.Join(b.places.Home, "data", "tools", set)
		if _, err := os.Stat(project); err == nil {
			t.Error("it is there before it is needed")
		}
		if r, err := b.call(t.Context(), spec, `{}`); said(r, err) != home+" "+project+"\n" || err != nil {
			t.Errorf("%q %v", said(r, err), err)
		}
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	b := newBed(t)
	good := b.script(`cat >/dev/null; echo out; echo err >&2`, nil)
	_, err := b.call(t.Context(), good, `{}`)
	b.must(err)
	open := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		b.must(err)
		return len(names)
	}
	before := open()
	bad := b.set("bad", map[string]any{"command": []string{"/nowhere"}})
	orphan := b.set("orphan", map[string]any{"command": []string{"./orphan"}})
	program(t, filepath.Join(b.home("orphan"), "orphan"), "#!/nowhere/sh\n", 0o755)
	for range 30 {
		for _, spec := range []tool.Spec{good, bad, orphan} {
			_, _ = b.call(t.Context(), spec, `{"a":"`+strings.Repeat("x", 100_000)+`"}`)
		}
	}
	processtest.Until(t, 10*time.Second, "files stay open", func() bool { return open() <= before })
}
