//go:build linux

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"countersign/backend/host/process"
	"countersign/backend/host/process/processtest"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// readAll reads a process until it is over and nothing is left to read.
func (d *desk) readAll(id string) string {
	d.t.Helper()
	var all strings.Builder
	for {
		p, err := d.Read(d.t.Context(), id, 0, 10*time.Second)
		if err != nil {
			d.t.Fatal(err)
		}
		all.WriteString(p.Text)
		if p.RestLines == 0 && p.Process.Status.Ended() {
			return all.String()
		}
	}
}

// spec: KH-44, KH-60
func TestNoByteIsLostOrDoubledAtTheLimit(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		// Numbered lines as fast as they come, so that the limit falls into the middle of one.
		r, log := d.request("seq 1 600000", 10*time.Millisecond)
		ran, err := d.Run(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if ran.Moved == nil {
			t.Fatal("it ended before its limit")
		}
		rest := d.readAll("p1")
		var want bytes.Buffer
		for i := 1; i <= 600_000; i++ {
			fmt.Fprintln(&want, i)
		}
		all := want.String()
		o := ran.Output
		seam := int(o.Bytes)
		if log.String() != all {
			t.Fatal("the log differs from what was printed")
		}
		if !strings.HasPrefix(all, o.Head) || !strings.HasSuffix(all[:seam], o.Tail) {
			t.Error("the answer differs from what was printed")
		}
		if rest != all[seam:] {
			t.Errorf("%d bytes were read behind the answer of %d, and there are %d", len(rest), seam, len(all)-seam)
		}
		if log.Path() != "/output/p1.log" {
			t.Errorf("the log is %s", log.Path())
		}
		p := <-d.told.exited
		if p.ID != "p1" || p.Status != tool.ProcessExited || *p.Ending.Code != 0 || p.Bytes != int64(len(all)) || p.Lines != 600_000 {
			t.Errorf("%+v", p)
		}
	})
}

// spec: KH-44, KH-49
func TestACommandRunsOnBehindItsLimit(t *testing.T) {
	d := newDesk(t)
	r, _ := d.request("echo before; until test -e go; do sleep 0.01; done; echo after; exit 5", 2*time.Second)
	ran, err := d.Run(t.Context(), r)
	if err != nil || ran.Moved == nil {
		t.Fatalf("%+v, %v", ran, err)
	}
	p := *ran.Moved
	if p.ID != "p1" || p.PID == 0 || p.Birth == "" || p.Command != r.Command || p.Dir != d.dir || p.Status != tool.ProcessRunning || p.Input ||
		p.LogPath != "/output/p1.log" || p.StartedAt.IsZero() || !p.EndedAt.IsZero() {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff(p, <-d.told.started); diff != "" {
		t.Error(diff)
	}
	if ran.Output.Head != "before\n" || ran.Ending != (tool.Ending{}) {
		t.Errorf("%+v", ran)
	}
	if err := os.WriteFile(d.file("go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.readAll("p1"); got != "after\n" {
		t.Errorf("%q", got)
	}
	got := <-d.told.exited
	if got.Status != tool.ProcessExited || *got.Ending.Code != 5 || got.EndedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff([]tool.Process{got}, d.List()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatACommandLeavesRunningIsManaged(t *testing.T) {
	for name, command := range map[string]string{
		"in the background":  "sh -c 'echo $$ >> pids; while :; do echo tick; sleep 0.01; done' & echo done",
		"silent":             "sh -c 'echo $$ >> pids; exec sleep 1000' & echo done",
		"without outputs":    "sh -c 'echo $$ >> pids; exec sleep 1000 >/dev/null 2>&1' & echo done",
		"in another session": "setsid sh -c 'echo $$ >> pids; exec sleep 1000 >/dev/null 2>&1' & until test -e pids; do sleep 0.01; done; echo done",
		"as an orphan":       "setsid sh -c '(setsid sh -c \"echo \\$\\$ >> pids; exec sleep 1000\" >/dev/null 2>&1 &)'; until test -e pids; do sleep 0.01; done; echo done",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			ran, log := d.run(command)
			if ran.Left == nil || ran.Left.ID != "p1" || ran.Left.Status != tool.ProcessRunning || *ran.Ending.Code != 0 {
				t.Fatalf("%+v", ran)
			}
			if !strings.HasPrefix(strings.ReplaceAll(ran.Output.Head, "tick\n", ""), "done\n") || log.Path() != "/output/p1.log" {
				t.Errorf("%q, %s", ran.Output.Head, log.Path())
			}
			if held := !strings.Contains(command, "/dev/null"); ran.Output.Held != held {
				t.Errorf("held: %v", ran.Output.Held)
			}
			if strings.Contains(command, "tick") {
				d.hear("p1", "tick\n")
			}
			pids := d.pids("pids", 1)
			if processtest.State(pids[0]) == "" {
				t.Error("it was ended")
			}
			p, err := d.Stop(t.Context(), "p1")
			if err != nil || p.Status != tool.ProcessStopped || p.Ending.Signal != "SIGTERM" {
				t.Errorf("%+v, %v", p, err)
			}
			gone(t, pids)
		})
	}
}

func TestAQuickEndIsNotWaitedFor(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Linger = time.Hour })
	d.run("echo quick")
}

