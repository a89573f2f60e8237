package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// client opens a session of a client in a trusted workspace.
func (p place) client(t *testing.T, e *Engine) *Session {
	t.Helper()
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answered makes a call that asks, and answers its card.
func answered(t *testing.T, e *Engine, s *Session, c tool.Call, a approval.Answer) approval.Result {
	t.Helper()
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), c, nil) }()
	q, err := e.Desk().Get(t.Context(), next(t, events, event.ApprovalRequested).Ref)
	if err != nil {
		t.Fatal(err)
	}
	a.ArgumentsHash = q.ArgumentsHash
	got, err := e.Desk().Answer(t.Context(), q.ID, a)
	if err != nil || got.Outcome != approval.OutcomeDone {
		t.Fatalf("%s %q, %v", got.Outcome, got.Words, err)
	}
	if o := <-done; a.Resolution != approval.Deny && o.Status != tool.StatusSucceeded {
		t.Fatalf("%s %s", o.Status, o.ReasonCode)
	}
	return got
}

// asks reports whether a call asks, and lets it go if it does.
func asks(t *testing.T, e *Engine, s *Session, c tool.Call) bool {
	t.Helper()
	events, cancel := e.Subscribe()
	defer cancel()
	return meet(t, e, s, events, c).foreseen != policy.ForeseenAllow
}

func only(t *testing.T, e *Engine, id string) LedgerGrant {
	t.Helper()
	all, err := e.Grants(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if g.ID == id {
			return g
		}
	}
	t.Fatalf("no grant %s among %+v", id, all)
	return LedgerGrant{}
}

