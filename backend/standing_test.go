package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// ordinaryCalls are the arguments of an ordinary call of every tool that is built in. n
// makes those that ask new each time: a retry would join the card that is there.
func ordinaryCalls(n int) map[string]string {
	return map[string]string{
		"read":                `{"file_path":"notes.txt"}`,
		"edit":                fmt.Sprintf(`{"file_path":"notes.txt","old_string":"x","new_string":"x%d"}`, n),
		"write":               fmt.Sprintf(`{"file_path":"new-%d.txt","content":"hi"}`, n),
		"grep":                `{"pattern":"x"}`,
		"glob":                `{"pattern":"*.txt"}`,
		"bash":                fmt.Sprintf(`{"command":"true # %d"}`, n),
		"process":             fmt.Sprintf(`{"action":"start","command":"true # %d"}`, n),
		"math.calculate":      `{"expression":"1+1"}`,
		"system.current_time": `{}`,
		"demo.external_write": fmt.Sprintf(`{"destination":"there","content":"%d"}`, n),
	}
}

// met is what a call met in truth.
type met struct {
	foreseen policy.Foreseen
	off      bool
	code     tool.Code
}

// meet makes a call and lets it go once it waits for a person.
func meet(t *testing.T, e *Engine, s *Session, events <-chan event.Event, c tool.Call) met {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(ctx, c, nil) }()
	for {
		select {
		case o := <-done:
			switch {
			case o.Status == tool.StatusSucceeded:
				return met{foreseen: policy.ForeseenAllow}
			case o.ReasonCode == tool.CodeNotEnabled:
				return met{off: true}
			}
			return met{foreseen: policy.ForeseenDeny, code: o.ReasonCode}
		case ev := <-events:
			if ev.Type != event.ApprovalRequested {
				continue
			}
			r, err := e.Desk().Get(t.Context(), ev.Ref)
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			<-done
			return met{foreseen: asked(r)}
		}
	}
}

// asked is a card in the word that foresees it.
func asked(r approval.Request) policy.Foreseen {
	reviewer := slices.ContainsFunc(r.Decision.Chain, func(l tool.Link) bool { return l.Layer == tool.LayerReviewer })
	preset := slices.ContainsFunc(r.Decision.Chain, func(l tool.Link) bool { return l.Layer == tool.LayerPreset })
	switch {
	case r.Restricted:
		return policy.ForeseenRestrict
	case reviewer && r.Offers != nil:
		return policy.ForeseenReview
	case reviewer:
		return policy.ForeseenReviewOnce
	case r.Offers != nil:
		return policy.ForeseenAsk
	case preset:
		return policy.ForeseenOnce
	}
	return policy.ForeseenInsist
}

