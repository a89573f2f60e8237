//go:build linux

package backend

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"countersign/backend/session"
	"countersign/backend/tool"
)

// putProgram lays a set of the home whose program is a script.
func (p place) putProgram(t *testing.T, name, script, more string) {
	t.Helper()
	dir := filepath.Join(p.homeSets(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// One that is started meanwhile would hold the file open for writing.
	syscall.ForkLock.RLock()
	err := os.WriteFile(filepath.Join(dir, "run"), []byte("#!/bin/sh\n"+script+"\n"), 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	putSet(t, p.homeSets(), name, `{"runner":"exec","description":"d","schema":{"type":"object"},"command":["run"]`+more+`}`)
}

// spec: CX-15, CX-29, CX-32, CX-33, CX-35
func TestACallOfASetToolGoesThroughThePipeline(t *testing.T) {
	p := newPlace(t)
	p.putProgram(t, "echo_in", "cat", "")
	p.putProgram(t, "fails", "echo out; exit 3", "")
	p.putProgram(t, "slow", "echo partial; exec sleep 1000", `,"timeoutSeconds":1`)
	p.putProgram(t, "much", "seq 1 100000", `,"timeoutSeconds":"unlimited"`)
	p.putProgram(t, "draws", `echo '{"images":[{"mimeType":"image/png","path":"a.png"}]}'`, `,"output":"content"`)
	p.putProgram(t, "waits", `echo so far; touch "$CRYSTAL_TOOL_DATA/ready"; exec sleep 1000`, `,"timeoutSeconds":"unlimited"`)
	e := p.open(t, true, "")
	call := func(ctx context.Context, name, arguments string) tool.Outcome {
		s := p.full(t, e, session.PresetFull)
		defer s.Close()
		return s.Call(ctx, tool.Call{Name: name, Arguments: []byte(arguments)}, nil)
	}
	raw := `{"z":1.50,"a":[1e2,"é"]}`
	if o := call(t.Context(), "echo_in", raw); o.Status != tool.StatusSucceeded || spoken(o) != raw || o.OutputTrust != tool.TrustExternalUntrusted {
		t.Errorf("%s %q %s", o.Status, spoken(o), o.OutputTrust)
	}
	o := call(t.Context(), "fails", `{}`)
	if o.Status != tool.StatusFailed || spoken(o) != "tool.upstream_error.exitout\n[exit code 3]" || o.Metadata.ExitCode == nil || *o.Metadata.ExitCode != 3 {
		t.Errorf("%s %q %+v", o.Status, spoken(o), o.Metadata)
	}
	// What was ended is known to have ended: nothing is uncertain.
	if o := call(t.Context(), "slow", `{}`); o.Status != tool.StatusFailed || !strings.HasPrefix(spoken(o), "tool.timeoutpartial\n[Ended after 1s") {
		t.Errorf("%s %q", o.Status, spoken(o))
	}
	o = call(t.Context(), "much", `{}`)
	if text := spoken(o); o.Status != tool.StatusSucceeded || !strings.HasSuffix(text, "\n100000") || o.Metadata.Truncation == nil || len(text) > 50<<10 {
		t.Fatalf("%s, %d bytes", o.Status, len(text))
	}
	if info, err := os.Stat(o.Metadata.Truncation.SpillPath); err != nil || info.Size() != o.Metadata.Truncation.OriginalBytes {
		t.Errorf("%v %v", info, err)
	}
	if o := call(t.Context(), "draws", `{}`); o.Status != tool.StatusFailed || o.Message != "This model cannot accept tool images." || len(o.Content) != 0 {
		t.Errorf("%s %q %v", o.Status, o.Message, o.Content)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(p.home, "data", "tools", "waits", "ready")); err == nil {
				cancel()
			}
		}
	}()
	if o := call(ctx, "waits", `{}`); o.Status != tool.StatusCancelled || !strings.HasPrefix(spoken(o), "tool.cancelled[Tool execution cancelled by user]\nOutput so far: "+p.home) {
		t.Errorf("%s %q", o.Status, spoken(o))
	}
}

// spec: CX-25, CX-29
func TestAnImageOfASetToolIsKeptForACallerThatTakesImages(t *testing.T) {
	p := newPlace(t)
	p.putProgram(t, "draws", `echo '{"text":"drawn","images":[{"mimeType":"image/png","path":"a.png"},{"mimeType":"image/png","base64":"`+onePixel+`"}]}'`, `,"output":"content"`)
	picture, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.workspace, "a.png"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, "")
	rules := session.Rules{Preset: session.PresetFull, Catalog: tool.CatalogWork, Profile: session.ProfileDesktop}
	s, err := e.OpenSession(t.Context(), SessionRequest{
		Workspace: p.workspace, Caller: session.Caller{Kind: session.CallerMCP}, Rules: &rules, TrustWorkspace: true, Images: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	o := s.Call(t.Context(), tool.Call{Name: "draws", Arguments: []byte(`{}`)}, nil)
	if o.Status != tool.StatusSucceeded || len(o.Content) != 3 || o.Content[0].Text.Open() != "drawn" {
		t.Fatalf("%s %q, %d parts", o.Status, spoken(o), len(o.Content))
	}
	// The same image is kept once, wherever it came from.
	if a, b := o.Content[1], o.Content[2]; a.Type != tool.PartImage || a.Mime != "image/png" || a.Handle != b.Handle || !strings.HasPrefix(a.Handle, "media://sha256-") {
		t.Errorf("%+v, %+v", a, b)
	}
}

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAACAAAB4iG8MwAAAABJRU5ErkJggg=="
