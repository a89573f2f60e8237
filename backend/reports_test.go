package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// However a command is wrapped, what is stored of it is what the next call is compared with.
func remembersWrapped(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	for _, command := range []string{"git init", "sh -c 'ls -a'", `bash -lc "wc -l /dev/null"`, "env LC_ALL=C ls -a", "ls -a | wc -l"} {
		s := p.client(t, e)
		got := answered(t, e, s, run(command), approval.Answer{Resolution: approval.AllowSession})
		if len(got.Grants) == 0 {
			t.Errorf("%s: nothing was stored", command)
		}
		if asks(t, e, s, run(command)) {
			t.Errorf("%s asks again, with %+v", command, got.Grants)
		}
		if !asks(t, e, p.client(t, e), run(command)) {
			t.Errorf("%s runs in another session", command)
		}
	}
}

// What is listed as allowed for good is what was stored, never what was pressed.
func listsWhatIsStored(t *testing.T) {
	p := newPlace(t)
	e := p.start(t)
	s := p.client(t, e)

	// An answer that does not count leaves nothing behind that says it did.
	events, cancel := e.Subscribe()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "1"), nil) }()
	card := next(t, events, event.ApprovalRequested).Ref
	late, err := e.Desk().Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowWorkspace, ArgumentsHash: "of another card"})
	if err != nil || late.Outcome == approval.OutcomeDone {
		t.Fatalf("%s, %v", late.Outcome, err)
	}
	if all, err := e.Grants(t.Context()); err != nil || len(all) != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	q, err := e.Desk().Get(t.Context(), card)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Desk().Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowWorkspace, ArgumentsHash: q.ArgumentsHash})
	if err != nil || got.Outcome != approval.OutcomeDone || len(got.Grants) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	<-done
	cancel()
	p.close(t, e)

	// The call is the same again where the file is not there yet.
	if err := os.Remove(filepath.Join(p.workspace, "a.txt")); err != nil {
		t.Fatal(err)
	}
	e = p.open(t, true, "")
	if g := only(t, e, got.Grants[0].ID); g.State != policy.GrantLive || g.Value != got.Grants[0].Value {
		t.Errorf("%+v, but stored was %+v", g, got.Grants[0])
	}
	if asks(t, e, p.client(t, e), write("a.txt", "2")) {
		t.Error("what was allowed for good asks again")
	}
}

// What was reported elsewhere of prompts whose answer did not last.
func TestReportedPromptsThatForgotTheirAnswer(t *testing.T) {
	tried := map[string]func(*testing.T){"iss-061": remembersWrapped, "iss-062": listsWhatIsStored}
	data, err := os.ReadFile("../tools/testdata/cases/issues.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct {
			ID    string
			Right string `json:"right_behaviour"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if try, ok := tried[c.ID]; ok {
			delete(tried, c.ID)
			t.Run(c.ID+": "+c.Right, try)
		}
	}
	if len(tried) != 0 {
		t.Errorf("the file of reports does not know %d of them", len(tried))
	}
}
