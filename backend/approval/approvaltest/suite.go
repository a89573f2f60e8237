package approvaltest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Subject is a ledger under test with what the suite needs to look behind it.
type Subject struct {
	Ledger approval.Ledger
	// Invocation makes sure that there is a proposed invocation of this id in the
	// session, and the session too.
	Invocation func(t *testing.T, sessionID, id string)
	// End moves an invocation to the end cancelled.
	End func(t *testing.T, id string)
	// State returns where an invocation stands.
	State func(t *testing.T, id string) session.State
	// Events returns the events of a session in order, all types.
	Events func(t *testing.T, sessionID string) []event.Event
	// Use authorizes a proposed invocation by grants, and reports whether they still held.
	Use func(t *testing.T, invocation string, at time.Time, grants ...string) bool
}

// t0 is the instant at which the suite's requests are made.
var t0 = time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)

// foreign stands in every text that an agent or a person wrote; no event may hold it.
const foreign = "FOREIGN"

var compare = cmp.Options{
	cmp.Comparer(func(a, b tool.Untrusted) bool { return a.Open() == b.Open() }),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
}

// RunLedger runs the contract of approval.Ledger. open returns a fresh subject.
func RunLedger(t *testing.T, open func(t *testing.T) Subject) {
	for name, test := range map[string]func(*testing.T, Subject){
		"RequestIsKeptWhole":             keptWhole,
		"RequestNeedsAnOpenCall":         needsOpenCall,
		"PendingIsOldestFirst":           pendingOrder,
		"FirstAnswerWins":                firstAnswer,
		"OneOfManyAnswersWins":           answerRace,
		"BatchEndsAllOrNone":             batchEnds,
		"BatchWaitsForNoneThatEnded":     batchSpoiled,
		"BatchIsNeverPartlyAnswered":     batchRaces,
		"AnswerIsForTheCardThatWasSeen":  answerToCard,
		"GrantComesWithItsAnswerOnly":    grants,
		"GrantHoldsWhereItWasGiven":      grantPlaces,
		"GrantTakesThePlaceOfItsLike":    grantReplaced,
		"GrantCountsItsUses":             grantUses,
		"GrantIsRevokedOnce":             grantRevoked,
		"GrantExpires":                   grantExpires,
		"UnusedGrantsAreSwept":           grantsSwept,
		"GrantsAreListedAsTheyEnd":       grantsListed,
		"CallerLeavesAndComesBack":       leaveAndRejoin,
		"AnswerIsKeptForARetry":          keptForRetry,
		"AnswerAndLeavingInOneMoment":    answeredThenLeft,
		"AnswerIsUsedOnce":               consumedOnce,
		"NobodyKnowsAnUnknownRequest":    unknown,
		"EventsTellWithoutForeignText":   events,
		"EndedRequestCannotBeRejoined":   rejoinEnded,
		"RejoinNeedsAnOpenCall":          rejoinClosed,
		"LeavingIsToldOnce":              leaveTwice,
		"RulesAnswerForThemselvesOnly":   endedByRules,
		"YesThatDidNotRunSaysWhy":        voided,
		"ChoiceOfChangesIsKept":          choiceKept,
		"CancellationIsNoDenial":         cancelledIsNotDenied,
		"ExpiredAnswersAreNotKept":       expiredNotKept,
		"PendingIsNoEnd":                 pendingIsNoEnd,
		"RequestOfAnAuthorizedCallWaits": askAgain,
		"PendingRequestIsRefreshed":      refreshed,
		"PendingRequestIsRevised":        revised,
		"AnswerIsForWhatWasShown":        answeredAsShown,
		"RetryFindsWhatItAsked":          keptAsAsked,
		"InterruptedCallEndsWithAnswer":  interrupted,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.Invocation(t, "s1", "i1")
			test(t, s)
		})
	}
}

