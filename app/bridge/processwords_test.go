package bridge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// ranCall is a call that was done, with what it told of its program.
func ranCall(id string, code *int, process string, extra map[string]any) session.Invocation {
	return session.Invocation{
		ToolID: id, State: session.StateSucceeded,
		Metadata: tool.Metadata{ExitCode: code, ProcessID: process, Extra: extra},
	}
}

// spec: KH-48, KH-53
func TestTheLineOfAProgram(t *testing.T) {
	n := func(i int) *int { return &i }
	type m = map[string]any
	for _, c := range []struct {
		inv    session.Invocation
		figure string
		failed bool
		run    RunRow
	}{
		{ranCall("bash", n(0), "", m{"cwd": "/w", "log": "/o/bash-1.txt"}), "exit 0", false, RunRow{Ending: "Exit code 0", Dir: "/w", LogPath: "/o/bash-1.txt"}},
		{ranCall("bash", n(1), "", m{"cwd": "/w"}), "exit 1", true, RunRow{Ending: "Exit code 1", Failed: true, Dir: "/w"}},
		{ranCall("bash", nil, "", m{"signal": "SIGKILL"}), "ended by SIGKILL", true, RunRow{Ending: "Ended by SIGKILL", Failed: true}},
		{ranCall("bash", nil, "p4", m{"status": "running"}), "p4 running", false, RunRow{Ending: "Went on as p4", ProcessID: "p4"}},
		{ranCall("bash", n(0), "p4", m{"status": "running"}), "exit 0, p4 running", false, RunRow{Ending: "Exit code 0", ProcessID: "p4"}},
		{ranCall("process", nil, "p3", m{"action": "start", "status": "running"}), "p3 running", false, RunRow{Ending: "Went on as p3", ProcessID: "p3"}},
		{ranCall("process", n(1), "p3", m{"action": "start", "status": "exited"}), "p3 exited, exit 1", true, RunRow{Ending: "Exit code 1", Failed: true, ProcessID: "p3"}},
		{ranCall("process", nil, "p3", m{"action": "read", "status": "running", "newLines": 47.0}), "47 new lines", false, RunRow{Ending: "p3 was running", ProcessID: "p3"}},
		{ranCall("process", n(2), "p3", m{"action": "read", "status": "exited", "newLines": int64(1)}), "1 new line, exited", false, RunRow{Ending: "Exit code 2", ProcessID: "p3"}},
		{ranCall("process", nil, "p3", m{"action": "read", "status": "running", "lines": int64(1200)}), "1,200 lines", false, RunRow{Ending: "p3 was running", ProcessID: "p3"}},
		{ranCall("process", nil, "p3", m{"action": "write", "status": "running", "newLines": 0}), "0 new lines", false, RunRow{Ending: "p3 was running", ProcessID: "p3"}},
		{ranCall("process", n(143), "p3", m{"action": "stop", "status": "stopped"}), "exited", false, RunRow{Ending: "Exit code 143", ProcessID: "p3"}},
		{ranCall("process", nil, "", m{"action": "list", "running": 2}), "2 running", false, RunRow{}},
		// What no tool of ours would write is not told.
		{ranCall("bash", nil, "", m{"signal": "SIG<b>", "cwd": 7}), "", false, RunRow{}},
	} {
		row := callRow(&c.inv, nil, "/w", "")
		if row.Figure != c.figure || row.Failed != c.failed {
			t.Errorf("%v: got %q, failed %t", c.inv.Metadata, row.Figure, row.Failed)
		}
		c.run.Kind = map[string]string{"bash": "command", "process": "process"}[c.inv.ToolID]
		if diff := cmp.Diff(c.run, runRow(&c.inv)); diff != "" {
			t.Errorf("%v: %s", c.inv.Metadata, diff)
		}
	}
	other := session.Invocation{ToolID: "deploy", State: session.StateSucceeded, Metadata: tool.Metadata{ExitCode: n(3)}}
	if runRow(&other) != (RunRow{}) || callRow(&other, nil, "/w", "").Failed {
		t.Error("a call of another tool was told as a program")
	}
}

func TestWhatAPersonDidByHandIsTheirs(t *testing.T) {
	inv := ranCall("process", nil, "p1", map[string]any{"action": "write", "status": "running"})
	inv.CallerTag, inv.DecidedBy = session.TagPerson, "person"
	if by := historyBy(session.HistoryCall{Invocation: inv, Decider: session.DeciderPerson}); by != "done by you" {
		t.Errorf("the history says %q", by)
	}
	if d := decidingOf(&inv, nil); d.verdict != "Done" || d.by != "you" {
		t.Errorf("the call says %q by %q", d.verdict, d.by)
	}
}