// spec: KH-51
func TestAProcessReadsWhatIsWritten(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		p, _ := d.start("while read line; do echo got $line; test $line = bye && exit; done")
		if p.ID != "p1" || !p.Input || p.Status != tool.ProcessRunning {
			t.Errorf("%+v", p)
		}
		if err := d.Write(t.Context(), "p1", "hello\n"); err != nil {
			t.Fatal(err)
		}
		if got := d.hear("p1", "\n"); got != "got hello\n" {
			t.Errorf("%q", got)
		}
		if err := d.Write(t.Context(), "p1", "bye\n"); err != nil {
			t.Fatal(err)
		}
		if got := d.readAll("p1"); got != "got bye\n" {
			t.Errorf("%q", got)
		}
		<-d.told.exited
		refused(t, d.Write(t.Context(), "p1", "more\n"), tool.CodeEnded, "")
	})
}

func TestWhatAShellStartedOutlivesIt(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		p, _ := d.start("sh -c 'echo $$ >> pids; while read x; do echo got $x; done' <&0 & echo started")
		pids := d.pids("pids", 1)
		d.hear("p1", "started\n")
		until(t, "the shell is there", func() bool { return processtest.State(p.PID) == "" })
		if got := d.List()[0]; got.Status != tool.ProcessRunning {
			t.Errorf("%+v", got)
		}
		if err := d.Write(t.Context(), "p1", "word\n"); err != nil {
			t.Fatal(err)
		}
		if got := d.hear("p1", "\n"); got != "got word\n" {
			t.Errorf("%q", got)
		}
		if p, err := d.Stop(t.Context(), "p1"); err != nil || p.Status != tool.ProcessStopped || *p.Ending.Code != 0 {
			t.Errorf("%+v, %v", p, err)
		}
		gone(t, pids)
	})
}

