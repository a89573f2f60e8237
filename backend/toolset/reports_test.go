//go:build linux

package toolset_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"countersign/backend/toolset"
)

// says calls a program that prints its words, each in brackets.
func says(b *bed, command []string, arguments, want string) {
	b.t.Helper()
	program(b.t, filepath.Join(b.home("probe"), "run"), "#!/bin/sh\nfor w in \"$@\"; do printf '[%s]' \"$w\"; done\n", 0o755)
	spec := b.set("probe", map[string]any{
		"command": append([]string{"./run"}, command...), "schema": json.RawMessage(`{"type":"object","properties":{"a":{}}}`), "argv": map[string]string{"a": "--a"},
	})
	if r, err := b.call(b.t.Context(), spec, arguments); said(r, err) != want || err != nil {
		b.t.Errorf("%q %v, want %q", said(r, err), err, want)
	}
}

// reports are public reports of tools that are somebody else's programs.
var reports = map[string]func(b *bed){
	"iss-163": func(b *bed) {
		says(b, []string{"--description", "get todays date"}, `{"a":"get \"todays\" date"}`, `[--description][get todays date][--a][get "todays" date]`)
	},
	"iss-165": func(b *bed) {
		says(b, []string{"Authorization:${AUTH}", "~", "*"}, `{"a":"${AUTH} $AUTH %AUTH%"}`, "[Authorization:${AUTH}][~][*][--a][${AUTH} $AUTH %AUTH%]")
	},
	"iss-166": func(b *bed) { says(b, nil, `{"a":"eth0; id"}`, "[--a][eth0; id]") },
	// The report is about another system. No system has a shell in between here.
	"iss-168": func(b *bed) {
		file := filepath.Join(b.workspace("../Program Files"), "y.exe")
		program(b.t, file, "#!/bin/sh\necho \"$1\"\n", 0o755)
		if r, err := b.call(b.t.Context(), b.set("probe", map[string]any{"command": []string{file, "a"}}), `{}`); said(r, err) != "a\n" || err != nil {
			b.t.Errorf("%q %v", said(r, err), err)
		}
	},
	"iss-169": func(b *bed) {
		put(b.t, filepath.Join(b.home("probe"), "tools.json"), named("--dangerous"))
		if got := scan(b.t, b.places); got.Entries[0].Status != toolset.StatusSkipped || len(got.Notes) != 1 {
			b.t.Errorf("%v %v", statuses(got), got.Notes)
		}
	},
}

func TestReportsOfExternalTools(t *testing.T) {
	ran := 0
	for line := range casesOf(t, "issues.jsonl", "external tools and arguments") {
		var c struct{ ID, Gist string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		show := reports[c.ID]
		if show == nil {
			t.Fatalf("nothing shows %s: %s", c.ID, c.Gist)
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { show(newBed(t, "AUTH=secret")) })
	}
	if ran != len(reports) {
		t.Errorf("%d reports", ran)
	}
}
