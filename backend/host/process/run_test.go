//go:build linux

package process_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process"
	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// both runs a test over a terminal and over pipes.
func both(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Run("terminal", func(t *testing.T) { test(t, newDesk(t)) })
	t.Run("pipes", func(t *testing.T) { test(t, newDesk(t, pipes)) })
}

// cancel runs a command and ends its context once the command has told of itself.
func (d *desk) cancel(command string, ready func()) (tool.Ran, *text) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	r, log := d.request(command, time.Minute)
	type answer struct {
		ran tool.Ran
		err error
	}
	done := make(chan answer, 1)
	go func() {
		ran, err := d.Run(ctx, r)
		done <- answer{ran, err}
	}()
	ready()
	cancel()
	a := <-done
	if !errors.Is(a.err, context.Canceled) {
		d.t.Errorf("ended with %v", a.err)
	}
	return a.ran, log
}

// spec: KH-42
func TestACommandIsRun(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		ran, log := d.run("echo out; echo err >&2; printf last; exit 3")
		if diff := cmp.Diff(code(3), ran.Ending); diff != "" {
			t.Error(diff)
		}
		want := tool.Captured{Head: "out\nerr\nlast", Lines: 3, Bytes: 12}
		if diff := cmp.Diff(want, ran.Output); diff != "" || log.String() != "out\nerr\nlast" {
			t.Errorf("%s, log %q", diff, log.String())
		}
		if ran.Left != nil || ran.Moved != nil {
			t.Errorf("%+v", ran)
		}
	})
}

func TestASignalIsTold(t *testing.T) {
	ran, _ := newDesk(t).run("kill -SEGV $$")
	if diff := cmp.Diff(tool.Ending{Signal: "SIGSEGV"}, ran.Ending); diff != "" {
		t.Error(diff)
	}
}

// spec: KH-42
func TestACommandCannotBeAsked(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		ran, _ := d.run(`cat; read x || echo no line; cat /dev/tty 2>/dev/null || echo no keyboard; cat <&2 2>/dev/null || echo no answer; readlink /proc/self/fd/0`)
		want := "no line\nno keyboard\nno answer\n/dev/null\n"
		if len(ran.Output.Head) == 0 || d.terminal() && ran.Output.Head != want || !strings.HasPrefix(ran.Output.Head, "no line\nno keyboard\n") {
			t.Errorf("%q", ran.Output.Head)
		}
	})
}

// terminal reports whether commands of this desk print to a terminal.
func (d *desk) terminal() bool {
	ran, _ := d.run("test -t 1 && test -t 2")
	return *ran.Ending.Code == 0
}

// spec: KH-42
func TestTheTerminalChangesNothing(t *testing.T) {
	d := newDesk(t)
	if !d.terminal() {
		t.Fatal("there are no terminals here")
	}
	all := make([]byte, 0, 3*256)
	for i := range 256 {
		all = append(all, byte(i), '\n', byte(255-i))
	}
	if err := os.WriteFile(d.file("all"), all, 0o600); err != nil {
		t.Fatal(err)
	}
	_, log := d.run("cat all")
	if log.String() != string(all) {
		t.Errorf("got %q, want %q", log.String(), all)
	}
	if ran, _ := d.run("tput cols; tput lines; echo $TERM"); ran.Output.Head != "120\n40\nxterm-256color\n" {
		t.Errorf("%q", ran.Output.Head)
	}
}

func TestWithoutATerminalItIsDumb(t *testing.T) {
	d := newDesk(t, pipes)
	if d.terminal() {
		t.Error("pipes are a terminal")
	}
	if ran, _ := d.run("echo $TERM"); ran.Output.Head != "dumb\n" {
		t.Errorf("%q", ran.Output.Head)
	}
}

