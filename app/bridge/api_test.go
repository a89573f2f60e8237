package bridge

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// spec: VS-25
func TestACardShowsEverythingNeededToDecide(t *testing.T) {
	f := &fakeEngine{sessions: []session.Session{writeSession()}, pending: []approval.Request{writeRequest()}, specs: []tool.Spec{writeSpec()}}
	got, err := newAPI(t, f).Approval("a1")
	if err != nil {
		t.Fatal(err)
	}
	want := ApprovalCard{
		Row: ApprovalRow{
			ID: "a1", SessionID: "s1", SessionTitle: "Fix it", InvocationID: "i1", Workspace: "/w", Caller: "claude-code", CallerKind: "mcp",
			ToolID: "write", Verb: "Create 1 file", Short: "Write", Subject: "notes.md", Risk: "medium", Status: "pending",
			CreatedAt: "2026-07-25T12:00:00Z", ExpiresAt: "2026-07-26T12:00:00Z",
		},
		Wire: "write", Set: "coding", Origin: "built in", Preview: "diff",
		Diffs: []FileDiff{{Path: "notes.md", Absolute: "/w/notes.md", Unified: "+a", Additions: 2, Created: true, Notes: []string{}}},
		Paths: []PathRow{{Path: "notes.md", Absolute: "/w/notes.md", Access: "write", Zone: "workspace"}},
		About: []AboutRow{},
		Arguments: []ArgumentRow{
			{Name: "content", Value: "a\nb", Type: "text, required", Description: "All of it."},
			{Name: "file_path", Value: "/w/notes.md", Type: "text, required", Description: "File to write."},
			{Name: "mode", Value: "12345678901234567890", Type: "whole number", Description: "Bits."},
			{Name: "extra", Value: "[1.50]"},
		},
		Canonical: `{"content":"a\nb","extra":[1.50],"file_path":"/w/notes.md","mode":12345678901234567890}`,
		Hash:      "0123456789abcdef", HashShort: "0123456789ab",
		Why:     []Why{{Layer: "preset", Verdict: "ask", Text: "Default asks before every write.", Setting: "presets"}},
		Dangers: []string{}, Changed: Changed{Fields: []ChangedField{}},
		Hidden: []HiddenRow{},
		Offers: []OfferRow{{
			Choices: []ChoiceRow{{Kind: "file", Value: "/w/notes.md", Words: "Later writes to notes.md", Key: "write notes.md"}}, Odd: []OddRow{}, Lives: []string{},
		}},
		Odd: []OddRow{}, Listing: CommandListing{Steps: []CommandRow{}}, Marker: "",
		Class: ClassRow{
			SideEffect: "Writes to the workspace", Risk: "medium", Idempotency: "Repeating changes nothing more",
			Action: "Tool call", OutputTrust: "A built-in tool", Scopes: []string{}, Target: "On this machine",
			TimeoutMs: "10000", OnTimeout: "Stopped", MaxBytes: "1000",
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAHighRiskIsHeld(t *testing.T) {
	for risk, want := range map[tool.Risk]bool{
		tool.RiskLow: false, tool.RiskMedium: false, tool.RiskHigh: true, tool.RiskCritical: true, "new": true,
	} {
		r := writeRequest()
		r.Risk = risk
		if got := card(r, writeSession(), nil).Hold; got != want {
			t.Errorf("%s: hold %v", risk, got)
		}
	}
}

func TestACardNamesTheDangerOfItsPaths(t *testing.T) {
	r := writeRequest()
	r.Restricted, r.Dangers = true, []string{"holds private keys", "holds passwords or tokens"}
	if d := cmp.Diff(r.Dangers, card(r, writeSession(), nil).Dangers); d != "" {
		t.Error(d)
	}
}

func TestSnapshot(t *testing.T) {
	later := writeRequest()
	f := &fakeEngine{
		sessions: []session.Session{writeSession()}, pending: []approval.Request{later}, health: "The disk is full.",
		questions: []Question{{Root: "/w", Workspace: "/w", AskedBy: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("codex")}, CreatedAt: noon, Waiting: 3}},
	}
	got, err := newAPI(t, f).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"claude-code"}, got.Desk.Callers); d != "" {
		t.Error(d)
	}
	if got.Desk.StoreHealthy || got.Desk.StoreWords != "The disk is full." {
		t.Errorf("a store that cannot write is not said: %+v", got.Desk)
	}
	if len(got.Sessions) != 1 || len(got.Approvals) != 1 || len(got.Trust) != 1 || got.Trust[0].Waiting != 3 || len(got.Desk.Presets) != 5 {
		t.Errorf("got %+v", got)
	}
}