// spec: CS-8, CT-30
func TestAGrantForTheWorkspaceHoldsInItUntilItIsTakenBack(t *testing.T) {
	p := newPlace(t)
	if err := os.Mkdir(filepath.Join(p.workspace, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	e := p.start(t)
	folder := filepath.Join(p.workspace, "src")
	got := answered(t, e, p.client(t, e), write("src/a.txt", "1"), approval.Answer{
		Resolution: approval.AllowWorkspace, Chosen: []policy.Choice{{Kind: policy.GrantFolder, Value: folder}},
	})
	if len(got.Grants) != 1 {
		t.Fatalf("%+v", got.Grants)
	}
	id := got.Grants[0].ID
	p.close(t, e)

	// In another program, another session and under another preset it still holds.
	e = p.open(t, true, "")
	if err := e.SetRules(t.Context(), config.Patch{Preset: session.PresetAudit}); err != nil {
		t.Fatal(err)
	}
	s := p.client(t, e)
	if o := s.Call(t.Context(), write("src/b.txt", "2"), nil); o.Status != tool.StatusSucceeded {
		t.Fatalf("%s %s", o.Status, o.ReasonCode)
	}
	if !asks(t, e, s, write("c.txt", "3")) {
		t.Error("a file beside the folder was written without a question")
	}
	other := place{p.home, t.TempDir()}
	if err := os.Mkdir(filepath.Join(other.workspace, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	if !asks(t, e, other.client(t, e), write("src/a.txt", "3")) {
		t.Error("it holds in another workspace")
	}
	g := only(t, e, id)
	if g.State != policy.GrantLive || g.Uses != 1 || g.LastUsed == nil || g.Words != `Changes files below src by "write"` ||
		g.SweptAt == nil || !g.SweptAt.Equal(g.LastUsed.Add(30*24*time.Hour)) {
		t.Errorf("%+v", g)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	if changed, err := e.RevokeGrant(t.Context(), id); err != nil || !changed {
		t.Fatalf("%v, %v", changed, err)
	}
	next(t, events, event.GrantsChanged)
	if g := only(t, e, id); g.State != policy.GrantDead || g.Why != "You took it back." {
		t.Errorf("%+v", g)
	}
	if !asks(t, e, s, write("src/d.txt", "4")) {
		t.Error("it lets calls run after it was taken back")
	}
	if _, err := e.RevokeGrant(t.Context(), "nobody"); !errors.Is(err, approval.ErrNoGrant) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(p.workspace, "src", "b.txt")); err != nil {
		t.Error("what it had let run was undone")
	}
	if entries, _ := os.ReadDir(p.workspace); len(entries) != 1 {
		t.Errorf("something of it lies in the workspace: %v", entries)
	}
}

func TestTheGrantsOfOneSessionAreTakenBackTogether(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s, other := p.client(t, e), p.client(t, e)
	session := approval.Answer{Resolution: approval.AllowSession}
	answered(t, e, s, write("a.txt", "1"), session)
	answered(t, e, s, write("b.txt", "1"), session)
	kept := answered(t, e, s, write("c.txt", "1"), approval.Answer{Resolution: approval.AllowWorkspace}).Grants[0].ID
	another := answered(t, e, other, write("d.txt", "2"), session).Grants[0].ID
	if n, err := e.RevokeSessionGrants(t.Context(), s.ID()); err != nil || n != 2 {
		t.Fatalf("%d, %v", n, err)
	}
	for _, id := range []string{kept, another} {
		if g := only(t, e, id); g.State != policy.GrantLive {
			t.Errorf("%+v", g)
		}
	}
	if !asks(t, e, s, write("b.txt", "2")) {
		t.Error("it still holds")
	}
}

// ahead is a clock that a test sets forward.
type ahead struct{ by time.Duration }

func (a *ahead) Now() time.Time { return time.Now().UTC().Add(a.by) }

func TestTheDeskSweepsUnusedGrantsAway(t *testing.T) {
	p, clock := newPlace(t), &ahead{}
	timed := func(o *Options) { o.Clock = clock }
	e := p.start(t, timed)
	id := answered(t, e, p.client(t, e), write("a.txt", "1"), approval.Answer{Resolution: approval.AllowWorkspace}).Grants[0].ID
	if err := e.SetRules(t.Context(), config.Patch{Values: map[string]string{"unusedGrantDays": "10"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		days int
		want policy.GrantState
	}{{9, policy.GrantLive}, {11, policy.GrantDead}} {
		p.close(t, e)
		clock.by = time.Duration(c.days) * 24 * time.Hour
		e = p.start(t, timed)
		e.sweepGrants(t.Context())
		if g := only(t, e, id); g.State != c.want {
			t.Errorf("after %d days: %s, %s", c.days, g.State, g.Why)
		}
	}
	p.close(t, e)
}

func run(command string) tool.Call {
	return tool.Call{Name: "bash", Arguments: []byte(fmt.Sprintf(`{"command":%q}`, command))}
}

// spec: CT-30, KH-43
func TestEachCommandOfALineHasAGrantOfItsOwn(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	rules := []policy.Choice{{Kind: policy.GrantCommand, Value: "ls *"}, {Kind: policy.GrantCommand, Value: "wc -l"}}
	grants := answered(t, e, s, run("ls -a | wc -l"), approval.Answer{Resolution: approval.AllowWorkspace, Chosen: rules}).Grants
	if len(grants) != 2 || grants[0].Value != "ls *" || grants[1].Value != "wc -l" {
		t.Fatalf("%+v", grants)
	}
	o := s.Call(t.Context(), run("ls -l | wc -l"), nil)
	if o.Status != tool.StatusSucceeded {
		t.Fatalf("%s %s", o.Status, o.ReasonCode)
	}
	c, err := e.Store().Invocation(t.Context(), o.InvocationID)
	if err != nil || c.DecidedBy != approval.ByGrant+grants[0].ID+" "+grants[1].ID {
		t.Errorf("decided by %q, %v", c.DecidedBy, err)
	}
	for _, g := range grants {
		if g := only(t, e, g.ID); g.Uses != 1 {
			t.Errorf("%+v", g)
		}
	}
	for _, command := range []string{"ls -l | wc -c", "ls > out.txt", "ls $(id)", "ls /etc", "ls; rm -rf x", "wc -l x", "cat .env"} {
		if !asks(t, e, s, run(command)) {
			t.Errorf("%s ran without a question", command)
		}
	}
	// The next card offers no second grant for what is covered, and a grant for the rest.
	events, cancel := e.Subscribe()
	defer cancel()
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(ctx, run("ls -l | sort | head -1"), nil) }()
	card, err := e.Desk().Get(t.Context(), next(t, events, event.ApprovalRequested).Ref)
	if err != nil || len(card.Offers) != 3 || card.Offers[0].Covered != grants[0].ID || card.Offers[0].Open() || !card.Offers[1].Open() || !card.Offers[2].Open() {
		t.Fatalf("%+v, %v", card.Offers, err)
	}
	for value, want := range map[string]struct {
		part    int
		refused bool
	}{"ls *": {4, false}, "sort *": {0, false}, "sort": {0, false}, "l": {0, true}} {
		got, err := e.WouldMatch(t.Context(), MatchQuery{Request: card.ID, Life: policy.GrantSession, Kind: policy.GrantCommand, Value: value})
		if err != nil || got.Session.All != 0 || got.Session.Part != want.part || (got.Refused != "") != want.refused || got.Session.Looked != 9 || len(got.Stops) == 0 {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
	}
	leave()
	<-done
}

// spec: CT-30
func TestAGrantOfOneRunTakesItsKindFromTheTool(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, false, "")
	for _, c := range []struct {
		call  tool.Call
		rule  string
		allow bool
	}{
		{run("git log -5"), "git log *", true},
		{run("git log -5"), "bash git log *", true},
		{run("git log -5"), "process git log *", false},
		{run("git log -5"), "write git log *", false},
		{run("git log -5"), "git log", false},
		{run("grep -n x a"), "grep *", true},
		{run("bash --version"), "bash --version", true},
		{run("bash -c id"), "bash *", false},
		{run("ls"), "*", false},
		{run("ls"), "ls | wc", false},
		{write("src/a.txt", "x"), "src/a.txt", true},
		{write("src/a.txt", "x"), "write src/a.txt", true},
		{write("src/a.txt", "x"), "edit src/a.txt", false},
		{write("src/a.txt", "x"), "src/", true},
		{write("src/a.txt", "x"), "src", false},
		{write("srcs.txt", "x"), "src/", false},
	} {
		s, err := e.OpenSession(t.Context(), SessionRequest{Workspace: p.workspace, TrustWorkspace: true, Allow: []string{c.rule}, Unstored: true})
		if err != nil {
			t.Fatal(err)
		}
		got := s.Explain(t.Context(), c.call)
		if got.Decision == nil || (got.Decision.Verdict == tool.VerdictAllow) != c.allow {
			t.Errorf("%s %s by %q: %+v", c.call.Name, c.call.Arguments, c.rule, got.Decision)
		}
		s.Close()
	}
	if all, err := e.Grants(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// What a card offers is kept with the card and, once granted, in the ledger: neither may hold a
// secret.
func TestACardOffersNoGrantOfASecret(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.client(t, e)
	token := "ghp_" + strings.Repeat("aB3", 12)
	events, cancel := e.Subscribe()
	defer cancel()
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(ctx, run("make deploy TOKEN="+token), nil) }()
	card, err := e.Desk().Get(t.Context(), next(t, events, event.ApprovalRequested).Ref)
	if err != nil || len(card.Offers) != 1 || len(card.Offers[0].Choices) != 2 {
		t.Fatalf("%+v, %v", card.Offers, err)
	}
	kept, err := json.Marshal(card.Offers)
	if err != nil || strings.Contains(string(kept), token) {
		t.Errorf("%s, %v", kept, err)
	}
	leave()
	<-done
}
