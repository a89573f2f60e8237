//go:build linux

package process_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"countersign/backend/host/process"
	"countersign/backend/tool"
)

// program is a request for a script.
func (d *desk) program(script string, change ...func(*tool.ProgramRequest)) (tool.ProgramRequest, *text) {
	d.t.Helper()
	log := &text{}
	r := tool.ProgramRequest{Argv: []string{written(d.t, "#!/bin/sh\n"+script+"\n")}, Dir: d.dir, Log: log}
	for _, c := range change {
		c(&r)
	}
	return r, log
}

// ran is what came of a script that is expected to end by itself.
func (d *desk) ran(script string, change ...func(*tool.ProgramRequest)) tool.ProgramRan {
	d.t.Helper()
	r, _ := d.program(script, change...)
	ran, err := d.RunProgram(d.t.Context(), r)
	if err != nil {
		d.t.Fatal(err)
	}
	return ran
}

// spec: CX-1, CX-36
func TestAProgramHasItsStreamsApart(t *testing.T) {
	d := newDesk(t)
	marks := 0
	r, log := d.program(`printf 'out\n'; sleep 0.05; printf 'err' >&2; sleep 0.05; cat; exit 3`, func(r *tool.ProgramRequest) {
		r.Argv, r.Input = append(r.Argv, "a b"), []byte("in\x00\xff")
		r.Started = func(context.Context) error { marks++; return nil }
	})
	ran, err := d.RunProgram(t.Context(), r)
	if err != nil || marks != 1 {
		t.Fatal(err, marks)
	}
	if string(ran.Out.Start) != "out\nin\x00\xff" || ran.Out.Lines != 2 || ran.Out.Bytes != 8 || !ran.Out.Whole() || !strings.HasPrefix(ran.Out.Head+ran.Out.Tail, "out\nin") {
		t.Errorf("%+v", ran.Out)
	}
	if string(ran.Err.Start) != "err" || ran.Err.Lines != 1 || ran.Err.Head+ran.Err.Tail != "err" {
		t.Errorf("%+v", ran.Err)
	}
	if ran.Ending.Code == nil || *ran.Ending.Code != 3 || ran.Stop != "" || ran.Left || ran.Escaped || ran.Out.Held || ran.Err.Held {
		t.Errorf("%+v", ran.Ending)
	}
	if log.String() != "out\nerrin\x00\xff" || log.closed {
		t.Errorf("the log has %q", log)
	}
}

func TestThereIsNothingToReadWithoutAnInput(t *testing.T) {
	d := newDesk(t)
	for _, input := range [][]byte{nil, {}} {
		if ran := d.ran("cat; echo done", func(r *tool.ProgramRequest) { r.Input = input }); string(ran.Out.Start) != "done\n" {
			t.Errorf("%q", ran.Out.Start)
		}
	}
}

func TestTheEnvironmentOfAProgram(t *testing.T) {
	d := newDesk(t, func(o *process.Options) {
		o.Environ = append(o.Environ, "COUNTERSIGN_HOME=/h", "X_OLD=1", "X_=1", "XY=kept", "TOKEN=kept", "PWD=/elsewhere", "HOME=/twice")
	})
	ran := d.ran("env", func(r *tool.ProgramRequest) {
		r.Without, r.Environ = "X_", []string{"X_NEW=a=b\nc", "HOME=/h", "EMPTY="}
	})
	var got []string
	for line := range strings.Lines(string(ran.Out.Start)) {
		if name, _, _ := strings.Cut(line, "="); slices.Contains([]string{"X_NEW", "X_OLD", "X_", "XY", "TOKEN", "PWD", "HOME", "EMPTY", "COUNTERSIGN_HOME", "TERM"}, name) {
			got = append(got, strings.TrimSpace(line))
		}
	}
	slices.Sort(got)
	if want := []string{"EMPTY=", "HOME=/h", "PWD=" + d.dir, "TERM=dumb", "TOKEN=kept", "XY=kept", "X_NEW=a=b"}; !slices.Equal(got, want) {
		t.Errorf("it has %q", got)
	}
	if !strings.Contains(string(ran.Out.Start), tool.CommandMark+"=s1:") {
		t.Error("it carries no mark")
	}
}