func TestTheTimelineLeavesOutWhatIsInsideACall(t *testing.T) {
	inv := session.Invocation{ID: "i1", ToolID: "read", State: session.StateSucceeded, ProposedAt: noon, Canonical: []byte(`{"file_path":"/w/docs/a.md"}`)}
	f := &fakeEngine{sessions: []session.Session{writeSession()}, entries: []Entry{
		{Cursor: "1", At: noon, Message: &session.Message{ID: "m1", Role: session.RoleUser, Text: tool.Mark("do it")}},
		{Cursor: "2", At: noon, Message: &session.Message{ID: "m2", Role: session.RoleAssistant}},
		{Cursor: "3", At: noon, Invocation: &inv, Heads: session.HeadsOf(inv.Canonical), Request: &approval.Request{ID: "a1"}},
		{Cursor: "4", At: noon, Message: &session.Message{ID: "m3", Role: session.RoleTool, Text: tool.Mark("result")}},
	}}
	got, err := newAPI(t, f).SessionPage(newest("s1"))
	if err != nil {
		t.Fatal(err)
	}
	want := []TimelineItem{
		{ID: "m1", Cursor: "1", At: "2026-07-25T12:00:00Z", Message: &Message{Role: "user", Text: "do it"}},
		{ID: "i1", Cursor: "3", At: "2026-07-25T12:00:00Z", Call: &CallRow{
			ID: "i1", ToolID: "read", Verb: "Read", Subject: "docs/a.md", State: "succeeded", At: "2026-07-25T12:00:00Z",
			DurationMs: "0", ApprovalID: "a1",
		}},
	}
	if d := cmp.Diff(want, got.Items); d != "" {
		t.Error(d)
	}
}

// spec: VS-19
func TestAnAnswerIsCheckedAndItsEndIsTold(t *testing.T) {
	good := AnswerRequest{ID: "a1", Resolution: "allow_once", Hash: "0123456789abcdef"}
	for name, bad := range map[string]AnswerRequest{
		"resolution": {ID: "a1", Resolution: "always", Hash: "x"},
		"hash":       {ID: "a1", Resolution: "deny"},
		"words":      {ID: "a1", Resolution: "deny", Hash: "x", Words: strings.Repeat("é", approval.MaxWords+1)},
		"stop":       {ID: "a1", Resolution: "allow_once", Hash: "x", Stop: true},
		"chosen":     {ID: "a1", Resolution: "allow_once", Hash: "x", Chosen: []ChoiceRef{{Kind: "tool"}}},
		"keep":       {ID: "a1", Resolution: "allow_session", Hash: "x", Keep: [][]int{{0}}},
	} {
		f := &fakeEngine{}
		_, err := newAPI(t, f).Answer(bad)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != CodeInvalid || e.Fields[name] == "" || f.given != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, outcome := range []string{"done", "same", "conflict", "kept", "gone"} {
		f := &fakeEngine{sessions: []session.Session{writeSession()}, answered: Answered{Outcome: outcome, Request: writeRequest()}}
		got, err := newAPI(t, f).Answer(good)
		if err != nil || got.Outcome != outcome || got.Words == "" || got.Card.Row.ID != "a1" {
			t.Errorf("%s: %+v, %v", outcome, got, err)
		}
		if d := cmp.Diff(&approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: good.Hash}, f.given); d != "" {
			t.Error(d)
		}
	}
}

