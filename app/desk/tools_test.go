package desk

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"countersign/backend"
	"countersign/backend/mcp"
	"countersign/backend/session"
)

// A client is told when the tools of sets change, and is offered them as they are then.
//
// spec: CT-12
func TestAClientIsToldWhenToolSetsChange(t *testing.T) {
	home, workspace := filepath.Join(t.TempDir(), "home"), t.TempDir()
	e, err := OpenEngine(t.Context(), Places{Home: home, Workspace: workspace}, Opening{Name: "test", Desk: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	s, err := e.OpenSession(t.Context(), backend.SessionRequest{Workspace: workspace, Caller: session.Caller{Kind: session.CallerMCP}})
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.InProcess(t.Context(), s, e.DoorOptions())
	defer client.Close()
	lines := bufio.NewReader(client)
	send := func(text string) {
		if _, err := io.WriteString(client, text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	type message struct {
		ID     any
		Method string
		Result struct{ Tools []struct{ Name string } }
	}
	until := func(is func(message) bool) message {
		t.Helper()
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			var m message
			if json.Unmarshal(line, &m) == nil && is(m) {
				return m
			}
		}
	}
	answer := func(id int) func(message) bool { return func(m message) bool { return m.ID == float64(id) } }
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	until(answer(1))
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	offered := func(id int) bool {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
		return slices.ContainsFunc(until(answer(id)).Result.Tools, func(one struct{ Name string }) bool { return one.Name == "greet" })
	}
	if _, err := e.ToolSets(t.Context(), backend.SetPlace{}, true); err != nil {
		t.Fatal(err)
	}
	if offered(2) {
		t.Error("greet is offered before it is there")
	}
	dir := filepath.Join(home, "tools", "greet")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := `{"runner":"exec","description":"Greets.","schema":{"type":"object"},"command":["/bin/echo","hello"]}`
	if err := os.WriteFile(filepath.Join(dir, "tools.json"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := e.ReloadSets(t.Context(), backend.SetPlace{}); err != nil {
		t.Fatal(err)
	}
	until(func(m message) bool { return m.Method == "notifications/tools/list_changed" })
	if !offered(3) {
		t.Error("greet is not offered")
	}
	if _, err := e.EnableSet(t.Context(), backend.SetRef{Directory: "greet"}, false); err != nil {
		t.Fatal(err)
	}
	until(func(m message) bool { return m.Method == "notifications/tools/list_changed" })
	if offered(4) {
		t.Error("greet is offered though it is switched off")
	}
}
