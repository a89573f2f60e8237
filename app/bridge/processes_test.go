package bridge

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func managed(change func(*backend.Managed)) backend.Managed {
	m := backend.Managed{Here: true, Managed: session.Managed{SessionID: "s1", Program: "p", Process: tool.Process{
		ID: "p3", PID: 4123, Command: "npm run dev\u202e", Dir: "/w", Input: true, Status: tool.ProcessRunning,
		StartedAt: noon, LogPath: "/o/s1/p3.log", Lines: 12, Bytes: 340,
	}}}
	if change != nil {
		change(&m)
	}
	return m
}

// spec: KH-49, KH-53
func TestAProcessIsToldWithItsSessionAndItsUse(t *testing.T) {
	f := &fakeEngine{sessions: []session.Session{writeSession()}, processes: []backend.Managed{managed(func(m *backend.Managed) {
		m.Usage = &tool.Usage{CPU: 1500 * time.Millisecond, Memory: 1 << 20, Processes: 3}
	})}}
	got, err := newAPI(t, f).Processes()
	if err != nil {
		t.Fatal(err)
	}
	want := ProcessList{Now: stamp(noon), Rows: []ProcessRow{{
		SessionID: "s1", ID: "p3", Title: "Fix it", Caller: "claude-code", Workspace: "/w", Command: "npm run dev\u202e", Dir: "/w",
		PID: "4123", Status: "running", StatusWords: "Running", StartedAt: stamp(noon), Measured: true, CPUMs: "1500", MemoryBytes: "1048576",
		Count: 3, Lines: "12", Bytes: "340", LogPath: "/o/s1/p3.log", Input: true, Stop: true,
	}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAProcessIsToldAsItStands(t *testing.T) {
	one, none := 1, 0
	ended := func(status tool.ProcessStatus, e tool.Ending) func(*backend.Managed) {
		return func(m *backend.Managed) { m.Status, m.Ending, m.EndedAt = status, e, noon }
	}
	for name, c := range map[string]struct {
		change            func(*backend.Managed)
		words             string
		failed, stop, put bool
		fixed             string
	}{
		"runs":           {nil, "Running", false, true, true, ""},
		"takes no input": {func(m *backend.Managed) { m.Input = false }, "Running", false, true, false, noInput},
		"kept elsewhere": {func(m *backend.Managed) { m.Here = false }, "Running", false, false, false, elsewhere},
		"well":           {ended(tool.ProcessExited, tool.Ending{Code: &none}), "Exited with code 0", false, false, false, ""},
		"not well":       {ended(tool.ProcessExited, tool.Ending{Code: &one}), "Exited with code 1", true, false, false, ""},
		"by a signal":    {ended(tool.ProcessExited, tool.Ending{Signal: "SIGSEGV"}), "Ended by SIGSEGV", true, false, false, ""},
		"stopped":        {ended(tool.ProcessStopped, tool.Ending{Signal: "SIGTERM"}), "Stopped", false, false, false, ""},
		"lost":           {ended(tool.ProcessFailed, tool.Ending{}), "Lost with the program that kept it", true, false, false, ""},
	} {
		row := processRow(managed(c.change), writeSession())
		if row.StatusWords != c.words || row.Failed != c.failed || row.Stop != c.stop || row.Input != c.put || row.Fixed != c.fixed {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

func TestTheTailOfAProcessIsData(t *testing.T) {
	f := &fakeEngine{sessions: []session.Session{writeSession()}, processes: []backend.Managed{managed(nil)}, part: backend.Part{
		Text: []byte("\x1b[31m<b>red\xff\n"), From: 5, To: 17, Gap: true, More: true,
	}}
	got, err := newAPI(t, f).ProcessTail(ProcessTailRequest{SessionID: "s1", ID: "p3"})
	if err != nil || f.partFrom != -1 {
		t.Fatal(f.partFrom, err)
	}
	want := ProcessTail{Row: processRow(managed(nil), writeSession()), Text: "\x1b[31m<b>red\uFFFD\n", From: "5", To: "17", Gap: true, More: true}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	f.processes[0].Lost = 1
	if got, err := newAPI(t, f).ProcessTail(ProcessTailRequest{SessionID: "s1", ID: "p3"}); err != nil || !strings.HasPrefix(got.Lost, "Some of what it printed") {
		t.Errorf("%q, %v", got.Lost, err)
	}
	f.processes[0].LogPath = ""
	if got, err := newAPI(t, f).ProcessTail(ProcessTailRequest{SessionID: "s1", ID: "p3"}); err != nil || !strings.HasPrefix(got.Lost, "There was no room") {
		t.Errorf("%q, %v", got.Lost, err)
	}
	if _, err := newAPI(t, f).ProcessTail(ProcessTailRequest{SessionID: "s1", ID: "p3", From: "17"}); err != nil || f.partFrom != 17 {
		t.Error(f.partFrom, err)
	}
	for _, from := range []string{"-1", "x", "99999999999999999999"} {
		if _, err := newAPI(t, f).ProcessTail(ProcessTailRequest{SessionID: "s1", ID: "p3", From: from}); err == nil || !strings.Contains(err.Error(), CodeInvalid) {
			t.Errorf("%s: %v", from, err)
		}
	}
}

func TestAPersonWritesToAProcessAndStopsIt(t *testing.T) {
	f := &fakeEngine{}
	api := newAPI(t, f)
	if err := api.WriteProcess(ProcessInput{SessionID: "s1", ID: "p3", Text: "y\n"}); err != nil || f.sent != "s1 p3 y\n" {
		t.Error(f.sent, err)
	}
	if err := api.StopProcess(ProcessRef{SessionID: "s1", ID: "p3"}); err != nil || f.stopped != "s1 p3" {
		t.Error(f.stopped, err)
	}
	for _, text := range []string{"", "\xff", strings.Repeat("x", maxInput+1)} {
		if err := api.WriteProcess(ProcessInput{SessionID: "s1", ID: "p3", Text: text}); err == nil || !strings.Contains(err.Error(), CodeInvalid) {
			t.Errorf("%.9q: %v", text, err)
		}
	}
	long := strings.Repeat("x", maxID+1)
	if err := api.StopProcess(ProcessRef{SessionID: long, ID: "p3"}); err == nil || !strings.Contains(err.Error(), CodeInvalid) {
		t.Error(err)
	}
}

func TestWhyAProcessCouldNotBeReachedIsSaid(t *testing.T) {
	for want, cause := range map[string]error{
		elsewhere: backend.ErrNotHere, noInput: tool.Errorf(tool.CodeNoInput, "x"), "Nothing was sent": tool.Errorf(tool.CodeEnded, "x"),
		"does not read now": tool.Errorf(tool.CodeNotTaken, "x"), "not there any more": ErrNotFound, "could not be ended": tool.Errorf(tool.CodeExecutionFailed, "x"),
		"took too long": context.DeadlineExceeded, "Something went wrong": errors.New("secret"),
	} {
		err := newAPI(t, &fakeEngine{err: cause}).WriteProcess(ProcessInput{SessionID: "s1", ID: "p3", Text: "y"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", cause, err)
		}
	}
	// What ended by itself meanwhile is as ended as was wished.
	if err := newAPI(t, &fakeEngine{err: tool.Errorf(tool.CodeEnded, "x")}).StopProcess(ProcessRef{SessionID: "s1", ID: "p3"}); err != nil {
		t.Error(err)
	}
}