// spec: KH-42
func TestTheEnvironmentIsInheritedWithoutOurs(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(o *process.Options) {
		o.Environ = append(o.Environ, "COUNTERSIGN_HOME=/x", "COUNTERSIGN_TOKEN=secret", "NO_COLOR=1", "MINE=a=b", "TERM=screen", "PAGER=less", "COMMAND_TREE=outer")
	})
	ran, _ := d.run("env | grep -c COUNTERSIGN; echo [${NO_COLOR-unset}] $MINE $TERM $PAGER $GIT_PAGER; echo $COMMAND_TREE")
	lines := strings.Split(ran.Output.Head, "\n")
	if lines[0] != "0" || lines[1] != "[unset] a=b screen cat cat" || !strings.HasPrefix(lines[2], "outer,s1:") {
		t.Errorf("%q", ran.Output.Head)
	}
}

// What the program holds open is not a command's, also when it was not opened in a way that
// says so: the program may have been started with it, or a library opened it.
//
// spec: KH-42
func TestNoFileOfTheProgramIsACommands(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		secret, err := unix.Open("/etc/hostname", unix.O_RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = unix.Close(secret) }()
		listed, want := "ls -1 /proc/$$/fd; echo end", "0\n1\n2\nend"
		if ran, _ := d.run(listed); ran.Output.Head != want+"\n" {
			t.Errorf("%q", ran.Output.Head)
		}
		p, _ := d.start(listed)
		if got := d.hear(p.ID, "end"); got != want+"\n" {
			t.Errorf("%q", got)
		}
	})
}

func TestNothingOfOneCommandIsInTheNext(t *testing.T) {
	d := newDesk(t)
	d.run("cd /; export A=1; alias ls=false; set -e")
	if ran, _ := d.run("echo [$A]; pwd"); ran.Output.Head != "[]\n"+d.dir+"\n" {
		t.Errorf("%q", ran.Output.Head)
	}
}

// spec: KH-42, KH-45
func TestACancelledCommandLeavesNothing(t *testing.T) {
	for name, command := range map[string]string{
		"waits":                "echo $$ >> pids; sleep 1000",
		"prints":               "echo $$ >> pids; yes",
		"has children":         "sleep 1000 & echo $$ $! >> pids; wait",
		"ignores signals":      "trap '' TERM INT HUP; echo $$ >> pids; while :; do sleep 1; done",
		"stopped itself":       "echo $$ >> pids; kill -STOP $$",
		"closed its outputs":   "echo $$ >> pids; exec >&- 2>&-; sleep 1000",
		"left its session":     "setsid sh -c 'echo $$ >> pids; exec sleep 1000' & wait",
		"left it twice":        "setsid setsid sh -c 'setsid sleep 1000 & echo $$ $! >> pids; wait' & wait",
		"left its parent":      "setsid sh -c '(setsid sh -c \"echo \\$\\$ >> pids; exec sleep 1000\" >/dev/null 2>&1 </dev/null &)'; sleep 1000",
		"another group":        "set -m; sh -c 'echo $$ >> pids; exec sleep 1000' & wait",
		"waits for the input":  "echo $$ >> pids; exec sleep 1000 <&0",
		"ignores all in a box": "(trap '' TERM HUP; setsid sh -c 'echo $$ >> pids; trap \"\" TERM; while :; do sleep 1; done') & wait",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			both(t, func(t *testing.T, d *desk) {
				var pids []int
				d.cancel(command, func() { pids = d.pids("pids", 1) })
				gone(t, pids)
			})
		})
	}
}

func TestWhatWasPrintedComesWithTheCancellation(t *testing.T) {
	d := newDesk(t)
	ran, log := d.cancel("echo partial; echo $$ >> pids; sleep 1000", func() { d.pids("pids", 1) })
	if ran.Output.Head != "partial\n" || log.String() != "partial\n" || ran.Ending.Signal != "SIGKILL" {
		t.Errorf("%+v, log %q", ran, log.String())
	}
}

func TestACancelledContextBeginsNothing(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, _ := d.request("touch ran", time.Minute)
	if _, err := d.Run(ctx, r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(d.file("ran")); err == nil {
		t.Error("it ran")
	}
}

func TestTheEndAndTheCancellationGiveOneAnswer(t *testing.T) {
	d := newDesk(t)
	for i := range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := d.request("exit 0", time.Minute)
		go func() {
			for range i * 100 {
				runtime.Gosched()
			}
			cancel()
		}()
		ran, err := d.Run(ctx, r)
		if err != nil && !errors.Is(err, context.Canceled) || err == nil && *ran.Ending.Code != 0 {
			t.Fatalf("%+v, %v", ran, err)
		}
		cancel()
	}
}

