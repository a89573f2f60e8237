package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

func recentIDs(calls []store.RecentCall) string {
	var out []string
	for _, c := range calls {
		id := c.ID
		if c.Denied {
			id += "!"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func TestRecentCallsAreThoseOfAToolInASessionOrAWorkspace(t *testing.T) {
	s := fresh(t)
	make1(t, s, "s1")
	make1(t, s, "s2")
	_, err := s.CreateSession(t.Context(), session.Session{ID: "s3", Workspace: "/elsewhere"})
	must(t, err)
	for i, c := range []struct {
		session, tool string
		denied        bool
		size          int
	}{
		{"s1", "bash", false, 1}, {"s2", "bash", true, 1}, {"s1", "write", false, 1}, {"s3", "bash", false, 1}, {"s1", "bash", true, 1},
		{"s1", "bash", false, 70 << 10}, {"s1", "bash", false, 1},
	} {
		inv := registrytest.Proposed(fmt.Sprintf("i%d", i))
		inv.SessionID, inv.Raw, inv.ProposedAt = c.session, []byte(`{"command":"`+strings.Repeat("x", c.size)+`"}`), now.Add(time.Duration(i)*time.Second)
		must(t, s.Propose(t.Context(), inv))
		inv = registrytest.Finished(inv, tool.StatusSucceeded)
		if c.denied {
			inv.Status, inv.ReasonCode = tool.StatusDenied, tool.CodeApprovalUserRejected
		}
		inv.ToolID = c.tool
		must(t, s.Finish(t.Context(), inv, nil, nil))
	}
	for name, c := range map[string]struct {
		calls func() ([]store.RecentCall, error)
		want  string
	}{
		"a session":      {func() ([]store.RecentCall, error) { return s.RecentInSession(t.Context(), "s1", "bash", 10, 100) }, "i6 i4! i0"},
		"the last":       {func() ([]store.RecentCall, error) { return s.RecentInSession(t.Context(), "s1", "bash", 2, 100) }, "i6 i4!"},
		"among the last": {func() ([]store.RecentCall, error) { return s.RecentInSession(t.Context(), "s1", "bash", 10, 3) }, "i6 i4!"},
		"no session":     {func() ([]store.RecentCall, error) { return s.RecentInSession(t.Context(), "none", "bash", 10, 100) }, ""},
		"a workspace": {func() ([]store.RecentCall, error) {
			return s.RecentInWorkspace(t.Context(), registrytest.Workspace, "bash", 10, 100)
		}, "i6 i4! i1! i0"},
		"among the latest": {func() ([]store.RecentCall, error) {
			return s.RecentInWorkspace(t.Context(), registrytest.Workspace, "bash", 10, 4)
		}, "i6 i4!"},
		"elsewhere": {func() ([]store.RecentCall, error) {
			return s.RecentInWorkspace(t.Context(), "/elsewhere", "bash", 10, 100)
		}, "i3"},
	} {
		got, err := c.calls()
		must(t, err)
		if d := cmp.Diff(c.want, recentIDs(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	got, err := s.RecentInSession(t.Context(), "s1", "write", 1, 100)
	must(t, err)
	if len(got) != 1 || len(got[0].Arguments) == 0 || got[0].SessionID != "s1" || !got[0].At.Equal(now.Add(2*time.Second)) {
		t.Errorf("%+v", got)
	}
}

// What holds is looked for at every question and calls at every key, so neither may cost more
// the longer the history is.
func TestGrantsAndRecentCallsAreFoundThroughAnIndex(t *testing.T) {
	for name, plan := range fresh(t).GrantPlans() {
		if plan == "" || strings.Contains(plan, "SCAN g") || strings.Contains(plan, "SCAN i\n") || strings.Contains(plan, "SCAN invocations") || strings.Contains(plan, "SCAN a") {
			t.Errorf("%s is read by\n%s", name, plan)
		}
	}
}
