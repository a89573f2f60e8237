package bridge_test

import (
	"strings"
	"testing"

	"countersign/app/bridge"
	"countersign/backend/config"
	"countersign/backend/policy/pathclass"
	"countersign/backend/session"
)

func TestEveryRuleOfPathsIsListedOnceWhereItHolds(t *testing.T) {
	_, api := open(t)
	got, err := api.PathRules()
	must(t, err)
	kinds, listed := map[string]string{}, map[string]int{}
	for _, g := range got.Groups {
		if g.Label == "" || g.Words == "" || len(g.Rows) == 0 {
			t.Errorf("the group %q says nothing: %+v", g.Kind, g)
		}
		for _, row := range g.Rows {
			for _, p := range row.Patterns {
				kinds[p.ID] = g.Kind
				listed[p.ID]++
				if row.Words == "" || p.Text == "" || p.Example == "" {
					t.Errorf("%s says nothing: %+v", p.ID, row)
				}
			}
		}
	}
	for _, r := range pathclass.Rules() {
		if listed[r.ID] != 1 {
			t.Errorf("%s is listed %d times", r.ID, listed[r.ID])
		}
	}
	for id, kind := range map[string]string{
		"git-hooks": "blocked", "ssh": "credential", "git-config": "credential", "bashrc": "protected", "husky": "marked", "own-tool-data": "free",
	} {
		if kinds[id] != kind {
			t.Errorf("%s is in %q, not %q", id, kinds[id], kind)
		}
	}
}

// spec: CS-10
func TestAPathIsTriedAsTheFileToolsWouldMeetIt(t *testing.T) {
	e, api := open(t)
	home, user := e.Paths().Home, e.Paths().UserHome
	try := func() {
		t.Helper()
		for _, c := range []struct{ path, where, read, write string }{
			{"src/main.go", "Inside the workspace", "allow", "ask"},
			{"a/../.env", "Inside the workspace", "restrict", "restrict"},
			{".git/hooks/pre-commit", "Inside the workspace", "allow", "deny"},
			{".git/HEAD", "Inside the workspace", "allow", "restrict"},
			{"~/.ssh/id_ed25519", "Outside the workspace", "restrict", "restrict"},
			{user + "/notes.txt", "Outside the workspace", "insist", "insist"},
			{home + "/config.json", "In Countersign's own folder", "deny", "deny"},
			{home + "/output/s/a.txt", "In the store of kept output", "allow", "deny"},
		} {
			got, err := api.TryPath(bridge.PathTry{Path: c.path})
			must(t, err)
			if got.Where != c.where || got.Read.Answer != c.read || got.Write.Answer != c.write || got.Read.Words == "" || len(got.Write.Why) == 0 {
				t.Errorf("%s: %+v", c.path, got)
			}
		}
	}
	try()
	if got, _ := api.TryPath(bridge.PathTry{Path: "x/.env"}); got.Path != e.Workspace()+"/x/.env" || got.Read.Hold != "restricted" || got.Read.Is != "Holds passwords or tokens" {
		t.Errorf("%+v", got)
	}
	must(t, e.SetRules(t.Context(), config.Patch{Profile: session.ProfileStrict}))
	for _, path := range []string{".env", user + "/notes.txt"} {
		if got, _ := api.TryPath(bridge.PathTry{Path: path}); got.Read.Answer != "deny" || got.Write.Answer != "deny" {
			t.Errorf("%s in Strict: %+v", path, got)
		}
	}
	for _, bad := range []string{"", "  ", "a\x00b", "\xff", strings.Repeat("a", 4097)} {
		if _, err := api.TryPath(bridge.PathTry{Path: bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
