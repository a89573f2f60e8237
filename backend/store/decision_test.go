package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/record"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// exported is the record of a session as it is given away.
func exported(t testing.TB, s *store.Store, sessionID string) []byte {
	t.Helper()
	start, err := s.RecordStart(t.Context(), sessionID)
	must(t, err)
	begun, err := record.Begin(sessionID, start)
	must(t, err)
	out, head := record.AppendLine(nil, begun, nil), record.HeadOf(sessionID, begun)
	for {
		page, err := s.Decisions(t.Context(), sessionID, head.Seq, 2)
		must(t, err)
		for _, d := range page {
			out, head = record.AppendLine(out, d.Sealed, d.Card), record.HeadOf(sessionID, d.Sealed)
		}
		if len(page) < 2 {
			break
		}
	}
	closed, err := head.Close()
	must(t, err)
	return record.AppendLine(out, closed, nil)
}

// recorded is the record of a session in short: what each entry tells, of which call and by whom. It
// fails where the record does not hold.
func recorded(t testing.TB, s *store.Store, sessionID string) (out []string) {
	t.Helper()
	text := exported(t, s, sessionID)
	found, err := record.Verify(bytes.NewReader(text))
	must(t, err)
	if found.Problem != record.ProblemNone {
		t.Errorf("%s: %s", found.Problem, found.Words)
	}
	for line := range bytes.Lines(text) {
		var l struct {
			Entry struct{ Kind, Invocation, By, Shown string }
			Card  json.RawMessage
		}
		must(t, json.Unmarshal(line, &l))
		if l.Entry.Kind == string(record.KindBegun) || l.Entry.Kind == string(record.KindClosed) {
			continue
		}
		if (l.Entry.Shown != "") != (l.Entry.Kind == string(record.KindResolved)) {
			t.Errorf("%s has the card %q", l.Entry.Kind, l.Entry.Shown)
		}
		out = append(out, l.Entry.Kind+" "+l.Entry.Invocation+" "+l.Entry.By)
	}
	return out
}

func expectTold(t *testing.T, s *store.Store, sessionID string, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, recorded(t, s, sessionID)); d != "" {
		t.Errorf("the record of %s (-want +got)\n%s", sessionID, d)
	}
}

func end(status approval.Status, by string) approval.End {
	e := approval.End{Status: status, By: by, At: now}
	switch {
	case by == "person" && status == approval.StatusApproved:
		e.Resolution = approval.AllowOnce
	case by == "person" && status == approval.StatusDenied:
		e.Resolution = approval.Deny
	}
	return e
}

// asking stores a call that waits for a person.
func asking(t testing.TB, s *store.Store, id string) {
	t.Helper()
	must(t, s.Propose(t.Context(), registrytest.Proposed(id)))
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("ask-"+id, "s1", id)))
}

func resolve(t testing.TB, s *store.Store, id string, e approval.End, grants ...policy.Grant) {
	t.Helper()
	_, changed, err := s.Resolve(t.Context(), "ask-"+id, e, grants)
	must(t, err)
	if !changed {
		t.Errorf("%s had ended before", id)
	}
}

func authorized(id, by string) session.Invocation {
	inv := registrytest.Authorized(registrytest.Proposed(id))
	inv.DecidedBy = by
	return inv
}

func deniedBy(id, by string, code tool.Code) session.Invocation {
	inv := registrytest.Finished(registrytest.Proposed(id), tool.StatusDenied)
	inv.DecidedBy, inv.ReasonCode = by, code
	return inv
}

