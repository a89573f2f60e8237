package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"countersign/app/bridge"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/desktop"
	"countersign/backend/host/desktop/desktoptest"
)

// bench is the notices of a window, with a desktop and calls of the test's own.
type bench struct {
	*notices
	screen *desktoptest.Fake
	hub    event.Hub
	log    logged

	mu   sync.Mutex
	list []bridge.Waiting
	how  config.Notifications
	err  error
}

// logged is what was logged.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// change changes what the notices are made from.
func (b *bench) change(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

// sat runs f with notices that have begun, in a bubble of time.
func sat(t *testing.T, f func(*bench)) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		b := &bench{screen: &desktoptest.Fake{}, how: config.NotificationsOn}
		b.notices = &notices{
			source: &b.hub, service: b.screen, log: slog.New(slog.NewTextHandler(&b.log, nil)), moved: make(chan struct{}, 1),
			waiting: func(context.Context) ([]bridge.Waiting, error) {
				b.mu.Lock()
				defer b.mu.Unlock()
				return slices.Clone(b.list), b.err
			},
			setting: func() config.Notifications {
				b.mu.Lock()
				defer b.mu.Unlock()
				return b.how
			},
		}
		b.begin()
		f(b)
		before := time.Now()
		b.end()
		if time.Since(before) != 0 {
			t.Errorf("the end took %v", time.Since(before))
		}
	})
}

// wait has the calls of these numbers wait, and nothing else, and says so.
func (b *bench) wait(numbers ...int) {
	b.mu.Lock()
	b.list = nil
	for _, i := range numbers {
		b.list = append(b.list, bridge.Waiting{Key: fmt.Sprint(i), ID: fmt.Sprint(i), Tool: "bash", Session: fmt.Sprintf("task %d", i), Calls: 1})
	}
	b.mu.Unlock()
	b.hub.Emit(event.Event{Type: event.ApprovalRequested})
	synctest.Wait()
}

func (b *bench) titles() (out []string) {
	for _, n := range b.screen.All() {
		out = append(out, n.Title)
	}
	return out
}

func (b *bench) check(t *testing.T, step string, want ...string) {
	t.Helper()
	synctest.Wait()
	if d := cmp.Diff(want, b.titles()); d != "" {
		t.Errorf("%s: %s", step, d)
	}
}

const one, three = "1 call waits for you", "3 calls wait for you"

func TestANotificationNamesToolAndSession(t *testing.T) {
	sat(t, func(b *bench) {
		b.wait(1)
		time.Sleep(time.Second)
		want := []desktop.Notification{{Title: one, Body: "bash · task 1"}}
		if d := cmp.Diff(want, b.screen.All()); d != "" {
			t.Error(d)
		}
		if b.opens() != "1" {
			t.Errorf("a click opens %q", b.opens())
		}
	})
}

func TestCallsThatComeTogetherAreToldTogetherAndSeldom(t *testing.T) {
	sat(t, func(b *bench) {
		b.wait(1, 2, 3)
		b.check(t, "at once")
		time.Sleep(time.Second)
		b.check(t, "gathered", three)
		if b.opens() != "" {
			t.Errorf("a click opens %q", b.opens())
		}
		b.wait(1, 2, 3, 4)
		time.Sleep(2 * time.Second)
		b.check(t, "resting", three)
		time.Sleep(3 * time.Second)
		b.check(t, "rested", three, "4 calls wait for you")
		if body := b.screen.Shown()[0].Body; body != "bash · task 1\nbash · task 2\nbash · task 3\nand 1 more" {
			t.Errorf("%q", body)
		}
		b.wait(1, 2, 3, 4)
		time.Sleep(time.Minute)
		b.check(t, "nothing new", three, "4 calls wait for you")
	})
}

func TestACallThatWasAnsweredMeanwhileIsNotTold(t *testing.T) {
	sat(t, func(b *bench) {
		b.wait(1)
		b.wait()
		time.Sleep(time.Minute)
		b.check(t, "answered before it was told")
		b.wait(2)
		time.Sleep(time.Second)
		b.wait(2, 3)
		b.wait(2)
		time.Sleep(time.Minute)
		b.check(t, "answered during the rest", one)
		b.wait()
		time.Sleep(time.Second)
		if shown := b.screen.Shown(); len(shown) > 0 {
			t.Errorf("%v still stands there", shown)
		}
	})
}

func TestAWindowInFrontNeedsNoNotification(t *testing.T) {
	sat(t, func(b *bench) {
		b.fronted(true)
		b.wait(1)
		time.Sleep(time.Minute)
		b.fronted(false)
		b.check(t, "seen in the window")
		b.wait(1, 2, 3)
		time.Sleep(time.Second)
		b.check(t, "from behind", three)
		b.fronted(true)
		synctest.Wait()
		if shown := b.screen.Shown(); len(shown) > 0 {
			t.Errorf("%v stands before the window", shown)
		}
	})
}

func TestNotificationsAreWhatTheSettingSays(t *testing.T) {
	sat(t, func(b *bench) {
		b.change(func() { b.how = config.NotificationsOff })
		b.wait(1)
		time.Sleep(time.Minute)
		b.change(func() { b.how = config.NotificationsSound })
		b.wait(1)
		time.Sleep(time.Minute)
		b.check(t, "off")
		b.wait(1, 2, 3)
		time.Sleep(time.Second)
		if shown := b.screen.Shown(); len(shown) != 1 || !shown[0].Sound {
			t.Errorf("%v", shown)
		}
	})
}

func TestADesktopThatHangsIsAskedSeldomAndHoldsUpNothing(t *testing.T) {
	sat(t, func(b *bench) {
		b.screen.Hang()
		for i := range 2_000 {
			b.wait(i)
		}
		time.Sleep(noticeTime + time.Second)
		b.screen.Mend()
		b.wait(1, 2, 3)
		time.Sleep(troubledPace / 2)
		b.check(t, "left alone")
		time.Sleep(troubledPace)
		b.check(t, "asked again", three)
		if n := strings.Count(b.log.String(), "showed no notification"); n != 1 {
			t.Errorf("the log says it %d times: %s", n, b.log.String())
		}
		b.screen.Hang()
		b.wait(4)
		time.Sleep(noticePace)
		// The end does not wait for it: sat checks the time.
	})
}

func TestADesktopThatFailsIsToldInTheLogOnce(t *testing.T) {
	sat(t, func(b *bench) {
		b.screen.Break()
		for i := range 5 {
			b.wait(i)
			time.Sleep(2 * troubledPace)
		}
		b.check(t, "broken")
		if n := strings.Count(b.log.String(), "showed no notification"); n != 1 {
			t.Errorf("the log says it %d times", n)
		}
		b.change(func() { b.err = errors.New("unread") })
		b.wait(7)
		time.Sleep(time.Second)
		if !strings.Contains(b.log.String(), "could not be read") {
			t.Error("nothing was said")
		}
	})
}

func TestNamesInANotificationAreShortAndHideNothing(t *testing.T) {
	n := noticeOf([]bridge.Waiting{
		{ID: "a", Tool: "bash", Session: "one\u202etwo\nthree" + strings.Repeat("x", 200), Calls: 1},
		{Session: "claude-code", Calls: 2},
	}, config.NotificationsOn)
	want := desktop.Notification{Title: three, Body: "bash · one<U+202E>two⏎three" + strings.Repeat("x", 60) + "…\nTrust question · claude-code"}
	if d := cmp.Diff(want, n); d != "" {
		t.Error(d)
	}
}
