package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

func begun(id string) tool.Process {
	return tool.Process{
		ID: id, PID: 4123, Birth: "boot 1 ticks 77", Command: "npm run dev", Dir: "/w", Input: true, Status: tool.ProcessRunning,
		StartedAt: now, LogPath: "/o/s1/" + id + ".log",
	}
}

func gone(id string, status tool.ProcessStatus, after time.Duration) tool.Process {
	p, code := begun(id), 3
	p.Status, p.Ending.Code, p.Lines, p.Bytes, p.EndedAt = status, &code, 12, 340, now.Add(after)
	return p
}

// spec: KH-49, KH-52, KH-54
func TestAProcessIsWrittenDownFromItsStartToItsEnd(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	must(t, s.BeginProcess(t.Context(), "s1", begun("p1")))
	got, err := s.Process(t.Context(), "s1", "p1")
	must(t, err)
	if d := cmp.Diff(session.Managed{SessionID: "s1", Program: s.Program(), Process: begun("p1")}, got); d != "" {
		t.Error(d)
	}
	// The session was given up meanwhile: its caller left.
	must(t, s.ReleaseSession(t.Context(), "s1"))
	must(t, s.EndProcess(t.Context(), "s1", gone("p1", tool.ProcessExited, time.Second)))
	must(t, s.EndProcess(t.Context(), "s1", gone("p1", tool.ProcessFailed, time.Minute)))
	got, err = s.Process(t.Context(), "s1", "p1")
	must(t, err)
	if d := cmp.Diff(gone("p1", tool.ProcessExited, time.Second), got.Process); d != "" {
		t.Errorf("the end that was stored first stands: %s", d)
	}
	var told []string
	events, err := s.Events(t.Context(), "s1", 0, 100)
	must(t, err)
	for _, e := range events {
		if e.Type == event.ProcessStarted || e.Type == event.ProcessExited {
			told = append(told, string(e.Type)+" "+e.Ref+" "+string(e.Payload))
		}
	}
	want := []string{
		`process.started p1 {"process":"p1","status":"running"}`,
		`process.exited p1 {"process":"p1","status":"exited","exit_code":3}`,
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
	if all, err := s.ProcessesOf(t.Context(), "s1"); err != nil || len(all) != 1 || all[0].ID != "p1" {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAProcessThatIsNotThereIsSaid(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	for name, err := range map[string]error{
		"begin": s.BeginProcess(t.Context(), "s2", begun("p1")), "end": s.EndProcess(t.Context(), "s2", begun("p1")),
	} {
		if !errors.Is(err, session.ErrNoSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.EndProcess(t.Context(), "s1", gone("p1", tool.ProcessExited, 0)); !errors.Is(err, session.ErrNoProcess) {
		t.Error(err)
	}
	if _, err := s.Process(t.Context(), "s1", "p1"); !errors.Is(err, session.ErrNoProcess) {
		t.Error(err)
	}
	must(t, s.BeginProcess(t.Context(), "s1", begun("p1")))
	if err := s.BeginProcess(t.Context(), "s1", begun("p1")); err == nil {
		t.Error("a name was given twice")
	}
}

func TestProcessesThatRunComeFirstAndThenTheLatestThatEnded(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	for _, at := range [][2]string{{"s1", "p1"}, {"s1", "p2"}, {"s2", "p1"}, {"s2", "p2"}} {
		must(t, s.BeginProcess(t.Context(), at[0], begun(at[1])))
	}
	must(t, s.EndProcess(t.Context(), "s1", gone("p1", tool.ProcessStopped, time.Second)))
	must(t, s.EndProcess(t.Context(), "s2", gone("p1", tool.ProcessExited, time.Minute)))
	list := func(limit int) (out []string) {
		all, err := s.Processes(t.Context(), limit)
		must(t, err)
		for _, m := range all {
			out = append(out, m.SessionID+" "+m.ID+" "+string(m.Status))
		}
		return out
	}
	if d := cmp.Diff([]string{"s2 p2 running", "s1 p2 running", "s2 p1 exited", "s1 p1 stopped"}, list(9)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"s2 p2 running", "s1 p2 running", "s2 p1 exited"}, list(1)); d != "" {
		t.Error(d)
	}
	if n, err := s.RunningProcesses(t.Context()); err != nil || n != 2 {
		t.Errorf("%d run, %v", n, err)
	}
}

// spec: KH-52
func TestProcessesOfADeadProgramWereLeft(t *testing.T) {
	home := t.TempDir()
	a, b := at(t, home), at(t, home)
	make1(t, a, "s1")
	must(t, a.BeginProcess(t.Context(), "s1", begun("p1")))
	must(t, a.BeginProcess(t.Context(), "s1", begun("p2")))
	must(t, a.EndProcess(t.Context(), "s1", gone("p2", tool.ProcessExited, 0)))
	for _, s := range []*store.Store{a, b} {
		if left, err := s.LeftProcesses(t.Context()); err != nil || len(left) > 0 {
			t.Errorf("of programs that live: %+v, %v", left, err)
		}
	}
	must(t, a.Close())
	left, err := b.LeftProcesses(t.Context())
	must(t, err)
	if len(left) != 1 || left[0].ID != "p1" || left[0].Program != a.Program() || left[0].Birth != begun("p1").Birth {
		t.Fatalf("%+v", left)
	}
	failed := left[0].Process
	failed.Status, failed.EndedAt = tool.ProcessFailed, time.Time{}
	must(t, b.EndProcess(t.Context(), "s1", failed))
	if got, err := b.Process(t.Context(), "s1", "p1"); err != nil || got.Status != tool.ProcessFailed || got.EndedAt.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
}

// What a process prints has its place as long as it runs, whether or not its caller is there.
//
// spec: KH-17, KH-50
func TestASessionOfWhichAProcessRunsKeepsItsOutput(t *testing.T) {
	home := t.TempDir()
	a, b := at(t, home), at(t, home)
	make1(t, a, "s1")
	must(t, a.BeginProcess(t.Context(), "s1", begun("p1")))
	must(t, a.ReleaseSession(t.Context(), "s1"))
	for _, s := range []*store.Store{a, b} {
		if live, err := s.LiveSessions(t.Context()); err != nil || !cmp.Equal(live, []string{"s1"}) {
			t.Errorf("%q, %v", live, err)
		}
		if may, err := s.RemoveOutputs(t.Context(), "s1"); may || err != nil {
			t.Errorf("%v, %v", may, err)
		}
	}
	must(t, a.EndProcess(t.Context(), "s1", gone("p1", tool.ProcessExited, 0)))
	if may, err := b.RemoveOutputs(t.Context(), "s1"); !may || err != nil {
		t.Errorf("%v, %v", may, err)
	}
}