func TestTheMarkIsMadeBeforeTheCommandBegins(t *testing.T) {
	d := newDesk(t)
	r, _ := d.request("touch ran", time.Minute)
	r.Started = func(context.Context) error {
		if _, err := os.Stat(d.file("ran")); err == nil {
			t.Error("it ran already")
		}
		return errors.New("no room")
	}
	if _, err := d.Run(t.Context(), r); err == nil || err.Error() != "no room" {
		t.Error(err)
	}
	if _, err := os.Stat(d.file("ran")); err == nil {
		t.Error("it ran")
	}
}

func TestWhatCannotBeginSaysWhy(t *testing.T) {
	d := newDesk(t)
	if err := os.WriteFile(d.file("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*tool.RunRequest){
		"the working directory does not exist.":     func(r *tool.RunRequest) { r.Dir.Real += "/no" },
		"the working directory is not a directory.": func(r *tool.RunRequest) { r.Dir.Real += "/file" },
		"the command has a NUL character in it.":    func(r *tool.RunRequest) { r.Command = "echo a\x00b" },
		"the command is too long.":                  func(r *tool.RunRequest) { r.Command = "# " + strings.Repeat("x", 200_000) },
	} {
		r, _ := d.request("true", time.Minute)
		change(&r)
		_, err := d.Run(t.Context(), r)
		refused(t, err, tool.CodeSpawn, "Command failed to start: "+want)
		if strings.Contains(err.Error(), d.dir) {
			t.Errorf("%v names a path", err)
		}
	}
	d = newDesk(t, func(o *process.Options) { o.Shell = "/no/such/shell" })
	r, _ := d.request("true", time.Minute)
	_, err := d.Run(t.Context(), r)
	refused(t, err, tool.CodeSpawn, "the shell could not be run")
}

func TestTheCommandsOfASessionAreBounded(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Most = 2 })
	d.start("sleep 1000")
	d.start("sleep 1000")
	r, _ := d.request("true", time.Minute)
	_, err := d.Run(t.Context(), r)
	refused(t, err, tool.CodeSpawn, "2 commands of this session run already")
	if _, err := d.Stop(t.Context(), "p1"); err != nil {
		t.Fatal(err)
	}
	d.run("true")
}

func TestOutputIsCountedAndCutExactly(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		ran, log := d.run("seq 1 200000")
		all := log.String()
		var want strings.Builder
		for i := 1; i <= 200_000; i++ {
			fmt.Fprintln(&want, i)
		}
		if all != want.String() {
			t.Fatal("the log differs from what was printed")
		}
		o := ran.Output
		if o.Lines != 200_000 || o.Bytes != int64(len(all)) || o.Lost != 0 {
			t.Errorf("%d lines, %d bytes, %d lost", o.Lines, o.Bytes, o.Lost)
		}
		if !strings.HasPrefix(all, o.Head) || !strings.HasSuffix(all, o.Tail) || len(o.Head) < 60<<10 || len(o.Tail) < 60<<10 {
			t.Errorf("a head of %d bytes and a tail of %d are not those of the text", len(o.Head), len(o.Tail))
		}
		between := all[len(o.Head) : len(all)-len(o.Tail)]
		if o.OmittedBytes != int64(len(between)) {
			t.Errorf("%d bytes are told to be missing of %d", o.OmittedBytes, len(between))
		}
	})
}

