package bridge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: VS-25
func TestAnEndedCardSaysWhoOrWhatEndedIt(t *testing.T) {
	byEdit := &tool.Decision{Chain: []tool.Link{
		{Layer: tool.LayerPreset, Verdict: tool.VerdictAllow, Reason: "Preset Edit lets writes inside the workspace run."},
	}}
	byLock := &tool.Decision{ReasonCode: tool.CodePolicyReadOnly, Chain: []tool.Link{
		{Layer: tool.LayerLock, Verdict: tool.VerdictDeny, Reason: "The read-only lock is on."},
	}}
	untrusted := &tool.Decision{ReasonCode: tool.CodePolicyWorkspaceUntrusted, Chain: byLock.Chain}
	for _, c := range []struct {
		r        approval.Request
		decision *tool.Decision
		want     string
	}{
		{approval.Request{Status: approval.StatusPending}, nil, ""},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "person", Resolution: approval.AllowOnce}, nil, "Allowed once by you."},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "person", Resolution: approval.AllowSession}, nil, "Allowed for this session by you."},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "settings"}, byEdit, "Preset Edit let it run."},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "settings"}, nil, "The settings let it run."},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "grant:g1"}, nil, "A grant that you gave let it run."},
		{
			approval.Request{Status: approval.StatusApproved, ResolvedBy: "person", Voided: "The file changed after the card was made."}, nil,
			"Allowed, but not run: the file changed after the card was made.",
		},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "settings", Reason: "It only reads."}, nil, "The settings let it run. It only reads."},
		{approval.Request{Status: approval.StatusApproved, ResolvedBy: "settings", Reason: "Preset Full runs writes."}, nil, "Preset Full let it run."},
		{approval.Request{Status: approval.StatusDenied, ResolvedBy: "settings", Reason: "A hook says no."}, nil, "The settings refused it. A hook says no."},
		{approval.Request{Status: approval.StatusDenied, ResolvedBy: "person"}, nil, "Denied by you."},
		{approval.Request{Status: approval.StatusDenied, ResolvedBy: "settings"}, byLock, "The read-only lock refused it."},
		{approval.Request{Status: approval.StatusDenied, ResolvedBy: "settings"}, untrusted, "Refused: the workspace is not trusted."},
		{
			approval.Request{Status: approval.StatusDenied, ResolvedBy: "settings"},
			&tool.Decision{ReasonCode: tool.CodeNotEnabled}, "Refused: the catalog no longer offers this tool.",
		},
		{approval.Request{Status: approval.StatusDenied, ResolvedBy: "settings"}, nil, "The settings refused it."},
		{approval.Request{Status: approval.StatusExpired, ResolvedBy: "expiry"}, nil, "This call waited too long and expired. It was denied, not run."},
		{approval.Request{Status: approval.StatusCancelled, ResolvedBy: "person"}, nil, "This call was cancelled and never ran: stopped by you."},
		{
			approval.Request{Status: approval.StatusCancelled, ResolvedBy: approval.BySettings}, nil,
			"The settings changed, so this card ended. The call is judged again.",
		},
		{
			approval.Request{Status: approval.StatusCancelled, ResolvedBy: approval.ByFiles}, nil,
			"A file changed, so this card ended. The call is asked again on a new one.",
		},
		{approval.Request{Status: approval.StatusCancelled}, nil, "This call was cancelled and never ran."},
	} {
		if got := endedWords(c.r, c.decision); got != c.want {
			t.Errorf("%s by %q: got %q, want %q", c.r.Status, c.r.ResolvedBy, got, c.want)
		}
	}
}

func TestTheLineOfACallSaysWhatItsRequestKnows(t *testing.T) {
	for _, c := range []struct {
		inv  session.Invocation
		r    approval.Request
		want string
	}{
		{
			session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalUserRejected},
			approval.Request{Words: tool.Mark("use the\n helper")}, "by you, “use the helper”",
		},
		{session.Invocation{State: session.StateDenied, ReasonCode: tool.CodeApprovalUserRejected}, approval.Request{}, "by you"},
		{session.Invocation{State: session.StateCancelled}, approval.Request{Status: approval.StatusCancelled, ResolvedBy: "person"}, "stopped by you"},
		{session.Invocation{State: session.StateCancelled}, approval.Request{CallerLeft: true, LeftWhy: "left"}, "the caller left"},
		{session.Invocation{State: session.StateCancelled}, approval.Request{CallerLeft: true, LeftWhy: "interrupted"}, "the desk closed"},
		{session.Invocation{State: session.StateCancelled}, approval.Request{}, ""},
		{session.Invocation{State: session.StateSucceeded}, approval.Request{CallerLeft: true}, ""},
	} {
		c.inv.ID, c.r.ID, c.r.SessionID = "i1", "a1", "s1"
		f := &fakeEngine{
			sessions: []session.Session{writeSession()}, pending: []approval.Request{c.r},
			entries: []Entry{{Cursor: "1", At: noon, Invocation: &c.inv, Request: &c.r}},
		}
		got, err := newAPI(t, f).SessionPage(newest("s1"))
		if err != nil || got.Items[0].Call.Figure != c.want {
			t.Errorf("%s: got %+v, %v, want %q", c.inv.State, got.Items, err, c.want)
		}
	}
}