// What the catalog says that an ordinary call of a tool would get is what the pipeline
// gives it, for every tool under every preset, catalog, lock and profile.
func TestTheStandingOfAToolIsWhatACallOfItGets(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(filepath.Join(p.workspace, "notes.txt"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	// What an ordinary edit changes was read.
	if o := s.Call(t.Context(), tool.Call{Name: "read", Arguments: []byte(ordinaryCalls(0)["read"])}, nil); o.Status != tool.StatusSucceeded {
		t.Fatalf("read: %+v", o)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	n := 0
	seen := map[policy.Foreseen]bool{}
	for _, sets := range []string{`["coding","exact","demo"]`, `["demo"]`} {
		for _, profile := range []session.Profile{session.ProfileDesktop, session.ProfileStrict} {
			for _, lock := range []bool{false, true} {
				for _, catalog := range tool.Catalogs() {
					for _, preset := range session.Presets() {
						patch := config.Patch{Preset: preset, Catalog: catalog, Profile: profile, ReadOnly: &lock, Values: map[string]string{"toolSets": sets}}
						if err := e.SetRules(t.Context(), patch); err != nil {
							t.Fatal(err)
						}
						for _, spec := range e.Specs() {
							n++
							args, known := ordinaryCalls(n)[spec.ID]
							if !known {
								t.Fatalf("there is no ordinary call of %s here", spec.ID)
							}
							foreseen := e.Standing(&spec)
							want := met{foreseen: foreseen.Foreseen, off: !foreseen.Offered(), code: foreseen.Decision.ReasonCode}
							if want.off {
								want = met{off: true}
							}
							got := meet(t, e, s, events, tool.Call{Name: spec.ID, Arguments: []byte(args)})
							if got != want {
								t.Errorf("%s, %s, %s, lock %v, %s, sets %s: foreseen %+v, met %+v", spec.ID, preset, catalog, lock, profile, sets, want, got)
							}
							seen[want.foreseen] = true
						}
					}
				}
			}
		}
	}
	for _, f := range []policy.Foreseen{policy.ForeseenAllow, policy.ForeseenAsk, policy.ForeseenInsist, policy.ForeseenReview, policy.ForeseenDeny} {
		if !seen[f] {
			t.Errorf("no case was %s", f)
		}
	}
}

func TestAWaitingCallOfASetThatIsSwitchedOffEnds(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), nil) }()
	card := next(t, events, event.ApprovalRequested)
	if err := e.SetRules(t.Context(), config.Patch{Switch: &config.SetSwitch{Set: "coding"}}); err != nil {
		t.Fatal(err)
	}
	if o := <-done; o.Status != tool.StatusDenied || o.ReasonCode != tool.CodeNotEnabled {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
	r, err := e.Desk().Get(t.Context(), card.Ref)
	if err != nil || r.Status == approval.StatusPending || r.Status == approval.StatusApproved {
		t.Errorf("the card is %s, %v", r.Status, err)
	}
	if names := s.Tools(t.Context()); slices.ContainsFunc(names, func(s tool.Spec) bool { return s.Set == "coding" }) {
		t.Error("the set is still offered")
	}
	if entries, _ := os.ReadDir(p.workspace); len(entries) != 0 {
		t.Error("something was written")
	}
}

// How long a caller is held is read anew for each call: a session that is open keeps no
// old limit.
func TestTheLimitOfAHoldAppliesToOpenSessions(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	if err := e.SetRules(t.Context(), config.Patch{Values: map[string]string{"maxHoldSeconds": "1"}}); err != nil {
		t.Fatal(err)
	}
	if o := s.Call(t.Context(), write("a.txt", "hi"), nil); o.ReasonCode != tool.CodeApprovalPending {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
}

func TestGrantsAreListedWithWhetherTheyCount(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), write("a.txt", "hi"), nil) }()
	answerCard(t, e, next(t, events, event.ApprovalRequested).Ref, approval.AllowSession, "")
	<-done
	got, err := e.Grants(t.Context())
	if err != nil || len(got) != 1 || got[0].SessionID != s.ID() || got[0].ToolID != "write" || got[0].State != policy.GrantLive ||
		got[0].Words != `Changes a.txt by "write"` || got[0].By != "person" || got[0].SweptAt != nil {
		t.Fatalf("got %+v, %v", got, err)
	}
	// Under other rules the grant does not count, and says so.
	if err := e.SetRules(t.Context(), config.Patch{Preset: session.PresetReview}); err != nil {
		t.Fatal(err)
	}
	if got, err = e.Grants(t.Context()); err != nil || len(got) != 1 || got[0].State != policy.GrantResting || got[0].Why == "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTheTableOfPresetsIsNotChangedByTheLock(t *testing.T) {
	e := newPlace(t).open(t, true, "")
	open := e.Foresee(session.PresetEdit)
	lock := true
	if err := e.SetRules(t.Context(), config.Patch{ReadOnly: &lock}); err != nil {
		t.Fatal(err)
	}
	locked := e.Foresee(session.PresetEdit)
	for _, k := range policy.Kinds() {
		if open[k] != locked[k] || open[k] == "" {
			t.Errorf("%s: %q and under the lock %q", k, open[k], locked[k])
		}
	}
	if open[policy.KindEdit] != policy.ForeseenAllow || open[policy.KindOutside] != policy.ForeseenInsist {
		t.Errorf("got %v", open)
	}
	if err := e.SetRules(t.Context(), config.Patch{Profile: session.ProfileStrict}); err != nil {
		t.Fatal(err)
	}
	if strict := e.Foresee(session.PresetEdit); strict[policy.KindOutside] != policy.ForeseenDeny || strict[policy.KindNetwork] != policy.ForeseenDeny {
		t.Errorf("profile strict: %v", strict)
	}
	if e.Foresee("")[policy.KindEdit] != e.Foresee(session.PresetDefault)[policy.KindEdit] {
		t.Error("a preset that is not known is not the strictest")
	}
	var fault *config.Fault
	if err := e.SetRules(t.Context(), config.Patch{Profile: "loose"}); !errors.As(err, &fault) || fault.Key != "profile" {
		t.Errorf("got %v", err)
	}
}
