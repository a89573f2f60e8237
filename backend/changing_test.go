package backend

import (
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

const changingToken = "k7Qd2mZr9Wn4Xc8Lb3Tv"

func TestAChangedCommandRunsWithWhatItsCardHides(t *testing.T) {
	s := newScene(t)
	done := s.call(t, tool.Call{ID: "1", Name: "bash", Arguments: []byte(`{"command":"echo password=` + changingToken + ` hello"}`)})
	q := s.asked(t)
	form, err := s.Changeable(t.Context(), q.ID, false)
	if err != nil || form.Hidden != 1 || form.Locked || strings.Contains(string(form.Arguments), changingToken) {
		t.Fatalf("the form is %s (%d hidden), %v", form.Arguments, form.Hidden, err)
	}
	mark := redact.MarkOf(q.SessionID).String()
	for name, arguments := range map[string]string{
		"the marker that eyes see": `{"command":"echo password=` + mark + ` there"}`,
		"a marker of nothing":      strings.Replace(string(form.Arguments), ":1]", ":7]", 1),
	} {
		got, err := s.ChangeArguments(t.Context(), q.ID, Changes{Change: approval.Change{Arguments: []byte(arguments), ArgumentsHash: q.ArgumentsHash}})
		if err != nil || got.Outcome != approval.OutcomeRefused || got.Words != markerUnknown {
			t.Errorf("%s: %s %q, %v", name, got.Outcome, got.Words, err)
		}
	}
	edited := strings.Replace(string(form.Arguments), "hello", "there", 1)
	got, err := s.ChangeArguments(t.Context(), q.ID, Changes{Change: approval.Change{Arguments: []byte(edited), ArgumentsHash: q.ArgumentsHash}})
	if err != nil || got.Outcome != approval.OutcomeChanged {
		t.Fatalf("the change is %s %q, %v", got.Outcome, got.Words, err)
	}
	if want := `{"command":"echo password=` + changingToken + ` there"}`; string(got.Request.Canonical) != want || !got.Request.Changed.Person() {
		t.Errorf("the card asks for %s", got.Request.Canonical)
	}
	answered, err := s.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: got.Request.ArgumentsHash})
	if err != nil || answered.Outcome != approval.OutcomeDone {
		t.Fatalf("the answer is %s, %v", answered.Outcome, err)
	}
	o := <-done
	told := o.Content[0].Text.Open()
	if o.Status != tool.StatusSucceeded || !strings.HasPrefix(told, "The user changed the arguments of this call before allowing it. Changed: command.") || strings.Contains(told, changingToken) {
		t.Errorf("the caller is told %s %q", o.Status, told)
	}
	if ran := o.Content[len(o.Content)-1].Text.Open(); !strings.Contains(ran, "password="+changingToken+" there") {
		t.Errorf("it printed %q", ran)
	}
	stored, err := s.Store().Invocation(t.Context(), o.InvocationID)
	if err != nil || stored.ChangedBy != "person" || stored.AskedHash != q.ArgumentsHash || stored.ArgumentsHash != got.Request.ArgumentsHash {
		t.Errorf("the history says %q %q %q, %v", stored.ChangedBy, stored.AskedHash, stored.ArgumentsHash, err)
	}
}

func TestWhatIsRevealedIsChangedAsItIs(t *testing.T) {
	s := newScene(t)
	done := s.call(t, tool.Call{ID: "1", Name: "bash", Arguments: []byte(`{"command":"echo password=` + changingToken + `"}`)})
	q := s.asked(t)
	form, err := s.Changeable(t.Context(), q.ID, true)
	if err != nil || string(form.Arguments) != string(q.Canonical) || form.Hidden != 0 {
		t.Fatalf("the form is %s, %v", form.Arguments, err)
	}
	got, err := s.ChangeArguments(t.Context(), q.ID, Changes{
		Change:   approval.Change{Arguments: []byte(`{"command":"echo password=other9Wn4Xc8"}`), ArgumentsHash: q.ArgumentsHash},
		Revealed: true,
	})
	if err != nil || got.Outcome != approval.OutcomeChanged || string(got.Request.Canonical) != `{"command":"echo password=other9Wn4Xc8"}` {
		t.Errorf("the change is %s, %s %v", got.Outcome, got.Request.Canonical, err)
	}
	if _, err := s.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: got.Request.ArgumentsHash}); err != nil {
		t.Fatal(err)
	}
	if o := <-done; o.ReasonCode != tool.CodeApprovalUserRejected {
		t.Errorf("got %s", o.ReasonCode)
	}
}

// The turn of a client cannot be ended here, so what it waits for besides is let go.
func TestDenyAndStopLetsTheOtherCallsOfAClientGo(t *testing.T) {
	s := newScene(t)
	first := s.call(t, tool.Call{ID: "1", Name: "bash", Arguments: []byte(`{"command":"echo one"}`)})
	q := s.asked(t)
	second := s.call(t, tool.Call{ID: "2", Name: "bash", Arguments: []byte(`{"command":"echo two"}`)})
	s.asked(t)
	answered, err := s.Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.Deny, ArgumentsHash: q.ArgumentsHash, Stop: true})
	if err != nil || answered.Outcome != approval.OutcomeDone {
		t.Fatalf("the answer is %s, %v", answered.Outcome, err)
	}
	if o := <-first; o.ReasonCode != tool.CodeApprovalUserRejected {
		t.Errorf("the denied call ended as %s", o.ReasonCode)
	}
	if o := <-second; o.Status != tool.StatusCancelled {
		t.Errorf("the other call ended as %s", o.Status)
	}
	if left, err := s.Desk().Pending(t.Context(), ""); err != nil || len(left) > 0 {
		t.Errorf("%d cards wait still, %v", len(left), err)
	}
}