func TestTheStartOfAStreamIsCountedInCharacters(t *testing.T) {
	d := newDesk(t)
	for unit, size := range map[string]int{"x": 1, "é": 2, "語": 3, "😀": 4, `\377`: 1} {
		for pad := range 3 {
			ran := d.ran(`printf %s '` + strings.Repeat("-", pad) + `'; i=0; u=$(printf '` + unit + `%.0s' $(seq 100)); while [ $i -lt 1001 ]; do printf '%s' "$u"; i=$((i+1)); done`)
			want := (tool.CaptureChars-pad)*size + pad
			if len(ran.Out.Start) != want || utf8.Valid(ran.Out.Start) != (unit != `\377`) || ran.Out.Bytes != int64(100_100*size+pad) || ran.Out.Whole() {
				t.Errorf("%s after %d: %d bytes of %d, want %d", unit, pad, len(ran.Out.Start), ran.Out.Bytes, want)
			}
		}
	}
	if ran := d.ran("head -c 100000 /dev/zero"); !ran.Out.Whole() {
		t.Errorf("%d bytes", len(ran.Out.Start))
	}
}

func TestWhatTheLogOfAProgramCouldNotKeep(t *testing.T) {
	d := newDesk(t)
	r, log := d.program("printf 12345; printf 123 >&2")
	log.setFull(true)
	ran, err := d.RunProgram(t.Context(), r)
	if err != nil || ran.Out.Lost != 5 || ran.Err.Lost != 3 || string(ran.Out.Start) != "12345" || string(ran.Err.Start) != "123" {
		t.Errorf("%+v %+v %v", ran.Out, ran.Err, err)
	}
}

// spec: CX-33, CX-35
func TestAProgramEndsAtItsLimitWithAllItStarted(t *testing.T) {
	// Nothing but the limit ends anything here.
	d := newDesk(t, func(o *process.Options) { o.Linger = time.Hour })
	// Long enough for a busy machine to have the program print before.
	limit := func(r *tool.ProgramRequest) { r.Limit, r.Input = 2*time.Second, make([]byte, 1<<20) }
	for name, text := range map[string]string{
		"it sleeps":               "echo $$ >> pids; echo out; exec sleep 1000",
		"it is deaf":              "trap '' TERM INT HUP; echo $$ >> pids; echo out; sleep 1000 & echo $! >> pids; wait",
		"it closed all its files": "echo $$ >> pids; echo out; exec <&- >&- 2>&-; sleep 1000 & echo $! >> pids; wait",
		"what it left prints on":  "setsid sh -c 'echo $$ >> pids; while :; do echo out; done' & echo $$ >> pids; sleep 1000",
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(d.file("pids"))
			ran := d.ran(text, limit)
			if ran.Stop != tool.StopLimit || !strings.HasPrefix(string(ran.Out.Start), "out\n") || ran.Ending.Signal != "SIGKILL" {
				t.Errorf("%s, %s, %.20q", ran.Stop, ran.Ending.Signal, ran.Out.Start)
			}
			gone(t, d.pids("pids", 1))
		})
	}
	// The limit covers the reading, too.
	_ = os.Remove(d.file("pids"))
	ran := d.ran("sleep 1000 & echo $! > pids; echo out", limit)
	if ran.Stop != tool.StopLimit || !ran.Out.Held || ran.Ending.Code == nil || *ran.Ending.Code != 0 {
		t.Errorf("%+v", ran)
	}
	gone(t, d.pids("pids", 1))
}

func TestTheEndOfACallEndsItsProgram(t *testing.T) {
	d := newDesk(t)
	r, log := d.program("trap '' TERM; echo out; sleep 1000 & echo $$ $! > pids; wait")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	go func() {
		d.pids("pids", 1)
		cancel(errors.New("enough"))
	}()
	ran, err := d.RunProgram(ctx, r)
	if !errors.Is(err, context.Canceled) || string(ran.Out.Start) != "out\n" || log.String() != "out\n" || ran.Stop != "" {
		t.Errorf("%+v %v", ran, err)
	}
	gone(t, d.pids("pids", 1))
	if _, err := d.RunProgram(ctx, r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	failed := errors.New("no mark")
	r.Started = func(context.Context) error { return failed }
	if _, err := d.RunProgram(t.Context(), r); !errors.Is(err, failed) {
		t.Error(err)
	}
}

func TestTheEndOfASessionEndsItsPrograms(t *testing.T) {
	d := newDesk(t)
	r, _ := d.program("echo $$ >> pids; exec sleep 1000")
	done := make(chan tool.ProgramRan, 2)
	for range 2 {
		go func() {
			ran, err := d.RunProgram(t.Context(), r)
			if err != nil {
				t.Error(err)
			}
			done <- ran
		}()
	}
	pids := d.pids("pids", 2)
	if err := d.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if ran := <-done; ran.Ending.Signal != "SIGKILL" {
			t.Errorf("%+v", ran)
		}
	}
	gone(t, pids)
	_, err := d.RunProgram(t.Context(), r)
	refused(t, err, tool.CodeSpawn, "the session is ending")
}