func TestAPromptIsReadBeforeItsLineEnds(t *testing.T) {
	d := newDesk(t)
	d.start("printf 'name? '; read n; printf 'age? '; read a; echo $n $a")
	if got := d.hear("p1", "? "); got != "name? " {
		t.Errorf("%q", got)
	}
	if err := d.Write(t.Context(), "p1", "x\n"); err != nil {
		t.Fatal(err)
	}
	p, err := d.Read(t.Context(), "p1", 0, 10*time.Second)
	if err != nil || p.Text != "age? " || p.First != 1 || p.Last != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAProcessThatDoesNotReadHoldsNobodyUp(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		d.start("sleep 1000")
		err := d.Write(t.Context(), "p1", strings.Repeat("x", 2<<20))
		refused(t, err, tool.CodeNotTaken, "of 2097152 bytes were sent")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Write(ctx, "p1", "x"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestMuchInputArrivesUnchanged(t *testing.T) {
	both(t, func(t *testing.T, d *desk) {
		text := strings.Repeat("0123456789abcde\n", 10_000)
		d.start(fmt.Sprintf("head -c %d > got; echo done", len(text)))
		if err := d.Write(t.Context(), "p1", text); err != nil {
			t.Fatal(err)
		}
		d.hear("p1", "done")
		if got, err := os.ReadFile(d.file("got")); err != nil || string(got) != text {
			t.Errorf("%d bytes arrived, %v", len(got), err)
		}
	})
}

func TestACommandThatIsWaitedForReadsNothing(t *testing.T) {
	d := newDesk(t)
	r, _ := d.request("sleep 1000", time.Millisecond)
	if _, err := d.Run(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	refused(t, d.Write(t.Context(), "p1", "x"), tool.CodeNoInput, "")
}

func TestOnlyItsOwnProcessesAreTheSessions(t *testing.T) {
	d := newDesk(t)
	p, _ := d.start("sleep 1000")
	for _, id := range []string{"p2", "", "1", fmt.Sprint(p.PID), "P1", "p01"} {
		_, err := d.Stop(t.Context(), id)
		refused(t, err, tool.CodeNoProcess, "")
		_, err = d.Read(t.Context(), id, 0, 0)
		refused(t, err, tool.CodeNoProcess, "")
		refused(t, d.Write(t.Context(), id, "x"), tool.CodeNoProcess, "")
		if _, ok := d.Usage(id); ok {
			t.Errorf("%q has a use", id)
		}
	}
	if processtest.State(p.PID) == "" {
		t.Error("it was ended")
	}
}

// spec: KH-51, KH-61
func TestStopEndsAllOfAProcess(t *testing.T) {
	for name, c := range map[string]struct{ command, signal string }{
		"grandchildren":    {"sh -c 'sleep 1000 & sleep 1000 & echo $$ $! >> pids; wait'", "SIGTERM"},
		"another session":  {"setsid sh -c 'echo $$ >> pids; exec sleep 1000' & wait", "SIGTERM"},
		"ignores the wish": {"trap '' TERM; echo $$ >> pids; while :; do sleep 0.01; done", "SIGKILL"},
		"a child ignores":  {"sh -c 'trap \"\" TERM; echo $$ >> pids; while :; do sleep 0.01; done' & wait", "SIGTERM"},
		"stopped":          {"echo $$ >> pids; kill -STOP $$", "SIGTERM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, func(o *process.Options) { o.Grace = 200 * time.Millisecond })
			d.start(c.command)
			pids := d.pids("pids", 1)
			for range 2 {
				p, err := d.Stop(t.Context(), "p1")
				if err != nil || p.Status != tool.ProcessStopped || p.Ending.Signal != c.signal {
					t.Errorf("%+v, %v", p, err)
				}
			}
			gone(t, pids)
			if got := len(d.told.exited); got != 1 {
				t.Errorf("its end was told %d times", got)
			}
		})
	}
}

func TestAProcessThatEndedByItselfWasNotStopped(t *testing.T) {
	d := newDesk(t)
	d.start("exit 3")
	<-d.told.exited
	p, err := d.Stop(t.Context(), "p1")
	if err != nil || p.Status != tool.ProcessExited || *p.Ending.Code != 3 {
		t.Errorf("%+v, %v", p, err)
	}
}

// spec: KH-54
func TestWhoWatchesIsToldOfOutput(t *testing.T) {
	d := newDesk(t)
	d.start("echo one; read x; echo two; read x")
	if p := <-d.told.printed; p.ID != "p1" || p.Lines != 1 || p.Bytes != 4 {
		t.Errorf("%+v", p)
	}
	if err := d.Write(t.Context(), "p1", "\n"); err != nil {
		t.Fatal(err)
	}
	if p := <-d.told.printed; p.Lines != 2 || p.Bytes != 8 {
		t.Errorf("%+v", p)
	}
}

func TestAProcessMayTidyUp(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Grace = time.Hour })
	d.start("trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.01; done")
	d.hear("p1", "ready\n")
	p, err := d.Stop(t.Context(), "p1")
	if err != nil || p.Status != tool.ProcessStopped || *p.Ending.Code != 7 {
		t.Errorf("%+v, %v", p, err)
	}
	if got := d.readAll("p1"); !strings.HasSuffix(got, "tidy\n") {
		t.Errorf("%q", got)
	}
}

// spec: KH-52
func TestTheEndOfACallLeavesAProcessAlone(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	log := &text{}
	p, err := d.Start(ctx, tool.StartRequest{Command: "sleep 1000", Dir: d.path(), Log: func(context.Context, string) (tool.Log, error) { return log, nil }})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if processtest.State(p.PID) == "" || d.List()[0].Status != tool.ProcessRunning {
		t.Error("it was ended")
	}
}

// spec: KH-52
func TestTheEndOfASessionEndsAll(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Grace = 100 * time.Millisecond })
	d.start("echo $$ >> pids; exec sleep 1000")
	d.start("trap '' TERM; echo $$ >> pids; while :; do sleep 0.01; done")
	r, _ := d.request("echo $$ >> pids; exec sleep 1000", time.Minute)
	done := make(chan tool.Ran, 1)
	go func() {
		ran, _ := d.Run(context.Background(), r)
		done <- ran
	}()
	pids := d.pids("pids", 3)
	if err := d.Close(t.Context()); err != nil {
		t.Error(err)
	}
	gone(t, pids)
	if ran := <-done; ran.Ending.Signal != "SIGKILL" {
		t.Errorf("%+v", ran)
	}
	_, err := d.Start(t.Context(), tool.StartRequest{Command: "true", Dir: d.path(), Log: func(context.Context, string) (tool.Log, error) { return &text{}, nil }})
	refused(t, err, tool.CodeSpawn, "the session is ending")
}

