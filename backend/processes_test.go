package backend

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/host/process/processtest"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func bashCall(command string) tool.Call {
	return named("bash", map[string]any{"command": command})
}

func named(name string, arguments map[string]any) tool.Call {
	raw, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return tool.Call{ID: "1", Name: name, Arguments: raw}
}

// allowed makes a call that a person allows, and returns how it ended.
func (s scene) allowed(t *testing.T, c tool.Call) tool.Outcome {
	t.Helper()
	done := s.call(t, c)
	q := s.asked(t)
	s.yes(t, q)
	return <-done
}

func (s scene) yes(t *testing.T, q approval.Request) {
	t.Helper()
	r, err := s.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash})
	if err != nil || r.Outcome != approval.OutcomeDone {
		t.Fatal(r.Outcome, err)
	}
}

// started has a process running that wrote its number into a file, and returns that number.
func (s scene) started(t *testing.T, command string) int {
	t.Helper()
	o := s.allowed(t, named("process", map[string]any{"action": "start", "command": "echo $$ > pid; echo up; " + command}))
	if o.Status != tool.StatusSucceeded || o.Metadata.Extra["status"] != "running" {
		t.Fatalf("%+v", o)
	}
	return numberIn(t, s.workspace, "pid")
}

func numberIn(t *testing.T, workspace, file string) int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(workspace, file))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func said(o tool.Outcome) string { return wordsOf(o.Content) }

func wordsOf(content []tool.Part) string {
	text := ""
	for _, p := range content {
		text += p.Text.Open()
	}
	return text
}

// spec: KH-43, KH-47, KH-17
func TestACommandRunsAfterAYesAndItsOutputIsKept(t *testing.T) {
	s := newScene(t)
	done := s.call(t, bashCall("seq 1 100000"))
	q := s.asked(t)
	if q.Command.Open() != "seq 1 100000" || q.Restricted || q.Verb != "Run a command" || len(q.About) != 2 {
		t.Errorf("%+v", q)
	}
	s.yes(t, q)
	o := <-done
	if o.Status != tool.StatusSucceeded || o.OutputTrust != tool.TrustInternalTool || len(said(o)) > 31<<10 {
		t.Fatalf("%s %s, %d bytes", o.Status, o.ReasonCode, len(said(o)))
	}
	// What is stored of the call is what was shown of it; the output is a file.
	stored, err := s.Store().Invocation(t.Context(), o.InvocationID)
	if err != nil || len(stored.Content) != 1 || stored.Content[0].Text.Len() != len(said(o)) {
		t.Errorf("%v", err)
	}
	outputs, err := s.Store().Outputs(t.Context(), s.s.ID())
	if err != nil || len(outputs) != 1 || outputs[0].Bytes != 588895 || outputs[0].Path != o.Metadata.Truncation.SpillPath {
		t.Errorf("%+v, %v", outputs, err)
	}
}

