package backend

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend/connect"
	"countersign/backend/session"
)

func TestTheEntriesOfClientsLeadToThisDesk(t *testing.T) {
	p := newPlace(t)
	bin := t.TempDir()
	e := p.start(t, func(o *Options) { o.Program = filepath.Join(bin, "countersign-desktop") })
	t.Cleanup(func() { p.close(t, e) })
	if got := e.facts().Program; got != "" {
		t.Errorf("the program that is not there is %q", got)
	}
	if err := os.WriteFile(filepath.Join(bin, "countersign"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	want := connect.Facts{
		Program: filepath.Join(bin, "countersign"), Home: p.home, Workspace: p.workspace, UserHome: filepath.Dir(p.home),
	}
	if d := cmp.Diff(want, e.facts()); d != "" {
		t.Error(d)
	}
	plan, err := e.Clients().Plan("claude")
	if err != nil {
		t.Fatal(err)
	}
	if _, written, err := e.Clients().Write("claude", plan.Hash); err != nil || !written {
		t.Fatal(written, err)
	}
	if text, err := os.ReadFile(filepath.Join(p.workspace, ".mcp.json")); err != nil || string(text) != plan.Client.Fragment {
		t.Errorf("%q %v", text, err)
	}
}

func TestOnlyAClientOfTheSocketIsConnectedAndCanBeToldToGo(t *testing.T) {
	p := newPlace(t)
	e := p.open(t, true, "")
	p.session(t, e, "", true)
	gone := make(chan struct{})
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Process: 4711, Dismiss: func() { close(gone) },
	})
	if err != nil {
		t.Fatal(err)
	}
	got := e.ConnectedClients()
	if len(got) != 1 || got[0].SessionID != s.ID() || got[0].Process != 4711 || got[0].Since.IsZero() {
		t.Errorf("%+v", got)
	}
	if e.Disconnect("nobody") || !e.Disconnect(s.ID()) {
		t.Error("the wrong one was disconnected")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	select {
	case <-gone:
	case <-ctx.Done():
		t.Error("the client was not told")
	}
	s.Close()
	if got := e.ConnectedClients(); len(got) > 0 || e.Disconnect(s.ID()) {
		t.Errorf("after it went: %+v", got)
	}
}