func TestStopAllLetsTheSessionGoOn(t *testing.T) {
	d := newDesk(t)
	d.start("sleep 1000")
	d.start("sleep 1000")
	if err := d.StopAll(t.Context()); err != nil {
		t.Error(err)
	}
	for _, p := range d.List() {
		if p.Status != tool.ProcessStopped {
			t.Errorf("%+v", p)
		}
	}
	if p, _ := d.start("true"); p.ID != "p3" {
		t.Errorf("%+v", p)
	}
}

func TestAFailedStartGivesItsIDBack(t *testing.T) {
	d := newDesk(t, func(o *process.Options) { o.Given = 4 })
	failed := &text{}
	_, err := d.Start(t.Context(), tool.StartRequest{Command: "true", Dir: tool.Path{Real: d.dir + "/no"}, Log: func(context.Context, string) (tool.Log, error) { return failed, nil }})
	refused(t, err, tool.CodeSpawn, "does not exist")
	if !failed.closed {
		t.Error("its log is open")
	}
	if p, log := d.start("true"); p.ID != "p5" || log.Path() != "/output/p5.log" {
		t.Errorf("%+v", p)
	}
}

// spec: KH-50
func TestALineIsReadOutOfTheLog(t *testing.T) {
	d := newDesk(t, pipes)
	_, log := d.start("seq 1 1000000; sleep 1000")
	until(t, "not all was printed", func() bool { return d.List()[0].Lines == 1_000_000 })
	if int64(len(log.String())) <= 2<<20 {
		t.Fatal("all of it is in memory")
	}
	for _, n := range []int64{1, 2, 299, 40_000, 654_321, 999_999, 1_000_000} {
		p, err := d.Read(t.Context(), "p1", n, 0)
		if err != nil {
			t.Fatal(err)
		}
		last := min(n+299, 1_000_000)
		var want strings.Builder
		for i := n; i <= last; i++ {
			fmt.Fprintln(&want, i)
		}
		if p.Text != want.String() || p.First != n || p.Last != last || (p.RestLines > 0) != (last < 1_000_000) {
			t.Errorf("from %d: %d to %d, more %v: %.20q", n, p.First, p.Last, p.RestLines > 0, p.Text)
		}
	}
	// Reading from a line moves nothing.
	if p, _ := d.Read(t.Context(), "p1", 0, 0); p.First != 1 || p.Last != 300 || p.RestLines == 0 {
		t.Errorf("%d to %d", p.First, p.Last)
	}
	if p, _ := d.Read(t.Context(), "p1", 0, 0); p.First != 301 || p.Last != 600 {
		t.Errorf("%d to %d", p.First, p.Last)
	}
	if p, _ := d.Read(t.Context(), "p1", 2_000_000, 0); p.Text != "" || p.First != 1_000_001 || p.Last != 1_000_000 || p.RestLines > 0 {
		t.Errorf("%+v", p)
	}
}

