package registrytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/event"
	"countersign/backend/registry"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// Subject is a journal under test with what the suite needs to look behind it.
type Subject struct {
	Journal registry.Journal
	// Session makes sure that there is a session of this id, owned by this program,
	// whose workspace is Workspace.
	Session func(t *testing.T, id string)
	// Disown gives the session to another program.
	Disown func(t *testing.T, id string)
	// Invocation returns a stored invocation with arguments and content.
	Invocation func(t *testing.T, id string) session.Invocation
	// Events returns the events of a session in order, all types.
	Events func(t *testing.T, sessionID string) []event.Event
}

// Workspace is the workspace of the suite's sessions.
const Workspace = "/suite/workspace"

// t0 is the instant at which the suite's calls begin.
var t0 = time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)

// foreign stands in every text that an agent or a tool wrote; no event may hold it.
const foreign = "FOREIGN"

// compare knows how to compare records: foreign text by what it holds, and no
// difference between no list and an empty one.
var compare = cmp.Options{
	cmp.Comparer(func(a, b tool.Untrusted) bool { return a.Open() == b.Open() }),
	cmp.Comparer(func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
}

// RunJournal runs the contract of registry.Journal. open returns a fresh subject.
func RunJournal(t *testing.T, open func(t *testing.T) Subject) {
	for name, test := range map[string]func(*testing.T, Subject){
		"WholeLife":                     wholeLife,
		"ProposeRefusesTakenID":         proposeTwice,
		"KeyIsAuthorizedOnce":           duplicateKey,
		"AuthorizeAgainKeepsItsOwnKey":  authorizeAgain,
		"AuthorizeNeedsAnOpenCall":      authorizeEnded,
		"ClaimNeedsAuthorization":       claimUnauthorized,
		"StepsNeedOwnership":            foreignSession,
		"ClaimIsWonOnce":                claimRace,
		"EffectMarkNeedsARunningCall":   markStates,
		"EveryEndHasItsEvent":           ends,
		"EndStays":                      finishTwice,
		"DeniedBeforeAuthorization":     deniedEarly,
		"LatestStampWins":               stamps,
		"EventsHoldNoForeignText":       noForeignText,
		"NumbersAreGaplessUnderWriters": gapless,
		"CancelledContextWritesNothing": cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.Session(t, "s1")
			test(t, s)
		})
	}
}

// Proposed returns a fresh invocation as the pipeline proposes it.
func Proposed(id string) session.Invocation {
	return session.Invocation{
		ID: id, SessionID: "s1", CallID: "call-" + id, Turn: "turn-1", Name: tool.Mark(foreign + " name"),
		State: session.StateProposed, Attempt: 1, CallerTag: "mcp", OriginTrust: tool.TrustPlatform,
		ProposedAt: t0, Raw: []byte(`{"b":"` + foreign + `", "a":1.50}`), ParallelGroup: "g1",
	}
}

// Authorized returns inv as the pipeline authorizes it.
func Authorized(inv session.Invocation) session.Invocation {
	at := t0.Add(time.Second)
	inv.State, inv.AuthorizedAt = session.StateAuthorized, &at
	inv.ToolID, inv.Version, inv.Set, inv.Source, inv.ServerID = "suite.write", "1.2.0", "suite", tool.SourceMCP, "server-1"
	inv.SideEffect, inv.Risk, inv.Idempotency = tool.EffectWorkspaceWrite, tool.RiskMedium, tool.IdempotencyNone
	inv.Canonical = []byte(`{"a":1.50,"b":"` + foreign + `"}`)
	inv.AskedHash, inv.ChangedBy = strings.Repeat("b", 64), "hook person"
	inv.ArgumentsHash, inv.IdempotencyKey, inv.PolicyVersion = strings.Repeat("a", 64), "key-"+inv.ID, "policy-1"
	inv.Decision = &tool.Decision{
		Verdict: tool.VerdictAsk, ReasonCode: tool.CodePolicyDenied,
		Chain:        []tool.Link{{Layer: tool.LayerPreset, Verdict: tool.VerdictAsk, Reason: foreign + " path"}},
		Capabilities: []tool.Capability{tool.CapFileWrite},
	}
	inv.DecidedBy = "person"
	return inv
}

