package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"countersign/backend/mcp"
)

// patience bounds every wait of these tests; none is expected to come near it.
const patience = 30 * time.Second

// served is a running serve of this process.
type served struct {
	lines  chan string
	link   *url.URL
	cancel context.CancelFunc
	done   chan run
}

// startServe runs serve until it printed its link.
func startServe(t *testing.T, b *bench, args ...string) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	s := &served{lines: make(chan string, 64), cancel: cancel, done: make(chan run, 1)}
	go func() {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			s.lines <- lines.Text()
		}
		close(s.lines)
	}()
	go func() {
		var errs bytes.Buffer
		p := &program{stdout: w, stderr: &errs}
		code := p.run(ctx, append([]string{"serve", "--home", b.home, "--workspace", b.workspace}, args...))
		_ = w.Close()
		s.done <- run{code: code, stderr: errs.String()}
	}()
	t.Cleanup(func() { s.stop(t) })
	s.link = s.next(t, "Countersign is ready: ")
	return s
}

// next waits for the next line, which must begin so, and reads the link in it.
func (s *served) next(t *testing.T, begin string) *url.URL {
	t.Helper()
	select {
	case line, ok := <-s.lines:
		rest, found := strings.CutPrefix(line, begin)
		if !found {
			t.Fatalf("printed %q (%v): %+v", line, ok, <-s.done)
		}
		u, err := url.Parse(rest)
		if err != nil {
			t.Fatal(err)
		}
		return u
	case <-time.After(patience):
		t.Fatal("serve printed nothing")
		return nil
	}
}

// stop ends serve as a signal does.
func (s *served) stop(t *testing.T) run {
	t.Helper()
	s.cancel()
	select {
	case got := <-s.done:
		s.done <- got
		return got
	case <-time.After(patience):
		t.Fatal("serve did not end")
		return run{}
	}
}

// page is a browser's page with its socket.
type page struct {
	conn *websocket.Conn
	ids  int
	// hinted says that a hint came since the last snapshot was asked for.
	hinted bool
}

