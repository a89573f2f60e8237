package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/app/bridge"
	"countersign/app/desk"
	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// A secret of each call of the test, one in the file that is changed.
const (
	inContent = "k7Qd2mZr9Wn4Xc8Lb3Tv"
	inCommand = "c5Hs8pKj2Vy6Nf1Gm4Rw"
	inQuery   = "q3Bz7tDx9Jk5Wl2Sn8Pc"
	inRefused = "r6Fv4hMw8Yb2Qg9Lt3Zd"
	inUnknown = "u9Jn3xGp5Tc7Rk1Vd6Hs"
	inFile    = "f2Lw8qCy4Mb6Zj9Pn5Xr"
)

var planted = []string{inContent, inCommand, inQuery, inRefused, inUnknown, inFile}

// secretCall is a call about a secret.
type secretCall struct {
	name, arguments string
	// hides says that its card, if there is one, has something to hide.
	hides, succeeds bool
}

func secretCalls() []secretCall {
	return []secretCall{
		{"read", `{"file_path":".envrc"}`, false, true},
		{"write", `{"file_path":".envrc","content":"OLD_TOKEN=` + inFile + `\nexport API_KEY=` + inContent + `\n"}`, true, true},
		{"bash", `{"command":"true --token ` + inCommand + ` # curl -H \"Authorization: Bearer ` + inCommand + `\""}`, true, true},
		{"grep", `{"pattern":"x","path":"a?api_key=` + inQuery + `"}`, true, false},
		{"write", `{"file_path":"x","content":7,"password":"` + inRefused + `"}`, true, false},
		{"no_such_tool", `{"secret":"` + inUnknown + `"}`, true, false},
	}
}