func TestEveryDecisionIsInTheRecord(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	ctx := t.Context()
	propose := func(id string) { must(t, s.Propose(ctx, registrytest.Proposed(id))) }

	propose("allowed")
	must(t, s.Authorize(ctx, authorized("allowed", "policy")))
	propose("denied")
	must(t, s.Finish(ctx, deniedBy("denied", "policy", tool.CodePolicyBlocked), nil, nil))
	propose("reviewed")
	must(t, s.Authorize(ctx, authorized("reviewed", "reviewer")))
	propose("headless")
	must(t, s.Finish(ctx, deniedBy("headless", "", tool.CodeApprovalNoOperator), nil, nil))
	// What nobody decided is no decision.
	propose("stopped")
	must(t, s.Finish(ctx, registrytest.Finished(registrytest.Proposed("stopped"), tool.StatusCancelled), nil, nil))

	asking(t, s, "yes")
	grant := approvaltest.Granted("g1", "ask-yes", policy.GrantSession)
	resolve(t, s, "yes", end(approval.StatusApproved, "person"), grant)
	inv := authorized("yes", "person")
	inv.Answered = "ask-yes"
	must(t, s.Authorize(ctx, inv))
	propose("granted")
	inv = authorized("granted", "grant:g1")
	inv.Grants = []string{"g1"}
	must(t, s.Authorize(ctx, inv))
	asking(t, s, "no")
	resolve(t, s, "no", end(approval.StatusDenied, "person"))
	must(t, s.Finish(ctx, deniedBy("no", "person", tool.CodeApprovalUserRejected), nil, nil))
	for id, e := range map[string]approval.End{
		"late": end(approval.StatusExpired, "expiry"), "gone": end(approval.StatusCancelled, "person"),
		"rules": end(approval.StatusApproved, "settings"), "files": end(approval.StatusCancelled, "files"),
	} {
		asking(t, s, id)
		resolve(t, s, id, e)
		want := fmt.Sprintf("approval.resolved %s %s", id, e.By)
		if all := recorded(t, s, "s1"); all[len(all)-1] != want {
			t.Errorf("the last entry is %q, not %q", all[len(all)-1], want)
		}
	}
	asking(t, s, "moved")
	resolve(t, s, "moved", end(approval.StatusApproved, "person"))
	must(t, s.Void(ctx, "ask-moved", "A file changed."))
	all := recorded(t, s, "s1")
	want := []string{
		"tool.call.authorized allowed policy", "tool.call.denied denied policy", "tool.call.authorized reviewed reviewer",
		"tool.call.denied headless nobody", "approval.resolved yes person", "tool.call.authorized yes person",
		"tool.call.authorized granted grant:g1", "approval.resolved no person", "tool.call.denied no person",
	}
	if d := cmp.Diff(want, all[:len(want)]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"approval.resolved moved person", "approval.voided moved policy"}, all[len(all)-2:]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A second answer, and one to something else than what is shown, decides nothing.
func TestWhatDecidesNothingIsNotInTheRecord(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	asking(t, s, "i1")
	other := end(approval.StatusApproved, "person")
	other.Card = strings.Repeat("0", 64)
	_, changed, err := s.Resolve(t.Context(), "ask-i1", other, nil)
	if must(t, err); changed {
		t.Error("an answer to another card counted")
	}
	expectTold(t, s, "s1")
	resolve(t, s, "i1", end(approval.StatusDenied, "person"))
	_, _, err = s.Resolve(t.Context(), "ask-i1", end(approval.StatusApproved, "person"), nil)
	must(t, err)
	must(t, s.Void(t.Context(), "ask-i1", "not approved"))
	expectTold(t, s, "s1", "approval.resolved i1 person")
}

// A decision that cannot be recorded is not made.
func TestNothingRunsWithoutItsEntry(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	s := at(t, home)
	make1(t, s, "s1")
	must(t, s.Propose(t.Context(), registrytest.Proposed("i1")))
	asking(t, s, "i2")
	must(t, s.Propose(t.Context(), registrytest.Proposed("i3")))
	raw(t, home, `CREATE TRIGGER refuse BEFORE INSERT ON decisions BEGIN SELECT RAISE(ABORT, 'no'); END`)

	if err := s.Authorize(t.Context(), authorized("i1", "policy")); err == nil {
		t.Error("a call was authorized without an entry")
	}
	if won, err := s.Claim(t.Context(), "i1", now); err != nil || won {
		t.Errorf("it could be claimed: %v", err)
	}
	if _, changed, err := s.Resolve(t.Context(), "ask-i2", end(approval.StatusApproved, "person"), nil); err == nil || changed {
		t.Error("a card was answered without an entry")
	}
	if q, err := s.Request(t.Context(), "ask-i2"); err != nil || q.Status != approval.StatusPending {
		t.Errorf("the card is %s, %v", q.Status, err)
	}
	if err := s.Finish(t.Context(), deniedBy("i3", "policy", tool.CodePolicyBlocked), nil, nil); err == nil {
		t.Error("a call was denied without an entry")
	}

	raw(t, home, `DROP TRIGGER refuse`)
	must(t, s.Authorize(t.Context(), authorized("i1", "policy")))
	resolve(t, s, "i2", end(approval.StatusApproved, "person"))
	expectTold(t, s, "s1", "tool.call.authorized i1 policy", "approval.resolved i2 person")
}

// Two programs on one home write into one record: a card is answered wherever the person is.
func TestProgramsShareTheRecordOfASession(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	one, two := at(t, home), at(t, home)
	make1(t, one, "s1")
	const cards = 12
	for i := range cards {
		asking(t, one, fmt.Sprintf("i%d", i))
	}
	var all sync.WaitGroup
	for i := range cards {
		s := []*store.Store{one, two}[i%2]
		all.Go(func() {
			_, _, err := s.Resolve(t.Context(), fmt.Sprintf("ask-i%d", i), end(approval.StatusApproved, "person"), nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := recorded(t, two, "s1"); len(got) != cards {
		t.Errorf("%d entries", len(got))
	}
}

// A unit of a group that fails must not leave its mark on the chain of the others.
func TestAFailedWriteLeavesTheChainWhole(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	for i := range 8 {
		must(t, s.Propose(t.Context(), registrytest.Proposed(fmt.Sprintf("i%d", i))))
	}
	release := s.Hold()
	var waiting []<-chan error
	for i := range 8 {
		inv := authorized(fmt.Sprintf("i%d", i), "grant:none")
		if i%2 == 1 {
			inv.Grants = []string{"none"}
		}
		waiting = append(waiting, queue(t, s, func() error { return s.Authorize(t.Context(), inv) }))
	}
	release()
	for i, done := range waiting {
		if err := <-done; (err != nil) != (i%2 == 1) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if got := recorded(t, s, "s1"); len(got) != 4 {
		t.Errorf("%q", got)
	}
}

func TestTheRecordHoldsNoSecret(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	s := fresh(t)
	make1(t, s, "s1")
	ctx := t.Context()
	must(t, s.Propose(ctx, registrytest.Proposed("i1")))
	q := approvaltest.Asked("ask-i1", "s1", "i1")
	q.Canonical, q.Command = []byte(`{"command":"login `+secret+`"}`), tool.Mark("login "+secret)
	q.Decision.Chain[0].Reason, q.Paths[0].Path.Real = "It holds "+secret, "/w/"+secret
	must(t, s.AddRequest(ctx, q))
	e := end(approval.StatusApproved, "person")
	e.Words, e.Reason = secret, "Because of "+secret
	resolve(t, s, "i1", e)
	must(t, s.Void(ctx, "ask-i1", "It was "+secret))
	inv := authorized("i1", "person")
	inv.Decision.Chain[0].Reason = "You allowed " + secret
	must(t, s.Authorize(ctx, inv))
	if got := recorded(t, s, "s1"); len(got) != 3 {
		t.Errorf("%q", got)
	}
	if text := exported(t, s, "s1"); bytes.Contains(text, []byte(secret)) || !bytes.Contains(text, []byte("[redacted:")) {
		t.Errorf("the record is %s", text)
	}
}

// A card that waited when the record began is shown from then on, and the record says what
// came before it.
func TestTheRecordOfAnOlderSessionBeginsLater(t *testing.T) {
	s := olderAt(t, 8, func(exec func(string, ...any)) {
		exec(`INSERT INTO events (session_num, seq, at, type, ref) VALUES (1, 1, 1, 'session.opened', 's1'), (1, 2, 1, 'tool.call.proposed', 'i1')`)
		exec(`INSERT INTO sessions (id, title, workspace, trust_root, caller_kind, caller_name, caller_version, limits, status, created_at)
			VALUES ('quiet', '', '/w', '/w', 'agent', '', '', '{}', 'ended', 1)`)
		exec(olderCall, "i1", 2)
		exec(`INSERT INTO approvals (id, session_num, invocation_id, tool_id, risk, arguments_hash, policy_version, status, created_at, expires_at,
			caller_left, left_why, resolution, words, resolved_by, reason, voided, consumed)
			VALUES ('ask-i1', 1, 'i1', 'write', 'low', 'h', 'p', 'pending', 1, 9999999999999, 1, 'left', '', '', '', '', '', 0)`)
		exec(`INSERT INTO approval_cards (approval_num, canonical, card) VALUES (1, x'7b7d', '{"id":"ask-i1","session_id":"s1","tool_id":"write"}')`)
	})
	start, err := s.RecordStart(t.Context(), "s1")
	if want := (record.Start{After: 2, Calls: 1}); err != nil || start != want {
		t.Errorf("the record begins at %+v, %v", start, err)
	}
	if start, err = s.RecordStart(t.Context(), "quiet"); err != nil || start != (record.Start{}) {
		t.Errorf("that of a session without calls at %+v, %v", start, err)
	}
	resolve(t, s, "i1", end(approval.StatusDenied, "person"))
	expectTold(t, s, "s1", "approval.resolved i1 person")
}

func TestTheRecordGoesWithItsSession(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	s := at(t, home)
	make1(t, s, "s1")
	asking(t, s, "i1")
	resolve(t, s, "i1", end(approval.StatusDenied, "person"))
	must(t, s.Close())
	raw(t, home, `PRAGMA foreign_keys = ON`, `DELETE FROM sessions`)
	s = at(t, home)
	if all, err := s.Decisions(t.Context(), "s1", 0, 10); err != nil || len(all) != 0 {
		t.Errorf("%d entries are left, %v", len(all), err)
	}
	if _, err := s.Session(t.Context(), "s1"); !errors.Is(err, session.ErrNoSession) {
		t.Error(err)
	}
}
