package mcp

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/backend/tool"
)

func TestServerShowsToolsWithHintsOfTheirClass(t *testing.T) {
	l := served(t, &fakeSession{specs: specs()}, Options{Version: "1.2.3"})
	hello := l.reply(initialize)
	for _, want := range []string{`"protocolVersion":"2025-06-18"`, `"name":"countersign"`, `"version":"1.2.3"`, `do not repeat the call`, `"listChanged":true`} {
		if !strings.Contains(hello, want) {
			t.Errorf("initialize answered %s, want %s in it", hello, want)
		}
	}
	if strings.Contains(hello, `"logging"`) {
		t.Errorf("initialize offers logging: %s", hello)
	}
	l.send(initialized)

	type listed struct {
		Name         string
		Description  string
		InputSchema  json.RawMessage
		OutputSchema json.RawMessage
		Annotations  map[string]bool
	}
	var got struct {
		Result struct {
			Tools      []listed
			CacheScope string
		}
	}
	if err := json.Unmarshal([]byte(l.reply(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Result.CacheScope != "private" {
		t.Errorf("the list may be cached for %q", got.Result.CacheScope)
	}
	note := "\n\n" + waitNote
	hint := func(readOnly, idempotent bool) map[string]bool {
		return map[string]bool{"readOnlyHint": readOnly, "destructiveHint": !readOnly, "idempotentHint": idempotent, "openWorldHint": false}
	}
	want := []listed{
		{"math_calculate", "Calculates." + note, json.RawMessage(anyObject), specs()[2].Output, hint(true, true)},
		{"read", "Reads." + note, json.RawMessage(anyObject), nil, hint(true, true)},
		{"write", "Writes." + note, json.RawMessage(anyObject), nil, hint(false, true)},
	}
	if diff := cmp.Diff(want, got.Result.Tools); diff != "" {
		t.Errorf("tools/list (-want +got):\n%s", diff)
	}
}

func TestServerHandsArgumentsOverAsSent(t *testing.T) {
	arguments := []string{
		`{"a":12345678901234567890,"b":1.50,"c":1e400}`,
		`{"a":1,"a":2}`,
		`{"text":"\ud800 \u0000 <&>"}`,
		`{ "spaced" :  [ 1 ,2 ] }`,
		`null`,
		`"text"`,
		`[` + strings.Repeat(`[`, 3000) + strings.Repeat(`]`, 3000) + `]`,
		"{\"bytes\":\"\xff\xfe\"}",
		`{"content":"` + strings.Repeat("x", 1<<20) + `"}`,
	}
	s := &fakeSession{specs: specs()}
	l := served(t, s, Options{})
	l.shake()
	for _, a := range arguments {
		l.reply(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write","arguments":` + a + `}}`)
	}
	l.reply(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"write"}}`)
	calls := s.seen()
	for i, want := range append(arguments, `{}`) {
		if got := string(calls[i].Arguments); got != want {
			t.Errorf("call %d got %.80q, want %.80q", i, got, want)
		}
	}
}

func TestServerSendsUnknownNamesThroughThePipeline(t *testing.T) {
	s := &fakeSession{specs: specs(), run: func(context.Context, tool.Call, func(string)) tool.Outcome {
		return ended(tool.StatusDenied, tool.CodeNotFound, tool.TextPart("Advertised: read, write"))
	}}
	l := served(t, s, Options{})
	l.shake()
	got := l.reply(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm -rf /","arguments":{}}}`)
	if c := s.seen(); len(c) != 1 || c[0].Name != "rm -rf /" || c[0].ID != "" {
		t.Fatalf("the session saw %v", c)
	}
	for _, want := range []string{`"isError":true`, `reason_code: tool.not_found`, `Advertised: read, write`} {
		if !strings.Contains(got, want) {
			t.Errorf("answer %s lacks %s", got, want)
		}
	}
}

// Malformed lines get their answer and the next line works.
func TestServerAnswersEveryBadLineAndReadsOn(t *testing.T) {
	long := strings.Repeat("x", MaxLineBytes)
	rows := []struct{ name, line, want string }{
		{"not JSON", `{"jsonrpc":`, errorOf("null", -32700, sentenceNotJSON)},
		{"text after it", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, errorOf("null", -32700, sentenceNotJSON)},
		{"a string", `"hello"`, errorOf("null", -32600, sentenceNoMessage)},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, errorOf("null", -32600, sentenceBatch)},
		{"no version", `{"id":1,"method":"ping"}`, errorOf("1", -32600, sentenceNoMessage)},
		{"a key twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, errorOf("1", -32600, sentenceTwice)},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, errorOf("null", -32600, sentenceID)},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, errorOf("null", -32600, sentenceID)},
		{"method of another type", `{"jsonrpc":"2.0","id":1,"method":5}`, errorOf("1", -32600, sentenceNoMessage)},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"secret/method"}`, errorOf("1", -32601, sentenceMethod)},
		{"call without a name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"k":"secret"}}}`, errorOf("1", -32602, sentenceParams)},
		{"call with a name twice", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","name":"write"}}`, errorOf("1", -32602, sentenceParams)},
		{"params of another form", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":{"secret":1}}}`, errorOf("1", -32602, sentenceParams)},
		{"a second initialize", strings.Replace(initialize, `"id":0`, `"id":1`, 1), errorOf("1", -32600, sentenceRequest)},
		{"too long", `{"method":"tools/call","params":{"x":"\"}` + long + `"},"jsonrpc":"2.0","id":12}`, errorOf("12", -32600, sentenceTooLong)},
	}
	l := served(t, &fakeSession{specs: specs()}, Options{})
	l.shake()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if got := l.reply(row.line); got != row.want {
				t.Errorf("answered %.300s\nwant %s", got, row.want)
			}
			if got, want := l.reply(`{"jsonrpc":"2.0","id":2,"method":"ping"}`), `{"jsonrpc":"2.0","id":2,"result":{}}`; got != want {
				t.Errorf("the next line got %s, want %s", got, want)
			}
		})
	}
}

