package mcp

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestRelayServesAloneWhenTheDeskRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.refuse = Refusal("no")
		r.start()
		r.client.shake()
		check(t, "refused", r.call("1"), resultWith("1", "alone"))
		r.mu.Lock()
		r.refuse = nil
		r.mu.Unlock()
		check(t, "taken", r.call("2"), resultWith("2", "desk"))
		r.finish()
	})
}

// A desk that accepts and says nothing does not hold a client for ever.
func TestRelayDoesNotWaitForADeskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		hung, other := net.Pipe()
		alone := &fakeSession{specs: specs(), run: says("alone")}
		finished := make(chan error, 1)
		go func() {
			finished <- Relay(t.Context(), far, far, RelayConfig{
				Opening: Opening{Session: sessionID, Workspace: "/work"},
				Dial: func(context.Context) (io.ReadWriteCloser, error) {
					if hung == nil {
						return nil, ErrNoDesk
					}
					c := hung
					hung = nil
					go func() { _, _ = io.Copy(io.Discard, other) }()
					return c, nil
				},
				Alone: func(ctx context.Context, _ Opening) (io.ReadWriteCloser, error) {
					return InProcess(ctx, alone, Options{}), nil
				},
			})
		}()
		l := talk(t, near)
		start := time.Now()
		l.reply(initialize)
		if waited := time.Since(start); waited != openingTime {
			t.Errorf("waited %v, want %v", waited, openingTime)
		}
		_ = near.Close()
		<-finished
	})
}

func TestRelaySaysWhenNobodyServes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.noAlone = errors.New("the database is of a newer program")
		check(t, "initialize", r.client.reply(initialize), errorOf("0", -32603, sentenceInternal))
		if got := r.call("1"); !strings.Contains(got, "reason_code: tool.unavailable") || strings.Contains(got, "database") {
			t.Errorf("a call got %s", got)
		}
		r.mu.Lock()
		r.noAlone = nil
		r.mu.Unlock()
		r.client.shake()
		check(t, "once it can", r.call("2"), resultWith("2", "alone"))
		r.finish()
	})
}
