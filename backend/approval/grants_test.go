package approval_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// scoped is a request for a command line of two commands and one that no grant covers.
func scoped() approval.Request {
	both := []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace}
	choose := func(values ...string) (out []policy.Choice) {
		for _, v := range values {
			out = append(out, policy.Choice{Kind: policy.GrantCommand, Value: v, Words: "Runs " + v, Key: "bash " + v})
		}
		return out
	}
	r := request()
	r.ToolID, r.PolicyVersion = "bash", "v1"
	r.Offers = []policy.Offer{
		{Shown: "git log -5", Choices: choose("git log -5", "git log *"), Lives: both},
		{Part: 1, Shown: "go test ./...", Choices: choose("go test ./...", "go test *"), Lives: both, Covered: "g0"},
		{Part: 2, Shown: "cat", Why: "it reads from or writes to a file by a redirect"},
	}
	r.Granting = policy.Grant{Workspace: "/w", ToolID: "bash", Source: tool.SourceBuiltin, Effect: tool.EffectCodeExecution, Risk: tool.RiskHigh, PolicyVersion: "v0", Packaged: "p"}
	return r
}

// left is a desk with a card that waits and whose caller left.
func left(t *testing.T, r approval.Request) (*approval.Desk, *approvaltest.Ledger, string) {
	t.Helper()
	ledger := approvaltest.NewLedger()
	d := approval.NewDesk(ledger, now{}, &ids{})
	ctx, cancel := context.WithCancel(t.Context())
	var card string
	_, _ = d.Ask(ctx, r, approval.Hooks{Waiting: func(r approval.Request) { card = r.ID; cancel() }})
	return d, ledger, card
}

func chosen(values ...string) []policy.Choice {
	out := []policy.Choice{}
	for _, v := range values {
		out = append(out, policy.Choice{Kind: policy.GrantCommand, Value: v})
	}
	return out
}

// spec: CS-8, CT-30
func TestAnAnswerMakesTheGrantsThatWereChosen(t *testing.T) {
	for name, c := range map[string]struct {
		answer approval.Answer
		want   []string
	}{
		"the narrowest of what is open": {approval.Answer{Resolution: approval.AllowSession}, []string{"git log -5"}},
		"wider":                         {approval.Answer{Resolution: approval.AllowWorkspace, Chosen: chosen("git log *")}, []string{"git log *"}},
		"written in another way":        {approval.Answer{Resolution: approval.AllowWorkspace, Chosen: chosen(` git  "log" *`, "git log *")}, []string{"git log *"}},
		"what is covered, too":          {approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("go test *", "git log *")}, []string{"go test *", "git log *"}},
		"for some days":                 {approval.Answer{Resolution: approval.AllowWorkspace, Chosen: chosen("git log *"), Days: 7}, []string{"git log *"}},
		"once":                          {approval.Answer{Resolution: approval.AllowOnce, Chosen: chosen("git log *")}, nil},
		"not":                           {approval.Answer{Resolution: approval.Deny}, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, ledger, card := left(t, scoped())
			c.answer.ArgumentsHash = "h"
			got, err := d.Answer(t.Context(), card, c.answer)
			if err != nil || got.Outcome != approval.OutcomeKept || len(got.Grants) != len(c.want) {
				t.Fatalf("%s: %+v, %v", name, got, err)
			}
			stored, err := ledger.AllGrants(t.Context(), time.Time{})
			if err != nil || len(stored) != len(c.want) {
				t.Fatalf("%s: %+v, %v", name, stored, err)
			}
			for i, value := range c.want {
				want := scoped().Granting
				want.ID, want.SessionID, want.ApprovalID, want.By, want.Life = got.Grants[i].ID, "s", card, "person", c.answer.Resolution.Life()
				want.Kind, want.Value, want.PolicyVersion, want.CreatedAt = policy.GrantCommand, value, "v1", time.Now().UTC()
				if c.answer.Days > 0 {
					end := want.CreatedAt.AddDate(0, 0, c.answer.Days)
					want.ExpiresAt = &end
				}
				if diff := cmp.Diff(want, got.Grants[i]); diff != "" || want.ID == "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// An answer whose grants may not be made is none: the card goes on waiting.
//
// spec: CT-30
func TestAnAnswerIsRefusedWhoseGrantsMayNotBeMade(t *testing.T) {
	restricted, once, host := scoped(), scoped(), scoped()
	restricted.Restricted = true
	once.Offers = nil
	host.Offers = []policy.Offer{{Choices: []policy.Choice{{Kind: policy.GrantHost, Value: "a.example"}}, Lives: []policy.GrantLife{policy.GrantSession}}}
	for name, c := range map[string]struct {
		request approval.Request
		answer  approval.Answer
		words   string
	}{
		"restricted":                     {restricted, approval.Answer{Resolution: approval.AllowSession}, "only be allowed once"},
		"once only":                      {once, approval.Answer{Resolution: approval.AllowWorkspace}, "only be allowed once"},
		"nothing":                        {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen()}, "at least one part"},
		"too wide":                       {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("git *")}, "too wide"},
		"another command":                {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("git log *", "rm *")}, "does not cover"},
		"more words":                     {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("git log -5 -3")}, "does not cover"},
		"a part that may not be granted": {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("cat")}, "does not cover"},
		"no rule":                        {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("git log | sh")}, "for one command"},
		"everything":                     {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: chosen("*")}, "every command"},
		"another kind":                   {scoped(), approval.Answer{Resolution: approval.AllowSession, Chosen: []policy.Choice{{Kind: policy.GrantTool}}}, "cannot be allowed in this way"},
		"a life not offered":             {host, approval.Answer{Resolution: approval.AllowWorkspace}, "for the session"},
		"negative days":                  {scoped(), approval.Answer{Resolution: approval.AllowWorkspace, Days: -1}, "days"},
		"too many days":                  {scoped(), approval.Answer{Resolution: approval.AllowWorkspace, Days: approval.MaxGrantDays + 1}, "days"},
	} {
		d, ledger, card := left(t, c.request)
		c.answer.ArgumentsHash = "h"
		got, err := d.Answer(t.Context(), card, c.answer)
		if err != nil || got.Outcome != approval.OutcomeRefused || !strings.Contains(got.Words, c.words) || got.Request.Status != approval.StatusPending {
			t.Errorf("%s: %s %q, %v", name, got.Outcome, got.Words, err)
		}
		if stored, _ := ledger.AllGrants(t.Context(), time.Time{}); len(stored) != 0 {
			t.Errorf("%s: %+v", name, stored)
		}
		if r, err := d.Get(t.Context(), card); err != nil || r.Status != approval.StatusPending {
			t.Errorf("%s: the card is %s, %v", name, r.Status, err)
		}
	}
	// The answer is bound to the arguments that were shown, whatever it grants.
	d, _, card := left(t, scoped())
	got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowSession, ArgumentsHash: "another"})
	if err != nil || got.Outcome != approval.OutcomeConflict {
		t.Errorf("another hash: %s, %v", got.Outcome, err)
	}
}

func TestUnusedGrantsAreSweptAfterTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, card := left(t, scoped())
		got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowWorkspace, ArgumentsHash: "h"})
		if err != nil || len(got.Grants) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
		const day = 24 * time.Hour
		for _, c := range []struct {
			after, unused time.Duration
			swept, hold   int
		}{{29 * day, 30 * day, 0, 1}, {2 * day, 0, 0, 1}, {0, 30 * day, 1, 0}, {0, 30 * day, 0, 0}} {
			time.Sleep(c.after)
			n, err := d.SweepGrants(t.Context(), c.unused)
			hold, failed := d.Grants(t.Context(), "other", "/w")
			if err != nil || failed != nil || n != c.swept || len(hold) != c.hold {
				t.Errorf("after %s more: swept %d, %d hold, %v, %v", c.after, n, len(hold), err, failed)
			}
		}
	})
}

// A call that waits is judged again when a grant is taken back or swept, in whatever session.
func TestCallsThatWaitAreJudgedAgainWhenAGrantEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, card := left(t, scoped())
		got, err := d.Answer(t.Context(), card, approval.Answer{Resolution: approval.AllowWorkspace, ArgumentsHash: "h"})
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		other := scoped()
		other.SessionID, other.InvocationID, other.ArgumentsHash = "s2", "i2", "h2"
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = d.Ask(ctx, other, approval.Hooks{Revise: func(context.Context, approval.Request) (approval.Revision, error) {
				asked++
				return approval.Revision{PolicyVersion: "v1"}, nil
			}})
		}()
		synctest.Wait()
		before := asked
		for _, want := range []bool{true, false} {
			if _, changed, err := d.Revoke(t.Context(), got.Grants[0].ID); err != nil || changed != want {
				t.Errorf("revoked %v, %v", changed, err)
			}
			synctest.Wait()
		}
		if asked != before+1 {
			t.Errorf("judged %d times more", asked-before)
		}
		if _, _, err := d.Revoke(t.Context(), "nobody"); err == nil {
			t.Error("a grant that is not there was taken back")
		}
		cancel()
		<-done
	})
}