// Which request a line over the limit was is found out wherever its id stands.
func TestALongLineIsAnsweredByItsID(t *testing.T) {
	const limit = 1 << 10
	long := strings.Repeat("x", limit)
	near, far := net.Pipe()
	served := newTransport(far)
	served.lines = newLineReader(far, limit)
	ended := make(chan error, 1)
	go func() {
		_, err := served.Read(t.Context())
		ended <- err
	}()
	l := talk(t, near)
	for _, row := range []struct{ name, line, id string }{
		{"before", `{"jsonrpc":"2.0","id":"a:1","method":"tools/call","params":{"id":9,"x":"` + long + `"}}`, `"a:1"`},
		{"after", `{"method":"tools/call","params":{"x":"\"}` + long + `"},"jsonrpc":"2.0","id":12}`, "12"},
		{"none", long + "x", "null"},
	} {
		if got, want := l.reply(row.line), errorOf(row.id, -32600, sentenceTooLong); got != want {
			t.Errorf("%s: answered %.300s\nwant %s", row.name, got, want)
		}
	}
	_ = near.Close()
	if err := <-ended; err == nil {
		t.Error("a line was taken for a message")
	}
}

func errorOf(id string, code int64, sentence string) string {
	return string(encode(json.RawMessage(`{"jsonrpc":"2.0","id":` + id + `,"error":` +
		string(encode(map[string]any{"code": code, "message": sentence})) + `}`)))
}

