package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestADecisionRecordIsWrittenAndChecked(t *testing.T) {
	b := newBench(t)
	id := b.leftCall(t.Context(), t, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	r := b.run(t, nil, "sessions", "export", "--decisions", id)
	if r.code != exitOK || r.stderr != "" || strings.Count(r.stdout, "\n") != 3 {
		t.Fatalf("%d, %s%s", r.code, r.stdout, r.stderr)
	}
	lines := outcomes(t, r.stdout)
	answer, _ := lines[1]["entry"].(map[string]any)
	if answer["kind"] != "approval.resolved" || answer["by"] != "person" || lines[1]["card"] == nil {
		t.Errorf("the answer is %v", lines[1])
	}

	check := func(text string, flags ...string) run {
		file := filepath.Join(t.TempDir(), "record.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return b.run(t, nil, append([]string{"sessions", "export", "--verify", file}, flags...)...)
	}
	if got := check(r.stdout); got.code != exitOK || !strings.HasPrefix(got.stdout, "The record of session left holds: 1 decision, ") || !strings.Contains(got.stdout, "Without a key") {
		t.Errorf("whole: %+v", got)
	}
	changed := check(strings.Replace(r.stdout, `"by":"person"`, `"by":"policy"`, 1))
	if changed.code != exitFailed || !strings.Contains(changed.stderr, "Line 2 was changed: its entry has the hash ") {
		t.Errorf("changed: %+v", changed)
	}
	short := one(t, check(r.stdout[:strings.LastIndex(strings.TrimSpace(r.stdout), "\n")+1], "--json"))
	if short["ok"] != false || short["problem"] != "cut_off" {
		t.Errorf("cut off: %v", short)
	}
	if got := b.run(t, strings.NewReader(r.stdout), "sessions", "export", "--verify", "-", "--json"); got.code != exitOK || one(t, got)["ok"] != true {
		t.Errorf("from standard input: %+v", got)
	}
}

// A check needs no home, and makes none.
func TestACheckOfARecordTouchesNoHome(t *testing.T) {
	b := newBench(t)
	if r := b.run(t, strings.NewReader("hello\n"), "sessions", "export", "--verify", "-"); r.code != exitFailed || !strings.Contains(r.stderr, "Line 1 is not how a decision record begins") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(b.home); !os.IsNotExist(err) {
		t.Errorf("there is a home: %v", err)
	}
}

// What was changed in the database is told when the record is written, and the record is
// written as it is.
func TestABrokenStoredRecordIsTold(t *testing.T) {
	b := newBench(t)
	id := b.leftCall(t.Context(), t, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(b.home, "countersign.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE decisions SET text = replace(text, '"person"', '"policy"')`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	r := b.run(t, nil, "sessions", "export", "--decisions", id)
	if r.code != exitFailed || !strings.Contains(r.stderr, "The record does not hold as it is stored. Line 2 was changed") || strings.Count(r.stdout, "\n") != 3 {
		t.Errorf("%+v", r)
	}
}

func TestExportRefusesWhatDoesNotGoTogether(t *testing.T) {
	b := newBench(t)
	for args, want := range map[string]string{
		"--verify f --decisions":                    "--verify goes with neither --decisions nor --format.",
		"--verify f s1":                             "--verify takes a file and no session.",
		"--decisions s1 --format markdown":          "A decision record is written as JSON Lines.",
		"--decisions":                               "Name one session by its id, or by how its id begins. See countersign sessions list.",
		"--verify " + filepath.Join(b.home, "none"): "The file cannot be opened. Name one that sessions export --decisions wrote.",
	} {
		r := b.run(t, nil, append([]string{"sessions", "export"}, strings.Fields(args)...)...)
		if r.code != exitUsage || strings.TrimSpace(r.stderr) != want {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
