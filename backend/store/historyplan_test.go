package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// A page looks at a bounded number of calls through an index, and sorts nothing: what is
// wanted may be as rare as it likes.
func TestAPageOfHistoryCostsNoMoreThanItLooksAt(t *testing.T) {
	s := fresh(t)
	for name, plan := range s.HistoryPlans() {
		if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "SCAN i\n") || strings.Contains(plan, "SCAN sessions") {
			t.Errorf("%s is read by\n%s", name, plan)
		}
		index, _ := strings.CutSuffix(name, " reach")
		if !slices.Contains([]string{"time", "tool", "ending"}, index) {
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(plan, "CO-ROUTINE k\n"), "\n")
		if !strings.Contains(first, " INDEX invocations_"+index+" (") || !strings.Contains(first, "proposed_at>? AND proposed_at<?") {
			t.Errorf("%s is read by\n%s", name, plan)
		}
	}
	happened(t, s, past{id: "rare", session: "s1", tool: "rare", at: -time.Hour, status: tool.StatusSucceeded, risk: tool.RiskCritical})
	fill(t, s, 2*store.MaxLooked+100)
	q := session.HistoryQuery{Risks: []tool.Risk{tool.RiskCritical}}
	var sizes []int
	for {
		page, err := s.History(t.Context(), q)
		must(t, err)
		sizes = append(sizes, len(page.Calls))
		if page.Next == (session.Cursor{}) {
			break
		}
		if page.ReachedAt.IsZero() || !page.ReachedAt.Equal(time.UnixMilli(page.Next.At)) {
			t.Fatalf("the page does not say how far it came: %+v", page)
		}
		q.Before = page.Next
	}
	if d := cmp.Diff([]int{0, 0, 1}, sizes); d != "" {
		t.Error(d)
	}
	if got := flat(t, s, session.HistoryQuery{Tools: []string{"rare"}}); got != "rare" {
		t.Errorf("by its tool it is found as %q", got)
	}
}

// fill makes calls the short way, a second apart from each other.
func fill(t *testing.T, s *store.Store, n int) {
	t.Helper()
	must(t, s.Write(context.WithoutCancel(t.Context()), func(exec func(string, ...any) error) error {
		return exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO invocations (id, session_num, ordinal, call_id, turn, name, tool_id, tool_version, tool_set, tool_source, server_id,
				state, attempt_number, caller_tag, side_effect, risk, idempotency_class, origin_trust, effective_arguments_hash, idempotency_key,
				policy_version, decided_by, proposed_at, outcome_status, reason_code, output_trust, output_bytes, truncated, duration_ms, parallel_group, metadata)
			SELECT 'f' || i, 1, 1000 + i, '', '', 'read', 'read', '', '', '', '', 'succeeded', 1, '', '', 'low', '', 'platform', '', '', '', 'policy',
				? + i * 1000, 'succeeded', '', '', 0, 0, 0, '', '{}' FROM n`, n, now.UnixMilli())
	}))
}

func TestCallsOfAnOlderDatabaseAreInTheHistory(t *testing.T) {
	home := t.TempDir()
	db, err := sql.Open("sqlite3", filepath.Join(home, "countersign.db"))
	must(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"))
	must(t, err)
	_, err = p.UpTo(t.Context(), 1)
	must(t, err)
	_, err = db.Exec(`INSERT INTO sessions (id, title, workspace, trust_root, caller_kind, caller_name, caller_version, limits, status, created_at)
		VALUES ('s1', 'Old', '/w', '/w', 'agent', '', '', '{}', 'ended', 1);
		INSERT INTO invocations (id, session_num, ordinal, call_id, turn, name, tool_id, tool_version, tool_set, tool_source, server_id, state,
			attempt_number, caller_tag, side_effect, risk, idempotency_class, origin_trust, effective_arguments_hash, idempotency_key, policy_version,
			decided_by, proposed_at, outcome_status, reason_code, output_trust, output_bytes, truncated, duration_ms, parallel_group, metadata)
		VALUES ('i1', 1, 1, '', '', 'write', '', '', '', '', '', 'denied', 1, '', '', '', '', 'platform', '', '', '', 'person', 5, 'denied',
			'approval.user_rejected', '', 0, 0, 0, '', '{}')`)
	must(t, err)
	must(t, db.Close())
	s := at(t, home)
	got := flat(t, s, session.HistoryQuery{
		Tools: []string{"write"}, Endings: []session.Ending{session.EndingDenied}, Deciders: []session.Decider{session.DeciderPerson}, Text: "old",
	})
	if got != "i1" {
		t.Errorf("found %q", got)
	}
}