// Finished returns inv as the pipeline finishes it.
func Finished(inv session.Invocation, status tool.Status) session.Invocation {
	at, three, diff := t0.Add(4*time.Second), 3, foreign+" diff"
	inv.State, inv.Status, inv.EndedAt = session.StateOf(status), status, &at
	inv.OutputTrust, inv.OutputBytes, inv.Truncated, inv.DurationMs = tool.TrustExternalUntrusted, 12345, true, 2000
	inv.Metadata = tool.Metadata{
		Title: foreign, Diff: &diff, Additions: &three, DurationMs: 2000,
		Truncation: &tool.Truncation{OriginalBytes: 12345, SpillPath: "/suite/home/output/s1/x.txt"},
	}
	inv.Content = []tool.Part{tool.TextPart(foreign + " text"), {Type: tool.PartImage, Mime: "image/png", Handle: "media://sha256-00"}}
	inv.Structured = json.RawMessage(`{"n":12345678901234567890}`)
	if status != tool.StatusSucceeded {
		inv.ReasonCode, inv.Detail = tool.CodeExecutionFailed, foreign+" cause"
	}
	return inv
}

func wholeLife(t *testing.T, s Subject) {
	ctx := t.Context()
	want := Proposed("i1")
	must(t, s.Journal.Propose(ctx, want))
	same(t, "proposed", s.Invocation(t, "i1"), want)

	want = Authorized(want)
	must(t, s.Journal.Authorize(ctx, want))
	same(t, "authorized", s.Invocation(t, "i1"), want)

	started, sent := t0.Add(2*time.Second), t0.Add(3*time.Second)
	won, err := s.Journal.Claim(ctx, "i1", started)
	must(t, err)
	if !won {
		t.Fatal("the first claim was not won")
	}
	must(t, s.Journal.MarkEffect(ctx, "i1", sent))
	must(t, s.Journal.MarkEffect(ctx, "i1", sent.Add(time.Second)))
	want.State, want.StartedAt, want.EffectSentAt = session.StateRunning, &started, &sent
	same(t, "running", s.Invocation(t, "i1"), want)

	// What the store learned in between stays, though the pipeline's copy lacks it.
	given := Finished(want, tool.StatusSucceeded)
	given.StartedAt, given.EffectSentAt, given.Canonical, given.Raw = nil, nil, nil, nil
	files := []tool.FileRecord{
		{Op: tool.FileRead, Stamp: stampOf(Workspace+"/dir/a.txt", "1"), Lines: 7},
		{Op: tool.FileModified, Stamp: stampOf("/elsewhere/b.txt", "2"), Additions: 3, Deletions: 1, Created: true, Strategy: "exact"},
	}
	must(t, s.Journal.Finish(ctx, given, files, nil))
	same(t, "finished", s.Invocation(t, "i1"), Finished(want, tool.StatusSucceeded))

	call := event.Call{
		Invocation: "i1", Tool: "suite.write", Version: "1.2.0", Source: "mcp", SideEffect: "workspace_write",
		Risk: "medium", Idempotency: "non_idempotent", ParallelGroup: "g1",
	}
	end := call
	end.Outcome, end.EffectSent, end.DurationMs, end.OutputBytes, end.Truncated = "succeeded", true, 2000, 12345, true
	sameEvents(t, s, []told{
		{event.CallProposed, "i1", t0, event.Call{Invocation: "i1", ParallelGroup: "g1"}},
		{event.CallAuthorized, "i1", t0.Add(time.Second), call},
		{event.CallStarted, "i1", started, call},
		{event.FileRead, "i1", t0.Add(4 * time.Second), event.File{Path: "dir/a.txt", Lines: 7}},
		{event.FileModified, "i1", t0.Add(4 * time.Second), event.File{Path: "/elsewhere/b.txt", Additions: 3, Deletions: 1, Created: true, Strategy: "exact"}},
		{event.CallCompleted, "i1", t0.Add(4 * time.Second), end},
	})
}

func proposeTwice(t *testing.T, s Subject) {
	must(t, s.Journal.Propose(t.Context(), Proposed("i1")))
	again := Proposed("i1")
	again.CallID = "another"
	is(t, s.Journal.Propose(t.Context(), again), registry.ErrDuplicate)
	same(t, "kept", s.Invocation(t, "i1"), Proposed("i1"))
}

