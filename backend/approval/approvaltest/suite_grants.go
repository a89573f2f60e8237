package approvaltest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/policy"
)

// give answers a fresh request of session s1 with grants.
func give(t *testing.T, s Subject, request string, grants ...policy.Grant) {
	t.Helper()
	s.Invocation(t, "s1", "call-"+request)
	must(t, s.Ledger.AddRequest(t.Context(), Asked(request, "s1", "call-"+request)))
	end := allow(t0)
	end.Resolution = approval.AllowSession
	_, changed, err := s.Ledger.Resolve(t.Context(), request, end, grants)
	must(t, err)
	if !changed {
		t.Fatal("the answer changed nothing")
	}
}

func held(t *testing.T, s Subject, session, workspace string, now time.Time, want ...policy.Grant) {
	t.Helper()
	got, err := s.Ledger.Grants(t.Context(), session, workspace, now)
	must(t, err)
	if d := cmp.Diff(want, got, compare); d != "" {
		t.Errorf("grants of %s in %s (-want +got)\n%s", session, workspace, d)
	}
}

func listed(t *testing.T, s Subject, since time.Time, want ...policy.Grant) {
	t.Helper()
	got, err := s.Ledger.AllGrants(t.Context(), since)
	must(t, err)
	if d := cmp.Diff(want, got, compare); d != "" {
		t.Errorf("all grants (-want +got)\n%s", d)
	}
}

func grants(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	first, second := Granted("g1", "a1", policy.GrantSession), Granted("g2", "a1", policy.GrantSession)
	second.Kind, second.Value = policy.GrantCommand, "git log *"
	end := allow(t0)
	end.Resolution = approval.AllowSession
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", end, []policy.Grant{first, second})
	must(t, err)
	late := Granted("g3", "a1", policy.GrantSession)
	late.Value = "/w/b"
	_, _, err = s.Ledger.Resolve(t.Context(), "a1", end, []policy.Grant{late})
	must(t, err)
	held(t, s, "s1", "/w", t0, first, second)
	held(t, s, "s2", "/w", t0)
}

// spec: CS-8
func grantPlaces(t *testing.T, s Subject) {
	here, everywhere := Granted("g1", "a1", policy.GrantSession), Granted("g2", "a1", policy.GrantWorkspace)
	give(t, s, "a1", here, everywhere)
	held(t, s, "s1", "/w", t0, here, everywhere)
	held(t, s, "s2", "/w", t0, everywhere)
	held(t, s, "s2", "/w/below", t0)
	held(t, s, "s2", "/", t0)
	held(t, s, "s2", "", t0)
	held(t, s, "", "/w", t0, everywhere)
}

func grantReplaced(t *testing.T, s Subject) {
	first, again := Granted("g1", "a1", policy.GrantWorkspace), Granted("g2", "a2", policy.GrantWorkspace)
	again.PolicyVersion, again.CreatedAt = "policy-2", t0.Add(time.Minute)
	other := Granted("g3", "a2", policy.GrantWorkspace)
	other.Value = "/w/b"
	session := Granted("g4", "a2", policy.GrantSession)
	give(t, s, "a1", first)
	give(t, s, "a2", again, other, session)
	held(t, s, "s1", "/w", t0, again, other, session)
	first.EndedAt, first.EndedBy = &again.CreatedAt, policy.GrantReplaced
	listed(t, s, t0.Add(-time.Hour), session, other, again, first)
}

func grantUses(t *testing.T, s Subject) {
	one, two := Granted("g1", "a1", policy.GrantSession), Granted("g2", "a1", policy.GrantWorkspace)
	give(t, s, "a1", one, two)
	at := t0.Add(time.Minute)
	for _, id := range []string{"u1", "u2"} {
		s.Invocation(t, "s1", id)
	}
	if !s.Use(t, "u1", at, "g1", "g2") || !s.Use(t, "u2", at.Add(time.Minute), "g2") {
		t.Error("a live grant did not hold")
	}
	later := at.Add(time.Minute)
	one.Uses, one.LastUsed, two.Uses, two.LastUsed = 1, &at, 2, &later
	held(t, s, "s1", "/w", t0, one, two)
}

func grantRevoked(t *testing.T, s Subject) {
	ctx, at := t.Context(), t0.Add(time.Minute)
	one, two := Granted("g1", "a1", policy.GrantSession), Granted("g2", "a1", policy.GrantWorkspace)
	give(t, s, "a1", one, two)
	two.EndedAt, two.EndedBy = &at, policy.GrantRevoked
	for i, when := range []time.Time{at, at.Add(time.Hour)} {
		got, changed, err := s.Ledger.EndGrant(ctx, "g2", policy.GrantRevoked, when)
		must(t, err)
		if d := cmp.Diff(two, got, compare); d != "" || changed != (i == 0) {
			t.Errorf("revoked %d: changed %v (-want +got)\n%s", i+1, changed, d)
		}
	}
	held(t, s, "s1", "/w", t0, one)
	// A call that was decided by it before is not let through any more, and nothing counts.
	s.Invocation(t, "s1", "u1")
	if s.Use(t, "u1", at, "g1", "g2") {
		t.Error("a grant that was taken back let a call run")
	}
	held(t, s, "s1", "/w", t0, one)
	_, _, err := s.Ledger.EndGrant(ctx, "nobody", policy.GrantRevoked, at)
	is(t, err, approval.ErrNoGrant)
}

func grantExpires(t *testing.T, s Subject) {
	g, end := Granted("g1", "a1", policy.GrantWorkspace), t0.Add(24*time.Hour)
	g.ExpiresAt = &end
	give(t, s, "a1", g)
	held(t, s, "s1", "/w", end.Add(-time.Millisecond), g)
	held(t, s, "s1", "/w", end)
	listed(t, s, t0.Add(-time.Hour), g)
	s.Invocation(t, "s1", "u1")
	if s.Use(t, "u1", end, "g1") {
		t.Error("a grant whose time is over let a call run")
	}
}

func grantsSwept(t *testing.T, s Subject) {
	day := 24 * time.Hour
	old, used, young, session := Granted("g1", "a1", policy.GrantWorkspace), Granted("g2", "a1", policy.GrantWorkspace),
		Granted("g3", "a1", policy.GrantWorkspace), Granted("g4", "a1", policy.GrantSession)
	used.Value, young.Value = "/w/b", "/w/c"
	young.CreatedAt = t0.Add(day)
	give(t, s, "a1", old, used, young, session)
	s.Invocation(t, "s1", "u1")
	at := t0.Add(2 * day)
	s.Use(t, "u1", at, "g2")
	used.Uses, used.LastUsed = 1, &at
	now := t0.Add(31 * day)
	for i, want := range []int{1, 0} {
		if n, err := s.Ledger.SweepGrants(t.Context(), t0.Add(day), now); err != nil || n != want {
			t.Errorf("sweep %d: %d, %v", i+1, n, err)
		}
	}
	held(t, s, "s1", "/w", t0, used, young, session)
	old.EndedAt, old.EndedBy = &now, policy.GrantUnused
	listed(t, s, t0, session, young, used, old)
}

func grantsListed(t *testing.T, s Subject) {
	one, two := Granted("g1", "a1", policy.GrantSession), Granted("g2", "a1", policy.GrantWorkspace)
	give(t, s, "a1", one, two)
	at := t0.Add(time.Hour)
	_, _, err := s.Ledger.EndGrant(t.Context(), "g1", policy.GrantRevoked, at)
	must(t, err)
	one.EndedAt, one.EndedBy = &at, policy.GrantRevoked
	listed(t, s, t0, two, one)
	listed(t, s, at, two)
}
