package store_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"countersign/backend/approval/approvaltest"
	"countersign/backend/policy"
	"countersign/backend/session"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// older opens a database that a program of the first version left, with what fill puts there.
func older(t *testing.T, fill func(exec func(text string, args ...any))) *store.Store {
	t.Helper()
	return olderAt(t, 1, fill)
}

// olderAt is older for the program that knew migrations up to version.
func olderAt(t *testing.T, version int64, fill func(exec func(text string, args ...any))) *store.Store {
	t.Helper()
	home := t.TempDir()
	db, err := sql.Open("sqlite3", filepath.Join(home, "countersign.db"))
	must(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"))
	must(t, err)
	_, err = p.UpTo(t.Context(), version)
	must(t, err)
	exec := func(text string, args ...any) {
		_, err := db.Exec(text, args...)
		must(t, err)
	}
	exec(`INSERT INTO sessions (id, title, workspace, trust_root, caller_kind, caller_name, caller_version, limits, status, created_at)
		VALUES ('s1', 'Old', '/w', '/w', 'agent', '', '', '{}', 'ended', 1)`)
	fill(exec)
	must(t, db.Close())
	return at(t, home)
}

// olderCall is a call that a person denied.
const olderCall = `INSERT INTO invocations (id, session_num, ordinal, call_id, turn, name, tool_id, tool_version, tool_set, tool_source, server_id, state,
	attempt_number, caller_tag, side_effect, risk, idempotency_class, origin_trust, effective_arguments_hash, idempotency_key, policy_version,
	decided_by, proposed_at, ended_at, outcome_status, reason_code, output_trust, output_bytes, truncated, duration_ms, parallel_group, metadata)
	VALUES (?1, 1, ?2, '', '', 'write', '', '', '', '', '', 'denied', 1, '', '', '', '', 'platform', '', '', '', 'person', 5, 6, 'denied',
	'approval.user_rejected', '', 0, 0, 0, '', '{}')`

func TestCallsOfAnOlderDatabaseAreInTheHistory(t *testing.T) {
	s := older(t, func(exec func(string, ...any)) { exec(olderCall, "i1", 1) })
	got := flat(t, s, session.HistoryQuery{
		Tools: []string{"write"}, Endings: []session.Ending{session.EndingDenied}, Deciders: []session.Decider{session.DeciderPerson}, Text: "old",
	})
	if got != "i1" {
		t.Errorf("found %q", got)
	}
}

// Arguments are whatever a caller sent: none of them may keep a database from being brought
// up to date.
func TestCallsOfAnOlderDatabaseTellTheBeginningsOfTheirArguments(t *testing.T) {
	long := strings.Repeat("\u00e4", 300)
	cases := []struct {
		raw, canonical any
		want           map[string]session.Head
	}{
		{raw: nil},
		{raw: []byte(`{"file_path":`)},
		{raw: []byte(`["file_path"]`)},
		{raw: []byte("\x00\xff")},
		{raw: []byte(`{}`)},
		{
			raw:  []byte(`{"file_path":"` + long + `","n":7,"deep":{"a":"b"}}`),
			want: map[string]session.Head{"file_path": {Text: tool.Mark(long[:200]), Left: 200}},
		},
		{
			raw: []byte(`{"path":"a"}`), canonical: []byte(`{"file_path":"/w/a"}`),
			want: map[string]session.Head{"file_path": {Text: tool.Mark("/w/a")}},
		},
		{raw: []byte("{\"a\":\"\xff\"}"), want: map[string]session.Head{"a": {Text: tool.Mark("\ufffd")}}},
	}
	s := older(t, func(exec func(string, ...any)) {
		for i, c := range cases {
			exec(olderCall, string(rune('a'+i)), i+1)
			exec(`INSERT INTO arguments (invocation_num, raw, canonical) VALUES (?, ?, ?)`, i+1, c.raw, c.canonical)
		}
	})
	lines, err := s.Lines(t.Context(), "s1", store.Span{Limit: 100})
	must(t, err)
	for i, c := range cases {
		if len(c.want) == 0 && len(lines[i].Heads) == 0 {
			continue
		}
		if d := cmp.Diff(c.want, lines[i].Heads, sameText); d != "" {
			t.Errorf("%q: %s", c.raw, d)
		}
	}
}

func TestARequestOfAnOlderDatabaseIsListedByItsCard(t *testing.T) {
	asked := approvaltest.Asked("r1", "s1", "i1")
	card, err := json.Marshal(asked)
	must(t, err)
	s := older(t, func(exec func(string, ...any)) {
		exec(olderCall, "i1", 1)
		exec(`INSERT INTO approvals (id, session_num, invocation_id, tool_id, risk, arguments_hash, policy_version, status, created_at, expires_at,
			caller_left, left_why, resolution, words, resolved_by, reason, voided, consumed)
			VALUES ('r1', 1, 'i1', '', '', '', '', 'pending', 1, 2, 1, 'left', '', '', '', '', '', 0)`)
		exec(`INSERT INTO approval_cards (approval_num, canonical, card) VALUES (1, NULL, ?)`, strings.Replace(string(card), `"offers":`, `"offer":{"key":"write a"},"offers_not":`, 1))
	})
	// It offered a grant in a way that is not known any more, so it offers none, and says so.
	if r, err := s.Request(t.Context(), "r1"); err != nil || r.Offers != nil || !strings.HasPrefix(r.NoGrant, "Once only: ") || !strings.Contains(r.NoGrant, "up to date") {
		t.Errorf("%+v, %q, %v", r.Offers, r.NoGrant, err)
	}
	list, err := s.PendingBriefs(t.Context())
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("%d requests", len(list))
	}
	if b := list[0]; b.ID != "r1" || b.Verb != asked.Verb || b.Command != asked.Command || !b.CallerLeft || b.LeftWhy != "left" {
		t.Errorf("got %+v", b)
	}
}