// Asked returns a fresh request for invocation i1 of session s1 or another.
func Asked(id, sessionID, invocation string) approval.Request {
	path := tool.Path{Arg: "a", Abs: "/w/a", Real: "/w/a", Rel: "a", Zone: tool.ZoneWorkspace, Kind: tool.KindFile}
	r := approval.Request{
		ID: id, SessionID: sessionID, InvocationID: invocation, ToolID: "suite.write", Wire: "suite_write", Set: "suite", Fingerprint: "f1",
		SideEffect: tool.EffectWorkspaceWrite, Risk: tool.RiskHigh,
		Decision: tool.Decision{
			Verdict: tool.VerdictAsk, ReasonCode: tool.CodeApprovalPending,
			Chain:        []tool.Link{{Layer: tool.LayerPreset, Verdict: tool.VerdictAsk, Reason: foreign}},
			Capabilities: []tool.Capability{tool.CapFileWrite},
		},
		ArgumentsHash: strings.Repeat("a", 64), PolicyVersion: "policy-1",
		Pins:      []tool.Pin{{Path: path, SHA256: strings.Repeat("b", 64)}},
		Canonical: []byte(`{"a":"` + foreign + `"}`),
		Changed: &approval.Changed{
			By: []tool.Layer{tool.LayerHook, tool.LayerOperator}, At: t0.Add(time.Second), Hash: strings.Repeat("c", 64),
			Canonical: []byte(`{"a":"` + foreign + ` as it was sent"}`), Fields: []string{"a"},
		},
		Verb: "Write " + foreign, Preview: tool.PreviewDiff,
		Diffs:   []tool.FileDiff{{Path: "a", Unified: foreign, Additions: 1, Deletions: 2, Changes: 3, Notes: []string{"line ends"}}},
		Paths:   []tool.Touch{{Path: path, Access: tool.AccessWrite}},
		Command: tool.Mark(foreign), URL: tool.Mark("https://" + foreign), Input: tool.Mark(foreign),
		Listing: &approval.Listing{
			Parsed: true, Dynamic: true, Why: tool.Mark(foreign), Left: 1, Privileged: true,
			Steps: []approval.Step{{
				Part: 1, Depth: 1, Shown: tool.Mark(foreign), Dynamic: true, Background: true, Left: 2,
				Marks: []approval.Mark{{Effect: "reads", Subject: tool.Mark(foreign), Words: tool.Mark(foreign), Outside: true, Restricted: true, Tree: true}},
			}},
		},
		About: []tool.About{{Label: "Runs in", Text: tool.Mark(foreign)}},
		Offers: []policy.Offer{{
			Part: 1, Shown: foreign, Choices: []policy.Choice{{Kind: policy.GrantFile, Value: "/w/a", Words: "Changes a", Key: "suite.write /w/a"}},
			Why: "none", Covered: "g0", Lives: []policy.GrantLife{policy.GrantSession, policy.GrantWorkspace},
		}},
		Granting: granting(), Restricted: true, Dangers: []string{"holds private keys"}, Hidden: []tool.Hidden{{Kind: "token", Count: 2}}, NoGrant: "none", Moved: "the file", Note: "not read",
		Status: approval.StatusPending, CreatedAt: t0, ExpiresAt: t0.Add(4 * time.Hour),
	}
	r.Card = mustShow(r)
	return r
}

// mustShow is the hash of what is shown of a request that can be shown.
func mustShow(r approval.Request) string {
	hash, err := cardHash(r)
	if err != nil {
		panic(err) // the suite's own requests
	}
	return hash
}

// granting is what the grants of the suite's requests have in common.
func granting() policy.Grant {
	return policy.Grant{
		Workspace: "/w", ToolID: "suite.write", Source: tool.SourceSet, Set: "suite", SetOrigin: "home", Fingerprint: "f1",
		Effect: tool.EffectWorkspaceWrite, Risk: tool.RiskMedium, PolicyVersion: "policy-1", Packaged: "packaged-1",
	}
}

// Granted returns a grant of a life that an answer to a request of session s1 makes.
func Granted(id, request string, life policy.GrantLife) policy.Grant {
	g := granting()
	g.ID, g.SessionID, g.ApprovalID, g.By = id, "s1", request, "person"
	g.Life, g.Kind, g.Value, g.CreatedAt = life, policy.GrantFile, "/w/a", t0
	return g
}

func allow(at time.Time) approval.End {
	return approval.End{Status: approval.StatusApproved, Resolution: approval.AllowOnce, By: "person", At: at}
}

func deny(at time.Time) approval.End {
	return approval.End{Status: approval.StatusDenied, Resolution: approval.Deny, Words: foreign + " words", By: "person", At: at}
}

func keptWhole(t *testing.T, s Subject) {
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(t.Context(), want))
	got, err := s.Ledger.Request(t.Context(), "a1")
	must(t, err)
	same(t, got, want)
	if state := s.State(t, "i1"); state != session.StateWaiting {
		t.Errorf("the invocation is %s", state)
	}
	if err := s.Ledger.AddRequest(t.Context(), want); err == nil {
		t.Error("the same request was added twice")
	}

	s.Invocation(t, "s1", "i2")
	small := approval.Request{
		ID: "a2", SessionID: "s1", InvocationID: "i2", ToolID: "suite.tell", Risk: tool.RiskLow,
		Status: approval.StatusPending, CreatedAt: t0, ExpiresAt: t0.Add(time.Hour),
	}
	must(t, s.Ledger.AddRequest(t.Context(), small))
	got, err = s.Ledger.Request(t.Context(), "a2")
	must(t, err)
	same(t, got, small)
}

