package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/event"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// story brings a session to every point at which a program can die. The calls are
// named after where they stand.
func story(t testing.TB, s *store.Store, id string) {
	t.Helper()
	ctx := t.Context()
	make1(t, s, id)
	start := func(call string) session.Invocation {
		inv := registrytest.Proposed(call)
		inv.SessionID = id
		must(t, s.Propose(ctx, inv))
		return registrytest.Authorized(inv)
	}
	run := func(call string) session.Invocation {
		inv := start(call)
		must(t, s.Authorize(ctx, inv))
		won, err := s.Claim(ctx, call, now)
		must(t, err)
		if !won {
			t.Fatal("not claimed")
		}
		return inv
	}
	ask := func(call string) {
		start(call)
		must(t, s.AddRequest(ctx, approvaltest.Asked("ask-"+call, id, call)))
	}
	answer := func(call string) {
		_, _, err := s.Resolve(ctx, "ask-"+call, approval.End{Status: approval.StatusApproved, Resolution: approval.AllowOnce, By: "person", At: now}, nil)
		must(t, err)
	}
	start("proposed")
	must(t, s.Authorize(ctx, start("authorized")))
	run("running")
	run("sent")
	must(t, s.MarkEffect(ctx, "sent", now))
	done := run("done")
	must(t, s.MarkEffect(ctx, "done", now))
	must(t, s.Finish(ctx, registrytest.Finished(done, tool.StatusSucceeded), nil, nil))
	ask("waiting")
	ask("left")
	must(t, s.MarkLeft(ctx, "ask-left", "left"))
	ask("answered")
	answer("answered")
	ask("consumed")
	answer("consumed")
	_, err := s.Consume(ctx, "ask-consumed")
	must(t, err)
}

// settled is what the story must have become.
var settled = map[string]session.State{
	"proposed":   session.StateCancelled,
	"authorized": session.StateCancelled,
	"running":    session.StateCancelled,
	"sent":       session.StateUncertain,
	"done":       session.StateSucceeded,
	"waiting":    session.StateWaiting,
	"left":       session.StateCancelled,
	"answered":   session.StateCancelled,
	"consumed":   session.StateCancelled,
}

// expectSettled compares what became of the story with what must.
func expectSettled(t *testing.T, s *store.Store, id string) {
	t.Helper()
	calls, err := s.Invocations(t.Context(), id, 0, 100)
	must(t, err)
	got := map[string]session.State{}
	for _, c := range calls {
		got[c.ID] = c.State
		want := map[session.State]tool.Code{session.StateCancelled: tool.CodeCancelled, session.StateUncertain: tool.CodeUncertain}[c.State]
		if c.ReasonCode != want || c.State.Ended() != (c.EndedAt != nil) {
			t.Errorf("%s is %s with code %q, ended %v", c.ID, c.State, c.ReasonCode, c.EndedAt)
		}
	}
	if d := cmp.Diff(settled, got); d != "" {
		t.Errorf("states (-want +got)\n%s", d)
	}
	type card struct {
		Left bool
		Why  string
	}
	cards := map[string]card{}
	for _, call := range []string{"waiting", "left", "answered", "consumed"} {
		r, err := s.Request(t.Context(), "ask-"+call)
		must(t, err)
		cards[call] = card{r.CallerLeft, r.LeftWhy}
	}
	want := map[string]card{"waiting": {true, "interrupted"}, "left": {true, "left"}, "answered": {true, "interrupted"}, "consumed": {}}
	if d := cmp.Diff(want, cards); d != "" {
		t.Errorf("cards (-want +got)\n%s", d)
	}
	asked := approvaltest.Asked("", "", "")
	kept, err := s.Kept(t.Context(), id, "suite.write", asked.AskedHash(), time.Time{})
	if err != nil || kept.ID != "ask-answered" {
		t.Errorf("the unused answer is not kept: %s, %v", kept.ID, err)
	}
	v, err := s.Session(t.Context(), id)
	must(t, err)
	if v.Owner != "" || v.Status != session.StatusIdle {
		t.Errorf("the session is %s and belongs to %q", v.Status, v.Owner)
	}
	expectToldEnds(t, s, id)
}

// expectToldEnds checks that each end has exactly one event, and the numbering.
func expectToldEnds(t *testing.T, s *store.Store, id string) {
	t.Helper()
	ends := map[string][]event.Type{}
	for i, e := range allEvents(t, s, id) {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		switch e.Type {
		case event.CallCancelled, event.CallUncertain, event.CallCompleted:
			ends[e.Ref] = append(ends[e.Ref], e.Type)
		}
	}
	want := map[string][]event.Type{}
	for call, state := range settled {
		switch state {
		case session.StateCancelled:
			want[call] = []event.Type{event.CallCancelled}
		case session.StateUncertain:
			want[call] = []event.Type{event.CallUncertain}
		case session.StateSucceeded:
			want[call] = []event.Type{event.CallCompleted}
		}
	}
	if d := cmp.Diff(want, ends); d != "" {
		t.Errorf("told ends (-want +got)\n%s", d)
	}
}

