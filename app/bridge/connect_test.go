package bridge

import (
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/connect"
	"countersign/backend/tool"
)

func connected() Caller {
	s := writeSession()
	s.Caller.Version = tool.Mark(" 2.1.332 ")
	return Caller{Session: s, Since: noon.Add(-time.Hour), Process: 4711, Calls: 64, Denied: 1, Last: noon.Add(-time.Minute)}
}

func TestConnectTellsClientsAndWhoIsHere(t *testing.T) {
	stranger := connected()
	stranger.Session.ID, stranger.Session.Caller.Name, stranger.Process = "s2", tool.Mark("mine"), 0
	f := &fakeEngine{
		clients: []connect.Client{
			{ID: "claude", Name: "Claude Code", Command: "claude mcp add", Place: ".mcp.json", Path: "/w/.mcp.json", Real: "/w/kept/mcp.json", State: connect.StateDiffers},
			{ID: "other", Name: "Any other", State: connect.StateNone},
		},
		callers: []Caller{connected(), stranger},
	}
	got, err := newAPI(t, f).Connect()
	if err != nil {
		t.Fatal(err)
	}
	row := CallerRow{
		SessionID: "s1", Title: "Fix it", Name: "Claude Code", Version: "2.1.332", Workspace: "/w", Through: "stdio, process 4711",
		Since: "2026-07-25T11:00:00Z", Calls: 64, Denied: 1, Waiting: 1, LastCall: "2026-07-25T11:59:00Z",
	}
	other := row
	other.SessionID, other.Name, other.Through = "s2", "mine", "stdio"
	want := ConnectView{
		Clients: []ClientRow{
			{ID: "claude", Name: "Claude Code", Command: "claude mcp add", Place: ".mcp.json", Path: "/w/.mcp.json", LinkedTo: "/w/kept/mcp.json", State: "differs", Sessions: 1},
			{ID: "other", Name: "Any other", State: "none"},
		},
		Callers: []CallerRow{row, other},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAChangeOfAClientIsShownAndThenWritten(t *testing.T) {
	f := &fakeEngine{written: true, plan: connect.Plan{
		Client: connect.Client{ID: "claude", Path: "/w/.mcp.json", Real: "/w/.mcp.json", State: connect.StateAbsent},
		Diff:   tool.FileDiff{Path: ".mcp.json", Unified: "+{}", Additions: 1, Created: true}, Hash: "h",
	}}
	a := newAPI(t, f)
	want := ClientPlan{
		Client: ClientRow{ID: "claude", Path: "/w/.mcp.json", State: "absent"}, Hash: "h",
		Diffs: []FileDiff{{Path: ".mcp.json", Absolute: "/w/.mcp.json", Unified: "+{}", Additions: 1, Created: true, Notes: []string{}}},
	}
	got, err := a.PlanClient("claude")
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if got, err = a.WriteClient(ClientWrite{Client: "claude", Hash: "another"}); err != nil || got.Written {
		t.Errorf("%+v %v", got, err)
	}
	if got, err = a.WriteClient(ClientWrite{Client: "claude", Hash: "h"}); err != nil || !got.Written {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := a.WriteClient(ClientWrite{Client: "claude"}); err == nil {
		t.Error("a write without a hash was taken")
	}
	f.plan = connect.Plan{Client: f.plan.Client}
	if got, err := a.PlanClient("claude"); err != nil || len(got.Diffs) > 0 || got.Diffs == nil {
		t.Errorf("nothing to change: %+v %v", got, err)
	}
}

// filesThatBreak has no file that can be read.
type filesThatBreak struct{ err error }

func (f filesThatBreak) Read(string, string) (connect.File, error) { return connect.File{}, f.err }
func (f filesThatBreak) Write(connect.File, []byte) error          { return f.err }

func TestWhyAClientIsNotConnectedIsSaidWithoutItsPath(t *testing.T) {
	facts := connect.Facts{Program: "/c/countersign", Workspace: "/w/secret", UserHome: "/home/me"}
	broken := filesThatBreak{&fs.PathError{Op: "open", Path: "/w/secret/.mcp.json", Err: errors.New("input/output error")}}
	_, err := connect.NewPanel(func() connect.Facts { return facts }, broken).Plan("claude")
	var log strings.Builder
	a := newAPI(t, &fakeEngine{err: err})
	a.log = slog.New(slog.NewTextHandler(&log, nil))
	_, err = a.PlanClient("claude")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code != CodeUnavailable || strings.Contains(e.Message, "secret") {
		t.Errorf("%v", err)
	}
	if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "input/output error") || !strings.Contains(log.String(), "client=claude") {
		t.Errorf("the log has %q", log.String())
	}
	a = newAPI(t, &fakeEngine{err: connect.ErrUnknown})
	if _, err := a.PlanClient("x"); err == nil || !strings.Contains(err.Error(), CodeNotFound) {
		t.Errorf("%v", err)
	}
	if err := newAPI(t, &fakeEngine{err: ErrNotFound}).Disconnect("s1"); err == nil || !strings.Contains(err.Error(), CodeNotFound) {
		t.Errorf("%v", err)
	}
}

// The page can name a client and a change, never a file.
func TestTheWireTakesNoPathForAClient(t *testing.T) {
	a := newAPI(t, &fakeEngine{})
	for _, params := range []string{
		`[{"client":"claude","hash":"h","path":"/etc/passwd"}]`, `["/etc/passwd","h"]`, `[]`, `[{"client":["claude"],"hash":"h"}]`,
	} {
		got := string(Dispatch(a, []byte(`{"id":"1","method":"WriteClient","params":`+params+`}`)))
		if !strings.Contains(got, CodeBadRequest) {
			t.Errorf("%s: %s", params, got)
		}
	}
}
