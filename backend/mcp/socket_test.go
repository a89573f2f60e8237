package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// deepHome is a home whose socket would not fit into an address.
func deepHome(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40))
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return home
}

func listen(t *testing.T, home string, h Handlers) Closer {
	t.Helper()
	d, err := Listen(t.Context(), home, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return d
}

var opening = Opening{Session: sessionID, Workspace: "/work", Preset: "default", Catalog: "plan", Sets: []string{}, ReadOnly: true}

func TestSocketServesSeveralClients(t *testing.T) {
	home := deepHome(t)
	s := &fakeSession{specs: specs()}
	heard := make(chan Opening, 3)
	d := listen(t, home, Handlers{Open: func(_ context.Context, o Opening) (Session, error) {
		heard <- o
		return s, nil
	}})
	info, err := os.Lstat(filepath.Join(home, "desk.sock"))
	if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != os.ModeSocket {
		t.Errorf("the socket is %v, %v", info, err)
	}
	clients := make([]*lines, 3)
	for i := range clients {
		conn, err := Dial(t.Context(), home)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := Open(t.Context(), conn, opening)
		if err != nil {
			t.Fatal(err)
		}
		clients[i] = talk(t, stream)
		if o := <-heard; o.Session != sessionID || o.Preset != "default" || o.Catalog != "plan" || o.Sets == nil || !o.ReadOnly {
			t.Errorf("the desk heard %+v", o)
		}
	}
	for _, c := range clients {
		c.shake()
		check(t, "a call", c.reply(callLine("1")), resultWith("1", "ok"))
	}
	if err := d.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if s.closed != len(clients) {
		t.Errorf("after Close, %d sessions are closed", s.closed)
	}
	for _, c := range clients {
		if _, err := c.r.ReadByte(); err == nil {
			t.Error("a client of a closed desk can read on")
		}
		_ = c.conn.Close()
	}
	if _, err := os.Lstat(filepath.Join(home, "desk.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := Dial(t.Context(), home); !errors.Is(err, ErrNoDesk) {
		t.Errorf("Dial without a desk: %v", err)
	}
	if _, err := Dial(t.Context(), filepath.Join(home, "none")); !errors.Is(err, ErrNoDesk) {
		t.Errorf("Dial without a home: %v", err)
	}
}

// A socket left by a killed desk is replaced; one that answers, and anything that is no
// socket, is not.
func TestSocketReplacesOnlyWhatIsLeftOver(t *testing.T) {
	home := deepHome(t)
	left, err := openPlace(home)
	if err != nil {
		t.Fatal(err)
	}
	l, err := left.listen()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), home, Handlers{}); err == nil {
		t.Fatal("a second desk took a socket that answers")
	}
	if err := errors.Join(l.Close(), left.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(home, "desk.sock")); err != nil {
		t.Fatalf("nothing is left over: %v", err)
	}
	d := listen(t, home, Handlers{Front: func() string { return "It is here." }})
	if words, err := Front(t.Context(), home); err != nil || words != "It is here." {
		t.Errorf("Front: %q, %v", words, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	target := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(home, "desk.sock")); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(t.Context(), home, Handlers{}); err == nil {
		t.Error("a link stood in the socket's place and the desk listens")
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "kept" {
		t.Errorf("the link's target holds %q, %v", b, err)
	}
}

func TestFrontIsRefusedWithoutAWindow(t *testing.T) {
	home := deepHome(t)
	if _, err := Front(t.Context(), home); !errors.Is(err, ErrNoDesk) {
		t.Errorf("without a desk: %v", err)
	}
	listen(t, home, Handlers{})
	if _, err := Front(t.Context(), home); !errors.Is(err, refusedFront) {
		t.Errorf("without a window: %v", err)
	}
}

// first is what a desk answers to a first line, "" when it only closes.
func first(t *testing.T, line string, h Handlers) string {
	t.Helper()
	near, far := net.Pipe()
	d := &desk{ctx: t.Context(), handlers: h}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		defer far.Close()
		d.host(far, 1)
	}()
	// A desk may close before it has read everything.
	_, _ = io.WriteString(near, line)
	answer, _ := io.ReadAll(near)
	_ = near.Close()
	<-gone
	return strings.TrimSuffix(string(answer), "\n")
}

func TestDeskTakesOnlyProperFirstLines(t *testing.T) {
	refused := func(r Refusal) string { return string(encode(openingReply{Message: string(r)})) }
	good := `{"v":1,"open":"mcp","session":"` + sessionID + `","workspace":"/work"`
	rows := []struct{ name, line, want string }{
		{"not JSON", "hello", refused(refusedForm)},
		{"MCP at once", initialize, refused(refusedForm)},
		{"a later version", strings.Replace(good, `"v":1`, `"v":2`, 1) + `}`, refused(refusedVersion)},
		{"a limit that is not known", good + `,"network":false}`, refused(refusedForm)},
		{"a key twice", good + `,"preset":"default","preset":"full"}`, refused(refusedForm)},
		{"something else", `{"v":1,"open":"answer","session":"` + sessionID + `"}`, refused(refusedForm)},
		{"no UUID", strings.Replace(good, sessionID, "../../x", 1) + `}`, refused(refusedSession)},
		{"a relative workspace", strings.Replace(good, "/work", "work", 1) + `}`, refused(refusedPlace)},
		{"a NUL", strings.Replace(good, "/work", `/wo\u0000rk`, 1) + `}`, refused(refusedPlace)},
		{"an unknown preset", good + `,"preset":"auto"}`, refused(refusedLimits)},
		{"an unknown catalog", good + `,"catalog":"all"}`, refused(refusedLimits)},
		{"an empty set", good + `,"sets":[""]}`, refused(refusedLimits)},
		{"two lines long", good + strings.Repeat(" ", maxOpeningBytes) + `}`, ""},
		{"nothing", "", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opened := false
				got := first(t, row.line+"\n", Handlers{Open: func(context.Context, Opening) (Session, error) {
					opened = true
					return nil, errors.New("not here")
				}})
				check(t, "answer", got, row.want)
				if opened {
					t.Error("a session was opened")
				}
			})
		})
	}
}