func TestOutputIsLegibleAndTheLogIsRaw(t *testing.T) {
	d := newDesk(t)
	raw := "\x1b[31mred\x1b[0m\n10%\r100%\n\x00\xff\n\x1b]0;title\x07é\n"
	if err := os.WriteFile(d.file("raw"), []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	ran, log := d.run("cat raw")
	if ran.Output.Head != "red\n100%\n\\x00\\xff\né\n" || log.String() != raw {
		t.Errorf("%q, log %q", ran.Output.Head, log.String())
	}
}

func TestALongLineHasAHeadAndATail(t *testing.T) {
	ran, _ := newDesk(t, pipes).run("head -c 3000000 /dev/zero | tr '\\0' x; printf end")
	o := ran.Output
	if o.Lines != 1 || o.Bytes != 3_000_003 || o.OmittedBytes != 3_000_003-int64(len(o.Head)+len(o.Tail)) || !strings.HasSuffix(o.Tail, "xend") {
		t.Errorf("%d lines, %d bytes, omitted %d", o.Lines, o.Bytes, o.OmittedBytes)
	}
}

// A fraction of what a command could print: the path is the same however long it goes on.
func TestHugeOutputNeedsLittleMemory(t *testing.T) {
	d := newDesk(t, pipes)
	const size = 200 << 20
	log := &counter{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ran, err := d.Run(t.Context(), tool.RunRequest{Command: fmt.Sprintf("yes | head -c %d", size), Dir: d.path(), Limit: time.Hour, Log: log})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if ran.Output.Bytes != size || ran.Output.Lines != size/2 || log.Size() != size {
		t.Errorf("%d bytes, %d lines, log %d", ran.Output.Bytes, ran.Output.Lines, log.Size())
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes of memory were used", used)
	}
}

// counter is a log that keeps nothing.
type counter struct {
	text
	size int64
}

func (l *counter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.size += int64(len(p))
	return len(p), nil
}

func (l *counter) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}

func TestAFullDiskDoesNotEndTheCommand(t *testing.T) {
	d := newDesk(t)
	r, log := d.request("seq 1 1000; exit 4", time.Minute)
	log.setFull(true)
	ran, err := d.Run(t.Context(), r)
	if err != nil || *ran.Ending.Code != 4 {
		t.Fatalf("%+v, %v", ran.Ending, err)
	}
	o := ran.Output
	if o.Lines != 1000 || o.Lost != o.Bytes || !strings.HasSuffix(o.Head, "\n999\n1000\n") {
		t.Errorf("%+v", o)
	}
}

func TestTheLastLineIsTold(t *testing.T) {
	d := newDesk(t)
	said := make(chan string, 100)
	r, _ := d.request("echo first; until test -e go; do sleep 0.01; done", time.Minute)
	r.Progress = func(text string) { said <- text }
	done := make(chan error, 1)
	go func() {
		_, err := d.Run(t.Context(), r)
		done <- err
	}()
	if got := <-said; got != "first" {
		t.Errorf("told %q", got)
	}
	if err := os.WriteFile(d.file("go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestZombiesAreCollected(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for range 50 {
		d.run("true")
	}
	// A child that ended and that its parent never collects, and one that lost its parent.
	d.run("sh -c 'true & exec sleep 0.05'; (setsid sh -c 'exit 1' &)")
	until(t, "there are zombies", func() bool { return len(zombies(t)) == 0 })
}

// Other programs that this one starts have children too, and those come to it when they
// lose their parent.
func TestOrphansOfOtherProgramsAreCollected(t *testing.T) {
	d := newDesk(t)
	other := exec.Command("sh", "-c", "sh -c 'echo $$ > pid; read x' & read x")
	other.Dir = d.dir
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	other.Stdin = in
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	pids := d.pids("pid", 1)
	// The tree is looked at while a command runs.
	d.run("sleep 0.3")
	_ = out.Close()
	if err := other.Wait(); err == nil {
		t.Error("the read found a line")
	}
	until(t, "the orphan is a zombie", func() bool { return processtest.State(pids[0]) == "" })
}

// zombies are dead children of this program.
func zombies(t *testing.T) []string {
	t.Helper()
	var out []string
	dir, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range dir {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if _, after, ok := strings.Cut(string(stat), ") Z "); err == nil && ok && strings.HasPrefix(after, fmt.Sprint(os.Getpid())+" ") {
			out = append(out, e.Name())
		}
	}
	return out
}

func TestANameIsFoundThatIsSpeltAlike(t *testing.T) {
	d := newDesk(t)
	for name, want := range map[string]string{
		"setsidd": "setsid", "gerp": "grep", "": "", "/bin/grepp": "", "no-such-program-at-all": "", strings.Repeat("x", 1000): "",
	} {
		if got := d.Similar(t.Context(), name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