// spec: VS-6, VS-11d
func TestClosingSettlesWhatIsUnfinished(t *testing.T) {
	home := t.TempDir()
	a := at(t, home)
	story(t, a, "s1")
	must(t, a.Close())
	b := at(t, home)
	expectSettled(t, b, "s1")
	before := len(allEvents(t, b, "s1"))
	must(t, b.Sweep(t.Context()))
	must(t, b.Close())
	c := at(t, home)
	expectSettled(t, c, "s1")
	if got := len(allEvents(t, c, "s1")); got != before {
		t.Errorf("settling again told %d more events", got-before)
	}
}

func TestSweepLeavesALivingProgramAlone(t *testing.T) {
	home := t.TempDir()
	a := at(t, home)
	story(t, a, "s1")
	before := allEvents(t, a, "s1")
	b := at(t, home)
	must(t, b.Sweep(t.Context()))
	if d := cmp.Diff(before, allEvents(t, b, "s1")); d != "" {
		t.Errorf("a living program's session was touched\n%s", d)
	}
	if err := b.AdoptSession(t.Context(), "s1"); !errors.Is(err, session.ErrNotOwned) {
		t.Errorf("a living program's session was adopted: %v", err)
	}
	if err := b.Propose(t.Context(), registrytest.Proposed("late")); !errors.Is(err, session.ErrNotOwned) {
		t.Errorf("a call was proposed in it: %v", err)
	}
	won, err := b.Claim(t.Context(), "authorized", now)
	if err != nil || won {
		t.Errorf("a call of it was claimed: %v, %v", won, err)
	}
	// Its cards are answered by whoever is the desk.
	_, changed, err := b.Resolve(t.Context(), "ask-waiting", approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, By: "person", At: now}, nil)
	if err != nil || !changed {
		t.Errorf("its card could not be answered: %v", err)
	}
}

func TestReleasedSessionIsAdoptedWithoutLoss(t *testing.T) {
	home := t.TempDir()
	a, b := at(t, home), at(t, home)
	make1(t, a, "s1")
	must(t, a.Propose(t.Context(), registrytest.Proposed("i1")))
	must(t, a.AddRequest(t.Context(), approvaltest.Asked("r1", "s1", "i1")))
	must(t, a.ReleaseSession(t.Context(), "s1"))
	must(t, b.AdoptSession(t.Context(), "s1"))
	must(t, b.AdoptSession(t.Context(), "s1"))
	v, err := b.Session(t.Context(), "s1")
	must(t, err)
	if v.Owner != b.Program() || v.Status != session.StatusActive || v.Waiting != 1 {
		t.Errorf("the session is %s, belongs to %q and has %d waiting", v.Status, v.Owner, v.Waiting)
	}
	r, err := b.Request(t.Context(), "r1")
	must(t, err)
	if r.CallerLeft {
		t.Error("moving a session made its caller leave")
	}
	if err := a.Propose(t.Context(), registrytest.Proposed("i2")); !errors.Is(err, session.ErrNotOwned) {
		t.Errorf("the former owner still proposes: %v", err)
	}
	if err := a.ReleaseSession(t.Context(), "s1"); !errors.Is(err, session.ErrNotOwned) {
		t.Errorf("the former owner still releases: %v", err)
	}
	must(t, b.EndSession(t.Context(), "s1"))
	must(t, b.EndSession(t.Context(), "s1"))
	if err := a.AdoptSession(t.Context(), "s1"); !errors.Is(err, session.ErrEnded) {
		t.Errorf("an ended session was adopted: %v", err)
	}
	if err := a.AdoptSession(t.Context(), "nobody"); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("an unknown session was adopted: %v", err)
	}
}

func TestOnlyOneDeskAHome(t *testing.T) {
	home := t.TempDir()
	a, b := at(t, home), at(t, home)
	release, err := a.TakeDesk()
	must(t, err)
	_, err = b.TakeDesk()
	if !errors.Is(err, store.ErrDeskTaken) || store.Words(err) == "" {
		t.Fatalf("got %v", err)
	}
	release()
	release()
	release, err = b.TakeDesk()
	must(t, err)
	release()
}

func TestLockFilesOfTheDeadAreSwept(t *testing.T) {
	home := t.TempDir()
	a := at(t, home)
	locks := filepath.Join(home, "locks")
	must(t, os.WriteFile(filepath.Join(locks, "gone.lock"), nil, 0o600))
	b := at(t, home)
	expectFiles(t, locks, "entry", a.Program()+".lock", b.Program()+".lock")
	must(t, a.Close())
	expectFiles(t, locks, "entry", b.Program()+".lock")
}

func expectFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("files (-want +got)\n%s", d)
	}
}

// Recovery looks at what is open, however long the story of a session is.
func TestRecoveryDoesNotReadTheCallsThatHaveEnded(t *testing.T) {
	if plan := at(t, t.TempDir()).OpenCallsPlan(); !strings.Contains(plan, "invocations_open") {
		t.Errorf("the plan is %s", plan)
	}
}
