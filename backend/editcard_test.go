package backend

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

func edit(path, old, next string) tool.Call {
	b, err := json.Marshal(map[string]string{"file_path": path, "old_string": old, "new_string": next})
	if err != nil {
		panic(err)
	}
	return tool.Call{Name: "edit", Arguments: b}
}

// The card of an edit shows what the match comes to, and how it was found.
//
// spec: KH-36
func TestCardOfAnEditShowsTheResultOfTheMatch(t *testing.T) {
	s := newScene(t)
	path := s.put(t, "a.go", "func f() {\n\t\tgo()\n\t\tstop()\n}\n")
	ended(t, s.call(t, read("a.go")), tool.StatusSucceeded, "")
	done := s.call(t, edit("a.go", "go()\nstop()", "go()\nwait()"))
	q := s.asked(t)
	if q.Verb != "Edit 1 file" || len(q.Diffs) != 1 {
		t.Fatalf("%q with %d diffs", q.Verb, len(q.Diffs))
	}
	d := q.Diffs[0]
	if !strings.Contains(d.Unified, "\n-\t\tstop()\n+\t\twait()\n") || strings.Join(d.Notes, " ") != "The quoted text is not in the file exactly; it was matched with indentation flexibility." {
		t.Errorf("%s %q", d.Unified, d.Notes)
	}
	answerCard(t, s.Engine, q.ID, approval.AllowOnce, "")
	o := ended(t, done, tool.StatusSucceeded, "")
	if got, err := os.ReadFile(path); err != nil || string(got) != "func f() {\n\t\tgo()\n\t\twait()\n}\n" {
		t.Errorf("holds %q, %v", got, err)
	}
	if *o.Metadata.Diff != d.Unified || o.Metadata.Extra["strategy"] != "indentation_flexible" {
		t.Errorf("the card showed\n%s\nand the result\n%s %v", d.Unified, *o.Metadata.Diff, o.Metadata.Extra)
	}
	var file event.File
	if err := json.Unmarshal(next(t, s.events, event.FileModified).Payload, &file); err != nil || file.Strategy != "indentation_flexible" || file.Path != "a.go" {
		t.Errorf("%+v, %v", file, err)
	}
}

// spec: KH-22, KH-36
func TestCardOfAnEditDiesWithTheFileThatItShows(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.go", "one\n")
	ended(t, s.call(t, read("a.go")), tool.StatusSucceeded, "")
	done := s.call(t, edit("a.go", "one", "two"))
	q := s.asked(t)
	path := s.put(t, "a.go", "one\ntheirs\n")
	answerCard(t, s.Engine, q.ID, approval.AllowOnce, "")
	ended(t, done, tool.StatusFailed, tool.CodeStale)
	if got, err := os.ReadFile(path); err != nil || string(got) != "one\ntheirs\n" {
		t.Errorf("holds %q, %v", got, err)
	}
}

// What cannot be done is refused before anybody is asked.
//
// spec: KH-33, KH-37
func TestNobodyIsAskedForAnEditThatFindsNothing(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.go", "one\none\n")
	ended(t, s.call(t, edit("a.go", "one", "two")), tool.StatusFailed, tool.CodeNotRead)
	ended(t, s.call(t, read("a.go")), tool.StatusSucceeded, "")
	ended(t, s.call(t, edit("a.go", "one", "two")), tool.StatusFailed, "tool.invalid_arguments.ambiguous")
	ended(t, s.call(t, edit("a.go", "three", "two")), tool.StatusFailed, "tool.not_found.not_found")
	if pending, err := s.Desk().Pending(t.Context(), ""); err != nil || len(pending) != 0 {
		t.Errorf("%d cards, %v", len(pending), err)
	}
}
