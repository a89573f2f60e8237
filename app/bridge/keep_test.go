package bridge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// What is kept goes to the engine as it was chosen, and is told back with how much it is.
func TestWhatIsKeptOfAChangeIsTold(t *testing.T) {
	request := writeRequest()
	request.Diffs = []tool.FileDiff{{Path: "a", Unified: "x", Changes: 3}}
	request.Status, request.Resolution, request.ResolvedBy, request.Keep = approval.StatusApproved, approval.AllowOnce, "person", [][]int{{0, 2}}
	f := &fakeEngine{sessions: []session.Session{writeSession()}, answered: Answered{Outcome: "done", Request: request}}
	got, err := newAPI(t, f).Answer(AnswerRequest{ID: "a1", Resolution: "allow_once", Hash: "x", Keep: [][]int{{0, 2}}})
	if err != nil || got.Words != "Allowed once, with 2 of 3 changes." || got.Card.Diffs[0].Changes != 3 {
		t.Errorf("%q, %v", got.Words, err)
	}
	if d := cmp.Diff(&approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: "x", Keep: [][]int{{0, 2}}}, f.given); d != "" {
		t.Error(d)
	}
	if words := endedWords(request, nil); words != "Allowed once by you, with 2 of 3 changes." {
		t.Errorf("%q", words)
	}
}
