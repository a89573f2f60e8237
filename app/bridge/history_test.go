package bridge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// pastCall is a write that a person denied with words.
func pastCall() session.HistoryCall {
	return session.HistoryCall{
		Invocation: session.Invocation{
			ID: "i1", SessionID: "s1", ToolID: "write", State: session.StateDenied, Risk: tool.RiskMedium, ProposedAt: noon, DecidedBy: "person",
			ReasonCode: tool.CodeApprovalUserRejected,
		},
		Heads:  map[string]session.Head{"file_path": {Text: tool.Mark("/w/src/\u202ecart.ts")}, "content": {Text: tool.Mark("hidden")}},
		Cursor: session.Cursor{At: noon.UnixMilli(), Num: 7}, Ending: session.EndingDenied, Decider: session.DeciderPerson,
		Session: writeSession(), Ordinal: 42,
		Request: &session.HistoryRequest{ID: "a1", Status: "denied", Resolution: "deny", ResolvedBy: "person", Words: tool.Mark("one  package\nis enough")},
	}
}

func TestTheHistoryTellsCallsAsTheTimelineDoes(t *testing.T) {
	f := &fakeEngine{past: session.HistoryPage{
		Calls: []session.HistoryCall{pastCall()}, Next: session.Cursor{At: 5, Num: 6}, ReachedAt: noon.Add(-time.Hour),
	}}
	got, err := newAPI(t, f).History(HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want := HistoryPage{
		Rows: []HistoryRow{{
			Call: CallRow{
				ID: "i1", ToolID: "write", Verb: "Write", Subject: "src/\u202ecart.ts", State: "denied", Figure: "by you, “one package is enough”",
				At: "2026-07-25T12:00:00Z", DurationMs: "0", ApprovalID: "a1",
			},
			Cursor: fmt.Sprintf("%d.7", noon.UnixMilli()), Place: "42", SessionID: "s1", Title: "Fix it", Workspace: "/w", Caller: "claude-code",
			Risk: "medium", By: "denied by you", Words: "one package is enough",
		}},
		Next: "5.6", ReachedAt: "2026-07-25T11:00:00Z",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	row, err := newAPI(t, f).HistoryCall("i1")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Rows[0], row); d != "" {
		t.Error(d)
	}
	if _, err := newAPI(t, f).HistoryCall("nobody"); !isFault(err, CodeNotFound) {
		t.Errorf("got %v", err)
	}
}

func refusesField(err error, field string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == CodeInvalid && e.Fields[field] != ""
}

func TestTheHistorySaysWhoDecided(t *testing.T) {
	for want, change := range map[string]func(*session.HistoryCall){
		"denied by you":       func(*session.HistoryCall) {},
		"allowed once by you": func(c *session.HistoryCall) { c.ReasonCode, c.Request.Resolution = "", "allow_once" },
		"allowed for the session by you": func(c *session.HistoryCall) {
			c.ReasonCode, c.Request.Resolution = "", "allow_session"
		},
		"allowed by a grant":      func(c *session.HistoryCall) { c.Decider = session.DeciderGrant },
		"decided by the reviewer": func(c *session.HistoryCall) { c.Decider = session.DeciderReviewer },
		"denied by the rules":     func(c *session.HistoryCall) { c.Decider = session.DeciderRules },
		"no approval needed": func(c *session.HistoryCall) {
			c.Decider, c.Ending, c.Request = session.DeciderRules, session.EndingSucceeded, nil
		},
		"allowed by a change of settings": func(c *session.HistoryCall) {
			c.Decider, c.Ending, c.Request.ResolvedBy = session.DeciderRules, session.EndingSucceeded, "settings"
		},
		"no answer in time": func(c *session.HistoryCall) { c.Decider, c.Ending = session.DeciderNobody, session.EndingExpired },
		"nobody to ask":     func(c *session.HistoryCall) { c.Decider, c.Ending = session.DeciderNobody, session.EndingDenied },
		"not decided yet":   func(c *session.HistoryCall) { c.Decider, c.Ending = session.DeciderNobody, session.EndingWaiting },
		"ended before a decision": func(c *session.HistoryCall) {
			c.Decider, c.Ending = session.DeciderNobody, session.EndingFailed
		},
		"stopped by you": func(c *session.HistoryCall) {
			c.Decider, c.Ending, c.Request.Status = session.DeciderNobody, session.EndingCancelled, "cancelled"
		},
		"the caller left": func(c *session.HistoryCall) {
			c.Decider, c.Ending, c.Request = session.DeciderNobody, session.EndingCancelled, &session.HistoryRequest{CallerLeft: true}
		},
	} {
		c := pastCall()
		change(&c)
		if got := historyBy(c); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestACallThatWaitsForTrustSaysSoInTheHistory(t *testing.T) {
	c := pastCall()
	c.State, c.ReasonCode, c.Ending, c.Decider, c.Request = session.StateProposed, "", session.EndingWaiting, session.DeciderNobody, nil
	c.Session.TrustRoot = "/w"
	c.ToolID, c.Name = "", tool.Mark("write")
	f := &fakeEngine{past: session.HistoryPage{Calls: []session.HistoryCall{c}}, questions: []Question{{Root: "/w"}}, specs: []tool.Spec{writeSpec()}, running: "i1"}
	got, err := newAPI(t, f).History(HistoryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	call := got.Rows[0].Call
	if call.State != "waiting_for_approval" || call.Verb != "Write" || got.Rows[0].Note != "for your trust in the folder" || got.Next != "" || got.ReachedAt != "" {
		t.Errorf("got %+v", got)
	}
}

func TestAQueryOfTheHistoryIsReadWhole(t *testing.T) {
	renamed := writeSpec()
	renamed.ID, renamed.Wire = "math.calculate", ""
	f := &fakeEngine{specs: []tool.Spec{renamed}}
	_, err := newAPI(t, f).History(HistoryQuery{
		Text: "  claimed twice ", Tools: []string{"math.calculate", "gone"}, Endings: []string{"denied"}, Deciders: []string{"person"},
		Risks: []string{"high"}, Workspaces: []string{"/w"}, Callers: []string{"mcp:a:b", "agent:"}, Since: "2026-07-24T22:00:00.000Z", Before: "5.6", After: "1.2",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := session.HistoryQuery{
		Text: "claimed twice", Tools: []string{"math.calculate", "math_calculate", "gone"}, Endings: []session.Ending{"denied"}, Deciders: []session.Decider{"person"},
		Risks: []tool.Risk{"high"}, Workspaces: []string{"/w"},
		Callers: []session.HistoryCaller{{Kind: session.CallerMCP, Name: tool.Mark("a:b")}, {Kind: session.CallerAgent}},
		Since:   time.Date(2026, 7, 24, 22, 0, 0, 0, time.UTC), Subjects: []string{"command", "destination", "expression", "file_path", "id", "path", "pattern", "timezone"},
		Before: session.Cursor{At: 5, Num: 6}, After: session.Cursor{At: 1, Num: 2}, Limit: 100,
	}
	if d := cmp.Diff(want, f.wanted, cmp.Comparer(func(a, b tool.Untrusted) bool { return a.Open() == b.Open() })); d != "" {
		t.Error(d)
	}
}

// A filter that is not understood must not be dropped: the list would show more than was
// asked for.
func TestAQueryOfTheHistoryIsRefusedByItsField(t *testing.T) {
	for field, q := range map[string]HistoryQuery{
		"text": {Text: strings.Repeat("é", maxHistoryText+1)}, "endings": {Endings: []string{"proposed"}}, "deciders": {Deciders: []string{"policy"}},
		"risks": {Risks: []string{"huge"}}, "callers": {Callers: []string{"mcp"}}, "since": {Since: "yesterday"}, "before": {Before: "5"},
		"after": {After: "x"}, "tools": {Tools: slices.Repeat([]string{"t"}, maxHistoryValues+1)},
	} {
		f := &fakeEngine{}
		if _, err := newAPI(t, f).History(q); !refusesField(err, field) || f.wanted.Limit != 0 {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := newAPI(t, &fakeEngine{}).History(HistoryQuery{Text: "\xff"}); !refusesField(err, "text") {
		t.Errorf("text that is none: %v", err)
	}
}

func TestTheHistoryCanBeAskedForWhatCallsHave(t *testing.T) {
	spec := writeSpec()
	spec.ID = "math.calculate"
	f := &fakeEngine{specs: []tool.Spec{spec}, choices: session.HistoryChoices{
		Tools: []string{"gone\u202e", "math.calculate"}, Workspaces: []string{"/home/you/src/dispatchd"},
		Callers: []session.HistoryCaller{{Kind: session.CallerAgent}, {Kind: session.CallerMCP, Name: tool.Mark("a:b")}},
	}}
	got, err := newAPI(t, f).HistoryChoices()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Choice{{Value: "gone\u202e", Label: "gone\u202e"}, {Value: "math.calculate", Label: "math.calculate"}}, got.Tools); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Choice{{Value: "/home/you/src/dispatchd", Label: "dispatchd", Words: "/home/you/src/dispatchd"}}, got.Workspaces); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Choice{{Value: "agent:", Label: "Built-in agent"}, {Value: "mcp:a:b", Label: "a:b"}}, got.Callers); d != "" {
		t.Error(d)
	}
	a := newAPI(t, f)
	every := HistoryQuery{}
	for _, c := range got.Endings {
		every.Endings = append(every.Endings, c.Value)
	}
	for _, c := range got.Deciders {
		every.Deciders = append(every.Deciders, c.Value)
	}
	for _, c := range got.Risks {
		every.Risks = append(every.Risks, c.Value)
	}
	for _, c := range got.Callers {
		every.Callers = append(every.Callers, c.Value)
	}
	if _, err := a.History(every); err != nil || len(f.wanted.Endings) != 8 || len(f.wanted.Deciders) != 4 || len(f.wanted.Risks) != 4 || len(f.wanted.Callers) != 2 {
		t.Errorf("a choice cannot be asked for: %+v, %v", f.wanted, err)
	}
	for _, list := range [][]Choice{got.Endings, got.Deciders, got.Risks} {
		for _, c := range list {
			if c.Label == "" || c.Label == "Unknown" {
				t.Errorf("%q has no words", c.Value)
			}
		}
	}
}
