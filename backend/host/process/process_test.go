//go:build linux

package process_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/backend/host/clock"
	"countersign/backend/host/process"
	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashFolder); dir != "" {
		crash(dir)
	}
	goleak.VerifyTestMain(m)
}

// text is a log in memory that can be full for a while.
type text struct {
	mu     sync.Mutex
	name   string
	kept   []byte
	lost   int64
	full   bool
	gap    bool
	closed bool
}

func (l *text) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.full || l.closed:
		l.lost += int64(len(p))
		l.gap = true
	case l.gap:
		l.kept = append(l.kept, "\n[gap]\n"...)
		l.gap = false
		fallthrough
	default:
		l.kept = append(l.kept, p...)
	}
	return len(p), nil
}

func (l *text) ReadAt(p []byte, at int64) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at >= int64(len(l.kept)) {
		return 0, io.EOF
	}
	n := copy(p, l.kept[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (l *text) Path() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return "/output/" + l.name
}

func (l *text) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.kept))
}

func (l *text) Lost() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

func (l *text) Rename(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name = name
	return nil
}

func (l *text) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	return nil
}

func (l *text) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.kept)
}

func (l *text) setFull(full bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full = full
}

// desk is a session over a folder.
type desk struct {
	*process.Session
	t    *testing.T
	dir  string
	told *witness
}

// witness is told of processes.
type witness struct {
	started, exited, printed chan tool.Process
}

func (w *witness) Started(p tool.Process) { w.started <- p }
func (w *witness) Exited(p tool.Process)  { w.exited <- p }

// Printed keeps what there is room for.
func (w *witness) Printed(p tool.Process) {
	select {
	case w.printed <- p:
	default:
	}
}

// machine is the one of this program.
var machine = sync.OnceValues(process.NewMachine)

func newMachine(t *testing.T) *process.Machine {
	t.Helper()
	m, err := machine()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newDesk(t *testing.T, change ...func(*process.Options)) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), told: &witness{make(chan tool.Process, 100), make(chan tool.Process, 100), make(chan tool.Process, 100)}}
	o := process.Options{
		Session: "s1", Environ: []string{"PATH=/usr/bin:/bin", "HOME=" + d.dir, "LANG=C.UTF-8"}, Clock: clock.System(), Observer: d.told,
		Linger: 300 * time.Millisecond,
	}
	for _, c := range change {
		c(&o)
	}
	d.Session = newMachine(t).Session(o)
	t.Cleanup(func() {
		// Nothing that a test left may run on, nor be waited for.
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := d.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return d
}

func pipes(o *process.Options) { o.Pipes = true }

func (d *desk) path() tool.Path { return tool.Path{Abs: d.dir, Real: d.dir} }

func (d *desk) request(command string, limit time.Duration) (tool.RunRequest, *text) {
	log := &text{name: "bash-c1.txt"}
	return tool.RunRequest{Command: command, Dir: d.path(), Limit: limit, Log: log}, log
}

// run runs a command that is expected to end by itself.
func (d *desk) run(command string) (tool.Ran, *text) {
	d.t.Helper()
	r, log := d.request(command, time.Minute)
	ran, err := d.Run(d.t.Context(), r)
	if err != nil {
		d.t.Fatal(err)
	}
	return ran, log
}

func (d *desk) start(command string) (tool.Process, *text) {
	d.t.Helper()
	log := &text{}
	p, err := d.Start(d.t.Context(), tool.StartRequest{
		Command: command, Dir: d.path(),
		Log: func(_ context.Context, name string) (tool.Log, error) {
			log.name = name + ".log"
			return log, nil
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return p, log
}

// hear reads what a process prints until it printed what is wanted.
func (d *desk) hear(id, want string) string {
	d.t.Helper()
	var heard strings.Builder
	for !strings.Contains(heard.String(), want) {
		p, err := d.Read(d.t.Context(), id, 0, 10*time.Second)
		if err != nil {
			d.t.Fatal(err)
		}
		if p.Text == "" && p.RestLines == 0 {
			d.t.Fatalf("heard %q and waited for %q", heard.String(), want)
		}
		heard.WriteString(p.Text)
	}
	return heard.String()
}

// file is the path of a file that a command can write to.
func (d *desk) file(name string) string { return filepath.Join(d.dir, name) }

// pids reads the process ids that a command wrote to a file, once there are n of them.
func (d *desk) pids(name string, n int) []int {
	d.t.Helper()
	var out []int
	until(d.t, "the command did not write the ids of its processes", func() bool {
		raw, err := os.ReadFile(d.file(name))
		if err != nil || strings.Count(string(raw), "\n") < n {
			return false
		}
		out = nil
		for _, f := range strings.Fields(string(raw)) {
			pid, err := strconv.Atoi(f)
			if err != nil {
				d.t.Fatal(err)
			}
			out = append(out, pid)
		}
		return true
	})
	return out
}

// until waits for what can only be looked at.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	processtest.Until(t, 20*time.Second, what, ok)
}

// gone fails unless the processes are gone by now, collected included.
func gone(t *testing.T, pids []int) {
	t.Helper()
	if len(pids) == 0 {
		t.Fatal("no processes")
	}
	for _, pid := range pids {
		if s := processtest.State(pid); s != "" {
			t.Errorf("process %d is there still, as %s", pid, s)
		}
	}
}

func code(n int) tool.Ending { return tool.Ending{Code: &n} }

func refused(t *testing.T, err error, code tool.Code, want string) {
	t.Helper()
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
	said := ""
	for _, p := range e.Content {
		said += p.Text.Open()
	}
	if !strings.Contains(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}
