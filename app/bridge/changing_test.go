package bridge

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"countersign/backend"
	"countersign/backend/approval"
	"countersign/backend/session"
	"countersign/backend/tool"
)

const changeSchema = `{"type":"object","required":["file_path"],"additionalProperties":false,"properties":{
	"file_path":{"type":"string","description":"Where."},"limit":{"type":"integer","minimum":1,"maximum":9},
	"append":{"type":"boolean"},"mode":{"enum":["a","b",null]},"either":{"type":["string","null"]},"todos":{"type":"array","items":{"type":"string"}}}}`

func TestTheFormIsMadeFromTheSchema(t *testing.T) {
	q := writeRequest()
	f := &fakeEngine{
		specs: []tool.Spec{{ID: "write", Wire: "write", Input: []byte(changeSchema)}},
		changeable: backend.Changeable{
			Request: q, Hidden: 1, Arguments: []byte(`{"extra":1.50,"file_path":"/w/a","limit":12345678901234567890,"mode":"b"}`),
		},
	}
	got, err := newAPI(t, f).ChangeForm(ChangeQuery{ID: "a1"})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, field := range got.Fields {
		rows = append(rows, field.Name+" "+field.Kind+" "+field.Value)
	}
	want := []string{"file_path text \"/w/a\"", "append boolean ", "either json ", "limit number 12345678901234567890", "mode choice \"b\"", "todos json ", "extra json 1.50"}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`"a"`, `"b"`, "null"}, got.Fields[4].Choices); d != "" {
		t.Error(d)
	}
	if got.Hash != q.ArgumentsHash || got.Hidden != 1 || !strings.HasPrefix(got.Marker, "[redacted:") || !strings.Contains(got.Text, "\n  \"extra\": 1.50,\n") {
		t.Errorf("%+v", got)
	}
	f.changeable.Locked = true
	if got, err = newAPI(t, f).ChangeForm(ChangeQuery{ID: "a1"}); err != nil || !got.Locked || len(got.Fields) != 0 || got.Text != "" {
		t.Errorf("what is locked shows %+v, %v", got, err)
	}
}

func TestAChangeSaysWhatBecameOfIt(t *testing.T) {
	q := writeRequest()
	q.Changed = &approval.Changed{
		By: []tool.Layer{tool.LayerHook, tool.LayerOperator}, Hash: "fedcba9876543210", Fields: []string{"content", "mode"},
		Canonical: []byte(`{"content":"was","file_path":"/w/notes.md","mode":12345678901234567890}`),
	}
	f := &fakeEngine{sessions: []session.Session{writeSession()}, changed: approval.Result{
		Request: q, Outcome: approval.OutcomeRefused, Words: "No.", Problems: []approval.Problem{{Field: "content", Words: "is missing"}},
	}}
	request := ChangeRequest{ID: "a1", Hash: "h", Arguments: `{"a":1}`, Revealed: true}
	got, err := newAPI(t, f).ChangeArguments(request)
	if err != nil || got.Outcome != "refused" || got.Words != "No." || cmp.Diff([]ChangeProblem{{"content", "is missing"}}, got.Problems) != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	given := backend.Changes{Change: approval.Change{Arguments: []byte(`{"a":1}`), ArgumentsHash: "h"}, Revealed: true}
	if d := cmp.Diff(&given, f.givenChange); d != "" {
		t.Error(d)
	}
	want := Changed{
		By: "both", Words: "A hook and you changed the arguments that the agent sent.", HashShort: "fedcba987654",
		Fields: []ChangedField{{"content", "was", "a\nb", false}, {"mode", "12345678901234567890", "12345678901234567890", true}},
	}
	if d := cmp.Diff(want, got.Card.Changed); d != "" {
		t.Error(d)
	}
	for outcome, words := range map[approval.Outcome]string{approval.OutcomeGone: "ended meanwhile", approval.OutcomeConflict: "other arguments by now"} {
		f.changed = approval.Result{Request: q, Outcome: outcome}
		if got, err := newAPI(t, f).ChangeArguments(request); err != nil || !strings.Contains(got.Words, words) {
			t.Errorf("%s says %q, %v", outcome, got.Words, err)
		}
	}
	for field, bad := range map[string]ChangeRequest{
		"hash": {ID: "a1"}, "arguments": {ID: "a1", Hash: "h", Arguments: "\xff"}, "id": {ID: strings.Repeat("a", 300), Hash: "h"},
	} {
		f.givenChange = nil
		_, err := newAPI(t, f).ChangeArguments(bad)
		if e, ok := errors.AsType[*Error](err); !ok || e.Fields[field] == "" || f.givenChange != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
}