func TestACallThatWaitsIsToldLikeAnyOther(t *testing.T) {
	waiting := session.Invocation{
		ID: "i1", Name: tool.Mark("write"), State: session.StateWaiting, Raw: []byte(`{"file_path":"src/cart.ts"}`),
	}
	f := &fakeEngine{
		sessions: []session.Session{writeSession()}, specs: []tool.Spec{writeSpec()},
		entries: []Entry{{Cursor: "1", At: noon, Invocation: &waiting, Heads: session.HeadsOf(waiting.Raw), Request: &approval.Request{ID: "a1"}}},
	}
	got, err := newAPI(t, f).SessionPage(newest("s1"))
	if err != nil {
		t.Fatal(err)
	}
	want := &CallRow{
		ID: "i1", ToolID: "write", Verb: "Write", Subject: "src/cart.ts", State: "waiting_for_approval",
		DurationMs: "0", ApprovalID: "a1",
	}
	if d := cmp.Diff(want, got.Items[0].Call); d != "" {
		t.Error(d)
	}
}

func TestACardThatIsOutOfDateSaysSoBeforeTheAnswer(t *testing.T) {
	f := &fakeEngine{sessions: []session.Session{writeSession()}, pending: []approval.Request{writeRequest()}, drifted: true}
	got, err := newAPI(t, f).Approval("a1")
	if err != nil || !strings.HasPrefix(got.Drift, "The file changed since this card was made.") {
		t.Errorf("got %q, %v", got.Drift, err)
	}
	f.pending[0].Status = approval.StatusDenied
	if got, err = newAPI(t, f).Approval("a1"); err != nil || got.Drift != "" || got.Ended == "" {
		t.Errorf("an ended card: %q, %q, %v", got.Drift, got.Ended, err)
	}
}

func TestTheVerbNamesFilesThatMustNotBeOverlooked(t *testing.T) {
	inside := []tool.Touch{{Path: tool.Path{Zone: tool.ZoneWorkspace, Rel: "a"}}}
	outside := []tool.Touch{{Path: tool.Path{Zone: tool.ZoneOutside, Real: "/etc/x"}}}
	for _, c := range []struct {
		r    approval.Request
		want string
	}{
		{approval.Request{ToolID: "read", Verb: "Read 1 file", Paths: inside}, "Read 1 file"},
		{approval.Request{ToolID: "read", Verb: "Read 1 file", Paths: outside}, "Read 1 file outside the workspace"},
		{approval.Request{ToolID: "read", Verb: "Read 1 file", Paths: inside, Restricted: true}, "Read 1 protected file"},
		{approval.Request{ToolID: "write", Verb: "Create 1 file", Paths: outside}, "Create 1 file outside the workspace"},
		{approval.Request{ToolID: "write", Verb: "Overwrite 1 file", Paths: inside, Restricted: true}, "Overwrite 1 protected file"},
		{approval.Request{ToolID: "demo.external_write", Verb: "Record an external write", Restricted: true}, "Record an external write"},
		{approval.Request{ToolID: "grep", Verb: "Search the text of files", Paths: outside}, "Search the text of files outside the workspace"},
		{approval.Request{ToolID: "bash", Verb: "Run 2 commands", Command: tool.Mark("cat /etc/x"), Paths: outside}, "Run 2 commands"},
		{approval.Request{ToolID: "math.calculate"}, "Calculate"},
	} {
		if got := requestVerb(c.r); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestThePathOfADiffIsThePathItself(t *testing.T) {
	for rel, want := range map[string]string{
		"line1\nAllow once": "line1\nAllow once", "a\u202eb": "a\u202eb", " a ": " a ", "~/.bashrc": "./~/.bashrc", "a": "a",
	} {
		p := tool.Path{Zone: tool.ZoneWorkspace, Rel: rel, Real: "/w/" + rel}
		got := diffRows([]tool.FileDiff{{Path: p.Short()}}, []tool.Touch{{Path: p}})
		if got[0].Path != want || got[0].Absolute != p.Real {
			t.Errorf("%q: got %q, %q", rel, got[0].Path, got[0].Absolute)
		}
	}
	if got := relative("/w/~/x", "/w"); got != "./~/x" {
		t.Errorf("got %q", got)
	}
}

func TestASessionThatIsNamedAfterItsFolderGoesByItsCaller(t *testing.T) {
	s := writeSession()
	s.Title = tool.Mark("w")
	want := "claude-code, " + noon.Local().Format("15:04")
	if got := titleOf(s); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Title = tool.Mark("Fix it")
	if got := titleOf(s); got != "Fix it" {
		t.Errorf("got %q", got)
	}
}

func TestASessionThatIsOverShowsNoSettingsOfNow(t *testing.T) {
	f := &fakeEngine{sessions: []session.Session{writeSession()}}
	got, err := newAPI(t, f).Snapshot()
	if err != nil || got.Sessions[0].Preset != "default" || got.Sessions[0].Catalog != "work" {
		t.Errorf("connected: %+v, %v", got.Sessions, err)
	}
	f.away = true
	if got, err = newAPI(t, f).Snapshot(); err != nil || got.Sessions[0].Preset != "" || got.Sessions[0].Catalog != "" {
		t.Errorf("away: %+v, %v", got.Sessions, err)
	}
}
