package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/clock"
	"countersign/backend/session"
	"countersign/backend/tool"
)

const hiddenPassword = "k7Qd2mZr9Wn4Xc8Lb3Tv"

// TestWhatACardHidesIsRevealedToTheOneWhoAsks takes real calls to their cards.
//
// spec: RL-10
func TestWhatACardHidesIsRevealedToTheOneWhoAsks(t *testing.T) {
	var log bytes.Buffer
	user := t.TempDir()
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	e, err := backend.Open(t.Context(), backend.Options{
		Paths: config.Paths{Home: filepath.Join(user, "home"), UserHome: user}, Clock: clock.System(), Desk: true,
		Workspace: workspace, Log: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close(context.WithoutCancel(t.Context()))) })
	api := bridge.New(t.Context(), bridge.Config{Engine: bridge.Of(e), Clock: clock.System(), Log: slog.New(slog.NewJSONHandler(&log, nil)), Workspace: workspace})
	events, cancel := e.Subscribe()
	t.Cleanup(cancel)
	s, err := e.OpenSession(t.Context(), backend.SessionRequest{
		Workspace: workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	must(t, err)
	var told []string
	asks := func(name string, arguments map[string]any) (bridge.ApprovalCard, <-chan tool.Outcome) {
		t.Helper()
		raw, err := json.Marshal(arguments)
		must(t, err)
		done := make(chan tool.Outcome, 1)
		go func() { done <- s.Call(t.Context(), tool.Call{Name: name, Arguments: raw}, nil) }()
		for {
			select {
			case ev := <-events:
				line, err := json.Marshal(ev)
				must(t, err)
				told = append(told, string(line))
				if ev.Type != event.ApprovalRequested {
					continue
				}
				c, err := api.Approval(ev.Ref)
				must(t, err)
				return c, done
			case o := <-done:
				t.Fatalf("it ended without a card: %+v", o)
			case <-time.After(20 * time.Second):
				t.Fatal("no card came")
			}
		}
	}
	deny := func(c bridge.ApprovalCard, done <-chan tool.Outcome) {
		t.Helper()
		_, err := api.Answer(bridge.AnswerRequest{ID: c.Row.ID, Resolution: "deny", Hash: c.Hash})
		must(t, err)
		<-done
	}
	text := func(v any) string {
		out, err := json.Marshal(v)
		must(t, err)
		return string(out)
	}

	command := "curl -u me:" + hiddenPassword + " https://example.com | sort"
	c, done := asks("bash", map[string]any{"command": command})
	if strings.Contains(text(c), hiddenPassword) || !c.MustReveal || !strings.Contains(c.Command, c.Marker) {
		t.Errorf("the card: must be revealed %v, %s", c.MustReveal, c.Command)
	}
	shown, err := api.Reveal(bridge.RevealRequest{ID: c.Row.ID, Hash: c.Hash})
	must(t, err)
	if shown.Command != command || len(shown.Pieces) != 1 || shown.Pieces[0] != hiddenPassword || !strings.Contains(shown.Canonical, hiddenPassword) {
		t.Errorf("revealed: %q, %q", shown.Command, shown.Pieces)
	}
	if len(shown.Listing.Steps) != 2 || !strings.Contains(shown.Listing.Steps[0].Text, "me:"+hiddenPassword) || len(shown.About) != len(c.About) {
		t.Errorf("the list: %+v", shown.Listing)
	}
	if _, err := api.Reveal(bridge.RevealRequest{ID: c.Row.ID, Hash: "another"}); err == nil {
		t.Error("another hash reveals it as well")
	}
	// It is for that one look: what is read next is hidden as before.
	again, err := api.Approval(c.Row.ID)
	must(t, err)
	if strings.Contains(text(again), hiddenPassword) {
		t.Error("the card shows it from then on")
	}
	deny(c, done)
	if _, err := api.Reveal(bridge.RevealRequest{ID: c.Row.ID, Hash: c.Hash}); err == nil {
		t.Error("a card that has ended reveals it")
	}

	// A secret in what a file would hold does not keep the hand from Allow.
	file := filepath.Join(workspace, "a.env")
	c, done = asks("write", map[string]any{"file_path": file, "content": "password=" + hiddenPassword + "\n"})
	if c.MustReveal || strings.Contains(text(c), hiddenPassword) {
		t.Errorf("the card of a file: must be revealed %v", c.MustReveal)
	}
	shown, err = api.Reveal(bridge.RevealRequest{ID: c.Row.ID, Hash: c.Hash})
	must(t, err)
	if len(shown.Diffs) != 1 || !strings.Contains(shown.Diffs[0].Unified, "+password="+hiddenPassword) || shown.Diffs[0].Path != "a.env" {
		t.Errorf("revealed: %+v", shown.Diffs)
	}
	// Of a file that is another one by now nothing is revealed: it would not be what is asked.
	must(t, os.WriteFile(file, []byte("other"), 0o600))
	if got, err := api.Reveal(bridge.RevealRequest{ID: c.Row.ID, Hash: c.Hash}); err == nil {
		t.Errorf("revealed: %+v", got.Diffs)
	}
	deny(c, done)

	if strings.Contains(log.String()+strings.Join(told, ""), hiddenPassword) {
		t.Error("a log or an event tells it")
	}
}
