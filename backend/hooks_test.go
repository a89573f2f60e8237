package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/tool"
)

// hookPlace is a place whose settings name hooks, each a shell script below the home.
func hookPlace(t *testing.T, event string, scripts ...string) place {
	t.Helper()
	p := newPlace(t)
	dir := filepath.Join(p.home, "hooks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	for i, text := range scripts {
		name := string(rune('a' + i))
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		list = append(list, map[string]any{"name": name, "run": []string{"hooks/" + name}})
	}
	p.setHooks(t, event, list)
	return p
}

func (p place) setHooks(t *testing.T, event string, list []map[string]any) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"hooks": map[string]any{event: list}, "preset": "full"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.home, "config.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

const hookSession = "11111111-1111-7111-8111-111111111111"

func calculate(expression string) tool.Call {
	return named("math.calculate", map[string]any{"expression": expression})
}

func saidBy(o tool.Outcome) (out string) {
	for _, l := range o.Decision.Chain {
		if l.Layer == tool.LayerHook {
			out += l.Reason + "\n"
		}
	}
	return out
}

func TestAHookReadsTheCallAndRefusesIt(t *testing.T) {
	p := hookPlace(t, "beforeCall", `grep -q '"expression":"6\*7"' && echo '{"decision":"deny","reason":"no '"$(basename "$PWD")"'"}' || echo '{}'`)
	e := p.start(t)
	s := p.session(t, e, hookSession, true)
	if o := s.Call(t.Context(), calculate("1+1"), nil); o.Status != tool.StatusSucceeded {
		t.Errorf("%+v", o)
	}
	o := s.Call(t.Context(), calculate("6*7"), nil)
	if o.ReasonCode != tool.CodePolicyHookDenied || !strings.Contains(saidBy(o), "no "+filepath.Base(p.workspace)) {
		t.Errorf("%s %+v", o.ReasonCode, o.Decision)
	}
}

func TestARewriteOfAHookIsAskedAboutAtTheDesk(t *testing.T) {
	p := hookPlace(t, "beforeCall", `cat >/dev/null; echo '{"arguments":{"expression":"2+2"}}'`)
	e := p.start(t)
	s := p.session(t, e, hookSession, true)
	done := make(chan tool.Outcome, 1)
	events, stop := e.Subscribe()
	defer stop()
	go func() { done <- s.Call(t.Context(), calculate("6*7"), nil) }()
	q := next(t, events, "approval.requested")
	answerCard(t, e, q.Ref, approval.AllowOnce, "")
	o := <-done
	if o.Status != tool.StatusSucceeded || !strings.Contains(o.Content[len(o.Content)-1].Text.Open(), "4") {
		t.Errorf("%+v", o)
	}
}

func TestAHookThatCannotRunDeniesEveryCall(t *testing.T) {
	p := hookPlace(t, "beforeCall", `exit 1`)
	inside := filepath.Join(p.workspace, "hook")
	if err := os.WriteFile(inside, []byte("#!/bin/sh\necho {}\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(outside, []byte("#!/bin/sh\necho {}\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(p.home, "hooks", "leads-out")); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"hooks/a", "hooks/none", "hooks", inside, "hooks/leads-out"} {
		p.setHooks(t, "beforeCall", []map[string]any{{"run": []string{program}}})
		e := p.start(t)
		s := p.session(t, e, hookSession, true)
		if o := s.Call(t.Context(), calculate("1+1"), nil); o.ReasonCode != tool.CodePolicyHookFailed {
			t.Errorf("%s: %s %s", program, o.Status, o.ReasonCode)
		}
		s.Close()
		p.close(t, e)
	}
	p.setHooks(t, "beforeCall", []map[string]any{{"run": []string{outside}}})
	if o := p.session(t, p.start(t), hookSession, true).Call(t.Context(), calculate("1+1"), nil); o.Status != tool.StatusSucceeded {
		t.Errorf("%s %s", o.Status, o.ReasonCode)
	}
}

func TestAHookWithholdsAResult(t *testing.T) {
	p := hookPlace(t, "afterResult", `grep -q '"text":"42"' && echo '{"decision":"withhold"}' || echo '{}'`)
	e := p.start(t)
	s := p.session(t, e, hookSession, true)
	o := s.Call(t.Context(), calculate("6*7"), nil)
	if o.Status != tool.StatusSucceeded || o.Structured != nil || strings.Contains(o.Content[0].Text.Open(), "42") {
		t.Errorf("%+v", o)
	}
	if stored, err := e.Store().Invocation(t.Context(), o.InvocationID); err != nil || strings.Contains(stored.Content[0].Text.Open(), "42") || stored.Structured != nil {
		t.Errorf("stored: %+v, %v", stored, err)
	}
}

// What an agent may write decides nothing about its calls, so no hook is given a file of the
// workspace: neither a script nor what it goes by.
func TestAHookIsGivenNoFileOfTheWorkspace(t *testing.T) {
	p := hookPlace(t, "beforeCall", `cat >/dev/null; echo '{}'`)
	inside, outside := filepath.Join(p.workspace, "guard.sh"), filepath.Join(p.home, "hooks", "guard.sh")
	for _, file := range []string{inside, outside} {
		if err := os.WriteFile(file, []byte("cat >/dev/null; echo '{}'\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(p.home, "hooks", "link.sh")
	if err := os.Symlink(inside, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		run []string
		ok  bool
	}{
		{[]string{"/bin/sh", outside}, true},
		{[]string{"hooks/a", p.workspace, "--in=" + p.workspace, "none", "--rules=" + outside}, true},
		{[]string{"/bin/sh", inside}, false},
		{[]string{"/bin/sh", "guard.sh"}, false},
		{[]string{"/bin/sh", "./guard.sh"}, false},
		{[]string{"/bin/sh", link}, false},
		{[]string{"hooks/a", "--rules=" + inside}, false},
	} {
		p.setHooks(t, "beforeCall", []map[string]any{{"run": c.run}})
		e := p.start(t)
		s := p.session(t, e, hookSession, true)
		o := s.Call(t.Context(), calculate("1+1"), nil)
		if (o.Status == tool.StatusSucceeded) != c.ok || !c.ok && o.ReasonCode != tool.CodePolicyHookFailed {
			t.Errorf("%q: %s %s", c.run, o.Status, o.ReasonCode)
		}
		s.Close()
		p.close(t, e)
	}
}

// What a workspace holds names no hooks.
func TestHooksComeFromTheHomeAlone(t *testing.T) {
	p := newPlace(t)
	for _, dir := range []string{".countersign", ".crystal"} {
		if err := os.MkdirAll(filepath.Join(p.workspace, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		text := `{"hooks":{"beforeCall":[{"run":["/bin/false"]}]}}`
		if err := os.WriteFile(filepath.Join(p.workspace, dir, "config.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := p.start(t)
	if o := p.session(t, e, hookSession, true).Call(t.Context(), calculate("1+1"), nil); o.Status != tool.StatusSucceeded {
		t.Errorf("%s %s", o.Status, o.ReasonCode)
	}
}