func TestSettingsThatDoNotExistAreRefusedByField(t *testing.T) {
	for field, p := range map[string]RulesPatch{
		"preset": {Preset: "auto"}, "catalog": {Catalog: "all"}, "profile": {Profile: "loose"}, "readOnly": {ReadOnly: "true"}, "theme": {Theme: "blue"},
	} {
		f := &fakeEngine{}
		_, err := newAPI(t, f).SetRules(p)
		if e, ok := errors.AsType[*Error](err); !ok || e.Fields[field] == "" || f.patched != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
	f := &fakeEngine{}
	if _, err := newAPI(t, f).SetRules(RulesPatch{Preset: "edit"}); err != nil || f.patched == nil {
		t.Errorf("a good patch: %v", err)
	}
}

// callAll calls every method of the API with zero arguments.
func callAll(a *API) map[string]error {
	out := map[string]error{}
	v := reflect.ValueOf(a)
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		in := []reflect.Value{}
		for j := 1; j < m.Type.NumIn(); j++ {
			in = append(in, reflect.Zero(m.Type.In(j)))
		}
		results := v.Method(i).Call(in)
		err, _ := results[len(results)-1].Interface().(error)
		out[m.Name] = err
	}
	return out
}

func TestEveryMethodSurvivesAnEngineThatPanics(t *testing.T) {
	var log strings.Builder
	a := newAPI(t, &fakeEngine{})
	a.engine = nil // every use of it panics
	a.log = slog.New(slog.NewTextHandler(&log, nil))
	for name, err := range callAll(a) {
		if (name == "ReportFault" || name == "PathRules") && err == nil {
			continue // they ask nothing of the engine
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || (e.Code != CodeInternal && e.Code != CodeInvalid) || e.Fields == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := &fakeEngine{panics: true}
	a.engine = f
	if _, err := a.Snapshot(); err == nil {
		t.Error("a panic was not reported")
	}
	if strings.Contains(log.String(), "secret text") {
		t.Error("the value of a panic reached the log")
	}
}

func TestAFaultCarriesNoCause(t *testing.T) {
	secret := "/home/me/secret"
	for _, c := range []struct {
		err  error
		code string
	}{
		{errors.New(secret), CodeInternal},
		{ErrNotFound, CodeNotFound},
		{context.Canceled, CodeUnavailable},
		{tool.Errorf(tool.CodeStorageUnavailable, "write %s", secret), string(tool.CodeStorageUnavailable)},
		{tool.Errorf("tool.unheard_of", "write %s", secret), CodeInternal},
	} {
		_, err := newAPI(t, &fakeEngine{err: c.err}).Snapshot()
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != c.code || e.Message == "" || strings.Contains(e.Message, secret) {
			t.Errorf("%s: %v", c.code, err)
		}
	}
}

func TestTasksNeedAModelAndText(t *testing.T) {
	a := newAPI(t, &fakeEngine{})
	if _, err := a.StartTask(TaskRequest{}); err == nil {
		t.Error("an empty task was taken")
	}
	a.model = ""
	if _, err := a.StartTask(TaskRequest{Text: "go"}); err == nil {
		t.Error("a task was taken without a model")
	}
}

func TestACardSaysHowMuchOfItsExactArgumentsIsNotThere(t *testing.T) {
	r := writeRequest()
	text := `{"content":"` + strings.Repeat("é", maxArgumentText/2) + `"}`
	for left, canonical := range map[int]string{0: text[:maxArgumentText-1], len(text) - maxArgumentText: text} {
		r.Canonical = []byte(canonical)
		c := card(r, writeSession(), nil)
		if c.CanonicalLeft != left || len(c.Canonical) > maxArgumentText+3 || strings.Contains(c.Canonical, "not shown") {
			t.Errorf("%d bytes of %d are left out, %d are there", c.CanonicalLeft, len(canonical), len(c.Canonical))
		}
	}
}