func TestDeskSaysOnlyRefusalsToClients(t *testing.T) {
	line := string(opening.line()) + "\n"
	for _, row := range []struct {
		err  error
		want Refusal
	}{
		{errors.New("open /home/somebody: no space"), refusedUnsaid},
		{Refusal("Only so many."), "Only so many."},
	} {
		got := first(t, line, Handlers{Open: func(context.Context, Opening) (Session, error) { return nil, row.err }})
		check(t, "answer", got, string(encode(openingReply{Message: string(row.want)})))
	}
}

// Who comes and says nothing is sent away in time.
func TestDeskCutsOffWhoSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if got := first(t, `{"v":1,`, Handlers{}); got != "" {
			t.Errorf("half a line got %s", got)
		}
		if waited := time.Since(start); waited != openingTime {
			t.Errorf("cut off after %v, want %v", waited, openingTime)
		}
	})
}

// The socket is closed to other users even where the folder is not: a child of another
// user is turned away by the mode, and when that is loosened by who it is.
func TestSocketRefusesOtherUsers(t *testing.T) {
	if home := os.Getenv("MCP_TEST_HOME"); home != "" {
		conn, err := net.Dial("unix", filepath.Join(home, socketName))
		if err != nil {
			os.Exit(3)
		}
		if _, err := Open(context.Background(), conn, opening); err == nil {
			os.Exit(4)
		}
		if _, err := Dial(context.Background(), home); err == nil {
			os.Exit(5)
		}
		os.Exit(6)
	}
	if os.Geteuid() != 0 {
		t.Fatal("this test runs as root: it starts a child of another user")
	}
	home, err := os.MkdirTemp("/tmp", "mcp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	var opened atomic.Int32
	listen(t, home, Handlers{Open: func(context.Context, Opening) (Session, error) {
		opened.Add(1)
		return &fakeSession{}, nil
	}})
	program := filepath.Join(home, "child")
	copyProgram(t, program)
	child := func() int {
		c := exec.Command(program, "-test.run=^TestSocketRefusesOtherUsers$")
		c.Env = []string{"MCP_TEST_HOME=" + home}
		c.Dir = "/"
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		err := c.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("the child ended with %v", err)
		}
		return exit.ExitCode()
	}
	if code := child(); code != 3 {
		t.Errorf("with the socket's own mode the child ended with %d", code)
	}
	if err := os.Chmod(filepath.Join(home, socketName), 0o666); err != nil {
		t.Fatal(err)
	}
	// Both sides turn the other away: the desk a stranger, the bridge a stranger's desk.
	if code := child(); code != 6 {
		t.Errorf("with an open mode the child ended with %d", code)
	}
	if n := opened.Load(); n != 0 {
		t.Errorf("%d sessions were opened for another user", n)
	}
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o755); err != nil {
		t.Fatal(err)
	}
}
