package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"countersign/app/bridge"
	"countersign/app/desk"
	"countersign/backend/config"
	"countersign/backend/event"
	"countersign/backend/host/desktop"
)

// openEvent asks the page to open a card; its data is the request, "" for all that wait.
const openEvent = "countersign:open"

const (
	// settleTime is how long calls are gathered before the person is told: those of one batch
	// are told together, and one that ends at once is not told at all.
	settleTime = 400 * time.Millisecond
	// noticePace is the rest after a notification.
	noticePace = 5 * time.Second
	// noticeTime is how long the desktop may take to show one.
	noticeTime = 3 * time.Second
	// troubledPace is the rest after one that could not be shown.
	troubledPace = time.Minute
	// maxNamed is how many calls a notification names, maxName how many characters of a name
	// it shows.
	maxNamed, maxName = 3, 80
)

// service shows notifications, one at a time. Every method but Close ends with its context.
type service interface {
	Show(ctx context.Context, n desktop.Notification) error
	Withdraw(ctx context.Context) error
	Close()
}

// notices tells the person through the desktop of calls that wait while the window is not in
// front. It has one goroutine, on which all of it happens: a desktop that fails or hangs
// holds up nothing else, and what came meanwhile is not told afterwards.
type notices struct {
	source  bridge.Source
	waiting func(context.Context) ([]bridge.Waiting, error)
	setting func() config.Notifications
	service service
	log     *slog.Logger

	// moved has a value when inFront has changed.
	moved   chan struct{}
	mu      sync.Mutex
	inFront bool
	target  string
	stop    func()
}

// begin starts telling. It is called once.
func (n *notices) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	events, unsubscribe := n.source.Subscribe()
	var work sync.WaitGroup
	work.Go(func() { (&telling{notices: n, told: map[string]bool{}}).run(ctx, events) })
	n.stop = func() {
		cancel()
		unsubscribe()
		work.Wait()
		n.service.Close()
	}
}

// end stops it. Whatever the desktop was asked for is let go.
func (n *notices) end() { n.stop() }

// fronted says whether the window is the one that the person looks at.
func (n *notices) fronted(inFront bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.inFront == inFront {
		return
	}
	n.inFront = inFront
	select {
	case n.moved <- struct{}{}:
	default:
	}
}

func (n *notices) seen() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.inFront
}

// opens is the request that a click on what is shown leads to, "" for all of them.
func (n *notices) opens() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.target
}

func (n *notices) aim(target string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.target = target
}

// telling is what the goroutine of notices knows.
type telling struct {
	*notices
	// told are the waiting calls that need no notification any more.
	told map[string]bool
	// settle ends the gathering of calls, rest the rest after a notification; nil outside them.
	settle, rest <-chan time.Time
	// troubled says that the latest notification could not be shown.
	troubled bool
}

func (t *telling) run(ctx context.Context, events <-chan event.Event) {
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-events:
			if !open {
				return
			}
			if concerns(e.Type) && t.settle == nil {
				t.settle = time.After(settleTime)
			}
			continue
		case <-t.settle:
			t.settle = nil
		case <-t.rest:
			t.rest = nil
		case <-t.moved:
		}
		t.look(ctx)
	}
}

// concerns reports whether an event may change what waits.
func concerns(kind event.Type) bool {
	switch kind {
	case event.ApprovalRequested, event.ApprovalResolved, event.ApprovalLeft, event.ApprovalRejoined, event.TrustAsked, event.TrustAnswered:
		return true
	default:
		return false
	}
}

// look tells of what waits and was not told, or takes back what is no longer true.
func (t *telling) look(ctx context.Context) {
	list, err := t.waiting(ctx)
	if err != nil {
		if ctx.Err() == nil {
			t.log.Warn("waiting calls could not be read for a notification", "cause", err)
		}
		return
	}
	fresh := t.news(list)
	switch how := t.setting(); {
	case len(list) == 0 || t.seen():
		t.mark(list)
		t.ask(ctx, t.service.Withdraw)
	case how == config.NotificationsOff:
		t.mark(list)
	case !fresh || t.rest != nil:
	default:
		t.mark(list)
		t.aim(targetOf(list))
		t.rest = time.After(noticePace)
		t.ask(ctx, func(ctx context.Context) error { return t.service.Show(ctx, noticeOf(list, how)) })
	}
}

// ask has the desktop do something within a limit. One that does not is left alone for a
// while, and told in the log once.
func (t *telling) ask(ctx context.Context, what func(context.Context) error) {
	limited, cancel := context.WithTimeout(ctx, noticeTime)
	defer cancel()
	err := what(limited)
	if err == nil || ctx.Err() != nil {
		t.troubled = t.troubled && err != nil
		return
	}
	if !t.troubled {
		t.log.Warn("the desktop showed no notification", "cause", err)
	}
	t.troubled, t.rest = true, time.After(troubledPace)
}

// news reports whether something waits that was not told, and forgets what waits no more.
func (t *telling) news(list []bridge.Waiting) (fresh bool) {
	still := map[string]bool{}
	for _, w := range list {
		if t.told[w.Key] {
			still[w.Key] = true
		} else {
			fresh = true
		}
	}
	t.told = still
	return fresh
}

func (t *telling) mark(list []bridge.Waiting) {
	for _, w := range list {
		t.told[w.Key] = true
	}
}

// targetOf is the card that a click opens: the only one there is.
func targetOf(list []bridge.Waiting) string {
	if len(list) == 1 {
		return list[0].ID
	}
	return ""
}

// noticeOf says what waits: how much, and of the oldest with which tool and in which session.
func noticeOf(list []bridge.Waiting, how config.Notifications) desktop.Notification {
	calls := 0
	var lines []string
	for _, w := range list {
		calls += w.Calls
		what := w.Tool
		if w.ID == "" {
			what = "Trust question"
		}
		lines = append(lines, short(what)+" · "+short(w.Session))
	}
	if more := len(lines) - maxNamed; more > 0 {
		lines = append(lines[:maxNamed:maxNamed], fmt.Sprintf("and %d more", more))
	}
	title := fmt.Sprintf("%d calls wait for you", calls)
	switch {
	case calls == 1:
		title = "1 call waits for you"
	case calls == 0:
		title = "A question waits for you"
	}
	return desktop.Notification{Title: title, Body: strings.Join(lines, "\n"), Sound: how == config.NotificationsSound}
}

// short is a name on one line, with what hides in it made visible.
func short(name string) string {
	if shown := []rune(desk.Visible(name)); len(shown) > maxName {
		return string(shown[:maxName]) + "…"
	}
	return desk.Visible(name)
}
