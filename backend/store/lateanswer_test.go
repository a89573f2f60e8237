package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// left stores a call that asked and whose caller left while its card waited.
func left(t *testing.T, s *store.Store, id, why string, at time.Duration) {
	t.Helper()
	happened(t, s, past{id: id, session: "s1", tool: "write", at: at})
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("ask-"+id, "s1", id)))
	must(t, s.MarkLeft(t.Context(), "ask-"+id, why))
	if why == "interrupted" {
		return
	}
	inv := registrytest.Proposed(id)
	inv.SessionID, inv.ToolID = "s1", "write"
	inv = registrytest.Finished(inv, tool.StatusCancelled)
	inv.ReasonCode = tool.CodeCancelled
	must(t, s.Finish(t.Context(), inv, nil, nil))
}

func answered(t *testing.T, s *store.Store, id string, status approval.Status, how approval.Resolution) {
	t.Helper()
	_, changed, err := s.Resolve(t.Context(), "ask-"+id, approval.End{Status: status, Resolution: how, By: "person", At: now}, nil)
	if err != nil || !changed {
		t.Fatalf("answer %s: %t, %v", id, changed, err)
	}
}

// lateStory leaves calls whose callers left, with every answer that may follow.
func lateStory(t *testing.T, s *store.Store) {
	t.Helper()
	for i, id := range []string{"open", "denied", "allowed", "expired"} {
		left(t, s, id, "left", -time.Duration(i)*time.Second)
	}
	left(t, s, "closed", "interrupted", -4*time.Second)
	answered(t, s, "denied", approval.StatusDenied, approval.Deny)
	answered(t, s, "allowed", approval.StatusApproved, approval.AllowOnce)
	answered(t, s, "closed", approval.StatusDenied, approval.Deny)
	_, _, err := s.Resolve(t.Context(), "ask-expired", approval.End{Status: approval.StatusExpired, By: "expiry", At: now}, nil)
	must(t, err)
}

func expectLate(t *testing.T, s *store.Store) {
	t.Helper()
	for ending, want := range map[session.Ending]string{
		session.EndingDenied: "denied closed", session.EndingCancelled: "open allowed expired",
	} {
		if got := flat(t, s, session.HistoryQuery{Endings: []session.Ending{ending}}); got != want {
			t.Errorf("%s: %q, want %q", ending, got, want)
		}
	}
	for decider, want := range map[session.Decider]string{
		session.DeciderPerson: "denied allowed closed", session.DeciderNobody: "open expired", session.DeciderRules: "",
	} {
		if got := flat(t, s, session.HistoryQuery{Deciders: []session.Decider{decider}}); got != want {
			t.Errorf("%s: %q, want %q", decider, got, want)
		}
	}
}

func TestHistoryFindsAnAnswerThatCameAfterTheCallerHadLeft(t *testing.T) {
	s := fresh(t)
	lateStory(t, s)
	expectLate(t, s)
}

// A question that is put again takes the place of the answer to the one before.
func TestAnAnswerToAnEarlierQuestionIsNoAnswerToTheNext(t *testing.T) {
	s := fresh(t)
	happened(t, s, past{id: "i1", session: "s1", tool: "write"})
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("ask-i1", "s1", "i1")))
	answered(t, s, "i1", approval.StatusApproved, approval.AllowOnce)
	must(t, s.AddRequest(t.Context(), approvaltest.Asked("again", "s1", "i1")))
	inv := registrytest.Proposed("i1")
	inv.SessionID, inv.ToolID = "s1", "write"
	inv = registrytest.Finished(inv, tool.StatusCancelled)
	must(t, s.Finish(t.Context(), inv, nil, nil))
	if got := flat(t, s, session.HistoryQuery{Deciders: []session.Decider{session.DeciderNobody}}); got != "i1" {
		t.Errorf("nobody decided %q", got)
	}
}

// withoutAnswers makes a history one from before calls kept the answers to them, and before
// there was anything to keep.
func withoutAnswers(t *testing.T, home string) {
	t.Helper()
	raw(t, home, `DROP INDEX invocations_ending`, `ALTER TABLE invocations DROP COLUMN ending`, `ALTER TABLE invocations DROP COLUMN decider`,
		`ALTER TABLE invocations DROP COLUMN answer`, `ALTER TABLE invocations ADD COLUMN ending TEXT`, `ALTER TABLE invocations ADD COLUMN decider TEXT`,
		`CREATE INDEX invocations_ending ON invocations (ending)`, `DROP TABLE artifacts`, `DROP TABLE processes`, `ALTER TABLE approvals DROP COLUMN keep`, `ALTER TABLE approvals DROP COLUMN batch_id`,
		`DROP INDEX approvals_kept`, `ALTER TABLE approvals DROP COLUMN asked_hash`, `CREATE INDEX approvals_kept ON approvals (session_num)`,
		`ALTER TABLE approval_cards DROP COLUMN canonical_asked`, `ALTER TABLE invocations DROP COLUMN asked_arguments_hash`,
		`ALTER TABLE invocations DROP COLUMN changed_by`,
		`DROP TABLE decisions`, `DROP TABLE shown_cards`, `DROP TABLE record_starts`, `DROP TABLE tool_sets`, `DROP TABLE remains`, `DROP TABLE media`, `DELETE FROM goose_db_version WHERE version_id >= 5`)
}

func TestAnswersOfAnOlderHistoryAreFound(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	s := at(t, home)
	lateStory(t, s)
	must(t, s.Close())
	withoutAnswers(t, home)
	raw(t, home, `UPDATE invocations SET decided_by = 'policy', decision = '{"verdict":"ask"}' WHERE id = 'open'`)
	s = at(t, home)
	expectLate(t, s)
	if c, err := s.Invocation(t.Context(), "open"); err != nil || c.DecidedBy != "" {
		t.Errorf("the rules asked, and count as who decided: %q, %v", c.DecidedBy, err)
	}
}