func TestServerKeepsRequestIDsAsWritten(t *testing.T) {
	l := served(t, &fakeSession{specs: specs()}, Options{})
	l.shake()
	for _, id := range []string{
		`1`, `-7`, `"one"`, `1.5`, `1.0`, `1e3`, `-0`, `9007199254740993`, `123456789012345678901234567890`,
		`"\ud800"`, `"\u0000x"`, `"1"`, `""`,
	} {
		line := l.reply(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if want := `{"jsonrpc":"2.0","id":` + id + `,"result":{}}`; line != want {
			t.Errorf("id %s: got %s, want %s", id, line, want)
		}
	}
}

func TestServerSpeaksBothEras(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"2.1.332"}}`
	s := &fakeSession{specs: specs()}
	l := served(t, s, Options{})
	got := l.reply(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
	for _, want := range []string{`"2026-07-28"`, `do not repeat the call`, `"resultType":"complete"`} {
		if !strings.Contains(got, want) {
			t.Errorf("discover answered %s, want %s in it", got, want)
		}
	}
	got = l.reply(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{},` + meta + `}}`)
	for _, want := range []string{`"text":"ok"`, `"resultType":"complete"`} {
		if !strings.Contains(got, want) {
			t.Errorf("call answered %s, want %s in it", got, want)
		}
	}
	if diff := cmp.Diff([]string{"claude-code 2.1.332"}, s.who); diff != "" {
		t.Errorf("identified (-want +got):\n%s", diff)
	}

	old := &fakeSession{specs: specs()}
	l = served(t, old, Options{})
	l.shake()
	if got, want := l.reply(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`), errorOf("1", -32601, sentenceMethod); got != want {
		t.Errorf("discover of the old era answered %s, want %s", got, want)
	}
	if diff := cmp.Diff([]string{"codex-mcp-client 0.171.0"}, old.who); diff != "" {
		t.Errorf("identified (-want +got):\n%s", diff)
	}
}

// Each way to let go ends the call's context at once.
func TestCallHearsThatItsCallerLeft(t *testing.T) {
	rows := map[string]func(l *lines, cancel context.CancelFunc){
		"cancel notification": func(l *lines, _ context.CancelFunc) {
			l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5,"reason":"timeout"}}`)
		},
		"closed stream": func(l *lines, _ context.CancelFunc) { _ = l.conn.Close() },
		"server ends":   func(_ *lines, cancel context.CancelFunc) { cancel() },
	}
	for name, leave := range rows {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, left := make(chan struct{}), make(chan struct{})
				s := &fakeSession{specs: specs(), run: func(ctx context.Context, _ tool.Call, _ func(string)) tool.Outcome {
					close(began)
					<-ctx.Done()
					close(left)
					return ended(tool.StatusCancelled, tool.CodeCancelled)
				}}
				ctx, cancel := context.WithCancel(t.Context())
				near, far := net.Pipe()
				finished := make(chan error, 1)
				go func() { finished <- Serve(ctx, far, s, Options{}) }()
				l := talk(t, near)
				l.shake()
				l.send(`{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"write"}}`)
				<-began
				start := time.Now()
				leave(l, cancel)
				<-left
				if waited := time.Since(start); waited != 0 {
					t.Errorf("the call heard of it after %v", waited)
				}
				if name == "cancel notification" {
					// A cancelled request gets no answer, and cancelling it again is no mistake.
					l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`)
					if got := l.reply(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
						t.Errorf("after the cancel came %s", got)
					}
				}
				cancel()
				_ = near.Close()
				if err := <-finished; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A server that ends lets the calls answer that its owner has ended, and waits for no other.
func TestCallsAnswerWhenTheServerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		owner, end := context.WithCancel(t.Context())
		s := &fakeSession{specs: specs(), run: func(ctx context.Context, c tool.Call, _ func(string)) tool.Outcome {
			if c.Name == "read" {
				<-ctx.Done()
				return ended(tool.StatusCancelled, tool.CodeCancelled)
			}
			<-owner.Done()
			time.Sleep(time.Second)
			return ended(tool.StatusUnavailable, tool.CodeUnavailable)
		}}
		near, far := net.Pipe()
		finished := make(chan error, 1)
		go func() { finished <- Serve(owner, far, s, Options{patience: 3 * time.Second}) }()
		l := talk(t, near)
		l.shake()
		l.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}`)
		l.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}`)
		synctest.Wait()
		start := time.Now()
		end()
		if got := l.next(); !strings.Contains(got, `"id":1`) || !strings.Contains(got, "tool.unavailable") {
			t.Errorf("the call that its owner ended got %s", got)
		}
		if _, err := l.r.ReadByte(); err == nil {
			t.Error("the call that goes on was answered")
		}
		if err := <-finished; err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != 3*time.Second {
			t.Errorf("the server ended after %v", waited)
		}
		_ = near.Close()
	})
}

func TestParallelCallsAreAnsweredAsTheyEnd(t *testing.T) {
	release := map[string]chan struct{}{"read": make(chan struct{}), "write": make(chan struct{})}
	s := &fakeSession{specs: specs(), run: func(_ context.Context, c tool.Call, _ func(string)) tool.Outcome {
		<-release[c.Name]
		return done(c.Name)
	}}
	l := served(t, s, Options{})
	l.shake()
	l.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}`)
	l.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read"}}`)
	if got := l.reply(`{"jsonrpc":"2.0","id":1,"method":"ping"}`); got != errorOf("null", -32600, sentenceOpenID) {
		t.Errorf("an id in use got %s", got)
	}
	close(release["read"])
	if got := l.next(); !strings.Contains(got, `"id":2`) || !strings.Contains(got, `"read"`) {
		t.Errorf("first came %s", got)
	}
	close(release["write"])
	if got := l.next(); !strings.Contains(got, `"id":1`) || !strings.Contains(got, `"write"`) {
		t.Errorf("then came %s", got)
	}
}

func TestChangedRulesAreAnnounced(t *testing.T) {
	changed := make(chan struct{}, 1)
	s := &fakeSession{specs: specs()}
	l := served(t, s, Options{Watch: func() (<-chan struct{}, func()) { return changed, func() {} }})
	l.shake()
	changed <- struct{}{}
	if got := l.reply(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(got, `"write"`) {
		t.Fatalf("tools/list got %s", got)
	}
	s.mu.Lock()
	s.specs = s.specs[:1]
	s.mu.Unlock()
	changed <- struct{}{}
	if got, want := l.next(), `"method":"notifications/tools/list_changed"`; !strings.Contains(got, want) {
		t.Fatalf("after a change came %s, want %s", got, want)
	}
	if got := l.reply(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); strings.Contains(got, `"write"`) {
		t.Errorf("tools/list still has what was taken away: %s", got)
	}
}

// The SDK's own client, as Crush uses it, in both eras.
func TestServerWithTheSDKsClient(t *testing.T) {
	s := &fakeSession{specs: specs(), run: func(_ context.Context, c tool.Call, _ func(string)) tool.Outcome {
		return tool.Outcome{Status: tool.StatusSucceeded, Content: []tool.Part{tool.TextPart("391")}, Structured: json.RawMessage(`{"result":"391"}`)}
	}}
	near, far := net.Pipe()
	finished := make(chan error, 1)
	go func() { finished <- Serve(t.Context(), far, s, Options{}) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "crush", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatalf("ListTools: %v, %v", list, err)
	}
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "math_calculate", Arguments: map[string]any{"expression": "17*23"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"result": "391"}, got.StructuredContent); diff != "" || got.IsError {
		t.Errorf("structured content (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"crush 1"}, s.who); diff != "" {
		t.Errorf("identified (-want +got):\n%s", diff)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-finished; err != nil {
		t.Error(err)
	}
}
