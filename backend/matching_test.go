package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/policy"
	"countersign/backend/tool"
)

// The preview of a grant is what the grant then does.
func TestAGrantIsShownWithTheCallsThatItWouldCover(t *testing.T) {
	p := newPlace(t)
	if err := os.Mkdir(filepath.Join(p.workspace, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, "")
	s, other := p.client(t, e), p.client(t, e)
	once := approval.Answer{Resolution: approval.AllowOnce}
	for i := range 3 {
		answered(t, e, s, write(fmt.Sprintf("src/%d.txt", i), "1"), once)
	}
	answered(t, e, s, write("beside.txt", "1"), once)
	answered(t, e, s, write("src/no.txt", "1"), approval.Answer{Resolution: approval.Deny})
	answered(t, e, other, write("src/other.txt", "1"), once)

	events, cancel := e.Subscribe()
	defer cancel()
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(ctx, write("src/new.txt", "1"), nil) }()
	card := next(t, events, event.ApprovalRequested).Ref
	folder := filepath.Join(p.workspace, "src")
	for name, c := range map[string]struct {
		kind               policy.GrantKind
		value              string
		refused            bool
		session, workspace int
	}{
		"the folder":      {policy.GrantFolder, folder, false, 4, 5},
		"with a slash":    {policy.GrantFolder, folder + "/", false, 4, 5},
		"everything":      {policy.GrantFolder, p.workspace, false, 5, 6},
		"the file":        {policy.GrantFile, filepath.Join(folder, "new.txt"), false, 0, 0},
		"another file":    {policy.GrantFile, filepath.Join(folder, "1.txt"), true, 1, 1},
		"a folder beside": {policy.GrantFolder, filepath.Join(p.workspace, "nosuch"), true, 0, 0},
		"a rule":          {policy.GrantCommand, "git log *", true, 0, 0},
		"no rule":         {policy.GrantCommand, "git log | sh", true, 0, 0},
	} {
		got, err := e.WouldMatch(t.Context(), MatchQuery{Request: card, Life: policy.GrantWorkspace, Kind: c.kind, Value: c.value})
		if err != nil || (got.Refused != "") != c.refused || got.Session.All != c.session || got.Workspace.All != c.workspace || got.Session.Part != 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if name == "the folder" && (got.Session.Looked != 5 || got.Session.Denied != 1 || len(got.Session.Examples) != 4 || !got.Session.Examples[0].Denied ||
			got.Session.Examples[0].Text.Open() != filepath.Join(folder, "no.txt") || len(got.Workspace.Examples) != 5 || got.Choice.Words != `Changes files below src by "write"`) {
			t.Errorf("%+v", got)
		}
	}
	// It can also be asked about the card of a caller who left and whose session is closed.
	leave()
	<-done
	s.Close()
	e.considered.Store(nil)
	got, err := e.WouldMatch(t.Context(), MatchQuery{Request: card, Life: policy.GrantSession, Kind: policy.GrantFolder, Value: folder})
	if err != nil || got.Session.All != 4 || got.Workspace.All != 5 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := e.WouldMatch(t.Context(), MatchQuery{Request: "nobody"}); !errors.Is(err, approval.ErrNoRequest) {
		t.Errorf("got %v", err)
	}
}