// spec: CT-32, RL-10, RL-14, RL-17
func TestASecretOfACallIsSeenNowhere(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{".envrc", "notes"} {
		if err := os.WriteFile(filepath.Join(b.workspace, name), []byte("OLD_TOKEN="+inFile+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, s := openDesk(t, b)
	events, cancel := d.Subscribe()
	defer cancel()
	seen := map[string]string{}
	for i, c := range secretCalls() {
		seen[fmt.Sprintf("the card and lists of call %d", i)], _ = call(t, d, s, events, c)
	}
	seen["what the page is told"] = everything(t, d, s.ID())
	seen["the events"] = eventsOf(t, d, s.ID())
	s.Close()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"list", "list --json", "show ID", "show ID --json", "export ID", "export ID --format markdown"} {
		r := b.run(t, nil, append([]string{"sessions"}, strings.Fields(strings.ReplaceAll(line, "ID", s.ID()))...)...)
		if r.code != 0 {
			t.Fatalf("%s: %+v", line, r)
		}
		seen["sessions "+line] = r.stdout + r.stderr
	}
	logs, err := filepath.Glob(filepath.Join(b.home, "logs", "*"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seen[path] = string(text)
	}
	for where, text := range seen {
		for _, secret := range planted {
			if strings.Contains(text, secret) {
				at := strings.Index(text, secret)
				t.Errorf("%s: …%s…", where, text[max(0, at-120):at+len(secret)])
			}
		}
	}
	mark := "[redacted:"
	for _, where := range []string{"what the page is told", "sessions show ID", "sessions export ID", "the card and lists of call 1", "the card and lists of call 2"} {
		if !strings.Contains(seen[where], mark) {
			t.Errorf("%s does not say that something is hidden: %s", where, seen[where])
		}
	}
	inDatabase(t, filepath.Join(b.home, "countersign.db"))
}

// openDesk opens a desk with a session, both of which the test closes.
func openDesk(t *testing.T, b *bench) (*desk.Desk, *backend.Session) {
	t.Helper()
	d, err := desk.Open(t.Context(), desk.Places{Home: b.home, Workspace: b.workspace}, desk.Opening{Name: "desk"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.OpenSession(t.Context(), backend.SessionRequest{
		Workspace: b.workspace, Caller: session.Caller{Kind: session.CallerMCP, Name: tool.Mark("client")}, TrustWorkspace: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, s
}

// call makes a call, allows it if a person is asked, and returns what the page was told of
// it while it waited.
func call(t *testing.T, d *desk.Desk, s *backend.Session, events <-chan event.Event, c secretCall) (told string, o tool.Outcome) {
	t.Helper()
	done := make(chan tool.Outcome, 1)
	go func() { done <- s.Call(t.Context(), tool.Call{Name: c.name, Arguments: []byte(c.arguments)}, nil) }()
	for {
		select {
		case o = <-done:
			if c.succeeds && o.Status != tool.StatusSucceeded {
				t.Errorf("%s ended %s %s", c.name, o.Status, o.ReasonCode)
			}
			return told, o
		case e := <-events:
			if e.Type != event.ApprovalRequested {
				continue
			}
			card, err := d.API.Approval(e.Ref)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := d.API.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if len(card.Hidden) == 0 && c.hides {
				t.Errorf("the card of %s says nothing of what it hides", c.name)
			}
			told = asText(t, card) + asText(t, snapshot)
			answer(t, d, card)
		}
	}
}

func answer(t *testing.T, d *desk.Desk, card bridge.ApprovalCard) {
	t.Helper()
	got, err := d.API.Answer(bridge.AnswerRequest{ID: card.Row.ID, Resolution: string(approval.AllowOnce), Hash: card.Hash})
	if err != nil || got.Outcome != "done" {
		t.Fatalf("%+v %v", got, err)
	}
}

// everything is all that the page can ask about a session.
func everything(t *testing.T, d *desk.Desk, id string) string {
	t.Helper()
	var b strings.Builder
	add := func(v any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(asText(t, v))
	}
	view, err := d.API.SessionPage(bridge.PageRequest{SessionID: id, Where: "before"})
	add(view, err)
	add(d.API.SessionChanges(bridge.ChangesRequest{SessionID: id, Since: "0"}))
	add(d.API.Snapshot())
	add(d.API.History(bridge.HistoryQuery{}))
	add(d.API.HistoryChoices())
	add(d.API.Processes())
	for _, item := range view.Items {
		if item.Call == nil {
			continue
		}
		detail, err := d.API.Call(item.Call.ID)
		add(detail, err)
		if item.Call.ApprovalID != "" {
			add(d.API.Approval(item.Call.ApprovalID))
		}
		if len(detail.Diffs) > 0 {
			add(d.API.DiffLines(bridge.DiffLinesRequest{Of: "call", ID: item.Call.ID, Old: 1, New: 1, Count: 5}))
		}
	}
	add(d.API.Excerpt(bridge.ExcerptRequest{SessionID: id, Path: "notes", First: 1, Count: 2}))
	return b.String()
}

func eventsOf(t *testing.T, d *desk.Desk, id string) string {
	t.Helper()
	list, err := d.Store().Events(t.Context(), id, 0, 1000)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	return asText(t, list)
}

func asText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// originals are the columns that keep arguments and results as they are.
var originals = map[string]bool{
	"arguments.raw": true, "arguments.canonical": true, "approval_cards.canonical": true, "results.content": true, "results.metadata": true,
}

// inDatabase reads every column of every table, those of the index of words too.
func inDatabase(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	kept, tables := map[string]bool{}, columns(t, db, `SELECT name FROM sqlite_master WHERE type = 'table'`)
	for _, table := range tables {
		for _, column := range columns(t, db, `SELECT name FROM pragma_table_info('`+table+`')`) {
			for _, secret := range planted {
				for _, value := range columns(t, db, `SELECT CAST("`+column+`" AS TEXT) FROM "`+table+`" WHERE instr(lower(CAST("`+column+`" AS BLOB)), lower('`+secret+`')) > 0`) {
					if kept[secret] = true; !originals[table+"."+column] {
						t.Errorf("%s.%s holds a secret: %.300s", table, column, value)
					}
				}
			}
		}
	}
	for _, secret := range planted {
		if !kept[secret] {
			t.Errorf("the original of %s is nowhere", secret)
		}
		if found := columns(t, db, `SELECT rowid FROM search WHERE search MATCH '"`+secret+`"'`); len(found) > 0 {
			t.Errorf("the index of words holds a secret")
		}
	}
	if found := columns(t, db, `SELECT rowid FROM search WHERE search MATCH 'redacted'`); len(found) == 0 {
		t.Error("the index of words holds no copies")
	}
}

func columns(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(context.WithoutCancel(t.Context()), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text.String)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// The project's files of settings are data: nothing of them becomes the environment of the
// program, or of what it starts for a call that declares none.
func TestProjectEnvironmentFilesAreNotLoaded(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{".env", ".env.local", ".envrc"} {
		if err := os.WriteFile(filepath.Join(b.workspace, name), []byte("COUNTERSIGN_HOME=/nowhere\nPLANTED_VALUE=loaded\nPATH=/nowhere\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, s := openDesk(t, b)
	events, cancel := d.Subscribe()
	defer cancel()
	_, o := call(t, d, s, events, secretCall{"bash", `{"command":"echo value=[$PLANTED_VALUE]; command -v ls >/dev/null && echo path kept"}`, false, true})
	if text := asText(t, o.Content); !strings.Contains(text, "value=[]") || !strings.Contains(text, "path kept") {
		t.Errorf("the command printed %s", text)
	}
	if got, there := os.LookupEnv("PLANTED_VALUE"); there || d.Paths().Home != b.home {
		t.Errorf("the program itself has %q and its home at %s", got, d.Paths().Home)
	}
	s.Close()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

// What a copy hides is judged all the same.
func TestWhatIsHiddenIsJudgedByTheOriginal(t *testing.T) {
	b := newBench(t)
	for _, command := range []string{`password="$(rm -rf ~)"`, `true --token 'x'; password="x"; rm -rf ~`, `secret="y" rm -rf /`} {
		arguments, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		r := b.run(t, nil, "explain", "bash", string(arguments), "--trust-workspace", "--preset", "full")
		if got := one(t, r); !strings.Contains(r.stdout, `"verdict":"deny","reason_code":"policy.blocked"`) {
			t.Errorf("%s: %v", command, got)
		}
	}
}