func needsOpenCall(t *testing.T, s Subject) {
	s.End(t, "i1")
	is(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")), session.ErrEnded)
	_, err := s.Ledger.Request(t.Context(), "a1")
	is(t, err, approval.ErrNoRequest)
}

func askAgain(t *testing.T, s Subject) {
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a1", "s1", "i1")))
	_, _, err := s.Ledger.Resolve(t.Context(), "a1", allow(t0), nil)
	must(t, err)
	must(t, s.Ledger.AddRequest(t.Context(), Asked("a2", "s1", "i1")))
	if state := s.State(t, "i1"); state != session.StateWaiting {
		t.Errorf("the invocation is %s", state)
	}
}

func pendingOrder(t *testing.T, s Subject) {
	var all []approval.Request
	for i, at := range []time.Duration{3, 1, 2, 2} {
		n := string(rune('1' + i))
		sessionID := "s1"
		if i == 2 {
			sessionID = "s2"
		}
		s.Invocation(t, sessionID, "j"+n)
		r := Asked("a"+n, sessionID, "j"+n)
		r.CreatedAt = t0.Add(at * time.Second)
		must(t, s.Ledger.AddRequest(t.Context(), r))
		listed := *r.Changed
		listed.Canonical = nil
		r.Canonical, r.Card, r.Changed = nil, "", &listed
		all = append(all, r)
	}
	for sessionID, want := range map[string][]approval.Request{
		"":     {all[0], all[1], all[2], all[3]},
		"s1":   {all[0], all[1], all[3]},
		"s2":   {all[2]},
		"none": nil,
	} {
		got, err := s.Ledger.Pending(t.Context(), sessionID)
		must(t, err)
		if d := cmp.Diff(want, got, compare); d != "" {
			t.Errorf("pending of %q (-want +got)\n%s", sessionID, d)
		}
	}
	_, _, err := s.Ledger.Resolve(t.Context(), "a3", deny(t0), nil)
	must(t, err)
	if got, err := s.Ledger.Pending(t.Context(), "s2"); err != nil || len(got) != 0 {
		t.Errorf("an answered request still waits: %d, %v", len(got), err)
	}
}

func refreshed(t *testing.T, s Subject) {
	ctx := t.Context()
	want := Asked("a1", "s1", "i1")
	must(t, s.Ledger.AddRequest(ctx, want))
	want.Decision.Chain = append(want.Decision.Chain, tool.Link{Layer: tool.LayerLock, Verdict: tool.VerdictDeny, Reason: "lock"})
	want.Decision.Verdict, want.PolicyVersion, want.Moved = tool.VerdictDeny, "policy-2", "the lock"
	must(t, s.Ledger.Refresh(ctx, "a1", want.Decision, "policy-2", "the lock"))
	got, err := s.Ledger.Request(ctx, "a1")
	must(t, err)
	want.Card = mustShow(want)
	same(t, got, want)
	_, _, err = s.Ledger.Resolve(ctx, "a1", deny(t0), nil)
	must(t, err)
	is(t, s.Ledger.Refresh(ctx, "a1", want.Decision, "policy-3", "late"), approval.ErrNoRequest)
	is(t, s.Ledger.Refresh(ctx, "nobody", want.Decision, "policy-3", "late"), approval.ErrNoRequest)
}

func unknown(t *testing.T, s Subject) {
	ctx := t.Context()
	_, err := s.Ledger.Request(ctx, "nobody")
	is(t, err, approval.ErrNoRequest)
	_, _, err = s.Ledger.Resolve(ctx, "nobody", allow(t0), nil)
	is(t, err, approval.ErrNoRequest)
	is(t, s.Ledger.MarkLeft(ctx, "nobody", "left"), approval.ErrNoRequest)
	is(t, s.Ledger.Rejoin(ctx, "nobody", "i1"), approval.ErrNoRequest)
	_, err = s.Ledger.Consume(ctx, "nobody")
	is(t, err, approval.ErrNoRequest)
}

func events(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Ledger.AddRequest(ctx, Asked("a1", "s1", "i1")))
	must(t, s.Ledger.MarkLeft(ctx, "a1", "left"))
	s.Invocation(t, "s1", "i2")
	must(t, s.Ledger.Rejoin(ctx, "a1", "i2"))
	_, _, err := s.Ledger.Resolve(ctx, "a1", deny(t0), nil)
	must(t, err)
	type told struct {
		Type    event.Type
		Ref     string
		Payload event.Approval
	}
	var got []told
	for i, e := range s.Events(t, "s1") {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		if strings.Contains(string(e.Payload), foreign) {
			t.Errorf("event %s holds foreign text", e.Type)
		}
		if !strings.HasPrefix(string(e.Type), "approval.") {
			continue
		}
		var p event.Approval
		must(t, json.Unmarshal(e.Payload, &p))
		got = append(got, told{e.Type, e.Ref, p})
	}
	p := event.Approval{Approval: "a1", Invocation: "i1", Tool: "suite.write", Risk: "high", Status: "pending"}
	back, done := p, p
	back.Invocation, done.Invocation = "i2", "i2"
	done.Status, done.By = "denied", "person"
	want := []told{
		{event.ApprovalRequested, "a1", p}, {event.ApprovalLeft, "a1", p},
		{event.ApprovalRejoined, "a1", back}, {event.ApprovalResolved, "a1", done},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("events (-want +got)\n%s", d)
	}
}

func same(t *testing.T, got, want approval.Request) {
	t.Helper()
	if want.Card == "" {
		want.Card = got.Card
	}
	if d := cmp.Diff(want, got, compare); d != "" {
		t.Errorf("request (-want +got)\n%s", d)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}
