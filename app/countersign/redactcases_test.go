package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unchangedCases are the texts that redaction leaves alone in one place, by the id of the case.
func unchangedCases(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../tools/testdata/cases/redact.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		var head struct {
			ID     string
			Expect struct{ Unchanged bool }
		}
		if err := json.Unmarshal([]byte(line), &head); err != nil {
			t.Fatal(err)
		}
		if !head.Expect.Unchanged {
			continue
		}
		var c struct{ Parts []string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		out[head.ID] = strings.Join(c.Parts, "")
	}
	return out
}

// The file that keeps long output whole is for its owner alone, and holds what was printed.
// What is listed, shown and exported of the call does not.
//
// spec: RL-14
func TestCasesThatRedactionLeavesAlone(t *testing.T) {
	cases := unchangedCases(t)
	secret := cases["red-196"]
	if len(cases) != 1 || secret == "" {
		t.Fatalf("the cases are not those that are shown here: %v", cases)
	}
	b := newBench(t)
	printed := secret + "\n" + strings.Repeat("an ordinary line of a log\n", 800) + secret + "\n"
	if err := os.WriteFile(filepath.Join(b.workspace, "app.log"), []byte(printed), 0o600); err != nil {
		t.Fatal(err)
	}
	r := b.run(t, nil, "call", "bash", `{"command":"cat app.log"}`, "--preset", "full", "--trust-workspace")
	if r.code != 0 {
		t.Fatalf("%+v", r)
	}
	kept, err := filepath.Glob(filepath.Join(b.home, "output", "*", "bash-*.txt"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	text, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(printed)) {
		t.Errorf("the file of %d bytes does not hold the %d that were printed", len(text), len(printed))
	}
	info, err := os.Stat(kept[0])
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	session := filepath.Base(filepath.Dir(kept[0]))
	for _, line := range [][]string{{"list", "--json"}, {"show", session}, {"show", session, "--json"}, {"export", session}} {
		r := b.run(t, nil, append([]string{"sessions"}, line...)...)
		if r.code != 0 || r.stdout == "" || strings.Contains(r.stdout, secret) {
			t.Errorf("sessions %v: %d, %d bytes, the secret at %d", line, r.code, len(r.stdout), strings.Index(r.stdout, secret))
		}
		if line[0] == "export" && !strings.Contains(r.stdout, "[redacted:") {
			t.Errorf("the export does not say that something is hidden: %.400s", r.stdout)
		}
	}
}