func duplicateKey(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	must(t, s.Journal.Propose(ctx, Proposed("i2")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))))
	second := Authorized(Proposed("i2"))
	second.IdempotencyKey = "key-i1"
	is(t, s.Journal.Authorize(ctx, second), registry.ErrDuplicate)
	same(t, "untouched", s.Invocation(t, "i2"), Proposed("i2"))

	// The refused call keeps its key in its record: that is no second authorization.
	second.AuthorizedAt = nil
	second = Finished(second, tool.StatusDenied)
	must(t, s.Journal.Finish(ctx, second, nil, nil))
	same(t, "denied", s.Invocation(t, "i2"), second)

	// Even when the first has ended its key is used up.
	must(t, s.Journal.Finish(ctx, Finished(Authorized(Proposed("i1")), tool.StatusFailed), nil, nil))
	must(t, s.Journal.Propose(ctx, Proposed("i3")))
	third := Authorized(Proposed("i3"))
	third.IdempotencyKey = "key-i1"
	is(t, s.Journal.Authorize(ctx, third), registry.ErrDuplicate)
}

func authorizeAgain(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	first := Authorized(Proposed("i1"))
	must(t, s.Journal.Authorize(ctx, first))
	first.PolicyVersion = "policy-2"
	must(t, s.Journal.Authorize(ctx, first))
	same(t, "authorized again", s.Invocation(t, "i1"), first)
}

func authorizeEnded(t *testing.T, s Subject) {
	ctx := t.Context()
	is(t, s.Journal.Authorize(ctx, Authorized(Proposed("nobody"))), session.ErrNoInvocation)
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	must(t, s.Journal.Finish(ctx, Finished(Proposed("i1"), tool.StatusCancelled), nil, nil))
	is(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))), session.ErrEnded)

	must(t, s.Journal.Propose(ctx, Proposed("i2")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i2"))))
	_, err := s.Journal.Claim(ctx, "i2", t0)
	must(t, err)
	is(t, s.Journal.Authorize(ctx, Authorized(Proposed("i2"))), session.ErrNotReady)
}

func noForeignText(t *testing.T, s Subject) {
	ctx := t.Context()
	must(t, s.Journal.Propose(ctx, Proposed("i1")))
	must(t, s.Journal.Authorize(ctx, Authorized(Proposed("i1"))))
	_, err := s.Journal.Claim(ctx, "i1", t0)
	must(t, err)
	must(t, s.Journal.Finish(ctx, Finished(Authorized(Proposed("i1")), tool.StatusFailed), nil, nil))
	events := s.Events(t, "s1")
	for _, e := range events {
		if strings.Contains(e.Ref+string(e.Payload), foreign) {
			t.Errorf("event %s holds foreign text", e.Type)
		}
	}
}

func stampOf(path, version string) tool.Stamp {
	return tool.Stamp{Path: path, ModTime: t0.Add(-time.Hour - 123*time.Nanosecond), Size: 17, SHA256: version, At: t0}
}

// told is an event as the suite expects it, without its number.
type told struct {
	Type    event.Type
	Ref     string
	At      time.Time
	Payload any
}

// sameEvents compares the events of calls and files in session s1, and that all of
// its events are numbered from 1 without a gap.
func sameEvents(t *testing.T, s Subject, want []told) {
	t.Helper()
	var got []told
	for i, e := range s.Events(t, "s1") {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		switch {
		case strings.HasPrefix(string(e.Type), "tool."):
			got = append(got, told{e.Type, e.Ref, e.At, decode[event.Call](t, e)})
		case strings.HasPrefix(string(e.Type), "file."):
			got = append(got, told{e.Type, e.Ref, e.At, decode[event.File](t, e)})
		}
	}
	if d := cmp.Diff(want, got, compare); d != "" {
		t.Errorf("events (-want +got)\n%s", d)
	}
}

func decode[P any](t *testing.T, e event.Event) P {
	t.Helper()
	var p P
	d := json.NewDecoder(bytes.NewReader(e.Payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		t.Fatalf("payload of %s: %v", e.Type, err)
	}
	return p
}

func same(t *testing.T, what string, got, want session.Invocation) {
	t.Helper()
	if d := cmp.Diff(want, got, compare); d != "" {
		t.Errorf("%s (-want +got)\n%s", what, d)
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
