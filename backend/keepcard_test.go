package backend

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/change"
	"countersign/backend/tool"
)

func replace(path, content string) tool.Call {
	b, err := json.Marshal(map[string]string{"file_path": path, "content": content})
	if err != nil {
		panic(err)
	}
	return tool.Call{Name: "write", Arguments: b}
}

// keep answers a card with some of the changes of its one file.
func (s scene) keep(t *testing.T, q approval.Request, kept ...int) approval.Result {
	t.Helper()
	got, err := s.Desk().Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, Keep: [][]int{kept}, ArgumentsHash: q.ArgumentsHash})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A person keeps one change of two: the file, the diff of the result, the decision and what
// the caller reads are all of that one.
func TestOneChangeOfTwoIsMadeAndToldAsThat(t *testing.T) {
	s := newScene(t)
	path := s.put(t, "a.go", "one\ntwo\nthree\nfour\nfive\n")
	ended(t, s.call(t, read("a.go")), tool.StatusSucceeded, "")
	done := s.call(t, replace("a.go", "ONE\ntwo\nthree\nfour\nFIVE\n"))
	q := s.asked(t)
	if len(q.Diffs) != 1 || q.Diffs[0].Changes != 2 || !q.Choosable() {
		t.Fatalf("%+v", q.Diffs)
	}
	if got := s.keep(t, q); got.Outcome != approval.OutcomeRefused || !strings.Contains(got.Words, "Deny instead") {
		t.Errorf("none kept: %s %q", got.Outcome, got.Words)
	}
	if got := s.keep(t, q, 1); got.Outcome != approval.OutcomeDone {
		t.Fatalf("%s %q", got.Outcome, got.Words)
	}
	o := ended(t, done, tool.StatusSucceeded, "")
	if got, err := os.ReadFile(path); err != nil || string(got) != "one\ntwo\nthree\nfour\nFIVE\n" {
		t.Errorf("holds %q, %v", got, err)
	}
	if text := o.Content[0].Text.Open(); !strings.Contains(text, "The user allowed 1 of 2 changes, and nothing else was changed. Made: line 5 (+1 −1). Left out: line 1 (+1 −1).") {
		t.Errorf("the caller reads %q", text)
	}
	if d := *o.Metadata.Diff; strings.Contains(d, "ONE") || !strings.Contains(d, "\n-five\n+FIVE\n") || *o.Metadata.Additions != 1 {
		t.Errorf("the result shows\n%s", d)
	}
	if o.Metadata.Extra[change.KeyKept] != 1 || o.Metadata.Extra[change.KeyChanges] != 2 {
		t.Errorf("%v", o.Metadata.Extra)
	}
	last := o.Decision.Chain[len(o.Decision.Chain)-1]
	if last.Layer != tool.LayerOperator || last.Reason != "You allowed 1 of its 2 changes once." {
		t.Errorf("%+v", last)
	}
	// What was written is known, so the session can go on from it.
	done = s.call(t, edit("a.go", "one", "ONE"))
	answerCard(t, s.Engine, s.asked(t).ID, approval.AllowOnce, "")
	ended(t, done, tool.StatusSucceeded, "")
}

// An edit of several places is several changes, and what the file held before can be restored.
func TestAChoiceOfAnEditKeepsWhatTheFileHeld(t *testing.T) {
	s := newScene(t)
	const before = "x\na\nx\n"
	path := s.put(t, "a.txt", before)
	ended(t, s.call(t, read("a.txt")), tool.StatusSucceeded, "")
	done := s.call(t, tool.Call{Name: "edit", Arguments: []byte(`{"file_path":"a.txt","old_string":"x","new_string":"y","replace_all":true}`)})
	if got := s.keep(t, s.asked(t), 0); got.Outcome != approval.OutcomeDone {
		t.Fatalf("%s %q", got.Outcome, got.Words)
	}
	ended(t, done, tool.StatusSucceeded, "")
	if got, err := os.ReadFile(path); err != nil || string(got) != "y\na\nx\n" {
		t.Errorf("holds %q, %v", got, err)
	}
	if got, _, err := s.FileText(t.Context(), s.s.ID(), "a.txt", []string{change.Hash([]byte(before))}); err != nil || string(got) != before {
		t.Errorf("the version before is %q, %v", got, err)
	}
}

// Nobody can choose among changes that are not all to be seen.
func TestNothingIsToBeChosenWhereAChangeIsHidden(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.env", "one\ntwo\nthree\n")
	ended(t, s.call(t, read("a.env")), tool.StatusSucceeded, "")
	done := s.call(t, replace("a.env", "ONE\ntwo\npassword = \"hunter2-Zq8-long\"\n"))
	q := s.asked(t)
	if strings.Contains(q.Diffs[0].Unified, "hunter2") || q.Diffs[0].Changes != 0 || q.Choosable() {
		t.Fatalf("%d changes of\n%s", q.Diffs[0].Changes, q.Diffs[0].Unified)
	}
	if got := s.keep(t, q, 0); got.Outcome != approval.OutcomeRefused || got.Words == "" {
		t.Errorf("%s %q", got.Outcome, got.Words)
	}
	answerCard(t, s.Engine, q.ID, approval.Deny, "")
	ended(t, done, tool.StatusDenied, tool.CodeApprovalUserRejected)
}

// The file is held to what the card showed, whatever was chosen.
func TestAChoiceDiesWithTheFileThatItWasMadeOf(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", "x\na\nx\n")
	ended(t, s.call(t, read("a.txt")), tool.StatusSucceeded, "")
	done := s.call(t, replace("a.txt", "y\na\ny\n"))
	q := s.asked(t)
	path := s.put(t, "a.txt", "x\na\nx\ntheirs\n")
	s.keep(t, q, 0)
	ended(t, done, tool.StatusFailed, tool.CodeStale)
	if got, err := os.ReadFile(path); err != nil || string(got) != "x\na\nx\ntheirs\n" {
		t.Errorf("holds %q, %v", got, err)
	}
}
