package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// childVariable makes this test program be the command line itself; its value is the
// largest file that it may write, in bytes, 0 for no limit.
const childVariable = "COUNTERSIGN_TEST_CHILD"

// child is the program under test. A file size limit stands in for a disk that is full.
func child() {
	limit, err := strconv.ParseUint(os.Getenv(childVariable), 10, 64)
	if err != nil {
		os.Exit(99)
	}
	if limit > 0 {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			os.Exit(99)
		}
	}
	main()
}

// command is the program under test in a process of its own.
func (b *bench) command(ctx context.Context, t *testing.T, limit int, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self, append(args, "--home", b.home, "--workspace", b.workspace)...)
	c.Env = append(os.Environ(), childVariable+"="+strconv.Itoa(limit))
	return c
}

func finish(t *testing.T, c *exec.Cmd) run {
	t.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return run{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

func TestASignalEndsServeInOrder(t *testing.T) {
	// A program that is started inherits whether the signal of a closed terminal is ignored.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		b := newBench(t)
		c := b.command(t.Context(), t, 0, "serve")
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, "Countersign is ready: http://127.0.0.1:") {
			t.Errorf("printed %q, %v", line, err)
		}
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v", sig, err)
		}
		// The locks are free again.
		if _, err := os.Stat(filepath.Join(b.home, "desk.sock")); err == nil {
			t.Error("the socket was left behind")
		}
	}
}

// started starts a command whose input is written and whose output is read while it runs.
func started(t *testing.T, c *exec.Cmd) (command *exec.Cmd, in io.WriteCloser, out io.Reader) {
	t.Helper()
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err = c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, in, out
}

func TestAClosedTerminalEndsNothingThatWasToStay(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	b := newBench(t)
	c, in, out := started(t, b.command(t.Context(), t, 0, "call", "--stdin"))
	lines := bufio.NewReader(out)
	for range 2 {
		if _, err := io.WriteString(in, "{\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"1\"}}\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, `"succeeded"`) {
			t.Fatalf("printed %q, %v", line, err)
		}
		if err := c.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

func TestASignalCancelsCalls(t *testing.T) {
	b := newBench(t)
	c, in, out := started(t, b.command(t.Context(), t, 0, "call", "--stdin"))
	if _, err := io.WriteString(in, "{\"tool\":\"math.calculate\",\"arguments\":{\"expression\":\"1\"}}\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"succeeded"`) {
		t.Fatalf("printed %q, %v", line, err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitCancelled {
		t.Errorf("exit %d", code)
	}
}

// plain checks that what went wrong was said in one sentence that names no Go error.
func plain(t *testing.T, name string, r run) {
	t.Helper()
	if strings.Count(r.stderr, "\n") != 1 || !strings.HasSuffix(r.stderr, ".\n") || strings.ContainsAny(r.stderr, "{}\"") || strings.Contains(r.stderr, "goroutine") {
		t.Errorf("%s: said %q", name, r.stderr)
	}
}

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	b := newBench(t)
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1+1"}`); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, limit := range []int{1, 4 << 10, 64 << 10, 100 << 10} {
		var in bytes.Buffer
		for range 200 {
			in.WriteString(`{"tool":"math.calculate","arguments":{"expression":"2+2"}}` + "\n")
		}
		c := b.command(t.Context(), t, limit, "call", "--stdin")
		c.Stdin = &in
		got := finish(t, c)
		if got.code != exitUsage && got.code != exitFailed {
			t.Errorf("limit %d: exit %d", limit, got.code)
		}
		plain(t, strconv.Itoa(limit), got)
		for _, o := range outcomes(t, got.stdout) {
			if o["status"] != "succeeded" && (o["status"] != "unavailable" || o["reason_code"] != "tool.storage_unavailable") {
				t.Errorf("limit %d: %v %v", limit, o["status"], o["reason_code"])
			}
		}
	}
	// Not a byte can be written; what is stored is still there to read.
	id := idForm.FindString(b.run(t, nil, "sessions", "list", "--json").stdout)
	whole := b.run(t, nil, "sessions", "export", id)
	full := finish(t, b.command(t.Context(), t, 1, "sessions", "export", id))
	if full.code != exitOK || full.stdout != whole.stdout || !strings.Contains(full.stderr, "as it was left") {
		t.Errorf("reading on a full disk: %+v", full)
	}
	list := b.run(t, nil, "sessions", "list", "--json")
	if !strings.Contains(list.stdout, `"sessions":[{`) || list.code != exitOK {
		t.Errorf("what was stored is lost: %+v", list)
	}
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1+1"}`); got.code != exitOK {
		t.Errorf("with space again: %+v", got)
	}
}

// A home on a disk that is mounted for reading only is read as it is.
func TestAReadOnlyDiskCanBeRead(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("this test mounts a disk, so it runs as root")
	}
	b := newBench(t)
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"6*7"}`); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	list := b.run(t, nil, "sessions", "list", "--json")
	sealed := t.TempDir()
	if err := syscall.Mount(b.home, sealed, "", syscall.MS_BIND, ""); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Unmount(sealed, 0); err != nil {
			t.Error(err)
		}
	}()
	if err := syscall.Mount("", sealed, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	other := &bench{home: sealed, workspace: b.workspace}
	if got := other.run(t, nil, "sessions", "list", "--json"); got.code != exitOK || got.stdout != list.stdout || !strings.Contains(got.stderr, "home") {
		t.Errorf("got %+v, want %q", got, list.stdout)
	}
	if got := other.run(t, nil, "call", "math.calculate", `{"expression":"1"}`); got.code != exitUsage || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	got := other.run(t, nil, "doctor")
	if got.code != exitUsage || !strings.Contains(got.stdout, "problem  history") {
		t.Errorf("%+v", got)
	}
	deeper := &bench{home: filepath.Join(sealed, "deeper"), workspace: b.workspace}
	if got := deeper.run(t, nil, "doctor"); got.code != exitUsage || !strings.Contains(got.stdout, "cannot be made") {
		t.Errorf("%+v", got)
	}
}

func TestAHomeThatCannotBeWrittenIsSaid(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("this test needs another user to be, so it runs as root")
	}
	b := newBench(t)
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1+1"}`); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	// A folder that others may read and enter, and nothing more.
	if err := filepath.WalkDir(filepath.Dir(filepath.Dir(b.home)), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "program")
	copyProgram(t, program)
	for name, home := range map[string]string{"there": b.home, "not there yet": filepath.Join(b.home, "deeper")} {
		other := &bench{home: home, workspace: b.workspace}
		for _, args := range [][]string{{"call", "math.calculate", `{"expression":"1"}`}, {"serve"}, {"tools", "list"}, {"sessions", "list"}} {
			c := other.command(t.Context(), t, 0, args...)
			c.Path = program
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			got := finish(t, c)
			if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "home") {
				t.Errorf("%s, %v: %+v", name, args, got)
			}
			plain(t, name, got)
		}
	}
}

// copyProgram puts this test program where another user may run it.
func copyProgram(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := filepath.Dir(path); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
