package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"countersign/app/bridge"
	"countersign/backend"
	"countersign/backend/event"
	"countersign/backend/session"
	"countersign/backend/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine knows no trusts, and breaks on everything else.
type engine struct{ bridge.Engine }

func (engine) Trusts(context.Context) ([]bridge.Trust, error) { return nil, nil }
func (engine) CopyOutput(_ context.Context, sessionID, name string, f func(io.Reader, int64) error) error {
	if sessionID != "s1" {
		return session.ErrNoOutput
	}
	if name == "gone" {
		return backend.ErrOutputGone
	}
	return f(strings.NewReader("<script>"+name), int64(len("<script>"+name)))
}

// ReadImage knows one image, which is of some type, and one that is not what was kept.
func (engine) ReadImage(_ context.Context, sum string) ([]byte, session.Image, error) {
	switch sum {
	case strings.Repeat("1", 64):
		return []byte("GIF89a<script>"), session.Image{Mime: "image/gif", Width: 1, Height: 1}, nil
	case strings.Repeat("2", 64):
		return []byte("<svg/>"), session.Image{}, nil
	case strings.Repeat("3", 64):
		return []byte("\x89PNG"), session.Image{Mime: "image/png", Width: 65_535, Height: 65_535}, nil
	case strings.Repeat("4", 64):
		return nil, session.Image{}, errors.New("damaged")
	}
	return nil, session.Image{}, fs.ErrNotExist
}
func (engine) Reasons() map[tool.Code]tool.Reason { return nil }

// source sends every subscriber the same events.
type source struct {
	mu   sync.Mutex
	subs map[chan event.Event]bool
	came chan struct{}
}

func newSource() *source {
	return &source{subs: map[chan event.Event]bool{}, came: make(chan struct{}, 64)}
}

func (s *source) Subscribe() (<-chan event.Event, func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := make(chan event.Event, 8)
	s.subs[c] = true
	s.came <- struct{}{}
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.subs[c] {
			delete(s.subs, c)
			close(c)
		}
	}
}

func (s *source) send(e event.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.subs {
		c <- e
	}
}

// stretched is a long row of bytes that never repeats, standing in for chance.
type stretched struct {
	mu sync.Mutex
	n  int
}

func (s *stretched) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	sum := sha256.Sum256(fmt.Append(nil, "secret ", s.n))
	return copy(p, sum[:]), nil
}

// desk is a running server with what it said.
type desk struct {
	server *Server
	base   string
	host   string
	said   chan string
	source *source
	stop   func()
}

func start(t *testing.T) *desk {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	a, err := ParseAddress("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, err := a.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{said: make(chan string, 64), source: newSource(), host: l.Addr().String(), base: "http://" + l.Addr().String()}
	d.server, err = New(Config{
		API:    bridge.New(ctx, bridge.Config{Engine: engine{}, Log: log}),
		Source: d.source, Random: &stretched{}, Log: log, Say: func(line string) { d.said <- line },
		Assets: fstest.MapFS{
			"index.html":    {Data: []byte("<!doctype html>page")},
			"assets/app.js": {Data: []byte("let a")},
		},
	}, a, l)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- d.server.Serve(ctx, l) }()
	var once sync.Once
	d.stop = func() {
		once.Do(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("serve: %v", err)
			}
		})
	}
	t.Cleanup(d.stop)
	return d
}

func (d *desk) link(t *testing.T) string {
	t.Helper()
	link, err := d.server.Link()
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// browser keeps cookies and does not follow redirects by itself.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func do(t *testing.T, c *http.Client, method, target string, change func(*http.Request)) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(body)}
}

// opened is a browser that opened the one-time link.
func opened(t *testing.T, d *desk) *http.Client {
	t.Helper()
	c := browser(t)
	if got := do(t, c, "GET", d.link(t), nil); got.status != http.StatusSeeOther {
		t.Fatalf("opening the link: %d", got.status)
	}
	return c
}

