package backend

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/shelf"
	"countersign/backend/tool"
	"countersign/backend/toolset"
)

// saying is the manifest of a set whose program says a word.
func saying(word string, more string) string {
	return `{"runner":"exec","description":"Says ` + word + `.","schema":{"type":"object"},"command":["/bin/echo","` + word + `"]` + more + `}`
}

// projectSets is where the sets of the place's workspace lie.
func (p place) projectSets() string { return filepath.Join(p.workspace, ".countersign", "tools") }

func (p place) homeSets() string { return filepath.Join(p.home, "tools") }

// full opens a session in a trusted workspace under a preset.
func (p place) full(t *testing.T, e *Engine, preset session.Preset) *Session {
	t.Helper()
	rules := session.Rules{Preset: preset, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop}
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Rules: &rules, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func spoken(o tool.Outcome) string {
	text := ""
	for _, p := range o.Content {
		text += p.Text.Open()
	}
	return string(o.ReasonCode) + strings.TrimSpace(text)
}

// callOf calls a tool of a set in a session of its own, since what a set says makes the next call
// of a session ask.
func (p place) callOf(t *testing.T, e *Engine, name string) string {
	t.Helper()
	s := p.full(t, e, session.PresetFull)
	defer s.Close()
	return spoken(s.Call(t.Context(), tool.Call{Name: name, Arguments: []byte(`{}`)}, nil))
}

func (p place) accept(t *testing.T, e *Engine, name string) {
	t.Helper()
	ref := SetRef{SetPlace: SetPlace{Trust: true}, Directory: name}
	c, err := e.SetChange(t.Context(), ref)
	if err != nil || c.Same {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := e.AcceptSet(t.Context(), ref, c.Fingerprint); err != nil {
		t.Fatal(err)
	}
}

// spec: CT-11, CT-33
func TestASessionOffersTheToolsOfItsWorkspaceAfterThoseThatAreBuiltIn(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.homeSets(), "greet", saying("home", ""))
	putSet(t, p.projectSets(), "greet", saying("project", ""))
	putSet(t, p.homeSets(), "other", saying("other", `,"catalogs":["work"]`))
	e := p.open(t, true, "")
	if got := p.callOf(t, e, "greet"); got != "project" {
		t.Errorf("greet says %q", got)
	}
	if got := p.callOf(t, e, "other"); got != "other" {
		t.Errorf("other says %q", got)
	}
	names := func(s *Session) (out []string) {
		defer s.Close()
		for _, spec := range s.Tools(t.Context()) {
			out = append(out, spec.ID)
		}
		return out
	}
	all := names(p.full(t, e, session.PresetFull))
	if n := len(all); n < 4 || !slices.Equal(all[n-2:], []string{"greet", "other"}) || all[0] != "bash" {
		t.Errorf("offered: %v", all)
	}
	elsewhere := p
	elsewhere.workspace = t.TempDir()
	if got := elsewhere.callOf(t, e, "greet"); got != "home" {
		t.Errorf("in another workspace greet says %q", got)
	}
	for name, q := range map[string]SessionRequest{
		"an untrusted workspace": {Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}},
		"other sets asked for":   {Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Limits: session.Rules{Sets: []string{"exact", "other"}}, TrustWorkspace: true},
		"the catalog plan":       {Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Limits: session.Rules{Catalog: tool.CatalogPlan}, TrustWorkspace: true},
	} {
		s, err := e.OpenSession(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.ToolSets(t.Context(), SetPlace{Workspace: p.workspace, Trust: q.TrustWorkspace}, true); err != nil {
			t.Fatal(err)
		}
		got := names(s)
		greet, other := slices.Contains(got, "greet"), slices.Contains(got, "other")
		want := map[string][2]bool{"an untrusted workspace": {true, true}, "other sets asked for": {false, true}, "the catalog plan": {true, false}}[name]
		if greet != want[0] || other != want[1] {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A reload takes what is there then, and a call that runs keeps what it began with.
func TestAReloadChangesTheNextCall(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.projectSets(), "a", saying("a", ""))
	waits := filepath.Join(t.TempDir(), "pipe")
	script := filepath.Join(p.projectSets(), "slow", "run")
	putSet(t, p.projectSets(), "slow", `{"runner":"exec","description":"d","schema":{"type":"object"},"command":["./run","old"]}`)
	putText(t, script, "#!/bin/sh\necho started >"+waits+"\nread x <"+waits+"\necho $1\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	makePipe(t, waits)
	e := p.open(t, true, "")
	slow := p.full(t, e, session.PresetFull)
	defer slow.Close()
	running := make(chan tool.Outcome, 1)
	go func() { running <- slow.Call(t.Context(), tool.Call{Name: "slow", Arguments: []byte(`{}`)}, nil) }()
	if _, err := os.ReadFile(waits); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(p.projectSets(), "a")); err != nil {
		t.Fatal(err)
	}
	putSet(t, p.projectSets(), "b", saying("b", ""))
	putSet(t, p.projectSets(), "slow", saying("new", ""))
	if err := e.ReloadSets(t.Context(), SetPlace{Trust: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.callOf(t, e, "b"); got != "b" {
		t.Errorf("a new set says %q", got)
	}
	if got := p.callOf(t, e, "a"); !strings.HasPrefix(got, string(tool.CodeNotFound)) {
		t.Errorf("a deleted set says %q", got)
	}
	if got := p.callOf(t, e, "slow"); got != string(tool.CodePolicySetChanged) {
		t.Errorf("before its change is accepted the set says %q", got)
	}
	p.accept(t, e, "slow")
	if got := p.callOf(t, e, "slow"); got != "new" {
		t.Errorf("the next call says %q", got)
	}
	putText(t, waits, "go on\n")
	if got := spoken(<-running); got != "old" {
		t.Errorf("the call that ran says %q", got)
	}
}

// spec: CT-24
func TestAChangedSetIsRefusedUntilItsChangeIsAcceptedWhoeverLoadsIt(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.homeSets(), "greet", saying("one", ""))
	e := p.start(t)
	if got := p.callOf(t, e, "greet"); got != "one" {
		t.Errorf("as it was found: %q", got)
	}
	p.close(t, e)
	putSet(t, p.homeSets(), "greet", saying("two", ""))
	e = p.open(t, true, "")
	if got := p.callOf(t, e, "greet"); got != string(tool.CodePolicySetChanged) {
		t.Errorf("changed while no program ran: %q", got)
	}
	sets, err := e.ToolSets(t.Context(), SetPlace{Trust: true}, true)
	if err != nil || !sets.Sets[0].Changed || sets.Sets[0].Specs[0].Description != "Says one." {
		t.Errorf("%+v, %v", sets.Sets, err)
	}
	c, err := e.SetChange(t.Context(), SetRef{Directory: "greet"})
	if err != nil || !strings.Contains(c.Manifest.Unified, "two") {
		t.Errorf("%+v, %v", c, err)
	}
	if err := e.AcceptSet(t.Context(), SetRef{Directory: "greet"}, "another"); !errors.Is(err, shelf.ErrMoved) {
		t.Errorf("something else than was shown: %v", err)
	}
	p.accept(t, e, "greet")
	if got := p.callOf(t, e, "greet"); got != "two" {
		t.Errorf("accepted: %q", got)
	}
	putSet(t, p.homeSets(), "greet", saying("three", ""))
	if got := p.callOf(t, e, "greet"); got != string(tool.CodePolicySetChanged) {
		t.Errorf("changed since it was loaded: %q", got)
	}
}

// A card for a call of a set is void once the set is something else, and says what it is then.
func TestACardOfASetToolFollowsItsSet(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.homeSets(), "greet", saying("one", ""))
	e := p.open(t, true, "")
	s := p.full(t, e, session.PresetDefault)
	defer s.Close()
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 2)
	call := func() { done <- s.Call(t.Context(), tool.Call{Name: "greet", Arguments: []byte(`{}`)}, nil) }
	go call()
	card := next(t, events, event.ApprovalRequested)
	putSet(t, p.homeSets(), "greet", saying("two", ""))
	if q, err := e.Desk().Get(t.Context(), card.Ref); err != nil || !e.Drifted(t.Context(), q) {
		t.Errorf("the card does not know that its set changed: %v", err)
	}
	answerCard(t, e, card.Ref, approval.AllowOnce, "")
	if got := spoken(<-done); got != string(tool.CodePolicySetChanged) {
		t.Errorf("an answer to the old card: %q", got)
	}
	p.accept(t, e, "greet")
	go call()
	card = next(t, events, event.ApprovalRequested)
	// What is still being judged by the change before would see the next one unaccepted.
	judging := e.desk.Watch()
	e.desk.Judge(judging)
	if got := judging.Wait(t.Context()); got.Waiting != 1 {
		t.Errorf("%+v", got)
	}
	// The change is accepted while the call waits, so it is asked again as it is now. Nobody may
	// see the one without the other.
	letIn(t, e, p.homeSets(), "greet", saying("three", ""))
	if err := e.ReloadSets(t.Context(), SetPlace{Trust: true}); err != nil {
		t.Fatal(err)
	}
	again := next(t, events, event.ApprovalRequested)
	if q, err := e.Desk().Get(t.Context(), again.Ref); err != nil || again.Ref == card.Ref || !strings.Contains(q.Moved, "tool set changed") {
		t.Errorf("the new card: %+v, %v", q.Moved, err)
	}
	answerCard(t, e, again.Ref, approval.AllowOnce, "")
	if got := spoken(<-done); got != "three" {
		t.Errorf("the answer to the new card: %q", got)
	}
}

// spec: CT-30
func TestAGrantOfAHomeSetIsNotInheritedByAProjectSetOfItsName(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.homeSets(), "greet", saying("same", ""))
	e := p.open(t, true, "")
	s := p.full(t, e, session.PresetDefault)
	defer s.Close()
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	call := func() { done <- s.Call(t.Context(), tool.Call{Name: "greet", Arguments: []byte(`{}`)}, nil) }
	go call()
	answerCard(t, e, next(t, events, event.ApprovalRequested).Ref, approval.AllowWorkspace, "")
	if got := spoken(<-done); got != "same" {
		t.Errorf("granted: %q", got)
	}
	// What a grant is worth is known once the sets were looked at.
	if _, err := e.ToolSets(t.Context(), SetPlace{}, true); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		all, err := e.Grants(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return string(all[0].State)
	}
	other := p.full(t, e, session.PresetDefault)
	if got := spoken(other.Call(t.Context(), tool.Call{Name: "greet", Arguments: []byte(`{}`)}, nil)); got != "same" || state() != "live" {
		t.Errorf("by the grant: %q, %s", got, state())
	}
	other.Close()
	putSet(t, p.projectSets(), "greet", saying("same", ""))
	if err := e.ReloadSets(t.Context(), SetPlace{Trust: true}); err != nil {
		t.Fatal(err)
	}
	third := p.full(t, e, session.PresetDefault)
	defer third.Close()
	go func() {
		done <- third.Call(t.Context(), tool.Call{Name: "greet", Arguments: []byte(`{}`)}, nil)
	}()
	answerCard(t, e, next(t, events, event.ApprovalRequested).Ref, approval.Deny, "")
	if got := <-done; got.ReasonCode != tool.CodeApprovalUserRejected {
		t.Errorf("the project set: %s", got.ReasonCode)
	}
}

// What was loaded follows the settings and the answer to the trust question.
//
// spec: CT-16
func TestSettingsAndTrustDecideWhatIsLoaded(t *testing.T) {
	p := newPlace(t)
	putSet(t, p.projectSets(), "mine", saying("mine", ""))
	putSet(t, filepath.Join(p.workspace, ".crystal/tools"), "crystal", saying("crystal", ""))
	putSet(t, p.homeSets(), "home", saying("home", ""))
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	loaded := func(want ...string) {
		t.Helper()
		// What is loaded is told of at the latest when somebody waits for it.
		if _, err := s.context.Sets.Loaded(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := e.ReloadSets(t.Context(), SetPlace{}); err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, spec := range s.Tools(t.Context()) {
			if spec.Source == tool.SourceSet {
				got = append(got, spec.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	set := func(key, value string) {
		t.Helper()
		if err := e.SetRules(t.Context(), config.Patch{Values: map[string]string{key: value}}); err != nil {
			t.Fatal(err)
		}
	}
	loaded("home")
	if _, err := e.EnableSet(t.Context(), SetRef{Directory: "mine"}, false); !errors.Is(err, toolset.ErrUntrusted) {
		t.Errorf("a set of an untrusted workspace is switched: %v", err)
	}
	if err := e.AnswerTrust(t.Context(), s.record.TrustRoot, approval.TrustYes); err != nil {
		// Nobody asked, so the answer is stored as a person's who did not wait for the question.
		if err := e.store.SetTrust(t.Context(), s.record.TrustRoot, true); err != nil {
			t.Fatal(err)
		}
	}
	loaded("crystal", "home", "mine")
	set("crystalTools", "false")
	loaded("home", "mine")
	set("externalTools", "false")
	loaded()
	set("externalTools", "true")
	loaded("home", "mine")
	if err := e.ForgetTrust(t.Context(), s.record.TrustRoot); err != nil {
		t.Fatal(err)
	}
	loaded("home")
}

// letIn accepts another manifest of a set and puts it in the place of the one before.
func letIn(t *testing.T, e *Engine, tools, name, text string) {
	t.Helper()
	dir := filepath.Join(tools, name)
	a, found, err := e.store.Accepted(t.Context(), dir)
	if err != nil || !found {
		t.Fatal(found, err)
	}
	beside := putSet(t, t.TempDir(), name, text)
	a.Print.Manifest = []byte(text)
	a.Fingerprint = a.Print.Fingerprint()
	if err := e.store.Accept(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(beside, filepath.Join(dir, "tools.json")); err != nil {
		t.Fatal(err)
	}
}
