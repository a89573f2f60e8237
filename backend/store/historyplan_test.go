package store_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
