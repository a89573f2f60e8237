package bridge_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/clock"
)

const shellSet = `{"runner":"exec","description":"Says a word.","command":["./say.sh"],"stdin":false,
 "argv":{"word":"--word"},"schema":{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}}`

// openWithSet opens a real engine whose home has a set, and the page's methods over it.
func openWithSet(t *testing.T) (e *backend.Engine, api *bridge.API, set string) {
	t.Helper()
	user := t.TempDir()
	home, log := filepath.Join(user, ".countersign"), slog.New(slog.DiscardHandler)
	set = filepath.Join(home, "tools", "say")
	must(t, os.MkdirAll(set, 0o700))
	must(t, os.WriteFile(filepath.Join(set, "tools.json"), []byte(shellSet), 0o600))
	must(t, os.WriteFile(filepath.Join(set, "say.sh"), []byte("#!/bin/sh\necho \"said $2\"\n"), 0o700))
	e, err := backend.Open(t.Context(), backend.Options{
		Paths: config.Paths{Home: home, UserHome: user}, Clock: clock.System(), Desk: true, Workspace: t.TempDir(), Log: log,
		Environ: os.Environ(),
	})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close(context.WithoutCancel(t.Context()))) })
	_, err = e.ToolSets(t.Context(), backend.SetPlace{}, true)
	must(t, err)
	return e, bridge.New(t.Context(), bridge.Config{Engine: bridge.Of(e), Clock: clock.System(), Log: log, UserHome: user}), set
}

// await waits for an event of a kind.
func await(t *testing.T, events <-chan event.Event, kind event.Type) {
	t.Helper()
	for {
		select {
		case e := <-events:
			if e.Type == kind {
				return
			}
		case <-t.Context().Done():
			t.Fatalf("no %s came", kind)
		}
	}
}

func setOf(t *testing.T, api *bridge.API) bridge.SetRow {
	t.Helper()
	view, err := api.Tools()
	must(t, err)
	for _, set := range view.Sets {
		if set.Name == "say" {
			return set
		}
	}
	t.Fatalf("the set is not listed: %+v", view)
	return bridge.SetRow{}
}

func TestASetOfAFolderIsListedSwitchedAndLetInAgain(t *testing.T) {
	_, api, dir := openWithSet(t)
	set := setOf(t, api)
	if set.Status != "loaded" || set.Folder != "~/.countersign/tools/say" || len(set.Tools) != 1 || strings.Join(set.Tools[0].Runs, " ") != "./say.sh" || set.Tools[0].Declared != "Inherits" {
		t.Fatalf("got %+v", set)
	}
	_, err := api.SwitchSet(bridge.SetChange{Source: "home", Set: "say"})
	must(t, err)
	if set = setOf(t, api); set.Enabled || set.Status != "disabled" || !set.Switchable {
		t.Errorf("switched off: %+v", set)
	}
	_, err = api.SwitchSet(bridge.SetChange{Source: "home", Set: "say", On: true})
	must(t, err)
	if set = setOf(t, api); set.Status != "loaded" || set.Changed {
		t.Errorf("what a person switches here is no change to be let in: %+v", set)
	}

	must(t, os.WriteFile(filepath.Join(dir, "say.sh"), []byte("#!/bin/sh\necho other\n"), 0o700))
	_, err = api.ReloadSets()
	must(t, err)
	if set = setOf(t, api); !set.Changed {
		t.Fatalf("another program: %+v", set)
	}
	drift, err := api.SetDrift(bridge.SetRef{Source: "home", Name: "say"})
	must(t, err)
	if drift.Same || len(drift.Programs) != 1 || drift.Programs[0].WasHash == drift.Programs[0].NowHash || len(drift.Diffs) != 0 {
		t.Fatalf("got %+v", drift)
	}
	if err := api.AcceptSet(bridge.SetAcceptance{Source: "home", Name: "say", Fingerprint: strings.Repeat("0", 64)}); err == nil {
		t.Error("something was let in that was not shown")
	}
	must(t, api.AcceptSet(bridge.SetAcceptance{Source: "home", Name: "say", Fingerprint: drift.Fingerprint}))
	if set = setOf(t, api); set.Changed {
		t.Errorf("let in: %+v", set)
	}
}

func TestAToolIsTriedThroughTheSameDecisions(t *testing.T) {
	e, api, _ := openWithSet(t)
	form, err := api.TryForm("say")
	must(t, err)
	if len(form.Fields) != 1 || form.Fields[0].Name != "word" || !form.Fields[0].Required {
		t.Fatalf("got %+v", form)
	}
	events, stop := e.Subscribe()
	defer stop()
	sessionID, err := api.TryTool(bridge.TryRequest{Tool: "say", Arguments: `{"word":"hello"}`})
	must(t, err)
	await(t, events, event.TrustAsked)
	must(t, api.AnswerTrust(bridge.TrustAnswer{Root: e.Workspace(), Answer: "yes"}))
	snapshot, err := api.Snapshot()
	must(t, err)
	for len(snapshot.Approvals) == 0 {
		await(t, events, event.ApprovalRequested)
		snapshot, err = api.Snapshot()
		must(t, err)
	}
	card, err := api.Approval(snapshot.Approvals[0].ID)
	must(t, err)
	_, err = api.Answer(bridge.AnswerRequest{ID: card.Row.ID, Hash: card.Hash, Resolution: string(approval.AllowOnce)})
	must(t, err)
	await(t, events, event.CallCompleted)
	page, err := api.SessionPage(bridge.PageRequest{SessionID: sessionID, Where: "before"})
	must(t, err)
	call, err := api.Call(page.Items[len(page.Items)-1].Call.ID)
	must(t, err)
	if call.Call.State != "succeeded" || len(call.Read) == 0 || !strings.Contains(call.Read[0].Text, "said hello") {
		t.Errorf("got %+v", call)
	}
	again, err := api.TryTool(bridge.TryRequest{Tool: "say", Arguments: `{}`})
	if err != nil || again != sessionID {
		t.Errorf("one session holds what is tried: %q, %v", again, err)
	}
}
