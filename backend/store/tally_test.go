package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

func TestTallyCountsTheCallsOfOneSession(t *testing.T) {
	s := fresh(t)
	if _, err := s.Tally(t.Context(), "s1"); !errors.Is(err, session.ErrNoSession) {
		t.Errorf("got %v", err)
	}
	make1(t, s, "s1")
	make1(t, s, "s2")
	if got, err := s.Tally(t.Context(), "s1"); err != nil || got != (store.Tally{}) {
		t.Errorf("%+v %v", got, err)
	}
	var last session.Invocation
	for _, id := range []string{"a", "b", "c"} {
		last = registrytest.Proposed(id)
		must(t, s.Propose(t.Context(), last))
	}
	denied := last
	denied.Status, denied.ReasonCode, denied.EndedAt = tool.StatusDenied, tool.CodePolicyDenied, &now
	must(t, s.Finish(t.Context(), denied, nil, nil))
	got, err := s.Tally(t.Context(), last.SessionID)
	must(t, err)
	if d := cmp.Diff(store.Tally{Calls: 3, Denied: 1, Last: last.ProposedAt}, got); d != "" {
		t.Error(d)
	}
}
