package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// kept ends a call of a session that kept texts.
func kept(t *testing.T, s *store.Store, sessionID, id string, paths ...string) {
	t.Helper()
	inv := registrytest.Proposed(id)
	inv.SessionID = sessionID
	must(t, s.Propose(t.Context(), inv))
	outputs := []session.Output{}
	for _, p := range paths {
		outputs = append(outputs, session.Output{SessionID: sessionID, InvocationID: id, Path: p, Bytes: 10, Lost: 3, CreatedAt: now})
	}
	must(t, s.Finish(t.Context(), registrytest.Finished(inv, tool.StatusSucceeded), nil, outputs))
}

func TestAnOutputIsFoundByTheNameThatItsSessionGaveIt(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	kept(t, s, "s1", "i1", "/out/s1/bash-i1.txt", "/out/s1/p1.log")
	kept(t, s, "s2", "i2", "/out/s2/p1.log", "/out/s2/xp1.log")
	got, err := s.Output(t.Context(), "s2", "p1.log")
	want := session.Output{SessionID: "s2", InvocationID: "i2", Path: "/out/s2/p1.log", Bytes: 10, Lost: 3, CreatedAt: now}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	for _, q := range [][2]string{{"s2", "bash-i1.txt"}, {"s3", "p1.log"}, {"s2", "%"}, {"s2", ""}, {"s1", "s1/p1.log"}, {"s1", "1.log"}} {
		if o, err := s.Output(t.Context(), q[0], q[1]); !errors.Is(err, session.ErrNoOutput) {
			t.Errorf("%v: %+v, %v", q, o, err)
		}
	}
	of, err := s.OutputsOf(t.Context(), "i1")
	if err != nil || len(of) != 2 {
		t.Errorf("%+v, %v", of, err)
	}
}

// spec: KH-17
func TestOutputsOfALiveSessionStayAndOthersSayThatTheyAreGone(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	kept(t, s, "s1", "i1", "/out/s1/p1.log")
	if may, err := s.RemoveOutputs(t.Context(), "s1"); may || err != nil {
		t.Errorf("a live session: %v, %v", may, err)
	}
	must(t, s.ReleaseSession(t.Context(), "s1"))
	if live, err := s.LiveSessions(t.Context()); err != nil || !cmp.Equal(live, []string{"s2"}) {
		t.Errorf("%q, %v", live, err)
	}
	if may, err := s.RemoveOutputs(t.Context(), "s1"); !may || err != nil {
		t.Errorf("one without an owner: %v, %v", may, err)
	}
	if may, err := s.RemoveOutputs(t.Context(), "never was"); !may || err != nil {
		t.Errorf("one that is not known: %v, %v", may, err)
	}
	gone, err := s.Output(t.Context(), "s1", "p1.log")
	if err != nil || gone.RemovedAt == nil {
		t.Errorf("%+v, %v", gone, err)
	}

	// The name is free again, and the old row does not become the new text.
	must(t, s.AdoptSession(t.Context(), "s1"))
	kept(t, s, "s1", "i2", "/out/s1/p1.log")
	all, err := s.Outputs(t.Context(), "s1")
	if err != nil || len(all) != 2 || all[0].RemovedAt == nil || all[1].RemovedAt != nil || all[1].InvocationID != "i2" {
		t.Errorf("%+v, %v", all, err)
	}
	if o, err := s.Output(t.Context(), "s1", "p1.log"); err != nil || o.InvocationID != "i2" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestWhatIsKeptOutlivesItsSessionUntilItsTimeIsOver(t *testing.T) {
	home := t.TempDir()
	s := at(t, home)
	make1(t, s, "s1")
	kept(t, s, "s1", "i1", "/out/s1/p1.log", "/out/s1/p2.log")
	o, err := s.Output(t.Context(), "s1", "p1.log")
	must(t, err)
	a := session.Artifact{Name: "p1.log", SHA256: "aa", Bytes: 10, CreatedAt: now, ExpiresAt: now.Add(30 * 24 * time.Hour)}
	first, err := s.KeepArtifact(t.Context(), o, a)
	must(t, err)
	a.ExpiresAt = a.ExpiresAt.Add(time.Hour)
	again, err := s.KeepArtifact(t.Context(), o, a)
	if a.ID = first.ID; err != nil || cmp.Diff(a, again) != "" {
		t.Errorf("kept again: %s, %v", cmp.Diff(a, again), err)
	}
	other, err := s.Output(t.Context(), "s1", "p2.log")
	must(t, err)
	if _, kept, err := s.ArtifactOf(t.Context(), other); kept || err != nil {
		t.Errorf("another text is kept: %v, %v", kept, err)
	}
	if _, err := s.KeepArtifact(t.Context(), session.Output{Path: "/etc/passwd", CreatedAt: now}, a); !errors.Is(err, session.ErrNoOutput) {
		t.Errorf("%v", err)
	}
	must(t, s.Close())
	raw(t, home, `PRAGMA foreign_keys = ON`, `DELETE FROM sessions`)
	s = at(t, home)
	for _, row := range []struct {
		at   time.Time
		want map[string]bool
	}{{a.ExpiresAt.Add(-time.Millisecond), map[string]bool{"aa": true}}, {a.ExpiresAt, map[string]bool{}}} {
		if got, err := s.ExpireArtifacts(t.Context(), row.at); err != nil || !cmp.Equal(got, row.want) {
			t.Errorf("%v: %v, %v", row.at, got, err)
		}
	}
}
