package backend

import (
	"errors"
	"testing"

	"countersign/backend/event"
	"countersign/backend/host/process/processtest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// deeds are the calls of a session that a person did by hand, the first one first.
func (s scene) deeds(t *testing.T) (out []session.Invocation) {
	t.Helper()
	calls, err := s.Store().Invocations(t.Context(), s.s.ID(), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		if c.CallerTag != session.TagPerson {
			continue
		}
		inv, err := s.Store().Invocation(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		out = append([]session.Invocation{inv.Invocation}, out...)
	}
	return out
}

// spec: KH-54
func TestWhatAPersonDoesToAProcessIsWrittenDownAsTheirs(t *testing.T) {
	s := newScene(t)
	s.started(t, "read x; sleep 1000")
	if err := s.WriteProcess(t.Context(), s.s.ID(), "p1", "it\n"); err != nil {
		t.Fatal(err)
	}
	// The caller goes, and the process stays: its session is borrowed and given back.
	s.s.Close()
	if err := s.StopProcess(t.Context(), s.s.ID(), "p1"); err != nil {
		t.Fatal(err)
	}
	got := s.deeds(t)
	if len(got) != 2 {
		t.Fatalf("%d deeds are written down", len(got))
	}
	for i, want := range []string{`{"action":"write","id":"p1","input":"it\n"}`, `{"action":"stop","id":"p1"}`} {
		inv := got[i]
		if string(inv.Canonical) != want || inv.ToolID != "process" || inv.State != session.StateSucceeded || inv.DecidedBy != "person" || inv.EffectSentAt == nil || inv.Metadata.ProcessID != "p1" {
			t.Errorf("%+v with %s", inv, inv.Canonical)
		}
	}
	if status := got[1].Metadata.Extra["status"]; status != string(tool.ProcessStopped) {
		t.Errorf("the stopped process is told as %v", status)
	}
	record, err := s.Store().Session(t.Context(), s.s.ID())
	if err != nil || record.Status != session.StatusIdle {
		t.Errorf("the session is %s, %v", record.Status, err)
	}
	for _, m := range must(s.Store().Messages(t.Context(), s.s.ID(), 0, 10))(t) {
		t.Errorf("the caller was told: %+v", m)
	}
}

func TestWhatFailedByHandSaysSo(t *testing.T) {
	s := newScene(t)
	s.started(t, "sleep 1000 < /dev/null")
	if err := s.StopProcess(t.Context(), s.s.ID(), "p1"); err != nil {
		t.Fatal(err)
	}
	next(t, s.events, event.ProcessExited)
	if err := s.WriteProcess(t.Context(), s.s.ID(), "p1", "it\n"); !coded(err, tool.CodeEnded) {
		t.Errorf("sent to what has ended: %v", err)
	}
	got := s.deeds(t)
	last := got[len(got)-1]
	if last.State != session.StateFailed || last.ReasonCode != tool.CodeEnded {
		t.Errorf("it is told as %s %s", last.State, last.ReasonCode)
	}
}

// must passes a value on and fails the test on an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestAnotherProgramsSessionGetsNoTextAndItsProcessCanStillBeStopped(t *testing.T) {
	s := newScene(t)
	pid := s.started(t, "read x; sleep 1000")
	s.s.Close()
	other := s.open(t, false, "")
	defer s.close(t, other)
	if err := other.store.AdoptSession(t.Context(), s.s.ID()); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteProcess(t.Context(), s.s.ID(), "p1", "it\n"); !errors.Is(err, ErrNotHere) {
		t.Errorf("text was sent: %v", err)
	}
	if err := s.StopProcess(t.Context(), s.s.ID(), "p1"); err != nil || processtest.Runs(pid) {
		t.Errorf("it still runs: %v", err)
	}
	if got := s.deeds(t); len(got) != 0 {
		t.Errorf("%d deeds are written into the session of another program", len(got))
	}
}
