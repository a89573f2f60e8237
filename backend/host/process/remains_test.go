//go:build linux

package process_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/backend/host/clock"
	"countersign/backend/host/process"
	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// crashFolder names the variable that makes the tests' program run commands in a folder and
// then end as one that crashes does.
const crashFolder = "PROCESS_TEST_CRASH"

// crash runs commands and ends without ending them.
func crash(dir string) {
	m, err := process.NewMachine()
	if err != nil {
		panic(err)
	}
	s := m.Session(process.Options{Session: "crashed", Environ: []string{"PATH=/usr/bin:/bin"}, Clock: clock.System()})
	path := tool.Path{Real: dir}
	log := func(context.Context, string) (tool.Log, error) { return &text{}, nil }
	var lines []string
	for _, command := range []string{
		"echo $$ >> pids; exec env -i sleep 1000",
		"setsid sh -c '(echo $$ >> pids; exec sleep 1000) & echo $$ >> pids; exec sleep 1000' >/dev/null 2>&1 & wait",
		"trap '' TERM; echo $$ >> pids; while :; do sleep 0.01; done",
		"true",
		"env -i sh -c 'trap \"\" TERM; echo $$ >> loose; while :; do sleep 0.01; done' & echo $$ >> anchor; wait",
	} {
		p, err := s.Start(context.Background(), tool.StartRequest{Command: command, Dir: path, Log: log})
		if err != nil {
			panic(err)
		}
		lines = append(lines, p.ID+" "+strconv.Itoa(p.PID)+" "+p.Birth)
	}
	go func() {
		_, _ = s.Run(context.Background(), tool.RunRequest{Command: "echo $$ >> pids; exec sleep 1000", Dir: path, Limit: time.Hour, Log: &text{}})
	}()
	go func() {
		_, _ = s.RunProgram(context.Background(), tool.ProgramRequest{Argv: []string{"/bin/sh", "-c", "echo $$ >> pids; exec sleep 1000"}, Dir: dir, Log: &text{}})
	}()
	if err := os.WriteFile(dir+"/records", []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		panic(err)
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// spec: KH-52
// stateOf is the letter of what a process does now, "" where there is none.
func stateOf(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	after := stat[strings.LastIndexByte(string(stat), ')')+2:]
	return string(after[:1])
}

func TestWhatACrashLeftIsFoundAndEnded(t *testing.T) {
	d := newDesk(t)
	c := exec.Command("/proc/self/exe", "-test.run=^$")
	c.Env = append(os.Environ(), crashFolder+"="+d.dir)
	hold, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	pids := slices.Concat(d.pids("pids", 6), d.pids("loose", 1), d.pids("anchor", 1))
	loose, anchor := pids[6], pids[7]
	var recorded []tool.Process
	until(t, "nothing was recorded", func() bool {
		raw, err := os.ReadFile(d.file("records"))
		recorded = nil
		for line := range strings.Lines(string(raw)) {
			f := strings.Fields(line)
			pid, _ := strconv.Atoi(f[1])
			recorded = append(recorded, tool.Process{ID: f[0], PID: pid, Birth: f[2]})
		}
		return err == nil && len(recorded) == 5
	})
	m := newMachine(t)

	// While the program lives they are not ours, whatever was recorded.
	if r, err := m.Remains("crashed", nil); err != nil || r.Processes != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := hold.Close(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()

	if r, err := m.Remains("other", nil); err != nil || r.Processes != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	// A number that means another process by now, and one of another run of the system.
	again := []tool.Process{{ID: "p9", PID: os.Getppid(), Birth: recorded[0].Birth}, {ID: "p8", PID: pids[0], Birth: "other" + recorded[0].Birth}}
	if r, err := m.Remains("other", again); err != nil || r.Processes != 0 || r.IDs != nil {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := m.Remains("crashed", recorded)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"p1", "p2", "p3", "p5"}, r.IDs); diff != "" || r.Processes < 8 {
		t.Errorf("%s, %d processes", diff, r.Processes)
	}
	// A program that dies over it leaves the next one what it finds the rest through.
	dying, die := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { first <- r.End(dying, time.Hour) }()
	until(t, "what the rest is found through is not held still", func() bool { return stateOf(anchor) == "T" })
	if !processtest.Runs(loose) {
		t.Fatal("what hears no question is gone")
	}
	second, err := m.Remains("crashed", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.End(t.Context(), 200*time.Millisecond); err != nil {
		t.Error(err)
	}
	until(t, "what has no mark of its own still runs", func() bool { return !processtest.Runs(loose) && !processtest.Runs(anchor) })
	die()
	if err := <-first; err != nil {
		t.Error(err)
	}
	for _, pid := range pids {
		// They are not our children: whoever is collects them.
		until(t, "process "+strconv.Itoa(pid)+" still runs", func() bool { return !processtest.Runs(pid) })
	}
	if r, err := m.Remains("crashed", recorded); err != nil || r.Processes != 0 || r.IDs != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
