package desktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/godbus/dbus/v5"
)

// ErrNoBus says that the session has no message bus that could be used.
var ErrNoBus = errors.New("the session has no message bus on a socket of this machine")

// Notification is a short text that the desktop shows for a while.
type Notification struct {
	// Title and Body are plain text. What they hold of others is made visible by the caller.
	Title, Body string
	// Sound has the service play its sound for messages, where it has one.
	Sound bool
}

// Notifier shows one notification at a time. It belongs to one goroutine.
type Notifier struct {
	address string
	clicked func()
	bus     *bus
}

// NewNotifier returns a notifier for the message bus at an address, "" for none. It connects
// only when there is something to show. Clicked is called, on a goroutine of the notifier,
// when the person clicks what is shown; it must not call the notifier.
func NewNotifier(address string, clicked func()) *Notifier {
	return &Notifier{address: sockets(address), clicked: clicked}
}

// sockets are those parts of an address that name a socket of this machine.
func sockets(address string) string {
	var kept []string
	for part := range strings.SplitSeq(address, ";") {
		if strings.HasPrefix(part, "unix:") {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ";")
}

// Show shows a notification in the place of the one before. It returns ErrNoBus, an error of
// the bus or the service, or that of a context that ended first.
func (n *Notifier) Show(ctx context.Context, note Notification) error {
	return n.with(ctx, func(b *bus) error { return b.notify(ctx, note) })
}

// Withdraw takes back what is shown, if anything is. Its errors are those of Show.
func (n *Notifier) Withdraw(ctx context.Context) error {
	if n.bus == nil || n.bus.shown.Load() == 0 {
		return nil
	}
	return n.with(ctx, func(b *bus) error { return b.withdraw(ctx) })
}

// Close lets the bus go. What is shown stays until the desktop takes it away.
func (n *Notifier) Close() {
	if n.bus != nil {
		n.bus.close()
		n.bus = nil
	}
}

func (n *Notifier) with(ctx context.Context, do func(*bus) error) error {
	if n.bus != nil && !n.bus.conn.Connected() {
		n.Close()
	}
	if n.bus == nil {
		b, err := connect(ctx, n.address, n.clicked)
		if err != nil {
			return errors.Join(ctx.Err(), err)
		}
		n.bus = b
	}
	if err := do(n.bus); err != nil {
		n.Close()
		return errors.Join(ctx.Err(), err)
	}
	return nil
}

const (
	serviceName = "org.freedesktop.Notifications"
	servicePath = "/org/freedesktop/Notifications"
	// clickAction is the action that a click on the notification itself means.
	clickAction = "default"
	// asLongAsUsual leaves to the service how long it shows something.
	asLongAsUsual = int32(-1)
	// ordinary is the urgency of a message: it stays away from people who want quiet.
	ordinary = byte(1)
)

// bus is a connection on which notifications are shown.
type bus struct {
	conn    *dbus.Conn
	service dbus.BusObject
	// able are the names of what the service can do.
	able map[string]bool
	// shown is the number of the notification on the screen, 0 without one; last is the number
	// of the latest, which a click may still be about.
	shown, last atomic.Uint32
	read        chan struct{}
}

// connect connects to the bus and asks the service what it can do. A service that the desktop
// starts on demand is started by that.
func connect(ctx context.Context, address string, clicked func()) (*bus, error) {
	if address == "" {
		return nil, ErrNoBus
	}
	conn, err := dbus.Dial(address)
	if err != nil {
		return nil, fmt.Errorf("reach the message bus: %w", err)
	}
	b := &bus{conn: conn, service: conn.Object(serviceName, servicePath), able: map[string]bool{}, read: make(chan struct{})}
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	go b.follow(signals, clicked)
	// Neither the greeting nor the first name takes a context.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	err = b.greet(ctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bus) greet(ctx context.Context) error {
	if err := b.conn.Auth(nil); err != nil {
		return fmt.Errorf("be known to the message bus: %w", err)
	}
	if err := b.conn.Hello(); err != nil {
		return fmt.Errorf("greet the message bus: %w", err)
	}
	if err := b.conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface(serviceName), dbus.WithMatchSender(serviceName)); err != nil {
		return fmt.Errorf("listen for clicks: %w", err)
	}
	var names []string
	if err := b.service.CallWithContext(ctx, serviceName+".GetCapabilities", 0).Store(&names); err != nil {
		return fmt.Errorf("ask the notification service what it can do: %w", err)
	}
	for _, name := range names {
		b.able[name] = true
	}
	return nil
}

// close ends the connection, and waits until nobody is told of clicks any more.
func (b *bus) close() {
	_ = b.conn.Close()
	<-b.read
}

// follow hears what becomes of what is shown.
func (b *bus) follow(signals <-chan *dbus.Signal, clicked func()) {
	defer close(b.read)
	for s := range signals {
		var id, reason uint32
		var action string
		switch s.Name {
		case serviceName + ".ActionInvoked":
			if dbus.Store(s.Body, &id, &action) == nil && id == b.last.Load() && action == clickAction {
				clicked()
			}
		case serviceName + ".NotificationClosed":
			if dbus.Store(s.Body, &id, &reason) == nil {
				b.shown.CompareAndSwap(id, 0)
			}
		}
	}
}

func (b *bus) notify(ctx context.Context, note Notification) error {
	body, actions := note.Body, []string{}
	if b.able["body-markup"] {
		body = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(body)
	}
	if b.able["actions"] {
		actions = []string{clickAction, "Show"}
	}
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant("countersign"), "urgency": dbus.MakeVariant(ordinary)}
	if note.Sound {
		hints["sound-name"] = dbus.MakeVariant("message-new-instant")
	} else {
		hints["suppress-sound"] = dbus.MakeVariant(true)
	}
	var id uint32
	err := b.service.CallWithContext(ctx, serviceName+".Notify", 0,
		"Countersign", b.shown.Load(), "countersign", note.Title, body, actions, hints, asLongAsUsual).Store(&id)
	if err != nil {
		return fmt.Errorf("show a notification: %w", err)
	}
	b.last.Store(id)
	b.shown.Store(id)
	return nil
}

func (b *bus) withdraw(ctx context.Context) error {
	id := b.shown.Swap(0)
	if err := b.service.CallWithContext(ctx, serviceName+".CloseNotification", 0, id).Err; err != nil {
		return fmt.Errorf("take a notification back: %w", err)
	}
	return nil
}
