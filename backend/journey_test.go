package backend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"countersign/backend/approval"
	"countersign/backend/event"
	"countersign/backend/host/process/processtest"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// day is the model of an agent that looks for something, changes it, finds that its tests
// fail, starts a server, reads its log, and then waits for something that does not end.
func day(t *testing.T) string {
	t.Helper()
	step := func(id, next, name string, arguments map[string]any) map[string]any {
		s := map[string]any{"id": id, "say": id, "calls": []any{map[string]any{"tool": name, "arguments": arguments}}}
		if next != "" {
			s["next"] = map[string]string{"default": next}
		}
		return s
	}
	raw, err := json.Marshal(map[string]any{"title": "A day's work", "steps": []any{
		step("search", "read", "grep", map[string]any{"pattern": "total"}),
		step("read", "change", "read", map[string]any{"file_path": "cart.py"}),
		step("change", "test", "edit", map[string]any{
			"file_path": "cart.py", "old_string": "def total(lines):\n  return sum(lines)", "new_string": "def total(lines):\n  return round(sum(lines))",
		}),
		step("test", "serve", "bash", map[string]any{"command": "echo 'FAIL: total is 3, want 4' >&2; exit 1"}),
		step("serve", "log", "process", map[string]any{"action": "start", "command": "echo $$ > pid; echo listening; while sleep 0.05; do echo tick; done"}),
		step("log", "wait", "process", map[string]any{"action": "read", "id": "p1", "offset": 1}),
		step("wait", "", "bash", map[string]any{"command": "echo waiting; touch waits; sleep 1000"}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return playing(t, string(raw))
}

// spec: KH-30, KH-44, KH-45, KH-51, KH-52, VS-11b
func TestADaysWorkThroughTheDesk(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(filepath.Join(p.workspace, "cart.py"), []byte("def total(lines):\n    return sum(lines)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := p.open(t, true, day(t))
	if err := e.AnswerTrust(t.Context(), p.workspace, approval.TrustYes); err != nil {
		t.Fatal(err)
	}
	events, cancel := e.Subscribe()
	defer cancel()
	id, err := e.StartTask(t.Context(), "", "Mend the cart.")
	if err != nil {
		t.Fatal(err)
	}
	var verbs []string
	for range 4 {
		q, err := e.Desk().Get(t.Context(), next(t, events, event.ApprovalRequested).Ref)
		if err != nil {
			t.Fatal(err)
		}
		verbs = append(verbs, q.Verb)
		if len(q.Diffs) > 0 && !strings.Contains(q.Diffs[0].Unified, "round(sum(lines))") {
			t.Errorf("the card shows %s", q.Diffs[0].Unified)
		}
		answerCard(t, e, q.ID, approval.AllowOnce, "")
	}
	if want := "Edit 1 file, Run 2 commands, Run 4 commands in the background, Run 3 commands"; strings.Join(verbs, ", ") != want {
		t.Errorf("asked to %q", verbs)
	}
	poll(t, func() bool { _, err := os.Stat(filepath.Join(p.workspace, "waits")); return err == nil })
	if err := e.StopTurn(id); err != nil {
		t.Fatal(err)
	}
	for e.Busy(id) {
		next(t, events, event.TurnChanged)
	}
	if pid := numberIn(t, p.workspace, "pid"); !processtest.Runs(pid) {
		t.Error("the server ended with the turn")
	}
	told(t, e, id)
	if err := e.StopProcess(t.Context(), id, "p1"); err != nil {
		t.Error(err)
	}
}

// told fails unless the story of the day is all there, with what each call printed.
func told(t *testing.T, e *Engine, id string) {
	t.Helper()
	page, err := e.Store().History(t.Context(), session.HistoryQuery{Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range page.Calls {
		full, err := e.Store().Invocation(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		key := row.ToolID + " " + row.Metadata.Title
		if full.Status == tool.StatusCancelled {
			key = "stopped"
		}
		got[key] = wordsOf(full.Content)
	}
	for key, want := range map[string]string{
		`grep Search "total" · 1 match in 1 file`:                          "1: def total(lines):",
		"bash Run echo 'FAIL: total is 3, want 4' >&2; exit 1 · exit 1 · ": "FAIL: total is 3, want 4\n[exit code 1 · ",
		"process Process start echo $$ > pid; echo listening; ":            "listening\n",
		"process Process read p1 · ":                                       "from line 1 (lines 1–",
		"stopped":                                                          "[Tool execution cancelled by user]\nOutput so far: ",
	} {
		found := false
		for have, text := range got {
			found = found || strings.HasPrefix(have, key) && strings.Contains(text, want)
		}
		if !found {
			t.Errorf("no %q with %q in %q", key, want, got)
		}
	}
	outputs, err := e.Store().Outputs(t.Context(), id)
	if err != nil || len(outputs) != 3 {
		t.Errorf("%+v, %v", outputs, err)
	}
	for _, o := range outputs {
		if raw, err := os.ReadFile(o.Path); err != nil || len(raw) == 0 {
			t.Errorf("%s: %q, %v", o.Path, raw, err)
		}
	}
}
