package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"countersign/backend/session"
	"countersign/backend/store"
)

func TestAnExportTellsWhatACallerHadSent(t *testing.T) {
	call := store.Call{Invocation: session.Invocation{
		ID: "i1", ToolID: "bash", Raw: []byte(`{"command":"rm -r build"}`), Canonical: []byte(`{"command":"ls build"}`),
		ArgumentsHash: "now", AskedHash: "then", ChangedBy: "hook person",
	}}
	line, err := json.Marshal(callLineOf(1, &call, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := `"arguments_hash":"now","changed_by":"hook person","arguments_sent":"{\"command\":\"rm -r build\"}","arguments_sent_hash":"then"`
	if !strings.Contains(string(line), want) {
		t.Errorf("the line is %s", line)
	}
	var markdown bytes.Buffer
	markdownCall(&markdown, &call, nil)
	for _, want := range []string{"changed by hook and person, sent as below", "```arguments\n{\"command\":\"ls build\"}", "```arguments as they were sent\n{\"command\":\"rm -r build\"}"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("%q is not in %s", want, markdown.String())
		}
	}
	var shown bytes.Buffer
	p := &program{stdout: &shown}
	if err := p.showText(session.Session{}, []entry{{call: &call}}); err != nil || !strings.Contains(shown.String(), `{"command":"ls build"}  changed by hook and person, sent as: {"command":"rm -r build"}`) {
		t.Errorf("it shows %q, %v", shown.String(), err)
	}
	call.ChangedBy, call.AskedHash = "", ""
	if line, err = json.Marshal(callLineOf(1, &call, nil)); err != nil || strings.Contains(string(line), "sent") {
		t.Errorf("an unchanged call says %s, %v", line, err)
	}
}
