package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// ended takes a call of a tool to its end.
func ended(t *testing.T, s *store.Store, id, toolID string, status tool.Status, at time.Time) {
	t.Helper()
	proposed := registrytest.Proposed(id)
	must(t, s.Propose(t.Context(), proposed))
	call := registrytest.Authorized(proposed)
	call.ToolID = toolID
	if status != tool.StatusDenied {
		must(t, s.Authorize(t.Context(), call))
		_, err := s.Claim(t.Context(), id, at)
		must(t, err)
	}
	call = registrytest.Finished(call, status)
	call.EndedAt = &at
	must(t, s.Finish(t.Context(), call, nil, nil))
}

func TestToolTotalsCountCallsAndKeepTheLastFailure(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	s := at(t, home)
	make1(t, s, "s1")
	early, late := registrytest.Finished(session.Invocation{}, tool.StatusFailed).EndedAt, time.Time{}
	late = early.Add(time.Hour)
	for i, c := range []struct {
		tool   string
		status tool.Status
		at     time.Time
	}{
		{"a.read", tool.StatusSucceeded, *early},
		{"a.read", tool.StatusFailed, *early},
		{"a.read", tool.StatusUncertain, late},
		{"a.read", tool.StatusDenied, late.Add(time.Hour)},
		{"a.read", tool.StatusCancelled, late.Add(time.Hour)},
		{"b.write", tool.StatusDenied, *early},
		{"", tool.StatusDenied, *early},
	} {
		ended(t, s, fmt.Sprintf("i%d", i), c.tool, c.status, c.at)
	}
	must(t, s.Propose(t.Context(), registrytest.Proposed("open")))
	want := []store.ToolTotal{
		{ToolID: "a.read", Calls: 5, FailedAt: &late, FailedBy: tool.CodeExecutionFailed},
		{ToolID: "b.write", Calls: 1},
	}
	got, err := s.ToolTotals(t.Context())
	must(t, err)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}

	// A session that is forgotten takes its calls out of the totals.
	must(t, s.Close())
	raw(t, home, `DELETE FROM invocations WHERE id = 'i0'`)
	if got, err = at(t, home).ToolTotals(t.Context()); err != nil || got[0].Calls != 4 {
		t.Errorf("got %+v, %v", got, err)
	}
	raw(t, home, `PRAGMA foreign_keys = ON`, `DELETE FROM sessions`)
	if got, err = at(t, home).ToolTotals(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A history from before the totals is counted once, when it is brought up to date.
func TestToolTotalsOfAnOlderHistory(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	s := at(t, home)
	make1(t, s, "s1")
	when := *registrytest.Finished(session.Invocation{}, tool.StatusFailed).EndedAt
	ended(t, s, "i1", "a.read", tool.StatusSucceeded, when)
	ended(t, s, "i2", "a.read", tool.StatusFailed, when)
	ended(t, s, "i3", "b.write", tool.StatusSucceeded, when)
	want, err := s.ToolTotals(t.Context())
	must(t, err)
	must(t, s.Close())
	withoutAnswers(t, home)
	raw(t, home, `DROP TRIGGER invocations_named`, `DROP TRIGGER invocations_added`, `DROP TRIGGER invocations_failed`,
		`DROP TRIGGER invocations_forgotten`, `DROP TABLE tool_totals`, `DELETE FROM goose_db_version WHERE version_id >= 4`)
	got, err := at(t, home).ToolTotals(t.Context())
	must(t, err)
	if d := cmp.Diff(want, got); d != "" || len(got) != 2 || got[0].FailedAt == nil {
		t.Errorf("%+v\n%s", got, d)
	}
}
