package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"countersign/backend/registry"
	"countersign/backend/tool"
)

// fakeSession is a session whose calls do what the test says.
type fakeSession struct {
	mu     sync.Mutex
	specs  []tool.Spec
	calls  []tool.Call
	who    []string
	closed int

	run func(context.Context, tool.Call, func(string)) tool.Outcome
	// judges says that run tells itself when the call waits or runs; else it runs at once.
	judges bool
	// list is called before the tools are listed.
	list func(context.Context)
}

func (s *fakeSession) Tools(ctx context.Context) []tool.Spec {
	if s.list != nil {
		s.list(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.specs)
}

func (s *fakeSession) Call(ctx context.Context, c tool.Call, progress func(string)) tool.Outcome {
	s.mu.Lock()
	s.calls = append(s.calls, c)
	s.mu.Unlock()
	if s.run == nil {
		return done("ok")
	}
	if !s.judges {
		progress(registry.Running)
	}
	return s.run(ctx, c, progress)
}

func (s *fakeSession) Identify(name, version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.who = append(s.who, name+" "+version)
}

func (s *fakeSession) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed++
}

func (s *fakeSession) seen() []tool.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func done(text string) tool.Outcome {
	return tool.Outcome{Action: "write", Status: tool.StatusSucceeded, Content: []tool.Part{tool.TextPart(text)}}
}

func ended(status tool.Status, code tool.Code, parts ...tool.Part) tool.Outcome {
	o := tool.Outcome{Action: "write", Status: status, ReasonCode: code, IsError: true, Content: parts}
	for _, r := range tool.Reasons() {
		if r.Code == code {
			o.Message, o.Retryable, o.Remediation = r.Sentence, r.Retryable, r.Remediation
		}
	}
	return o
}

const anyObject = `{"type":"object"}`

func specs() []tool.Spec {
	class := func(e tool.SideEffect, i tool.Idempotency) tool.Class {
		return tool.Class{SideEffect: e, Idempotency: i, Target: tool.TargetHost}
	}
	return []tool.Spec{
		{ID: "read", Description: "Reads.", Input: json.RawMessage(anyObject), Class: class(tool.EffectWorkspaceRead, tool.IdempotencyReadOnly)},
		{ID: "write", Description: "Writes.", Input: json.RawMessage(anyObject), Class: class(tool.EffectWorkspaceWrite, tool.IdempotencyIdempotent)},
		{
			ID: "math.calculate", Description: "Calculates.", Input: json.RawMessage(anyObject),
			Output: json.RawMessage(`{"type":"object","properties":{"result":{"type":"string"}}}`),
			Class:  class(tool.EffectNone, tool.IdempotencyReadOnly),
		},
	}
}

// lines is the client's end of a stream, line by line.
type lines struct {
	t    *testing.T
	conn io.ReadWriteCloser
	r    *bufio.Reader
}

func talk(t *testing.T, conn io.ReadWriteCloser) *lines {
	t.Helper()
	return &lines{t: t, conn: conn, r: bufio.NewReader(conn)}
}

func (l *lines) send(line string) {
	l.t.Helper()
	if _, err := io.WriteString(l.conn, line+"\n"); err != nil {
		l.t.Fatalf("send: %v", err)
	}
}

func (l *lines) next() string {
	l.t.Helper()
	line, err := l.r.ReadString('\n')
	if err != nil {
		l.t.Fatalf("read a line: %v", err)
	}
	return line[:len(line)-1]
}

// reply sends a line and returns the next one that comes.
func (l *lines) reply(line string) string {
	l.t.Helper()
	l.send(line)
	return l.next()
}

// served starts Serve and returns the client's end. The test ends only when Serve has.
func served(t *testing.T, s Session, o Options) *lines {
	t.Helper()
	near, far := net.Pipe()
	finished := make(chan error, 1)
	go func() { finished <- Serve(t.Context(), far, s, o) }()
	t.Cleanup(func() {
		_ = near.Close()
		if err := <-finished; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return talk(t, near)
}

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"codex-mcp-client","version":"0.171.0"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func (l *lines) shake() {
	l.t.Helper()
	l.reply(initialize)
	l.send(initialized)
}