func TestALinkOpensThePageOnce(t *testing.T) {
	d := start(t)
	link := d.link(t)
	c := browser(t)
	first := do(t, c, "GET", link, nil)
	if first.status != http.StatusSeeOther || first.header.Get("Location") != "/" {
		t.Fatalf("got %d to %q", first.status, first.header.Get("Location"))
	}
	cookie := first.header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/", "countersign-" + d.server.port + "="} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie without %s: %s", want, cookie)
		}
	}
	if got := do(t, c, "GET", d.base+"/", nil); got.status != 200 || got.body != "<!doctype html>page" {
		t.Errorf("page: %d %q", got.status, got.body)
	}
	if got := do(t, c, "GET", d.base+"/assets/app.js", nil); got.status != 200 || got.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("script: %+v", got)
	}

	again := do(t, browser(t), "GET", link, nil)
	if again.status != http.StatusForbidden || !strings.Contains(again.body, "This link was used before") || again.header.Get("Set-Cookie") != "" {
		t.Errorf("second use: %+v", again)
	}
	line := <-d.said
	fresh, ok := strings.CutPrefix(line, "A new link to Countersign: ")
	if !ok || fresh == link {
		t.Fatalf("said %q", line)
	}
	// A link that was used before asks for one new link, however often it is opened.
	do(t, browser(t), "GET", link, nil)
	if len(d.said) != 0 {
		t.Errorf("said more: %q", <-d.said)
	}
	if got := do(t, browser(t), "GET", fresh, nil); got.status != http.StatusSeeOther {
		t.Errorf("the new link: %d", got.status)
	}
}

func TestANewLinkEndsTheOneBefore(t *testing.T) {
	d := start(t)
	old := d.link(t)
	d.server.Renew()
	if got := do(t, browser(t), "GET", old, nil); got.status != http.StatusForbidden {
		t.Errorf("the old link: %d", got.status)
	}
	fresh := strings.TrimPrefix(<-d.said, "A new link to Countersign: ")
	if got := do(t, browser(t), "HEAD", fresh, nil); got.status != http.StatusForbidden {
		t.Errorf("HEAD: %d", got.status)
	}
	if got := do(t, browser(t), "GET", fresh, nil); got.status != http.StatusSeeOther {
		t.Errorf("HEAD used the link up: %d", got.status)
	}
}

func TestWhoIsLetIn(t *testing.T) {
	d := start(t)
	at, err := url.Parse(d.base)
	if err != nil {
		t.Fatal(err)
	}
	cookie := opened(t, d).Jar.Cookies(at)[0]
	wrongToken := d.base + "/?token=" + strings.Repeat("0", 64)
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	origin := func(o string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Origin", o) } }
	port := ":" + d.server.port
	for _, row := range []struct {
		name, method, target string
		known                bool
		change               func(*http.Request)
		status               int
	}{
		{"page", "GET", "/", true, nil, 200},
		{"page without cookie", "GET", "/", false, nil, 403},
		{"script without cookie", "GET", "/assets/app.js", false, nil, 403},
		{"absent without cookie", "GET", "/nothing", false, nil, 403},
		{"socket without cookie", "GET", "/ws", false, origin(d.base), 403},
		{"HEAD without cookie", "HEAD", "/", false, nil, 403},
		{"HEAD", "HEAD", "/", true, nil, 200},
		{"absent", "GET", "/nothing", true, nil, 404},
		{"folder", "GET", "/assets/", true, nil, 404},
		{"folder's name", "GET", "/assets", true, nil, 404},
		{"parent", "GET", "/../serve.go", true, nil, 404},
		{"wrong token", "GET", "/?token=" + strings.Repeat("0", 64), false, nil, 403},
		{"empty token", "GET", "/?token=", true, nil, 403},
		{"wrong cookie", "GET", "/", false, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "countersign-" + d.server.port, Value: strings.Repeat("0", 64)})
		}, 403},
		{"another port's cookie", "GET", "/", false, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: "countersign-1", Value: "x"})
		}, 403},
		{"localhost", "GET", "/", false, host("localhost" + port), 403},
		{"localhost by name", "GET", "/", true, host("LocalHost" + port), 200},
		{"another name", "GET", "/", true, host("evil.example" + port), 421},
		{"a name that looks like ours", "GET", "/", true, host("127.0.0.1.evil.example" + port), 421},
		{"another port", "GET", "/", true, host("127.0.0.1:1"), 421},
		{"no port", "GET", "/", true, host("127.0.0.1"), 421},
		{"another address", "GET", "/", true, host("192.0.2.1" + port), 421},
		{"header in a host", "GET", "/", true, host("a;b" + port), 421},
		{"own origin", "GET", "/", true, origin(d.base), 200},
		{"another origin", "GET", "/", true, origin("http://evil.example"), 403},
		{"null origin", "GET", "/", true, origin("null"), 403},
		{"own origin over TLS", "GET", "/", true, origin("https://" + d.host), 403},
		{"our other name as origin", "GET", "/", true, origin("http://localhost" + port), 403},
		{"POST", "POST", "/", true, origin(d.base), 405},
		{"POST without origin", "POST", "/", true, nil, 403},
		{"POST from elsewhere", "POST", "/", true, origin("http://evil.example"), 403},
		{"socket without origin", "GET", "/ws", true, nil, 403},
		{"socket from elsewhere", "GET", "/ws", true, origin("http://evil.example"), 403},
		{"socket that is none", "GET", "/ws", true, origin(d.base), 426},
	} {
		got := do(t, browser(t), row.method, d.base+row.target, func(r *http.Request) {
			if row.known {
				// By hand, since a jar goes by the name in Host.
				r.AddCookie(cookie)
			}
			if row.change != nil {
				row.change(r)
			}
		})
		if got.status != row.status {
			t.Errorf("%s: got %d, want %d", row.name, got.status, row.status)
		}
		checkHeaders(t, row.name, got.header)
	}
	// Nobody who guesses gets the person at the terminal a new link.
	do(t, browser(t), "GET", wrongToken, nil)
	if len(d.said) != 0 {
		t.Errorf("said %q", <-d.said)
	}
}