func openPage(t *testing.T, link *url.URL) *page {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c := &http.Client{Jar: jar, Transport: transport}
	resp, err := c.Get(link.String())
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	conn, resp, err := websocket.Dial(t.Context(), "ws://"+link.Host+"/ws", &websocket.DialOptions{
		HTTPClient: c, HTTPHeader: http.Header{"Origin": {"http://" + link.Host}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &page{conn: conn}
}

// ask calls a method and reads its result, past any hint.
func (p *page) ask(t *testing.T, method string, params ...any) map[string]any {
	t.Helper()
	p.ids++
	id := fmt.Sprint(p.ids)
	if params == nil {
		params = []any{}
	}
	text, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.conn.Write(t.Context(), websocket.MessageText, text); err != nil {
		t.Fatal(err)
	}
	for {
		m := p.read(t)
		if m["id"] != id {
			continue
		}
		if m["error"] != nil {
			t.Fatalf("%s: %v", method, m["error"])
		}
		result, _ := m["result"].(map[string]any)
		return result
	}
}

func (p *page) read(t *testing.T) map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	_, text, err := p.conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	p.hinted = p.hinted || m["event"] != nil
	return m
}

// until reads snapshots, one after each hint, until list holds something.
func (p *page) until(t *testing.T, list string) map[string]any {
	t.Helper()
	for {
		p.hinted = false
		rows, _ := p.ask(t, "Snapshot")[list].([]any)
		if len(rows) > 0 {
			return rows[0].(map[string]any)
		}
		for !p.hinted {
			p.read(t)
		}
	}
}

// agent is a client of the socket that calls one tool.
type agent struct {
	conn  io.ReadWriteCloser
	lines *bufio.Scanner
}

const sessionID = "01890000-0000-7000-8000-000000000001"

func connect(t *testing.T, b *bench) *agent {
	t.Helper()
	conn, err := mcp.Dial(t.Context(), b.home)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := mcp.Open(t.Context(), conn, mcp.Opening{Session: sessionID, Workspace: b.workspace})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	a := &agent{conn: stream, lines: bufio.NewScanner(stream)}
	a.lines.Buffer(nil, 1<<20)
	a.send(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test-client","version":"1"}}}`)
	a.answer(t, 1)
	a.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (a *agent) send(t *testing.T, line string) {
	t.Helper()
	if _, err := a.conn.Write([]byte(line + "\n")); err != nil {
		t.Fatal(err)
	}
}

// answer reads to the answer of a request; nil when the desk let go before it came.
func (a *agent) answer(t *testing.T, id float64) map[string]any {
	t.Helper()
	for a.lines.Scan() {
		var m map[string]any
		if err := json.Unmarshal(a.lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		if m["id"] == id {
			return m
		}
	}
	return nil
}

const writeCall = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{"file_path":"notes.md","content":"hello\n"}}}`

func TestACallOfAClientIsDecidedOnThePage(t *testing.T) {
	b := newBench(t)
	s := startServe(t, b)
	p := openPage(t, s.link)
	a := connect(t, b)
	a.send(t, writeCall)
	question := p.until(t, "trust")
	p.ask(t, "AnswerTrust", map[string]any{"root": question["root"], "answer": "yes"})
	row := p.until(t, "approvals")
	if row["caller"] != "test-client" || row["subject"] != "notes.md" || row["status"] != "pending" {
		t.Errorf("card %v", row)
	}
	card := p.ask(t, "Approval", row["id"])
	diffs, _ := card["diffs"].([]any)
	if len(diffs) != 1 || !strings.Contains(diffs[0].(map[string]any)["unified"].(string), "+hello") {
		t.Errorf("diffs %v", diffs)
	}
	result := p.ask(t, "Answer", map[string]any{"id": row["id"], "resolution": "allow_once", "words": "", "hash": card["hash"], "stop": false})
	if result["outcome"] != "done" {
		t.Errorf("answer %v", result)
	}
	got := a.answer(t, 2)
	if r, _ := got["result"].(map[string]any); r == nil || r["isError"] == true {
		t.Errorf("the client heard %v", got)
	}
	text, err := os.ReadFile(filepath.Join(b.workspace, "notes.md"))
	if err != nil || string(text) != "hello\n" {
		t.Errorf("file %q, %v", text, err)
	}
	view := p.ask(t, "SessionPage", map[string]any{"sessionId": row["sessionId"], "where": "before", "cursor": ""})
	call := view["items"].([]any)[0].(map[string]any)["call"].(map[string]any)
	if call["state"] != "succeeded" || call["verb"] != "Write" || call["subject"] != "notes.md" || !strings.HasPrefix(call["figure"].(string), "+1 −0") {
		t.Errorf("timeline %v", call)
	}
	detail := p.ask(t, "Call", call["id"])
	if detail["decidedBy"] != "you" {
		t.Errorf("detail %v", detail["decidedBy"])
	}
	if got := s.stop(t); got.code != exitOK || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

func TestADeskThatGoesLeavesWaitingCallsInterrupted(t *testing.T) {
	b := newBench(t)
	s := startServe(t, b)
	p := openPage(t, s.link)
	a := connect(t, b)
	a.send(t, writeCall)
	question := p.until(t, "trust")
	p.ask(t, "AnswerTrust", map[string]any{"root": question["root"], "answer": "yes"})
	row := p.until(t, "approvals")
	if got := s.stop(t); got.code != exitOK || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if got := fmt.Sprint(a.answer(t, 2)); !strings.Contains(got, "tool.unavailable") || !strings.Contains(got, "before this call began") {
		t.Errorf("the client heard %s", got)
	}
	again := openPage(t, startServe(t, b).link)
	left := again.until(t, "approvals")
	if left["id"] != row["id"] || left["callerLeft"] != true || left["leftWhy"] != "interrupted" || left["status"] != "pending" {
		t.Errorf("card %v", left)
	}
	if _, err := os.Stat(filepath.Join(b.workspace, "notes.md")); err == nil {
		t.Error("the file was written")
	}
}

func TestOnlyOneDeskServesAHome(t *testing.T) {
	b := newBench(t)
	s := startServe(t, b)
	got := b.run(t, nil, "serve")
	if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "already serves this home") || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("the second: %+v", got)
	}
	// The first goes on, and gives a new link when asked to come to the front.
	if words, err := mcp.Front(t.Context(), b.home); err != nil || !strings.Contains(words, "terminal") {
		t.Fatal(err)
	}
	fresh := s.next(t, "A new link to Countersign: ")
	if fresh.String() == s.link.String() {
		t.Error("the link is not new")
	}
	p := openPage(t, fresh)
	if desk := p.ask(t, "Snapshot")["desk"].(map[string]any); desk["workspace"] != b.workspace || desk["home"] != b.home || desk["agent"] != false {
		t.Errorf("desk %v", desk)
	}
	// Other commands work beside it.
	if got := b.run(t, nil, "call", "math.calculate", `{"expression":"1"}`); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := one(t, b.run(t, nil, "doctor", "--json")); !strings.Contains(fmt.Sprint(got), "running") {
		t.Errorf("doctor: %v", got)
	}
}

func TestAnAddressBeyondThisMachineIsWarnedOf(t *testing.T) {
	b := newBench(t)
	s := startServe(t, b, "--listen", "0.0.0.0:0")
	if got := s.stop(t); got.code != exitOK || !strings.Contains(got.stderr, "Warning: this address can be reached from other machines") {
		t.Errorf("%+v", got)
	}
}

func TestAClientThatGetsNoSessionHearsNothingOfItsOwn(t *testing.T) {
	b := newBench(t)
	startServe(t, b)
	conn, err := mcp.Dial(t.Context(), b.home)
	if err != nil {
		t.Fatal(err)
	}
	_, err = mcp.Open(t.Context(), conn, mcp.Opening{Session: sessionID, Workspace: filepath.Join(b.workspace, "nonesuch")})
	if _, refused := errors.AsType[mcp.Refusal](err); !refused || strings.Contains(err.Error(), "nonesuch") {
		t.Errorf("got %v", err)
	}
	// The next one is taken.
	connect(t, b)
}
