package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"countersign/backend/mcp"
)

// stdioClient is a client that started countersign mcp and talks to it in raw lines.
type stdioClient struct {
	command *exec.Cmd
	in      io.WriteCloser
	lines   chan string
	ended   chan error
}

// startBridge starts the command like a client that passes few variables on.
func startBridge(t *testing.T, b *bench, args ...string) *stdioClient {
	t.Helper()
	c := b.command(t.Context(), t, 0, append([]string{"mcp"}, args...)...)
	c.Env = []string{"HOME=" + filepath.Dir(b.home), childVariable + "=0"}
	_, in, out := started(t, c)
	g := &stdioClient{command: c, in: in, lines: make(chan string, 64), ended: make(chan error, 1)}
	go func() {
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, mcp.MaxLineBytes)
		for lines.Scan() {
			g.lines <- lines.Text()
		}
		close(g.lines)
		g.ended <- c.Wait()
	}()
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.Process.Kill()
		for range g.lines {
		}
	})
	return g
}

func (g *stdioClient) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(g.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// next is the next line that is not a progress notice.
func (g *stdioClient) next(t *testing.T) string {
	t.Helper()
	for {
		select {
		case line, ok := <-g.lines:
			if !ok {
				t.Fatal("the bridge ended")
			}
			if !strings.Contains(line, `"method":"notifications/progress"`) {
				return line
			}
		case <-time.After(patience):
			t.Fatal("the bridge said nothing")
		}
	}
}

func (g *stdioClient) ask(t *testing.T, line string) string {
	t.Helper()
	g.send(t, line)
	return g.next(t)
}

// shake makes the handshake.
func (g *stdioClient) shake(t *testing.T) {
	t.Helper()
	got := g.ask(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"0.171.0"}}}`)
	if !strings.Contains(got, `"name":"countersign"`) {
		t.Fatalf("initialize got %s", got)
	}
	g.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (g *stdioClient) end(t *testing.T) {
	t.Helper()
	select {
	case err := <-g.ended:
		if err != nil {
			t.Errorf("the bridge ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the bridge did not end")
	}
}

func calculate(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"math_calculate","arguments":{"expression":"17 * 23"}}}`
}

