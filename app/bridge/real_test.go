package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/approval/approvaltest"
	"countersign/backend/config"
	"countersign/backend/host/clock"
	"countersign/backend/registry/registrytest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// open opens a real engine in a new home, and the page's methods over it.
func open(t testing.TB) (*backend.Engine, *bridge.API) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	e, err := backend.Open(t.Context(), backend.Options{
		Paths: config.Paths{Home: home, UserHome: filepath.Dir(home)}, Clock: clock.System(), Desk: true,
		Workspace: t.TempDir(), Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close(context.WithoutCancel(t.Context()))) })
	return e, bridge.New(t.Context(), bridge.Config{Engine: bridge.Of(e), Clock: clock.System(), Log: slog.New(slog.DiscardHandler)})
}

// before asks for the page before a cursor, "" for the newest.
func before(cursor string) bridge.PageRequest {
	return bridge.PageRequest{SessionID: "s1", Where: "before", Cursor: cursor}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func begin(t testing.TB, e *backend.Engine, id string) {
	t.Helper()
	_, err := e.Store().CreateSession(t.Context(), session.Session{
		ID: id, Title: tool.Mark(id), Workspace: registrytest.Workspace, TrustRoot: registrytest.Workspace,
		Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")},
	})
	must(t, err)
}

func propose(t testing.TB, e *backend.Engine, sessionID, id, arguments string) {
	t.Helper()
	inv := registrytest.Proposed(id)
	inv.SessionID, inv.CallID, inv.Raw = sessionID, id, []byte(arguments)
	must(t, e.Store().Propose(t.Context(), inv))
}

// wait makes a call that waits for a person, with a change of a given size.
func wait(t testing.TB, e *backend.Engine, sessionID, id string, size int) {
	t.Helper()
	propose(t, e, sessionID, "i"+id, `{}`)
	r := approvaltest.Asked(id, sessionID, "i"+id)
	r.CreatedAt = clock.System().Now()
	r.ExpiresAt = r.CreatedAt.Add(1 << 40)
	r.Diffs = []tool.FileDiff{{Path: id, Unified: strings.Repeat("+line\n", size/6)}}
	r.Canonical = []byte(`{"content":"` + strings.Repeat("x", size) + `","file_path":"` + id + `"}`)
	must(t, e.Store().AddRequest(t.Context(), r))
}

func ids(items []bridge.TimelineItem) []string {
	out := []string{}
	for _, i := range items {
		out = append(out, i.ID)
	}
	return out
}

func TestARealSessionIsReadBothWaysWithoutGapOrRepetition(t *testing.T) {
	e, api := open(t)
	begin(t, e, "s1")
	want := []string{}
	for n := range 250 {
		id := fmt.Sprintf("i%03d", n)
		propose(t, e, "s1", id, `{"file_path":"a"}`)
		want = append(want, id)
	}
	newest, err := api.SessionPage(before(""))
	must(t, err)
	if newest.After != "" || newest.Before == "" || len(newest.Items) != 100 {
		t.Fatalf("the newest page: %d lines, before %q, after %q", len(newest.Items), newest.Before, newest.After)
	}
	back := ids(newest.Items)
	for cursor := newest.Before; cursor != ""; {
		page, err := api.SessionPage(before(cursor))
		must(t, err)
		back, cursor = append(ids(page.Items), back...), page.Before
	}
	if d := cmp.Diff(want, back); d != "" {
		t.Error(d)
	}
	forth := []string{}
	for cursor, begun := "", false; cursor != "" || !begun; begun = true {
		page, err := api.SessionPage(bridge.PageRequest{SessionID: "s1", Where: "after", Cursor: cursor})
		must(t, err)
		forth, cursor = append(forth, ids(page.Items)...), page.After
	}
	if d := cmp.Diff(want, forth); d != "" {
		t.Error(d)
	}
	found, err := api.SessionFind(bridge.FindRequest{SessionID: "s1", Words: "a"})
	if err != nil || found.Total != 250 {
		t.Fatalf("%d found, %v", found.Total, err)
	}
	middle := found.Matches[125]
	page, err := api.SessionPage(bridge.PageRequest{SessionID: "s1", Where: "around", Cursor: middle.Cursor})
	if err != nil || len(page.Items) != 100 || page.Items[49].ID != middle.ID || page.Before == "" || page.After == "" {
		t.Errorf("around %s: %d lines, %v", middle.ID, len(page.Items), err)
	}
	_, err = api.SessionPage(before("x"))
	if fault, ok := errors.AsType[*bridge.Error](err); !ok || fault.Code != bridge.CodeInvalid {
		t.Errorf("a cursor that is none: %v", err)
	}
}

func TestRealChangesTellWhatAnAnswerChangedFarUp(t *testing.T) {
	e, api := open(t)
	begin(t, e, "s1")
	wait(t, e, "s1", "r1", 100)
	for n := range 150 {
		propose(t, e, "s1", fmt.Sprintf("i%03d", n), `{}`)
	}
	newest, err := api.SessionPage(before(""))
	must(t, err)
	card, err := api.Approval("r1")
	must(t, err)
	_, err = api.Answer(bridge.AnswerRequest{ID: "r1", Resolution: "deny", Hash: card.Hash, Words: "not this"})
	must(t, err)
	changes, err := api.SessionChanges(bridge.ChangesRequest{SessionID: "s1", Since: newest.Seq})
	if err != nil || changes.Missed || len(changes.Items) != 1 || changes.Items[0].Call.ApprovalID != "r1" {
		t.Errorf("got %+v, %v", changes, err)
	}
}

func TestARequestPastItsTimeIsNotInTheInbox(t *testing.T) {
	e, api := open(t)
	begin(t, e, "s1")
	propose(t, e, "s1", "i1", `{}`)
	r := approvaltest.Asked("r1", "s1", "i1")
	r.CreatedAt = clock.System().Now().Add(-1 << 50)
	r.ExpiresAt = r.CreatedAt.Add(1)
	must(t, e.Store().AddRequest(t.Context(), r))
	got, err := api.Snapshot()
	if err != nil || len(got.Approvals) != 0 {
		t.Errorf("%d waiting, %v", len(got.Approvals), err)
	}
	if card, err := api.Approval("r1"); err != nil || card.Row.Status != "expired" {
		t.Errorf("the card is %s, %v", card.Row.Status, err)
	}
}

// What one reading of everything costs while 100 calls wait, each with a change of 256 KB,
// among 500 sessions.
func BenchmarkSnapshot(b *testing.B) {
	e, api := open(b)
	for n := range 500 {
		begin(b, e, fmt.Sprintf("s%d", n))
	}
	for n := range 100 {
		wait(b, e, "s1", fmt.Sprintf("r%d", n), 256<<10)
	}
	for b.Loop() {
		if s, err := api.Snapshot(); err != nil || len(s.Approvals) != 100 {
			b.Fatal(len(s.Approvals), err)
		}
	}
}

// What the newest page, and what one change, costs in a session of 50,000 events whose
// calls were given 64 KB each at the end.
func BenchmarkLongSession(b *testing.B) {
	e, api := open(b)
	begin(b, e, "s1")
	for n := range 49_900 {
		_, err := e.Store().AppendEvent(b.Context(), "s1", "process.exited", fmt.Sprint(n), nil)
		must(b, err)
	}
	for n := range 100 {
		propose(b, e, "s1", fmt.Sprintf("i%03d", n), `{"content":"`+strings.Repeat("x", 64<<10)+`","file_path":"a"}`)
	}
	newest, err := api.SessionPage(before(""))
	must(b, err)
	propose(b, e, "s1", "last", `{}`)
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			if v, err := api.SessionPage(before("")); err != nil || len(v.Items) != 100 {
				b.Fatal(len(v.Items), err)
			}
		}
	})
	b.Run("changes", func(b *testing.B) {
		for b.Loop() {
			if c, err := api.SessionChanges(bridge.ChangesRequest{SessionID: "s1", Since: newest.Seq}); err != nil || len(c.Items) != 1 {
				b.Fatal(len(c.Items), err)
			}
		}
	})
}
