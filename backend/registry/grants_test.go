package registry_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// fetching is a tool that reads from one host.
func fetching(s *tool.Spec) {
	s.Class.SideEffect, s.Class.Target = tool.EffectNetworkRead, tool.TargetHost
	s.Target = func(tool.Args) (tool.TargetRequest, error) {
		return tool.TargetRequest{URL: "https://a.example/x"}, nil
	}
}

// grantBed is a bed whose journal counts the grants of its ledger.
func grantBed(t *testing.T) (*bed, *approvaltest.Ledger) {
	t.Helper()
	ledger := approvaltest.NewLedger()
	b := newBedOver(t, ledger, spec("web.fetch", fetching))
	b.journal.Use = ledger.Use
	return b, ledger
}

// grantOnce answers the first call for the session, and returns the grant.
func grantOnce(t *testing.T, b *bed) policy.Grant {
	t.Helper()
	first := dispatch(t.Context(), b, "web.fetch", `{}`)
	got := b.answer(t, approval.AllowSession, "")
	want(t, <-first, tool.StatusSucceeded, "")
	if len(got.Grants) != 1 {
		t.Fatalf("%+v", got)
	}
	return got.Grants[0]
}

// spec: CT-30
func TestTheUseOfAGrantIsCountedAndToldWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := grantBed(t)
		g := grantOnce(t, b)
		time.Sleep(time.Minute)
		again := b.call(t.Context(), "web.fetch", `{}`)
		want(t, again, tool.StatusSucceeded, "")
		inv, _ := b.journal.Invocation(again.InvocationID)
		if inv.DecidedBy != approval.ByGrant+g.ID {
			t.Errorf("decided by %q", inv.DecidedBy)
		}
		held, err := b.desk.Grants(t.Context(), "s1", "/w")
		if err != nil || len(held) != 1 || held[0].Uses != 1 || !held[0].LastUsed.Equal(time.Now()) {
			t.Errorf("%+v, %v", held, err)
		}
		// What a program run allows by itself is no grant of the ledger, and is not counted.
		b.context.SessionID, b.context.Allow = "s2", []string{"a.example"}
		want(t, b.call(t.Context(), "web.fetch", `{}`), tool.StatusSucceeded, "")
		if all, _ := b.desk.AllGrants(t.Context()); len(all) != 1 || all[0].Uses != 1 {
			t.Errorf("%+v", all)
		}
	})
}

// A grant that is taken back after it let the call pass and before the call was authorized has
// no power any more.
func TestAGrantThatIsTakenBackInTheLastMomentLetsNothingRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, ledger := grantBed(t)
		g := grantOnce(t, b)
		b.journal.Use = func(ids []string, at time.Time) bool {
			if !slices.Equal(ids, []string{g.ID}) {
				t.Errorf("authorized by %q", ids)
			}
			if _, changed, err := ledger.EndGrant(t.Context(), g.ID, policy.GrantRevoked, at); err != nil || !changed {
				t.Errorf("%v, %v", changed, err)
			}
			return ledger.Use(ids, at)
		}
		second := dispatch(t.Context(), b, "web.fetch", `{}`)
		b.answer(t, approval.Deny, "")
		want(t, <-second, tool.StatusDenied, tool.CodeApprovalUserRejected)
	})
}

// A call that waits runs as soon as a grant for another call covers it, and one that is taken
// back has the next call asked again.
func TestAWaitingCallRunsByAGrantOfAnotherCard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := grantBed(t)
		first := dispatch(t.Context(), b, "web.fetch", `{"text":"1"}`)
		second := dispatch(t.Context(), b, "web.fetch", `{"text":"2"}`)
		all, err := b.desk.Pending(t.Context(), "")
		if err != nil || len(all) != 2 {
			t.Fatalf("%d cards, %v", len(all), err)
		}
		got, err := b.desk.Answer(t.Context(), all[0].ID, approval.Answer{Resolution: approval.AllowSession, ArgumentsHash: all[0].ArgumentsHash})
		if err != nil {
			t.Fatal(err)
		}
		want(t, <-first, tool.StatusSucceeded, "")
		want(t, <-second, tool.StatusSucceeded, "")
		closed, err := b.desk.Get(t.Context(), all[1].ID)
		if err != nil || closed.Status != approval.StatusApproved || closed.ResolvedBy != approval.ByGrant+got.Grants[0].ID {
			t.Errorf("%s by %q, %v", closed.Status, closed.ResolvedBy, err)
		}
		if _, _, err := b.desk.Revoke(t.Context(), got.Grants[0].ID); err != nil {
			t.Fatal(err)
		}
		third := dispatch(t.Context(), b, "web.fetch", `{"text":"3"}`)
		b.answer(t, approval.Deny, "")
		want(t, <-third, tool.StatusDenied, tool.CodeApprovalUserRejected)
	})
}