func external(id, file string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"demo_external_write","arguments":{"destination":%q,"content":"hello"}}}`, id, file)
}

func demoBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	if err := os.MkdirAll(b.home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(`{"toolSets":["exact","demo"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// answer answers the one waiting card.
func (p *page) answer(t *testing.T, resolution, words string) map[string]any {
	t.Helper()
	row := p.until(t, "approvals")
	card := p.ask(t, "Approval", row["id"])
	p.ask(t, "Answer", map[string]any{"id": row["id"], "resolution": resolution, "words": words, "hash": card["hash"], "stop": false})
	return row
}

// The client starts before the desk and is never started again; the desk comes, goes and
// comes back between its calls, and it all is one session.
func TestAClientOutlivesItsDesk(t *testing.T) {
	b := demoBench(t)
	g := startBridge(t, b)
	g.shake(t)
	succeeded := func(when, got string) {
		t.Helper()
		if !strings.Contains(got, `"text":"391"`) || strings.Contains(got, `"isError"`) {
			t.Errorf("%s: %s", when, got)
		}
	}
	succeeded("alone", g.ask(t, calculate("1")))
	if got := g.ask(t, external("2", "a.md")); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "approval.no_operator") && !strings.Contains(got, "policy.workspace_untrusted") {
		t.Errorf("alone, what would ask got %s", got)
	}

	s := startServe(t, b)
	p := openPage(t, s.link)
	succeeded("at the desk", g.ask(t, calculate("3")))
	g.send(t, external("4", "b.md"))
	question := p.until(t, "trust")
	p.ask(t, "AnswerTrust", map[string]any{"root": question["root"], "answer": "yes"})
	row := p.answer(t, "allow_once", "")
	if row["caller"] != "codex-mcp-client" {
		t.Errorf("the card is of %v", row["caller"])
	}
	if got := g.next(t); !strings.Contains(got, `"id":4`) || strings.Contains(got, `"isError"`) {
		t.Errorf("after Allow came %s", got)
	}
	g.send(t, external("5", "c.md"))
	p.answer(t, "deny", "not this file")
	if got := g.next(t); !strings.Contains(got, "approval.user_rejected") || !strings.Contains(got, `"text":"not this file"`) {
		t.Errorf("after Deny came %s", got)
	}

	// A call that waits when the desk goes is answered; the next one is made alone.
	g.send(t, external("6", "d.md"))
	p.until(t, "approvals")
	if got := s.stop(t); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := g.next(t); !strings.Contains(got, `"id":6`) || !strings.Contains(got, "reason_code: tool.unavailable") {
		t.Errorf("after the desk went came %s", got)
	}
	succeeded("alone again", g.ask(t, calculate("7")))

	p = openPage(t, startServe(t, b).link)
	succeeded("at the next desk", g.ask(t, calculate("8")))
	sessions, _ := p.ask(t, "Snapshot")["sessions"].([]any)
	if len(sessions) != 1 {
		t.Fatalf("%d sessions: %v", len(sessions), sessions)
	}
	if got := sessions[0].(map[string]any); got["caller"] != "codex-mcp-client" || got["connected"] != true || got["callerKind"] != "mcp" {
		t.Errorf("session %v", got)
	}
	_ = g.in.Close()
	g.end(t)
}

// However the client leaves, its card says so, and nothing runs.
func TestAClientThatLeavesIsNoticed(t *testing.T) {
	rows := map[string]func(*testing.T, *stdioClient){
		"killed":       func(t *testing.T, g *stdioClient) { _ = g.command.Process.Kill() },
		"end of input": func(t *testing.T, g *stdioClient) { _ = g.in.Close(); g.end(t) },
		"SIGTERM":      func(t *testing.T, g *stdioClient) { _ = g.command.Process.Signal(syscall.SIGTERM); g.end(t) },
		"SIGINT":       func(t *testing.T, g *stdioClient) { _ = g.command.Process.Signal(os.Interrupt); g.end(t) },
		"cancelled": func(t *testing.T, g *stdioClient) {
			g.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"timeout"}}`)
		},
	}
	for name, leave := range rows {
		t.Run(name, func(t *testing.T) {
			b := demoBench(t)
			p := openPage(t, startServe(t, b).link)
			g := startBridge(t, b)
			g.shake(t)
			g.send(t, external("1", "a.md"))
			question := p.until(t, "trust")
			p.ask(t, "AnswerTrust", map[string]any{"root": question["root"], "answer": "yes"})
			row := p.until(t, "approvals")
			leave(t, g)
			for row["callerLeft"] != true {
				for p.read(t)["event"] == nil {
				}
				row = p.until(t, "approvals")
			}
			if row["leftWhy"] != "left" || row["status"] != "pending" {
				t.Errorf("card %v", row)
			}
			if _, err := os.Stat(filepath.Join(b.workspace, "a.md")); err == nil {
				t.Error("the file was written")
			}
		})
	}
}

func TestMCPFlagsOnlyTighten(t *testing.T) {
	b := demoBench(t)
	g := startBridge(t, b, "--sets", "exact", "--preset", "full", "--catalog", "plan")
	g.shake(t)
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(g.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Result.Tools {
		if tool.Name == "demo_external_write" {
			t.Errorf("the list has %s", tool.Name)
		}
	}
	for _, args := range [][]string{{"--preset", "auto"}, {"--catalog", "all"}, {"more"}} {
		if got := b.run(t, strings.NewReader(""), append([]string{"mcp"}, args...)...); got.code != exitUsage || got.stdout != "" || strings.Contains(got.stderr, args[len(args)-1]+`"`) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// A home that cannot be used leaves the client with answers that say so, not with a
// server that died.
func TestMCPAnswersWhenTheHomeIsBroken(t *testing.T) {
	b := newBench(t)
	if err := os.WriteFile(b.home, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := startBridge(t, b)
	if got := g.ask(t, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); !strings.Contains(got, `"error"`) {
		t.Errorf("initialize got %s", got)
	}
	if got := g.ask(t, calculate("1")); !strings.Contains(got, "reason_code: tool.unavailable") || strings.Contains(got, b.home) {
		t.Errorf("a call got %s", got)
	}
	_ = g.in.Close()
	g.end(t)
}
