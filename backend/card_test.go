package backend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// scene is an open desk with a session whose calls run beside the test.
type scene struct {
	place
	*Engine
	s      *Session
	events <-chan event.Event
}

func newScene(t *testing.T, changes ...func(*Options)) scene {
	t.Helper()
	p := newPlace(t)
	e := p.start(t, changes...)
	t.Cleanup(func() { p.close(t, e) })
	events, cancel := e.Subscribe()
	t.Cleanup(cancel)
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return scene{p, e, s, events}
}

func (s scene) call(t *testing.T, c tool.Call) <-chan tool.Outcome {
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.s.Call(t.Context(), c, nil) }()
	return done
}

// asked returns the next card that is opened.
func (s scene) asked(t *testing.T) approval.Request {
	t.Helper()
	return s.card(t, next(t, s.events, event.ApprovalRequested).Ref)
}

func (s scene) card(t *testing.T, id string) approval.Request {
	t.Helper()
	q, err := s.Desk().Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func (s scene) put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(s.workspace, name)
	if filepath.IsAbs(name) {
		path = name
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(path string) tool.Call {
	return tool.Call{Name: "read", Arguments: []byte(`{"file_path":"` + path + `"}`)}
}

func ended(t *testing.T, done <-chan tool.Outcome, status tool.Status, code tool.Code) tool.Outcome {
	t.Helper()
	o := <-done
	if o.Status != status || o.ReasonCode != code {
		t.Errorf("got %s %s, want %s %s", o.Status, o.ReasonCode, status, code)
	}
	return o
}

func closed(t *testing.T, q approval.Request, status approval.Status, by, reason string) {
	t.Helper()
	if q.Status != status || q.ResolvedBy != by || q.Resolution != "" || !strings.Contains(q.Reason, reason) {
		t.Errorf("the card is %s %q by %q: %q", q.Status, q.Resolution, q.ResolvedBy, q.Reason)
	}
}

// A card that the settings answer says what they answered.
func TestCardEndsAsWhatTheSettingsMadeOfItsCall(t *testing.T) {
	on := true
	for _, c := range []struct {
		name   string
		patch  config.Patch
		status approval.Status
		reason string
		end    tool.Status
		code   tool.Code
	}{
		{"run", config.Patch{Preset: session.PresetEdit}, approval.StatusApproved, "Preset Edit runs", tool.StatusSucceeded, ""},
		{"deny", config.Patch{ReadOnly: &on}, approval.StatusDenied, "read-only lock", tool.StatusDenied, tool.CodePolicyEscalated},
		{"not offered", config.Patch{Catalog: tool.CatalogPlan}, approval.StatusDenied, "not offered", tool.StatusDenied, tool.CodeNotEnabled},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			done := s.call(t, write("a.txt", "hi"))
			q := s.asked(t)
			judged, err := s.ChangeRules(t.Context(), c.patch)
			if err != nil {
				t.Fatal(err)
			}
			want := approval.Judged{Denied: 1}
			if c.status == approval.StatusApproved {
				want = approval.Judged{Allowed: 1}
			}
			if judged != want {
				t.Errorf("the change says that it did %+v", judged)
			}
			o := ended(t, done, c.end, c.code)
			closed(t, s.card(t, q.ID), c.status, approval.BySettings, c.reason)
			stored, err := s.Store().Invocation(t.Context(), o.InvocationID)
			if err != nil || stored.DecidedBy != "policy" || stored.Status != c.end {
				t.Errorf("the call is %s by %s, %v", stored.Status, stored.DecidedBy, err)
			}
		})
	}
}

