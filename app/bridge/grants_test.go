package bridge

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestTheLedgerTellsEachGrantInWordsWithWhereItCameFrom(t *testing.T) {
	used, expires := noon.Add(-time.Minute), noon.Add(48*time.Hour)
	f := &fakeEngine{sessions: []session.Session{writeSession()}, grants: []backend.LedgerGrant{
		{
			State: policy.GrantLive, CallID: "i1", SweptAt: &expires,
			Grant: policy.Grant{
				ID: "g1", SessionID: "s1", Workspace: "/w", Life: policy.GrantWorkspace, Kind: policy.GrantCommand, ToolID: "bash", By: "person",
				Value: "git log *", CreatedAt: noon.Add(-time.Hour), LastUsed: &used, Uses: 9007199254740993, ExpiresAt: &expires,
			},
		},
		{
			State: policy.GrantDead, Why: "You took it back.", CallID: "i2",
			Grant: policy.Grant{
				ID: "g2", SessionID: "gone", Life: policy.GrantSession, Kind: policy.GrantFile, ToolID: "write", Effect: tool.EffectWorkspaceWrite,
				Value: "/w/notes.md", CreatedAt: noon, EndedAt: &noon,
			},
		},
	}}
	got, err := newAPI(t, f).Grants()
	if err != nil {
		t.Fatal(err)
	}
	want := GrantList{Grants: []GrantRow{
		{
			ID: "g1", Life: "workspace", ToolID: "bash", Verb: "Runs commands that begin with", Subject: "git log",
			Words: "Not with redirects, outside the workspace, or with options that do something else.", Key: "bash git log *", State: "live",
			Workspace: "/w", By: "you", SessionID: "s1", Session: "Fix it", Caller: "claude-code", CallID: "i1", At: "2026-07-25T11:00:00Z",
			UsedAt: "2026-07-25T11:59:00Z", Uses: "9007199254740993", ExpiresAt: "2026-07-27T12:00:00Z", SweptAt: "2026-07-27T12:00:00Z",
		},
		{
			ID: "g2", Life: "session", ToolID: "write", Verb: "Changes", Subject: "/w/notes.md", IsPath: true, Words: "This one file, with any content.",
			Key: "write /w/notes.md", State: "dead", Why: "You took it back.", By: "you", At: "2026-07-25T12:00:00Z", Uses: "0", EndedAt: "2026-07-25T12:00:00Z",
		},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAGrantSaysWhatItLetsThrough(t *testing.T) {
	w := tool.EffectWorkspaceWrite
	for _, c := range []struct {
		grant         policy.Grant
		verb, subject string
	}{
		{policy.Grant{Kind: policy.GrantFile, Effect: w, Value: "/w/a/b.go"}, "Changes", "a/b.go"},
		{policy.Grant{Kind: policy.GrantFile, Effect: tool.EffectWorkspaceRead, Value: "/w/a/b.go"}, "Reads", "a/b.go"},
		{policy.Grant{Kind: policy.GrantFolder, Effect: w, Value: "/w/a"}, "Changes files below", "a/"},
		{policy.Grant{Kind: policy.GrantFolder, Effect: w, Value: "/w"}, "Changes any file of the workspace", ""},
		{policy.Grant{Kind: policy.GrantHost, Value: "pkg.go.dev"}, "Reads from", "pkg.go.dev"},
		{policy.Grant{Kind: policy.GrantTool, ToolID: "math.calculate"}, "Makes any call of", "math.calculate"},
		{policy.Grant{Kind: policy.GrantTool, ToolID: "acme.notes", Source: tool.SourceSet}, "Makes any call of", "acme.notes"},
		{policy.Grant{Kind: policy.GrantCommand, Value: "go test ./..."}, "Runs exactly", "go test ./..."},
		{policy.Grant{Kind: policy.GrantCommand, Value: "git commit *"}, "Runs commands that begin with", "git commit"},
		{policy.Grant{Kind: policy.GrantCommand, Value: "'"}, "Runs no command: this cannot be read", "'"},
		{policy.Grant{Kind: "new"}, "Lets nothing through", ""},
	} {
		verb, subject, words := grantWords(&c.grant, "/w")
		if verb != c.verb || subject != c.subject || words == "" != (c.grant.Kind == "new") {
			t.Errorf("%+v: %q %q %q", c.grant, verb, subject, words)
		}
	}
}

func TestAGrantShowsNoSecretOfItsCommand(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	f := &fakeEngine{grants: []backend.LedgerGrant{{Grant: policy.Grant{ID: "g", Kind: policy.GrantCommand, ToolID: "bash", Value: "push --token " + secret}}}}
	got, err := newAPI(t, f).Grants()
	if err != nil || len(got.Grants) != 1 || strings.Contains(fmt.Sprint(got), secret) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAGrantIsTakenBackByItsID(t *testing.T) {
	f := &fakeEngine{}
	if err := newAPI(t, f).RevokeGrant("g1"); err != nil || f.revoked != "g1" {
		t.Errorf("%q, %v", f.revoked, err)
	}
	e, ok := errors.AsType[*Error](newAPI(t, &fakeEngine{err: absent(approval.ErrNoGrant)}).RevokeGrant("g1"))
	if !ok || e.Code != CodeNotFound {
		t.Errorf("got %+v", e)
	}
	f = &fakeEngine{}
	if err := newAPI(t, f).RevokeGrant(strings.Repeat("g", maxID+1)); err == nil || f.revoked != "" {
		t.Errorf("%q, %v", f.revoked, err)
	}
}