func TestOnlySoManyProgramsRunAtOnce(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Most = 2 })
	r, _ := d.program("echo $$ >> pids; exec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := d.RunProgram(ctx, r)
			done <- err
		}()
	}
	pids := d.pids("pids", 2)
	_, err := d.RunProgram(t.Context(), r)
	refused(t, err, tool.CodeSpawn, "2 programs of this session run already")
	_, err = d.Start(t.Context(), tool.StartRequest{Command: "true", Dir: d.path(), Log: func(context.Context, string) (tool.Log, error) { return &text{}, nil }})
	refused(t, err, tool.CodeSpawn, "run already")
	cancel()
	for range 2 {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	gone(t, pids)
	if ran := d.ran("echo again"); string(ran.Out.Start) != "again\n" {
		t.Errorf("%q", ran.Out.Start)
	}
}

// spec: CX-35
func TestAProgramThatClosesItsInput(t *testing.T) {
	d := newDesk(t)
	much := func(r *tool.ProgramRequest) { r.Input = make([]byte, 4<<20) }
	if ran := d.ran("exec <&-; echo out; echo $$ > pids; exec sleep 1000", much); ran.Stop != tool.StopInput || string(ran.Out.Start) != "out\n" {
		t.Errorf("%+v", ran)
	}
	gone(t, d.pids("pids", 1))
	if ran := d.ran("exit 5", much); ran.Stop != "" || *ran.Ending.Code != 5 {
		t.Errorf("%+v", ran)
	}
}

func TestAProgramThatCannotBegin(t *testing.T) {
	d := newDesk(t)
	for words, change := range map[string]func(*tool.ProgramRequest){
		"it is not there":                 func(r *tool.ProgramRequest) { r.Argv = []string{"/nowhere/program"} },
		"it is a directory":               func(r *tool.ProgramRequest) { r.Argv = []string{d.dir} },
		"the directory it runs in":        func(r *tool.ProgramRequest) { r.Dir = "/nowhere" },
		"its arguments are too long":      func(r *tool.ProgramRequest) { r.Argv = append(r.Argv, strings.Repeat("x", 4<<20)) },
		"it may not be executed by you":   func(r *tool.ProgramRequest) { r.Argv = []string{"/etc/passwd"} },
		"A script must say in its first":  func(r *tool.ProgramRequest) { r.Argv = []string{written(t, "echo hello\n")} },
		"what is to run it, by its first": func(r *tool.ProgramRequest) { r.Argv = []string{written(t, "#!/nowhere/sh\n")} },
	} {
		r, log := d.program("true", change)
		_, err := d.RunProgram(t.Context(), r)
		refused(t, err, tool.CodeSpawn, words)
		if log.String() != "" {
			t.Errorf("%s: %q", words, log)
		}
	}
}

// written is a file that may be executed.
func written(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAWatcherIsToldTheLastLineOfBothStreams(t *testing.T) {
	d := newDesk(t)
	told := make(chan string, 100)
	r, _ := d.program("echo first; echo trouble >&2; while ! test -e go; do sleep 0.01; done", func(r *tool.ProgramRequest) {
		r.Progress = func(text string) { told <- text }
	})
	done := make(chan error, 1)
	go func() {
		_, err := d.RunProgram(t.Context(), r)
		done <- err
	}()
	heard := map[string]bool{}
	for !heard["first"] || !heard["trouble"] {
		heard[<-told] = true
	}
	if err := os.WriteFile(d.file("go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