func TestTrustTakenAwayDeniesTheCallsThatWait(t *testing.T) {
	s := newScene(t)
	own, err := s.OpenSession(t.Context(), SessionRequest{Workspace: s.workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	root := own.record.TrustRoot
	if err := s.AnswerTrust(t.Context(), root, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	done := make(chan tool.Outcome, 1)
	go func() { done <- own.Call(t.Context(), write("a.txt", "hi"), nil) }()
	q := s.asked(t)
	if err := s.ForgetTrust(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	ended(t, done, tool.StatusDenied, tool.CodePolicyEscalated)
	closed(t, s.card(t, q.ID), approval.StatusDenied, approval.BySettings, "may be worked in")
}

// A grant lets the calls run that wait for the same, and their cards name it.
func TestGrantRunsTheOtherCallsThatItCovers(t *testing.T) {
	s := newScene(t)
	first := s.call(t, write("a.txt", "one"))
	card := s.asked(t)
	second := s.call(t, write("./a.txt", "one"))
	other := s.asked(t)
	answerCard(t, s.Engine, card.ID, approval.AllowSession, "")
	a, b := <-first, <-second
	// One of the two comes first; the other then finds a file that its card did not show.
	if a.Status != tool.StatusSucceeded && b.Status != tool.StatusSucceeded {
		t.Fatalf("got %s %s and %s %s", a.Status, a.ReasonCode, b.Status, b.ReasonCode)
	}
	q := s.card(t, other.ID)
	if q.Status != approval.StatusApproved || !strings.HasPrefix(q.ResolvedBy, approval.ByGrant) {
		t.Errorf("the card is %s by %q", q.Status, q.ResolvedBy)
	}
	stored, err := s.Store().Invocation(t.Context(), b.InvocationID)
	if err != nil || stored.DecidedBy != q.ResolvedBy {
		t.Errorf("the call was decided by %q, its card by %q, %v", stored.DecidedBy, q.ResolvedBy, err)
	}
}

// A card whose file the session itself changed ends, and another shows the file of now.
func TestCardIsDrawnAgainWhenTheSessionChangesItsFile(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", "first\n")
	ended(t, s.call(t, read("a.txt")), tool.StatusSucceeded, "")
	one := s.call(t, write("a.txt", "one"))
	card := s.asked(t)
	two := s.call(t, write("a.txt", "two"))
	other := s.asked(t)
	if s.Drifted(t.Context(), other) {
		t.Error("the card counts as out of date")
	}
	answerCard(t, s.Engine, card.ID, approval.AllowOnce, "")
	ended(t, one, tool.StatusSucceeded, "")
	again := s.asked(t)
	closed(t, s.card(t, other.ID), approval.StatusCancelled, approval.ByFiles, "A file changed")
	if again.Moved == "" || !strings.Contains(again.Diffs[0].Unified, "-one") || !s.Drifted(t.Context(), other) || s.Drifted(t.Context(), again) {
		t.Errorf("the new card says %q and shows %s", again.Moved, again.Diffs[0].Unified)
	}
	answerCard(t, s.Engine, again.ID, approval.AllowOnce, "")
	ended(t, two, tool.StatusSucceeded, "")
}

// A card whose file was changed by others ends with the tool's own failure.
func TestCardEndsWithTheToolsOwnFailure(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", "first\n")
	ended(t, s.call(t, read("a.txt")), tool.StatusSucceeded, "")
	done := s.call(t, write("a.txt", "mine"))
	card := s.asked(t)
	s.put(t, "a.txt", "theirs\n")
	if !s.Drifted(t.Context(), card) {
		t.Error("the card does not count as out of date")
	}
	s.put(t, "b.txt", "b")
	ended(t, s.call(t, read("b.txt")), tool.StatusSucceeded, "")
	ended(t, done, tool.StatusFailed, tool.CodeStale)
	closed(t, s.card(t, card.ID), approval.StatusCancelled, approval.ByFiles, "A file changed")
}

// spec: KH-23
func TestYesThatCannotBeUsedSaysSo(t *testing.T) {
	s := newScene(t)
	for mine := "mine"; ; mine += "!" {
		s.put(t, "a.txt", "first\n")
		ended(t, s.call(t, read("a.txt")), tool.StatusSucceeded, "")
		done := s.call(t, write("a.txt", mine))
		card := s.asked(t)
		s.put(t, "a.txt", "theirs\n")
		got := answerCard(t, s.Engine, card.ID, approval.AllowOnce, "")
		ended(t, done, tool.StatusFailed, tool.CodeStale)
		if got.Outcome == approval.OutcomeGone {
			// The call had only begun to wait and saw the change before the answer.
			continue
		}
		q := s.card(t, card.ID)
		if q.Status != approval.StatusApproved || q.Voided != "A file changed after the card was made." {
			t.Errorf("the card is %s: %q", q.Status, q.Voided)
		}
		return
	}
}

// Nothing is said of what stands outside the workspace before a person allowed it.
func TestRefusalOutsideComesAfterTheAnswer(t *testing.T) {
	for name, code := range map[string]tool.Code{"there.txt": tool.CodeNotRead, ".": tool.CodeIsDirectory} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			outside := t.TempDir()
			s.put(t, filepath.Join(outside, "there.txt"), "theirs")
			for _, allow := range []bool{false, true} {
				done := s.call(t, write(filepath.Join(outside, name), "mine"))
				q := s.asked(t)
				if len(q.Diffs) > 0 || !strings.Contains(q.Note, "without effect") || q.Risk != tool.RiskMedium {
					t.Errorf("the card shows %d diffs and says %q", len(q.Diffs), q.Note)
				}
				if !allow {
					answerCard(t, s.Engine, q.ID, approval.Deny, "")
					ended(t, done, tool.StatusDenied, tool.CodeApprovalUserRejected)
					continue
				}
				answerCard(t, s.Engine, q.ID, approval.AllowOnce, "")
				ended(t, done, tool.StatusFailed, code)
				if q = s.card(t, q.ID); q.Voided == "" {
					t.Error("the card does not say that nothing was done")
				}
			}
			if b, err := os.ReadFile(filepath.Join(outside, "there.txt")); err != nil || string(b) != "theirs" {
				t.Errorf("the file holds %q, %v", b, err)
			}
		})
	}
}

// A yes to a card without a diff never writes: what it would do was not shown.
func TestYesToACardWithoutADiffIsAskedAgainOnceThereIsOne(t *testing.T) {
	s := newScene(t)
	file := filepath.Join(t.TempDir(), "there.txt")
	for mine := "mine"; ; mine += "!" {
		s.put(t, file, "theirs\n")
		done := s.call(t, write(file, mine))
		card := s.asked(t)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		got := answerCard(t, s.Engine, card.ID, approval.AllowOnce, "")
		again := s.asked(t)
		if again.Note != "" || len(again.Diffs) != 1 {
			t.Errorf("the new card says %q and shows %d diffs", again.Note, len(again.Diffs))
		}
		if got.Outcome == approval.OutcomeGone {
			// The call had only begun to wait and saw the change before the answer.
			answerCard(t, s.Engine, again.ID, approval.Deny, "")
			ended(t, done, tool.StatusDenied, tool.CodeApprovalUserRejected)
			continue
		}
		if s.card(t, card.ID).Voided == "" {
			t.Error("the first card does not say that it did not run")
		}
		answerCard(t, s.Engine, again.ID, approval.AllowOnce, "")
		ended(t, done, tool.StatusSucceeded, "")
		return
	}
}

// Where this machine shows the kernel's log, a call that reads it neither outlives its
// caller nor holds the end of the engine.
func TestReadThatWaitsForEverHoldsNobody(t *testing.T) {
	const log = "/proc/kmsg"
	if f, err := os.Open(log); err != nil {
		t.Logf("the log cannot be read here: %v", err)
		return
	} else if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := newScene(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.s.Call(ctx, read(log), nil) }()
	answerCard(t, s.Engine, s.asked(t).ID, approval.AllowOnce, "")
	next(t, s.events, event.CallStarted)
	s.close(t, s.Engine)
	if o := <-done; o.Status != tool.StatusCancelled {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
}

// A call of a client has no turn to stop: the person stops the one call.
func TestAStoppedCallIsCancelledAndItsCardEnds(t *testing.T) {
	s := newScene(t)
	done := s.call(t, write("a.txt", "hi"))
	q := s.asked(t)
	if !s.CanStop(q.InvocationID) || !s.StopCall(q.InvocationID) {
		t.Fatal("the call that waits cannot be stopped")
	}
	if o := <-done; o.Status != tool.StatusCancelled {
		t.Errorf("the call ended as %s", o.Status)
	}
	if q = s.card(t, q.ID); q.Status != approval.StatusCancelled || q.ResolvedBy != "person" {
		t.Errorf("the card is %s by %q", q.Status, q.ResolvedBy)
	}
	if s.CanStop(q.InvocationID) || s.StopCall(q.InvocationID) || s.StopCall("nothing") {
		t.Error("a call that has ended can be stopped")
	}
}
