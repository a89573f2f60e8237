package bridge

import (
	"errors"
	"strings"
	"testing"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
)

// spec: VS-21
func TestACharacterThatIsNotSeenIsNamedWhereItStands(t *testing.T) {
	got := oddRows("echo \U0001F600 a\u200b\u200bb; p\u0430th")
	want := []OddRow{{At: 9, Length: 2, Name: "zero width space"}, {At: 15, Length: 1, Name: "Cyrillic small letter a, looks like a"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := oddRows("grüße"); len(got) != 0 {
		t.Errorf("a false alarm: %+v", got)
	}
}

func TestACommandIsListedWithItsState(t *testing.T) {
	mark := approval.Mark{Effect: "reads", Subject: tool.Mark("../a\u200b"), Outside: true}
	steps := []approval.Step{{Shown: tool.Mark("cat ../a"), Marks: []approval.Mark{mark}}}
	for name, row := range map[string]struct {
		listing      *approval.Listing
		state, why   string
		steps, marks int
	}{
		"none":    {nil, "", "", 0, 0},
		"unread":  {&approval.Listing{Why: tool.Mark("a quote is not closed")}, "unread", "a quote is not closed", 0, 0},
		"dynamic": {&approval.Listing{Parsed: true, Dynamic: true, Why: tool.Mark("x"), Steps: steps}, "dynamic", "x", 1, 1},
		"read":    {&approval.Listing{Parsed: true, Steps: steps}, "read", "", 1, 1},
	} {
		got := listingOf(approval.Request{Listing: row.listing})
		if got.State != row.state || got.Why != row.why || len(got.Steps) != row.steps {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		if row.marks > 0 {
			m := got.Steps[0].Marks
			if len(m) != row.marks || !m[0].Outside || len(m[0].Odd) != 1 || m[0].Odd[0].At != 4 {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

func TestWhatMustBeSeenWholeIsWhatRuns(t *testing.T) {
	command := tool.Mark("ls")
	for name, row := range map[string]struct {
		request approval.Request
		want    bool
	}{
		"risky command":      {approval.Request{Command: command, Risk: tool.RiskHigh}, true},
		"risky input":        {approval.Request{Input: command, Risk: tool.RiskHigh}, true},
		"restricted command": {approval.Request{Command: command, Risk: tool.RiskLow, Restricted: true}, true},
		"privileged command": {approval.Request{Command: command, Risk: tool.RiskLow, Listing: &approval.Listing{Privileged: true}}, true},
		"quiet command":      {approval.Request{Command: command, Risk: tool.RiskLow, Listing: &approval.Listing{}}, true},
		"risky change":       {approval.Request{Risk: tool.RiskHigh}, false},
	} {
		if got := mustSee(row.request); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// spec: VS-18
func TestWhatIsChosenIsHeldByTheEngineAndWhatIsRefusedIsTold(t *testing.T) {
	f := &fakeEngine{
		sessions: []session.Session{writeSession()},
		answered: Answered{Outcome: "refused", Words: "This is too wide.", Request: writeRequest()},
	}
	got, err := newAPI(t, f).Answer(AnswerRequest{
		ID: "a1", Resolution: "allow_workspace", Hash: "x", Chosen: []ChoiceRef{{Kind: "command", Value: "git log *"}}, Days: 30,
	})
	if err != nil || got.Outcome != "refused" || got.Words != "This is too wide." {
		t.Fatalf("%+v, %v", got, err)
	}
	want := &approval.Answer{
		Resolution: approval.AllowWorkspace, ArgumentsHash: "x", Days: 30,
		Chosen: []policy.Choice{{Kind: policy.GrantCommand, Value: "git log *"}},
	}
	if d := cmp.Diff(want, f.given); d != "" {
		t.Error(d)
	}
	// No part is nothing, not the narrowest of each.
	if _, err := newAPI(t, f).Answer(AnswerRequest{ID: "a1", Resolution: "allow_session", Hash: "x"}); err != nil || f.given.Chosen == nil {
		t.Errorf("%+v, %v", f.given, err)
	}
}

func TestWhatAnAnswerWouldMatchIsToldForItsLife(t *testing.T) {
	f := &fakeEngine{matching: backend.Matching{
		Choice:    policy.Choice{Kind: policy.GrantCommand, Value: "git log *", Words: "Runs it", Key: "bash git log *"},
		Session:   backend.Matched{Looked: 3, All: 1},
		Workspace: backend.Matched{Looked: 9, All: 2, Part: 1, Denied: 1, Examples: []backend.MatchedCall{{ID: "i1", Text: tool.Mark("git log"), At: noon, Cover: policy.CoversPart, Denied: true}}},
		Stops:     []policy.Sample{{Text: "git log > out.txt", Why: "it writes"}},
	}}
	ask := MatchRequest{ID: "a1", Life: "workspace", Kind: "command", Value: "git log *"}
	got, err := newAPI(t, f).WouldMatch(ask)
	if err != nil {
		t.Fatal(err)
	}
	want := MatchView{
		Choice: ChoiceRow{Kind: "command", Value: "git log *", Words: "Runs it", Key: "bash git log *"},
		Calls: MatchedCalls{Looked: 9, All: 2, Part: 1, Denied: 1, Latest: []PastRow{
			{ID: "i1", Text: "git log", Odd: []OddRow{}, At: "2026-07-25T12:00:00Z", Part: true, Denied: true},
		}},
		Lets: []SampleRow{}, Stops: []SampleRow{{Text: "git log > out.txt", Why: "it writes"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(backend.MatchQuery{Request: "a1", Life: policy.GrantWorkspace, Kind: policy.GrantCommand, Value: "git log *"}, f.query); d != "" {
		t.Error(d)
	}
	ask.Life = "session"
	if got, err := newAPI(t, f).WouldMatch(ask); err != nil || got.Calls.Looked != 3 {
		t.Errorf("%+v, %v", got.Calls, err)
	}
	for name, bad := range map[string]MatchRequest{
		"life": {ID: "a1", Life: "run"}, "value": {ID: "a1", Life: "session", Value: strings.Repeat("x", maxRule+1)}, "id": {ID: strings.Repeat("x", maxID+1), Life: "session"},
	} {
		_, err := newAPI(t, f).WouldMatch(bad)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeInvalid || e.Fields[name] == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
