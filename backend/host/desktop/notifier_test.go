package desktop_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"countersign/backend/host/desktop"
	"countersign/backend/host/desktop/desktoptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// private is a bus that starts no service by itself.
const private = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=DIR</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// startBus starts a bus of the test's own and returns its address.
func startBus(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(file, []byte(strings.Replace(private, "DIR", dir, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address=1")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// daemon is a notification service on a bus, as the specification of the desktops has it.
type daemon struct {
	t    *testing.T
	conn *dbus.Conn
	can  []string
	over chan struct{}

	mu     sync.Mutex
	last   uint32
	stands map[uint32]desktop.Notification
	// body and hints are what the latest came with.
	body   string
	hints  map[string]dbus.Variant
	hangs  bool
	broken bool
}

const name = "org.freedesktop.Notifications"

func startDaemon(t *testing.T, address string, can ...string) *daemon {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{t: t, conn: conn, can: can, over: make(chan struct{}), stands: map[uint32]desktop.Notification{}}
	t.Cleanup(func() {
		close(d.over)
		_ = conn.Close()
	})
	if err := conn.Export(d, "/org/freedesktop/Notifications", name); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("the name was not given: %v, %v", reply, err)
	}
	return d
}

func (d *daemon) trouble() *dbus.Error {
	d.mu.Lock()
	hangs, broken := d.hangs, d.broken
	d.mu.Unlock()
	if hangs {
		<-d.over
	}
	if broken {
		return dbus.MakeFailedError(errors.New("broken"))
	}
	return nil
}

func (d *daemon) GetCapabilities() ([]string, *dbus.Error) { return d.can, d.trouble() }

func (d *daemon) Notify(_ string, replaces uint32, _, summary, body string, actions []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	if err := d.trouble(); err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	id := replaces
	if id == 0 {
		d.last++
		id = d.last
	}
	_, sound := hints["sound-name"]
	d.body, d.hints = body, hints
	body = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(body)
	d.stands[id] = desktop.Notification{Title: summary, Body: body, Sound: sound}
	if len(actions) > 0 && !cmp.Equal(actions, []string{"default", "Show"}) {
		d.t.Errorf("actions %q", actions)
	}
	return id, nil
}

func (d *daemon) CloseNotification(id uint32) *dbus.Error {
	if err := d.trouble(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.stands[id]; !ok {
		return dbus.MakeFailedError(errors.New("there is no such notification"))
	}
	delete(d.stands, id)
	return nil
}

func (d *daemon) emit(member string, values ...any) {
	if err := d.conn.Emit("/org/freedesktop/Notifications", name+"."+member, values...); err != nil {
		d.t.Error(err)
	}
}

func (d *daemon) Shown() (out []desktop.Notification) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range d.stands {
		out = append(out, n)
	}
	return out
}

// latest is the body of the latest notification, as it came.
func (d *daemon) latest() (body string) {
	d.set(func() { body = d.body })
	return body
}

func (d *daemon) Click() {
	d.mu.Lock()
	id := d.last
	d.mu.Unlock()
	d.emit("ActionInvoked", id+7, "default")
	d.emit("ActionInvoked", id, "other")
	d.emit("ActionInvoked", id, "default")
}

func (d *daemon) Hang() { d.set(func() { d.hangs = true }) }

func (d *daemon) Break() { d.set(func() { d.broken = true }) }

func (d *daemon) set(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

func notifier(t *testing.T, address string) (*desktop.Notifier, <-chan struct{}) {
	clicks := make(chan struct{}, 9)
	n := desktop.NewNotifier(address, func() { clicks <- struct{}{} })
	t.Cleanup(n.Close)
	return n, clicks
}

func TestANotifierShowsWhatItIsGiven(t *testing.T) {
	address := startBus(t)
	desktoptest.Contract(t, func(t *testing.T) (desktoptest.Service, desktoptest.Screen, <-chan struct{}) {
		d := startDaemon(t, address, "actions", "body", "body-markup")
		n, clicks := notifier(t, address)
		return n, d, clicks
	})
}

func TestTheFakeShowsWhatItIsGiven(t *testing.T) {
	desktoptest.Contract(t, func(*testing.T) (desktoptest.Service, desktoptest.Screen, <-chan struct{}) {
		clicks := make(chan struct{}, 9)
		f := &desktoptest.Fake{Clicked: func() { clicks <- struct{}{} }}
		return f, f, clicks
	})
}

func TestForeignTextIsEscapedWhereTheServiceReadsMarkup(t *testing.T) {
	address := startBus(t)
	for ability, want := range map[string]string{"body-markup": "&lt;a href=x&gt; &amp;amp;", "body": "<a href=x> &amp;"} {
		t.Run(ability, func(t *testing.T) {
			d := startDaemon(t, address, ability)
			n, _ := notifier(t, address)
			if err := n.Show(t.Context(), desktop.Notification{Title: "t", Body: "<a href=x> &amp;"}); err != nil || d.latest() != want {
				t.Errorf("got %q, want %q: %v", d.latest(), want, err)
			}
		})
	}
}

func TestSoundIsHeldBackUnlessItIsWanted(t *testing.T) {
	address := startBus(t)
	d := startDaemon(t, address, "sound")
	n, _ := notifier(t, address)
	for _, sound := range []bool{true, false} {
		if err := n.Show(t.Context(), desktop.Notification{Title: "t", Sound: sound}); err != nil {
			t.Fatal(err)
		}
		d.set(func() {
			_, named := d.hints["sound-name"]
			_, held := d.hints["suppress-sound"]
			if named != sound || held == sound {
				t.Errorf("sound %v: %v", sound, d.hints)
			}
		})
	}
}

func TestWithoutABusNothingIsShown(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "ran")
	for _, address := range []string{
		"", "autolaunch:", "tcp:host=127.0.0.1,port=1", "unixexec:path=/usr/bin/touch,argv1=" + marker, "launchd:env=X", "nonce-tcp:host=127.0.0.1,port=1,noncefile=/dev/null",
	} {
		n, _ := notifier(t, address)
		if err := n.Show(t.Context(), desktop.Notification{}); !errors.Is(err, desktop.ErrNoBus) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, address := range []string{"unix:path=" + marker, "unix:", "unix:abstract=none-" + filepath.Base(marker) + t.Name()} {
		n, _ := notifier(t, address)
		if err := n.Show(t.Context(), desktop.Notification{}); err == nil {
			t.Errorf("%q was reached", address)
		}
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("a program ran")
	}
}

func TestABusWithoutAServiceIsToldFromNone(t *testing.T) {
	n, _ := notifier(t, startBus(t))
	if err := n.Show(t.Context(), desktop.Notification{}); err == nil || errors.Is(err, desktop.ErrNoBus) {
		t.Errorf("got %v", err)
	}
}

func TestABusThatSaysNothingIsLetGoWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	accepted := make(chan net.Conn, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			accepted <- c
		}
	}()
	n, _ := notifier(t, "unix:path="+path)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Show(ctx, desktop.Notification{}) }()
	c := <-accepted
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	_ = c.Close()
}

func TestABusThatCameBackIsUsedAgain(t *testing.T) {
	address := startBus(t)
	n, _ := notifier(t, address)
	for range 2 {
		// The name goes with the service, and comes back with the next one.
		d := startDaemon(t, address, "body")
		if err := n.Show(t.Context(), desktop.Notification{Title: "t"}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.conn.ReleaseName(name); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		if err := n.Show(ctx, desktop.Notification{Title: "t"}); err == nil {
			t.Error("nobody showed it")
		}
		cancel()
	}
}
