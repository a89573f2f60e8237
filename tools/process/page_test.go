package process_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/bound"
	"countersign/backend/tool"
	"countersign/tools/process"
	"countersign/tools/scenariotest"
)

// canned is a machine with one process, which every read and write finds as it is.
type canned struct {
	tool.Processes
	page tool.Page
	err  error
}

func (c canned) List() []tool.Process { return []tool.Process{c.page.Process} }

func (c canned) Start(context.Context, tool.StartRequest) (tool.Process, error) {
	return c.page.Process, c.err
}

func (c canned) Read(context.Context, string, int64, time.Duration) (tool.Page, error) {
	return c.page, nil
}

func (c canned) Write(context.Context, string, string) error { return c.err }

func call(t *testing.T, c canned, arguments string) (tool.Result, string, error) {
	t.Helper()
	return scenariotest.InFolderRaw(t, t.Context(), process.Spec(), tool.Host{Processes: c, Clock: scenariotest.Still{}}, arguments)
}

func server() tool.Process {
	return tool.Process{
		ID: "p3", PID: 41232, Command: "npm run dev", Dir: "/w", Input: true, Status: tool.ProcessRunning,
		StartedAt: scenariotest.Noon.Add(-(4*time.Minute + 32*time.Second)), LogPath: "/o/s/p3.log", Lines: 1000, Bytes: 58 << 10,
	}
}

// spec: KH-18, KH-50, KH-56
func TestAPageThatIsFullSaysHowMuchFollows(t *testing.T) {
	text := strings.Repeat("line\n", 300)
	page := tool.Page{Text: text, First: 84, Last: 383, RestLines: 617, RestBytes: 40 << 10, Process: server()}
	r, got, err := call(t, canned{page: page}, `{"action":"read","id":"p3"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := "Output of p3 since last read (lines 84–383 of 1,000):\n" + text + bound.Marker(617, 40<<10, "/o/s/p3.log")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	truncation := &tool.Truncation{OriginalBytes: 1500 + 40<<10, OriginalLines: 917, ShownHeadLines: 300, OmittedLines: 617, SpillPath: "/o/s/p3.log"}
	if d := cmp.Diff(truncation, r.Metadata.Truncation); d != "" || r.Metadata.Title != "Process read p3 · 300 new lines" {
		t.Error(r.Metadata.Title, d)
	}
	if !bound.Fits(got, process.Spec().Bounding) {
		t.Error("it would be cut once more")
	}
}

// spec: KH-50, KH-56
func TestAListTellsAgesAndNumbers(t *testing.T) {
	_, got, err := call(t, canned{page: tool.Page{Process: server()}}, `{"action":"list"}`)
	if err != nil || got != "PROCESSES\np3  npm run dev  running  04:32  pid 41232" {
		t.Errorf("%q, %v", got, err)
	}
	old := server()
	old.StartedAt = scenariotest.Noon.Add(-25*time.Hour - time.Second)
	old.Command = strings.Repeat("x", 200) + "\n\x1b[31m"
	_, got, err = call(t, canned{page: tool.Page{Process: old}}, `{"action":"list"}`)
	if want := "PROCESSES\np3  " + strings.Repeat("x", 60) + "…  running  25:00:01  pid 41232"; err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}

// What the machine says of a text that was not taken goes to the caller as it is; one that
// ended meanwhile is told of as it stands.
//
// spec: KH-53
func TestATextThatWasNotTakenIsSaid(t *testing.T) {
	c := canned{page: tool.Page{Process: server()}, err: tool.Errorf(tool.CodeNotTaken, "x").WithText("5 of 9 bytes were sent. The process does not read the rest now.")}
	_, got, err := call(t, c, `{"action":"write","id":"p3","input":"some text"}`)
	if scenariotest.Code(err) != tool.CodeNotTaken || !strings.HasPrefix(got, "5 of 9 bytes") {
		t.Errorf("%q, %v", got, err)
	}
	c.err = tool.Errorf(tool.CodeEnded, "x")
	if _, got, err = call(t, c, `{"action":"write","id":"p3","input":"some text"}`); scenariotest.Code(err) != tool.CodeEnded || !strings.HasPrefix(got, "Cannot write to p3 (npm run dev)") {
		t.Errorf("%q, %v", got, err)
	}
}

// spec: KH-2, KH-55
func TestTheSchemaOfProcess(t *testing.T) {
	scenariotest.Schema(t, process.Spec(), 5, map[string]bool{
		`{"action":"list"}`: true, `{"action":"start","command":"x"}`: true, `{"action":"read","id":"p1","offset":1}`: true,
		`{}`: false, `{"action":"kill"}`: false, `{"action":"read","id":"p1","offset":0}`: false, `{"action":"read","id":1}`: false,
		`{"action":"list","cwd":"/"}`: false,
	})
}

// A last line that has no end yet is the last line all the same.
//
// spec: KH-50, KH-56
func TestALineBehindTheEndIsSaid(t *testing.T) {
	p := server()
	for offset, want := range map[string]string{
		"1001": "Line 1,001 is beyond the output of p3 (still running, 1,000 lines total).",
		"1000": "No new output from p3 since last read (still running, 1,000 lines total). Use offset to re-read earlier output.",
	} {
		_, got, err := call(t, canned{page: tool.Page{First: 1000, Last: 999, Process: p}}, `{"action":"read","id":"p3","offset":`+offset+`}`)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", offset, got, err)
		}
	}
}

// spec: KH-50, KH-56
func TestAnOutputThatWasRemovedIsSaid(t *testing.T) {
	p := server()
	p.Status, p.Ending.Signal, p.LogPath = tool.ProcessStopped, "SIGTERM", ""
	for _, arguments := range []string{`{"action":"read","id":"p3"}`, `{"action":"read","id":"p3","offset":7}`} {
		_, got, err := call(t, canned{page: tool.Page{First: 1001, Last: 1000, Gone: true, Process: p}}, arguments)
		if want := "The output of p3 is not kept any more (was stopped with exit code null (SIGTERM), 1,000 lines total)."; err != nil || got != want {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// several is a machine with more processes.
type several struct {
	canned
	all []tool.Process
}

func (s several) List() []tool.Process { return s.all }

// spec: KH-56
func TestTheColumnsOfAListStandBelowEachOther(t *testing.T) {
	long, short := server(), server()
	long.ID, short.Command = "p10", "top"
	m := several{all: []tool.Process{short, long}}
	_, got, err := scenariotest.InFolderRaw(t, t.Context(), process.Spec(), tool.Host{Processes: m, Clock: scenariotest.Still{}}, `{"action":"list"}`)
	want := "PROCESSES\np3   top          running  04:32  pid 41232\np10  npm run dev  running  04:32  pid 41232"
	if err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}