func TestAPageHasAtMostTwentyKilobytes(t *testing.T) {
	d := newDesk(t, pipes)
	d.start("head -c 100000 /dev/zero | tr '\\0' x; echo; echo end")
	<-d.told.exited
	var all strings.Builder
	for range 6 {
		p, err := d.Read(t.Context(), "p1", 0, 0)
		if err != nil || len(p.Text) > 20<<10 {
			t.Fatalf("%d bytes, %v", len(p.Text), err)
		}
		all.WriteString(p.Text)
	}
	if all.String() != strings.Repeat("x", 100_000)+"\nend\n" {
		t.Errorf("%d bytes", all.Len())
	}
}

// What the log lost is read from memory as long as it is there, and passed over else.
func TestALogWithHolesIsReadAroundThem(t *testing.T) {
	d := newDesk(t, pipes)
	_, log := d.start("seq 1 10; read x; seq 11 20; read x; seq 21 1000000; echo end; sleep 1000")
	lines := func(n int64) {
		t.Helper()
		until(t, "not all was printed", func() bool { return d.List()[0].Lines == n })
	}
	next := func() {
		t.Helper()
		if err := d.Write(t.Context(), "p1", "\n"); err != nil {
			t.Fatal(err)
		}
	}
	lines(10)
	log.setFull(true)
	next()
	lines(20)
	if p, _ := d.Read(t.Context(), "p1", 15, 0); p.Text != "15\n16\n17\n18\n19\n20\n" {
		t.Errorf("%+v", p)
	}
	log.setFull(false)
	next()
	lines(1_000_001)
	if p, _ := d.Read(t.Context(), "p1", 5, 0); p.Text != "5\n6\n7\n8\n9\n10\n" || p.First != 5 || p.Last != 10 || p.RestLines == 0 {
		t.Errorf("%+v", p)
	}
	p, _ := d.Read(t.Context(), "p1", 15, 0)
	if !strings.HasPrefix(p.Text, "21\n22\n") || p.First != 21 || p.Last != 320 {
		t.Errorf("%d to %d: %.20q", p.First, p.Last, p.Text)
	}
	if p, _ := d.Read(t.Context(), "p1", 500_000, 0); !strings.HasPrefix(p.Text, "500000\n") {
		t.Errorf("%.20q", p.Text)
	}
}

func TestWhatAProcessUsesIsMeasured(t *testing.T) {
	d := newDesk(t)
	d.start("sleep 1000 & sleep 1000 & echo ready; wait")
	d.hear("p1", "ready")
	u, ok := d.Usage("p1")
	if !ok || u.Processes != 3 || u.Memory <= 0 {
		t.Errorf("%+v", u)
	}
	if _, err := d.Stop(t.Context(), "p1"); err != nil {
		t.Fatal(err)
	}
	if u, ok := d.Usage("p1"); ok {
		t.Errorf("%+v", u)
	}
}