// A command that stays inside runs in Full and is asked for in every other preset; what nobody
// can tell beforehand is asked for in all, and what runs nothing in none.
//
// spec: KH-43, VS-27
func TestWhatRunsCodeIsJudgedByWhatItWouldDo(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	for _, preset := range session.Presets() {
		rules := session.Rules{Preset: preset, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop, Sets: []string{"coding"}}
		s, err := e.OpenSession(t.Context(), SessionRequest{
			Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Rules: &rules, TrustWorkspace: true,
			Allow: []string{"process", "bash"}, Unstored: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			call    tool.Call
			dynamic bool
			inside  bool
		}{
			{bashCall("echo a"), false, true},
			{named("process", map[string]any{"action": "start", "command": "echo a"}), false, true},
			{bashCall("$X"), true, false},
			{bashCall("echo \"a"), false, false},
			{bashCall("cat < /etc/hostname"), false, false},
			{named("process", map[string]any{"action": "write", "id": "p1", "input": "y\n"}), true, false},
		} {
			x := s.Explain(t.Context(), c.call)
			want := tool.VerdictAsk
			if preset == session.PresetFull && c.inside {
				want = tool.VerdictAllow
			}
			if x.Decision == nil || x.Decision.Verdict != want || x.Dynamic != c.dynamic || !slices.Contains(x.Decision.Capabilities, tool.CapProcessExecute) {
				t.Errorf("%s: %s: %+v", preset, c.call.Arguments, x)
			}
		}
		for _, action := range []string{"list", "read", "stop"} {
			x := s.Explain(t.Context(), named("process", map[string]any{"action": action, "id": "p1"}))
			if x.Decision == nil || x.Decision.Verdict != tool.VerdictAllow || x.Dynamic {
				t.Errorf("%s: %s: %+v", preset, action, x)
			}
		}
		s.Close()
	}
}

// spec: KH-16, KH-45, KH-52
func TestACallThatIsStoppedEndsItsCommandAndNoProcess(t *testing.T) {
	s := newScene(t)
	pid := s.started(t, "sleep 1000")
	done := s.call(t, bashCall("echo begun; echo $$ > front; sleep 1000"))
	q := s.asked(t)
	s.yes(t, q)
	front := filepath.Join(s.workspace, "front")
	poll(t, func() bool { raw, err := os.ReadFile(front); return err == nil && strings.HasSuffix(string(raw), "\n") })
	if !s.StopCall(q.InvocationID) {
		t.Fatal("there was no call to stop")
	}
	o := <-done
	text := said(o)
	if o.Status != tool.StatusCancelled || !o.IsError || !strings.HasPrefix(text, "[Tool execution cancelled by user]\nOutput so far: ") {
		t.Fatalf("%+v: %q", o, text)
	}
	path := strings.TrimPrefix(text, "[Tool execution cancelled by user]\nOutput so far: ")
	if raw, err := os.ReadFile(path); err != nil || string(raw) != "begun\n" {
		t.Errorf("%q, %v", raw, err)
	}
	raw, err := os.ReadFile(front)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := strconv.Atoi(strings.TrimSpace(string(raw))); err != nil || processtest.Runs(n) {
		t.Errorf("the command %d still runs, %v", n, err)
	}
	if !processtest.Runs(pid) {
		t.Error("the process was ended, too")
	}
}

// poll waits for what another process does.
func poll(t *testing.T, done func() bool) {
	t.Helper()
	for !done() {
		select {
		case <-t.Context().Done():
			t.Fatal("it did not happen")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// spec: KH-49, KH-52, KH-54
func TestAProcessOutlivesItsCallerAndCanBeStoppedByThePerson(t *testing.T) {
	s := newScene(t)
	pid := s.started(t, "read x; echo got $x; sleep 1000")
	s.s.Close()
	if !processtest.Runs(pid) {
		t.Fatal("it ended with the connection of its caller")
	}
	all, err := s.ManagedProcesses(t.Context())
	if err != nil || len(all) != 1 || !all[0].Here || all[0].Usage == nil || all[0].Usage.Processes < 1 || all[0].Status != tool.ProcessRunning || all[0].PID != pid {
		t.Fatalf("%+v, %v", all, err)
	}
	if n, err := s.RunningProcesses(t.Context()); n != 1 || err != nil {
		t.Errorf("%d run, %v", n, err)
	}
	_, tail, err := s.ProcessTail(t.Context(), s.s.ID(), "p1", -1)
	if err != nil || string(tail.Text) != "up\n" || tail.From != 0 || tail.To != 3 || tail.More || tail.Gap {
		t.Errorf("%+v, %v", tail, err)
	}
	if err := s.WriteProcess(t.Context(), s.s.ID(), "p1", "it\n"); err != nil {
		t.Error(err)
	}
	next(t, s.events, event.ProcessPrinted)
	poll(t, func() bool {
		_, more, err := s.ProcessTail(t.Context(), s.s.ID(), "p1", tail.To)
		return err == nil && string(more.Text) == "got it\n"
	})
	if err := s.StopProcess(t.Context(), s.s.ID(), "p1"); err != nil {
		t.Fatal(err)
	}
	if processtest.Runs(pid) {
		t.Error("it still runs")
	}
	next(t, s.events, event.ProcessExited)
	m, err := s.ManagedProcess(t.Context(), s.s.ID(), "p1")
	if err != nil || m.Status != tool.ProcessStopped || m.EndedAt.IsZero() || m.Usage != nil {
		t.Errorf("%+v, %v", m, err)
	}
	if err := s.WriteProcess(t.Context(), s.s.ID(), "p1", "it\n"); !coded(err, tool.CodeEnded) {
		t.Error(err)
	}
	if err := s.StopProcess(t.Context(), s.s.ID(), "p2"); !errors.Is(err, session.ErrNoProcess) {
		t.Error(err)
	}
	// Its output and its end are in the story of the session.
	var types []string
	events, err := s.Store().Events(t.Context(), s.s.ID(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Ref == "p1" {
			types = append(types, string(e.Type))
		}
	}
	if want := []string{"process.started", "process.exited"}; !slices.Equal(types, want) {
		t.Errorf("%q", types)
	}
}

func coded(err error, code tool.Code) bool {
	own, ok := errors.AsType[*tool.Error](err)
	return ok && own.Code == code
}

// spec: KH-49
func TestASessionThatComesBackFindsItsProcesses(t *testing.T) {
	s := newScene(t)
	s.started(t, "sleep 1000")
	id := s.s.ID()
	s.s.Close()
	again := func() scene {
		back, err := s.OpenSession(t.Context(), SessionRequest{
			ID: id, Workspace: s.workspace, Caller: session.Caller{Kind: session.CallerMCP}, TrustWorkspace: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return scene{s.place, s.Engine, back, s.events}
	}
	back := again()
	o := back.s.Call(t.Context(), named("process", map[string]any{"action": "stop", "id": "p1"}), nil)
	if o.Status != tool.StatusSucceeded || !strings.HasPrefix(said(o), "Stopped p1 ") {
		t.Fatalf("%+v %q", o, said(o))
	}
	// Nothing runs any more, so what ran it is let go of; its names are not given again.
	back.s.Close()
	back = again()
	o = back.allowed(t, named("process", map[string]any{"action": "start", "command": "echo up; sleep 1000"}))
	if o.Metadata.ProcessID != "p2" {
		t.Errorf("%q: %q", o.Metadata.ProcessID, said(o))
	}
	o = back.s.Call(t.Context(), named("process", map[string]any{"action": "read", "id": "p1"}), nil)
	if words := said(o); !strings.HasPrefix(words, "Output of p1 since last read (lines 1–1 of 1):\nup\n[p1 was stopped with exit code ") || !strings.Contains(words, "\nFull log: ") {
		t.Errorf("%q", words)
	}
}

// An id that was given and not used leaves a gap, and the names behind it are taken all the
// same.
//
// spec: KH-49
func TestAGapInTheIDsGivesNoIDTwice(t *testing.T) {
	var all []session.Managed
	for _, id := range []string{"p1", "p3"} {
		all = append(all, session.Managed{Process: tool.Process{ID: id}})
	}
	if got := lastGiven(all); got != 3 {
		t.Errorf("the next would be the one behind %d", got)
	}
}

// A program that ends says what it stops, and leaves nothing running. This is the case
// exec-308.
//
// spec: KH-52
func TestTheEndOfTheProgramEndsProcessesAfterANotice(t *testing.T) {
	var mu sync.Mutex
	var notices []string
	s := newScene(t, func(o *Options) {
		o.Notice = func(words string) {
			mu.Lock()
			defer mu.Unlock()
			notices = append(notices, words)
		}
	})
	pid := s.started(t, "trap '' TERM; sleep 600 & wait")
	s.close(t, s.Engine)
	if processtest.Runs(pid) {
		t.Error("it still runs")
	}
	if want := []string{"Stopping 1 background process: p1 (echo $$ > pid; echo up; trap '' TERM; sleep 600 & wait)."}; !slices.Equal(notices, want) {
		t.Errorf("%q", notices)
	}
	next(t, s.events, event.ProcessesEnding)
	next(t, s.events, event.ProcessExited)
	again := s.open(t, true, "")
	m, err := again.ManagedProcess(t.Context(), s.s.ID(), "p1")
	if err != nil || m.Status != tool.ProcessStopped || m.Here {
		t.Errorf("%+v, %v", m, err)
	}
}

// An end that is hurried kills what would have had time to end by itself.
//
// spec: KH-52
func TestAnEndInAHurryLeavesNothingRunning(t *testing.T) {
	s := newScene(t)
	pid := s.started(t, "trap '' TERM; while :; do sleep 0.1; done")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if processtest.Runs(pid) {
		t.Error("a process runs behind the end of the program")
	}
}

// A program that ends while a command runs ends the command, whatever that thinks of it.
//
// spec: KH-45
func TestTheEndOfTheProgramEndsACommandThatIsWaitedFor(t *testing.T) {
	s := newScene(t)
	done := s.call(t, bashCall("trap '' TERM INT HUP; echo $$ > pid; touch up; while :; do sleep 1000; done"))
	q := s.asked(t)
	s.yes(t, q)
	poll(t, func() bool { _, err := os.Stat(filepath.Join(s.workspace, "up")); return err == nil })
	s.close(t, s.Engine)
	if o := <-done; o.Status != tool.StatusCancelled {
		t.Errorf("%+v", o)
	}
	if pid := numberIn(t, s.workspace, "pid"); processtest.Runs(pid) {
		t.Errorf("%d still runs", pid)
	}
}

// What a program that was killed had left running is ended by the next, and written down as
// lost; what belongs to a program that lives is left alone.
//
// spec: KH-52, KH-61
func TestProcessesOfAKilledProgramAreEndedByTheNext(t *testing.T) {
	home, workspace := filepath.Join(t.TempDir(), "home"), t.TempDir()
	killedAt(t, home, workspace, registry.StepExecute, "process", `{"action":"start","command":"echo $$ > pid; sleep 1000 & echo $! > child; wait"}`)
	pid := numberIn(t, workspace, "pid")
	e, err := engineAt(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	if child := numberIn(t, workspace, "child"); processtest.Runs(pid) || processtest.Runs(child) {
		t.Errorf("left running: %d %v, %d %v", pid, processtest.Runs(pid), child, processtest.Runs(child))
	}
	all, err := e.ManagedProcesses(t.Context())
	if err != nil || len(all) != 1 || all[0].Status != tool.ProcessFailed || all[0].EndedAt.IsZero() {
		t.Fatalf("%+v, %v", all, err)
	}
	back, err := e.OpenSession(t.Context(), SessionRequest{
		ID: all[0].SessionID, Workspace: workspace, Caller: session.Caller{Kind: session.CallerMCP}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	o := back.Call(t.Context(), named("process", map[string]any{"action": "read", "id": "p1"}), nil)
	if words := said(o); o.Status != tool.StatusSucceeded || !strings.Contains(words, "ended with the program that kept it, so that its exit code is not known") || !strings.Contains(words, all[0].LogPath) {
		t.Errorf("%+v %q", o, words)
	}
}

// A command that was waited for when the program was killed is written down nowhere, and is
// found by its mark. This is the report iss-131.
//
// spec: KH-45, KH-52
func TestTheCommandOfAKilledProgramIsEndedByTheNext(t *testing.T) {
	home, workspace := filepath.Join(t.TempDir(), "home"), t.TempDir()
	child := exec.Command(os.Args[0], home, workspace, "bash", `{"command":"(setsid sleep 1000 & echo $! > child); echo $$ > pid; sleep 1000"}`)
	child.Env = append(os.Environ(), killStep+"=99")
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	poll(t, func() bool {
		raw, err := os.ReadFile(filepath.Join(workspace, "pid"))
		return err == nil && strings.HasSuffix(string(raw), "\n")
	})
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	e, err := engineAt(t.Context(), home, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	for _, file := range []string{"pid", "child"} {
		if pid := numberIn(t, workspace, file); processtest.Runs(pid) {
			t.Errorf("%s: %d still runs", file, pid)
		}
	}
}

// spec: KH-52
func TestProcessesOfAProgramThatLivesAreLeftAlone(t *testing.T) {
	s := newScene(t)
	pid := s.started(t, "sleep 1000")
	other := s.open(t, false, "")
	if !processtest.Runs(pid) {
		t.Fatal("another program ended it")
	}
	m, err := other.ManagedProcess(t.Context(), s.s.ID(), "p1")
	if err != nil || m.Here || m.Status != tool.ProcessRunning {
		t.Errorf("%+v, %v", m, err)
	}
	if err := other.StopProcess(t.Context(), s.s.ID(), "p1"); !errors.Is(err, ErrNotHere) {
		t.Error(err)
	}
	if _, tail, err := other.ProcessTail(t.Context(), s.s.ID(), "p1", -1); err != nil || string(tail.Text) != "up\n" {
		t.Errorf("%+v, %v", tail, err)
	}
}

// A process may print without end: its log has an end and says so, and the process goes on.
// This is the case exec-307.
//
// spec: KH-17, KH-50
func TestTheLogOfAProcessIsBounded(t *testing.T) {
	const most = 1 << 20
	s := newScene(t, func(o *Options) { o.OutputCap = most })
	s.started(t, "yes")
	var m Managed
	var err error
	poll(t, func() bool {
		m, err = s.ManagedProcess(t.Context(), s.s.ID(), "p1")
		return err != nil || m.Bytes > 4*most
	})
	if err != nil || m.Status != tool.ProcessRunning || m.Lost == 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	o := s.s.Call(t.Context(), named("process", map[string]any{"action": "read", "id": "p1"}), nil)
	if o.Status != tool.StatusSucceeded || !strings.Contains(said(o), "\ny\ny\n") {
		t.Errorf("%+v: %.200q", o, said(o))
	}
	if err := s.StopProcess(t.Context(), s.s.ID(), "p1"); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(m.LogPath)
	if err != nil || len(log) > most || !strings.HasSuffix(string(log), " bytes could not be kept here ...]\n") {
		t.Errorf("%d bytes ending in %.60q, %v", len(log), log[max(0, len(log)-60):], err)
	}
}
