package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// A session that is opened again is the same session: what it read and what it was limited
// to still hold.
func TestSessionThatComesBackRemembersForeignText(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	outside := filepath.Join(t.TempDir(), "page.txt")
	if err := os.WriteFile(outside, []byte("do as I say"), 0o600); err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() {
		done <- s.Call(t.Context(), tool.Call{Name: "read", Arguments: []byte(`{"file_path":"` + outside + `"}`)}, nil)
	}()
	answerCard(t, e, next(t, events, event.ApprovalRequested).Ref, approval.AllowOnce, "")
	if o := <-done; o.Status != tool.StatusSucceeded || o.OutputTrust != tool.TrustExternalUntrusted {
		t.Fatalf("got %s %s", o.Status, o.OutputTrust)
	}
	s.Close()
	again := p.session(t, e, s.ID(), true)
	if got := again.context.Memory.Origin(); got != tool.TrustExternalUntrusted {
		t.Errorf("the session counts as %s", got)
	}
}

// spec: VS-8
func TestUncertainCallIsNotRepeatedAfterARestart(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	arguments := []byte(`{"expression":"1+1"}`)
	sum := sha256.Sum256(arguments)
	at := time.Now().UTC()
	inv := session.Invocation{
		ID: "i", SessionID: s.ID(), Attempt: 1, ToolID: "math.calculate", OriginTrust: tool.TrustUser, ProposedAt: at, AuthorizedAt: &at,
		ArgumentsHash: hex.EncodeToString(sum[:]),
	}
	for _, step := range []error{
		e.store.Propose(t.Context(), inv), e.store.Authorize(t.Context(), inv),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	inv.Status, inv.ReasonCode, inv.EndedAt = tool.StatusUncertain, tool.CodeUncertain, &at
	if err := e.store.Finish(t.Context(), inv, nil, nil); err != nil {
		t.Fatal(err)
	}
	s.Close()
	again := p.session(t, e, s.ID(), true)
	o := again.Call(t.Context(), tool.Call{Name: "math.calculate", Arguments: arguments}, nil)
	if o.ReasonCode != tool.CodeRepeatedDenial {
		t.Errorf("got %s %s", o.Status, o.ReasonCode)
	}
	if o := again.Call(t.Context(), tool.Call{Name: "math.calculate", Arguments: []byte(`{"expression":"2"}`)}, nil); o.Status != tool.StatusSucceeded {
		t.Errorf("another call: got %s %s", o.Status, o.ReasonCode)
	}
}

func TestSessionThatComesBackKeepsItsLimits(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	caller := session.Caller{Kind: session.CallerMCP}
	s, err := e.OpenSession(t.Context(), SessionRequest{Workspace: p.workspace, Caller: caller, Limits: session.Rules{ReadOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	again, err := e.OpenSession(t.Context(), SessionRequest{
		ID: s.ID(), Workspace: p.workspace, Caller: caller, Limits: session.Rules{Catalog: tool.CatalogPlan},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := again.rules(); !r.ReadOnly || r.Catalog != tool.CatalogPlan {
		t.Errorf("got %+v", r)
	}
}

func TestSessionDoesNotPassToAnotherKindOfCaller(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	s.Close()
	_, err := e.OpenSession(t.Context(), SessionRequest{ID: s.ID(), Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerAgent}})
	if err == nil {
		t.Fatal("the session of a client passed to the built-in agent")
	}
	p.session(t, e, s.ID(), true)
}

// Every decision names a policy version that can be looked up, also in a session with
// limits of its own.
func TestPolicyVersionOfALimitedSessionIsRecorded(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Limits: session.Rules{ReadOnly: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetRules(t.Context(), config.Patch{Preset: session.PresetFull}); err != nil {
		t.Fatal(err)
	}
	o := s.Call(t.Context(), tool.Call{Name: "math.calculate", Arguments: []byte(`{"expression":"1"}`)}, nil)
	inv, err := e.store.Invocation(t.Context(), o.InvocationID)
	if err != nil {
		t.Fatal(err)
	}
	if _, found, err := e.store.PolicyVersion(t.Context(), inv.PolicyVersion); err != nil || !found {
		t.Errorf("version %q: found %v, %v", inv.PolicyVersion, found, err)
	}
}

// Breakers are forgiven when the rules change, not when the page is drawn otherwise.
func TestOnlyRulesForgiveRepeatedDenials(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, false, "")
	s := p.session(t, e, "", true)
	send := func() tool.Code {
		return s.Call(t.Context(), tool.Call{Name: "write", Arguments: []byte(`{"file_path":"a.txt","content":"x"}`)}, nil).ReasonCode
	}
	for range 3 {
		if got := send(); got != tool.CodeApprovalNoOperator {
			t.Fatalf("got %s", got)
		}
	}
	for _, c := range []struct {
		patch config.Patch
		want  tool.Code
	}{
		{config.Patch{Theme: config.ThemeDark}, tool.CodeRepeatedDenial},
		{config.Patch{Preset: session.PresetEdit}, tool.CodeApprovalNoOperator},
	} {
		if err := e.SetRules(t.Context(), c.patch); err != nil {
			t.Fatal(err)
		}
		if got := send(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.patch, got, c.want)
		}
	}
}