func checkHeaders(t *testing.T, name string, h http.Header) {
	t.Helper()
	csp := h.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(csp, want) {
			t.Errorf("%s: policy %q", name, csp)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
		t.Errorf("%s: policy %q", name, csp)
	}
	for key, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if h.Get(key) != want {
			t.Errorf("%s: %s is %q", name, key, h.Get(key))
		}
	}
}

// dial opens the socket as the page does.
func dial(t *testing.T, d *desk, c *http.Client) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, "ws://"+d.host+"/ws", &websocket.DialOptions{HTTPClient: c, HTTPHeader: http.Header{"Origin": {d.base}}})
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

func ask(t *testing.T, conn *websocket.Conn, text string) string {
	t.Helper()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return read(t, conn)
}

func read(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, text, err := conn.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheSocketAnswersAndHints(t *testing.T) {
	d := start(t)
	conn := dial(t, d, opened(t, d))
	<-d.source.came
	if got := ask(t, conn, `{"id":"1","method":"Trusts","params":[]}`); got != `{"id":"1","result":[]}` {
		t.Errorf("got %s", got)
	}
	if got := ask(t, conn, `{"id":"2","method":"Shutdown","params":[]}`); !strings.Contains(got, `"unknown_method"`) {
		t.Errorf("got %s", got)
	}
	if got := ask(t, conn, `{"id":`); !strings.Contains(got, `"bad_request"`) {
		t.Errorf("got %s", got)
	}
	if got := ask(t, conn, `{"id":"3","method":"Tools","params":[]}`); !strings.Contains(got, `"internal"`) {
		t.Errorf("a method that breaks: %s", got)
	}
	d.source.send(event.Event{SessionID: "s", Type: event.ApprovalRequested, Ref: "a"})
	if got := read(t, conn); got != `{"event":{"n":"1","type":"approval.requested","sessionId":"s","ref":"a","at":""}}` {
		t.Errorf("got %s", got)
	}
}

func TestTheSocketLetsGoOfWhatIsTooLargeOrNotText(t *testing.T) {
	d := start(t)
	c := opened(t, d)
	for name, send := range map[string]struct {
		kind websocket.MessageType
		text []byte
	}{
		"too large": {websocket.MessageText, bytes.Repeat([]byte(" "), bridge.MaxRequestBytes+1)},
		"bytes":     {websocket.MessageBinary, []byte(`{"id":"1","method":"Trusts","params":[]}`)},
	} {
		conn := dial(t, d, c)
		if err := conn.Write(t.Context(), send.kind, send.text); err != nil {
			t.Fatal(err)
		}
		if _, _, err := conn.Read(t.Context()); err == nil {
			t.Errorf("%s: answered", name)
		}
		// The next page works.
		if got := ask(t, dial(t, d, c), `{"id":"1","method":"Trusts","params":[]}`); got != `{"id":"1","result":[]}` {
			t.Errorf("%s: after it %s", name, got)
		}
	}
}

func TestOnlySoManyPagesAreOpen(t *testing.T) {
	d := start(t)
	c := opened(t, d)
	for range maxSockets {
		dial(t, d, c)
		<-d.source.came
	}
	got := do(t, c, "GET", d.base+"/ws", func(r *http.Request) { r.Header.Set("Origin", d.base) })
	if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "Too many pages") {
		t.Errorf("got %+v", got)
	}
}

