package backend

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/tool"
)

func call(t *testing.T, s *Session, name, arguments string) (tool.Outcome, string) {
	t.Helper()
	o := s.Call(t.Context(), tool.Call{Name: name, Arguments: []byte(arguments)}, nil)
	var text strings.Builder
	for _, p := range o.Content {
		text.WriteString(p.Text.Open())
	}
	return o, text.String()
}

func (p place) put(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(p.workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// What read would ask about is found by no search of the folder around it: not its lines,
// not how many there are, not by a guess that is nearly right.
//
// spec: CS-10, KH-39
func TestASearchFindsNothingThatReadWouldAskAbout(t *testing.T) {
	workspace := t.TempDir()
	// The product's own home lies in the workspace, where no name hides it.
	p := place{filepath.Join(workspace, "home"), workspace}
	p.put(t, map[string]string{
		"plain.txt": "marker open\n", ".env": "marker SecretOne\n", "sub/.env.production": "marker SecretOne\n", "id_rsa": "marker SecretOne\n",
		"tls/server.key": "marker SecretOne\n", "ID_RSA.bak": "marker SecretOne\n", "secrets.json": "marker SecretOne\n", ".aws/credentials": "marker SecretOne\n",
		".git/config": "marker SecretOne\n", "home/config.json": "{}", "home/marker.txt": "marker SecretOne\n",
		".ignore": "!.env\n!.env.production\n!.aws\n!.git\n",
	})
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	o, text := call(t, s, "grep", `{"pattern":"marker"}`)
	if o.Status != tool.StatusSucceeded || text != "1 match in 1 file for \"marker\":\n\nplain.txt\n  1: marker open" {
		t.Errorf("%s: %s", o.Status, text)
	}
	for _, arguments := range []string{
		`{"pattern":"SecretOne"}`, `{"pattern":"SecretOnf"}`, `{"pattern":"SECRETONE"}`, `{"pattern":"SecretOne","include":".env*"}`,
		`{"pattern":"SecretOne","path":"tls"}`, `{"pattern":"SecretOne","path":"sub"}`,
	} {
		o, text := call(t, s, "grep", arguments)
		if o.Status != tool.StatusSucceeded || !strings.HasPrefix(text, "No matches") || strings.Contains(text, "did you mean") {
			t.Errorf("%s: %s: %s", arguments, o.Status, text)
		}
	}
	_, text = call(t, s, "glob", `{"pattern":"**/*"}`)
	if strings.Contains(text, "home/") || strings.Contains(text, ".aws") || !strings.Contains(text, "plain.txt") {
		t.Errorf("glob: %s", text)
	}
}

// spec: KH-3, KH-40
func TestTheFullListOfASearchIsRecordedAndCanBeRead(t *testing.T) {
	p := newPlace(t)
	p.put(t, map[string]string{"a.txt": strings.Repeat("needle\n", 150)})
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	o, _ := call(t, s, "grep", `{"pattern":"needle"}`)
	if o.Status != tool.StatusSucceeded || o.Metadata.Truncation == nil {
		t.Fatalf("%+v", o)
	}
	path := o.Metadata.Truncation.SpillPath
	kept, err := e.Store().Outputs(t.Context(), s.record.ID)
	if err != nil || len(kept) != 1 || kept[0].Path != path || kept[0].InvocationID != o.InvocationID {
		t.Errorf("%+v, %v", kept, err)
	}
	if info, err := os.Stat(path); err != nil || len(kept) == 1 && info.Size() != kept[0].Bytes {
		t.Errorf("%v, %v", info, err)
	}
	for name, arguments := range map[string]string{
		"read": `{"file_path":"` + path + `"}`, "grep": `{"pattern":"needle","path":"` + path + `"}`,
	} {
		if o, text := call(t, s, name, arguments); o.Status != tool.StatusSucceeded || !strings.Contains(text, "150") || o.OutputTrust != tool.TrustExternalUntrusted {
			t.Errorf("%s: %s: %.300s", name, o.Status, text)
		}
	}
}

// What a person let be read once is not kept where it is read without a question.
//
// spec: CS-10
func TestLinesOfAGuardedFileAreNotKept(t *testing.T) {
	p := newPlace(t)
	p.put(t, map[string]string{"id_rsa": strings.Repeat("needle\n", 150)})
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	events, cancel := e.Subscribe()
	defer cancel()
	done := make(chan tool.Outcome, 1)
	go func() {
		done <- s.Call(t.Context(), tool.Call{Name: "grep", Arguments: []byte(`{"pattern":"needle","path":"id_rsa"}`)}, nil)
	}()
	card := next(t, events, event.ApprovalRequested)
	q, err := e.Desk().Get(t.Context(), card.Ref)
	if err != nil || !q.Restricted || !slices.Equal(q.Dangers, []string{"holds private keys"}) {
		t.Fatalf("%+v, %v", q, err)
	}
	if _, err := e.Desk().Answer(t.Context(), q.ID, approval.Answer{Resolution: approval.AllowOnce, ArgumentsHash: q.ArgumentsHash}); err != nil {
		t.Fatal(err)
	}
	o := <-done
	if o.Status != tool.StatusSucceeded || o.Metadata.Truncation == nil || o.Metadata.Truncation.SpillPath != "" || !strings.Contains(o.Content[0].Text.Open(), "were not kept") {
		t.Errorf("%+v", o)
	}
	if kept, err := e.Store().Outputs(t.Context(), s.record.ID); err != nil || len(kept) != 0 {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestWithoutRipgrepSearchesAreUnavailableWithAHint(t *testing.T) {
	p := newPlace(t)
	t.Setenv("PATH", t.TempDir())
	e := p.open(t, true, "")
	s := p.session(t, e, "", true)
	for _, name := range []string{"grep", "glob"} {
		spec, _ := e.Spec(name)
		if ok, why := e.Availability(spec); ok || !strings.Contains(why, "Install ripgrep") {
			t.Errorf("%s: %v, %q", name, ok, why)
		}
		o, text := call(t, s, name, `{"pattern":"x"}`)
		if o.Status != tool.StatusUnavailable || o.ReasonCode != tool.CodeUnavailable || !strings.Contains(text, "apt-get install ripgrep") {
			t.Errorf("%s: %s %s: %s", name, o.Status, o.ReasonCode, text)
		}
	}
	if spec, _ := e.Spec("read"); spec != nil {
		if ok, _ := e.Availability(spec); !ok {
			t.Error("read needs no ripgrep")
		}
	}
}

func TestTheSystemsRipgrepServesWithAWarning(t *testing.T) {
	p := newPlace(t)
	beside := t.TempDir()
	for _, shipped := range []bool{false, true} {
		if shipped {
			if err := os.WriteFile(filepath.Join(beside, "rg"), []byte("#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var log strings.Builder
		p.close(t, p.start(t, func(o *Options) {
			o.Desk, o.Program, o.Log = false, filepath.Join(beside, "countersign"), slog.New(slog.NewTextHandler(&log, nil))
		}))
		if warned := strings.Contains(log.String(), "level=WARN") && strings.Contains(log.String(), "ripgrep does not lie beside the program"); warned == shipped {
			t.Errorf("shipped %v: %s", shipped, log.String())
		}
	}
}