// A grant that was given before grants lasted and were counted still holds in its session, and
// nowhere else.
func TestGrantsOfAnOlderDatabaseStillHold(t *testing.T) {
	const add = `INSERT INTO grants (id, session_num, life, kind, tool_id, side_effect, value, risk, policy_version, created_at, approval_id)
		VALUES (?, ?, 'session', 'file', 'write', 'workspace_write', '/w/a', 'medium', 'v1', 7, 'r1')`
	for _, version := range []int64{1, 7} {
		s := olderAt(t, version, func(exec func(string, ...any)) {
			exec(`UPDATE sessions SET status = 'idle'`)
			exec(`INSERT INTO sessions (id, title, workspace, trust_root, caller_kind, caller_name, caller_version, limits, status, created_at)
				VALUES ('s2', 'Ended', '/w', '/w', 'agent', '', '', '{}', 'ended', 1)`)
			exec(add, "g1", 1)
			exec(add, "g2", 2)
		})
		want := []policy.Grant{{
			ID: "g1", SessionID: "s1", Workspace: "/w", Life: policy.GrantSession, Kind: policy.GrantFile, ToolID: "write", Source: tool.SourceBuiltin,
			Effect: tool.EffectWorkspaceWrite, Value: "/w/a", Risk: tool.RiskMedium, PolicyVersion: "v1", CreatedAt: time.UnixMilli(7).UTC(), ApprovalID: "r1", By: "person",
		}}
		got, err := s.Grants(t.Context(), "s1", "/w", now)
		must(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("from version %d (-want +got)\n%s", version, d)
		}
		for _, other := range []string{"s2", "s3"} {
			if got, err := s.Grants(t.Context(), other, "/w", now); err != nil || len(got) != 0 {
				t.Errorf("%s has %+v, %v", other, got, err)
			}
		}
		_, changed, err := s.EndGrant(t.Context(), "g1", policy.GrantRevoked, now)
		if must(t, err); !changed {
			t.Error("it cannot be taken back")
		}
	}
}