func TestClosingLetsEveryPageGo(t *testing.T) {
	d := start(t)
	conn := dial(t, d, opened(t, d))
	<-d.source.came
	d.stop()
	if _, _, err := conn.Read(t.Context()); err == nil {
		t.Error("the socket still answers")
	}
	d.source.mu.Lock()
	defer d.source.mu.Unlock()
	if len(d.source.subs) != 0 {
		t.Error("a page is still subscribed")
	}
}

func TestAHeadThatIsTooLargeIsRefused(t *testing.T) {
	d := start(t)
	conn, err := net.Dial("tcp", d.host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() {
		_, _ = fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nX: %s\r\n\r\n", d.host, strings.Repeat("x", 4*maxHeaderBytes))
	}()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string]struct{ ok, loopback bool }{
		"127.0.0.1:0":     {true, true},
		"localhost:8080":  {true, true},
		"[::1]:0":         {true, true},
		"127.3.2.1:80":    {true, true},
		"0.0.0.0:8080":    {true, false},
		"[::]:8080":       {true, false},
		"192.0.2.1:1":     {true, false},
		"desk.example:80": {true, false},
		":8080":           {false, false},
		"127.0.0.1":       {false, false},
		"127.0.0.1:":      {false, false},
		"127.0.0.1:99999": {false, false},
		"":                {false, false},
	} {
		a, err := ParseAddress(text)
		if (err == nil) != want.ok {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if err == nil && (a.Loopback() != want.loopback || (a.Warning() == "") != want.loopback) {
			t.Errorf("%q: loopback %v, warning %q", text, a.Loopback(), a.Warning())
		}
	}
}

func TestALinkLeadsWhereAPersonCanGo(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for text, host := range map[string]string{
		"127.0.0.1:0": "127.0.0.1", "localhost:0": "localhost", "0.0.0.0:0": "127.0.0.1", "[::1]:0": "::1", "desk.example:0": "desk.example",
	} {
		a, err := ParseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Config{Random: &stretched{}}, a, l)
		if err != nil {
			t.Fatal(err)
		}
		link, err := s.Link()
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(link)
		if err != nil || u.Hostname() != host || len(u.Query().Get("token")) != 2*secretBytes {
			t.Errorf("%s: %s", text, link)
		}
	}
}

func TestSecretsNeedChance(t *testing.T) {
	g := &gate{random: strings.NewReader("short")}
	if _, err := g.link(); err == nil {
		t.Error("a link was made of too little chance")
	}
}

func TestAPageThatWasNotBuiltSaysSo(t *testing.T) {
	d := start(t)
	d.server.config.Assets = fstest.MapFS{}
	got := do(t, opened(t, d), "GET", d.base+"/", nil)
	if got.status != 404 || !strings.Contains(got.body, "make build") {
		t.Errorf("got %+v", got)
	}
}

func TestAnOutputIsSavedAndNeverShown(t *testing.T) {
	d := start(t)
	c := opened(t, d)
	got := do(t, c, "GET", d.base+"/output?session=s1&name=a%22%0d%0a.html", nil)
	if got.status != http.StatusOK || got.body != "<script>a\"\r\n.html" || got.header.Get("Content-Type") != "application/octet-stream" ||
		got.header.Get("Content-Disposition") != `attachment; filename="a___.html"` || got.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %q %v", got.status, got.body, got.header)
	}
	for target, want := range map[string]int{
		"/output?session=s1&name=gone": http.StatusGone, "/output?session=s2&name=x": http.StatusNotFound, "/output": http.StatusNotFound,
	} {
		if got := do(t, c, "GET", d.base+target, nil); got.status != want || strings.Contains(got.body, "<script>") {
			t.Errorf("%s: %d", target, got.status)
		}
	}
	if got := do(t, browser(t), "GET", d.base+"/output?session=s1&name=x", nil); got.status != http.StatusForbidden {
		t.Errorf("without the cookie: %d", got.status)
	}
	if got := do(t, c, "GET", d.base+"/output?session=s1&name=x", func(r *http.Request) { r.Header.Set("Origin", "http://other") }); got.status != http.StatusForbidden {
		t.Errorf("from another page: %d", got.status)
	}
}
