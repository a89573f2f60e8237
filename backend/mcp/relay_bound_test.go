package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"countersign/backend/tool"
)

// A client may ask for thousands of calls at once: so many run, the others wait their turn
// in order, and neither what is no call nor a cancel waits behind them.
func TestRelayRunsSoManyCallsOfAClientAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start()
		r.client.shake()
		release := make(chan struct{})
		r.desk.run = func(_ context.Context, c tool.Call, _ func(string)) tool.Outcome {
			<-release
			return done(string(c.Arguments))
		}
		const n = maxRunning + 40
		call := func(i int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":{"n":%d}}}`, i, i)
		}
		for i := range n {
			r.client.send(call(i))
		}
		synctest.Wait()
		if got := len(r.desk.seen()); got != maxRunning {
			t.Fatalf("%d calls are running, want %d", got, maxRunning)
		}
		check(t, "a ping", r.client.reply(`{"jsonrpc":"2.0","id":"p","method":"ping"}`), `{"jsonrpc":"2.0","id":"p","result":{}}`)
		if got := r.client.reply(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`); !strings.Contains(got, `"math_calculate"`) {
			t.Errorf("the list got %s", got)
		}
		cancelled := maxRunning + 1
		r.client.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, cancelled))
		synctest.Wait()
		for i := range 3 {
			release <- struct{}{}
			_ = r.client.next()
			synctest.Wait()
			seen := r.desk.seen()
			// The first that waited goes first, and the one that was cancelled never.
			want := []int{maxRunning, maxRunning + 2, maxRunning + 3}[i]
			if got := string(seen[len(seen)-1].Arguments); len(seen) != maxRunning+i+1 || got != fmt.Sprintf(`{"n":%d}`, want) {
				t.Errorf("after %d ended, %d ran and the last was %s", i+1, len(seen), got)
			}
		}
		close(release)
		for range n - 1 - 3 {
			_ = r.client.next()
		}
		check(t, "nothing is left over", r.client.reply(`{"jsonrpc":"2.0","id":"end","method":"ping"}`), `{"jsonrpc":"2.0","id":"end","result":{}}`)
		r.finish()
		if got := len(r.desk.seen()); got != n-1 {
			t.Errorf("%d calls were made, want %d", got, n-1)
		}
	})
}

// A client that waits its turn alone moves to a desk that comes, with all that waits.
func TestRelayTakesWaitingCallsAlongToTheDesk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.client.shake()
		release := make(chan struct{})
		r.alone.run = func(context.Context, tool.Call, func(string)) tool.Outcome {
			<-release
			return done("alone")
		}
		const n = 3 * maxRunning
		for i := range n {
			r.client.send(callLine(fmt.Sprint(i)))
		}
		synctest.Wait()
		r.start()
		close(release)
		for range n {
			_ = r.client.next()
		}
		r.finish()
		if alone, desk := len(r.alone.seen()), len(r.desk.seen()); alone != maxRunning || desk != n-maxRunning {
			t.Errorf("%d were made alone and %d at the desk", alone, desk)
		}
	})
}

// eager is a relay to a desk that answers each request at once with a long line.
type eager struct {
	client *lines
	ended  chan error
	// made is how many answers the desk has made.
	made atomic.Int64
	desk net.Conn
	gone chan struct{}
}

const answerBytes = 60 << 10

func newEager(t *testing.T) *eager {
	t.Helper()
	e := &eager{ended: make(chan error, 1), gone: make(chan struct{})}
	near, far := net.Pipe()
	desk, conn := net.Pipe()
	e.desk = desk
	go func() {
		defer close(e.gone)
		defer desk.Close()
		in := newLineReader(desk, MaxLineBytes)
		if _, err := in.next(); err != nil || reply(desk, "", nil) != nil {
			return
		}
		text := strings.Repeat("x", answerBytes)
		for {
			line, err := in.next()
			if err != nil {
				return
			}
			if m, f := parse(line); f == nil && m.request() {
				e.made.Add(1)
				if writeLine(desk, resultLine(m.id, encode(text))) != nil {
					return
				}
			}
		}
	}()
	go func() {
		e.ended <- Relay(t.Context(), far, far, RelayConfig{
			Opening: Opening{Session: sessionID, Workspace: "/work"},
			Dial:    func(context.Context) (io.ReadWriteCloser, error) { return conn, nil },
			Alone: func(context.Context, Opening) (io.ReadWriteCloser, error) {
				return nil, errors.New("the desk is there")
			},
		})
		_ = far.Close()
	}()
	e.client = talk(t, near)
	return e
}

// finish closes both ends and waits.
func (e *eager) finish(t *testing.T) {
	t.Helper()
	_ = e.client.conn.Close()
	if err := <-e.ended; err != nil {
		t.Error(err)
	}
	_ = e.desk.Close()
	<-e.gone
}

// What a client does not read is not made either, and what it asks meanwhile is not heard.
func TestRelayHoldsLittleForAClientThatDoesNotRead(t *testing.T) {
	for name, row := range map[string]struct {
		rest string
		n    int64
	}{
		"calls": {`"method":"tools/call","params":{"name":"write"}`, 60},
		"lists": {`"method":"tools/list"`, 60},
		// The relay answers these itself, so that all but these many are not even heard.
		"faults": {`"method":5`, 12_000},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newEager(t)
				var sent atomic.Int64
				go func() {
					for i := range row.n {
						line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i, row.rest)
						if _, err := io.WriteString(e.client.conn, line+"\n"); err != nil {
							return
						}
						sent.Add(1)
					}
				}()
				synctest.Wait()
				if made := e.made.Load(); made > maxQueued/answerBytes+3 {
					t.Errorf("%d answers were made for nobody", made)
				}
				if heard := sent.Load(); name == "faults" && heard > row.n-1000 {
					t.Errorf("%d requests were heard", heard)
				}
				seen := map[string]bool{}
				for range row.n {
					m, f := parse([]byte(e.client.next()))
					if f != nil {
						t.Fatal("an answer cannot be read")
					}
					seen[string(m.id)] = true
				}
				if len(seen) != int(row.n) {
					t.Errorf("%d of %d were answered", len(seen), row.n)
				}
				e.finish(t)
			})
		})
	}
}

// A client that never reads is let go all the same when it leaves or is cancelled.
func TestRelayEndsWithAClientThatNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEager(t)
		go func() {
			for i := 0; ; i++ {
				if _, err := io.WriteString(e.client.conn, callLine(fmt.Sprint(i))+"\n"); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		e.finish(t)
	})
}

// What goes over all bounds is answered, and not kept.
func TestRelayRefusesMoreCallsThanMayBeOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start()
		r.client.shake()
		release := make(chan struct{})
		r.desk.run = func(context.Context, tool.Call, func(string)) tool.Outcome {
			<-release
			return done("desk")
		}
		for i := range maxOpen {
			r.client.send(callLine(fmt.Sprint(i)))
		}
		if got := r.call("-1"); !strings.Contains(got, noteBusy) {
			t.Errorf("got %.300s", got)
		}
		r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7000}}`)
		r.client.send(callLine("-2"))
		close(release)
		for range maxOpen {
			if got := r.client.next(); !strings.Contains(got, `"desk"`) {
				t.Fatalf("got %s", got)
			}
		}
		r.finish()
	})
}

// Asked of the relay itself: lines of that length would take their time to be read.
func TestRelayRefusesMoreBytesThanMayBeHeld(t *testing.T) {
	var out strings.Builder
	r := &relay{phase: connecting, open: map[jsonrpc.ID]*entry{}, client: newOutbox(&out, func(error) {})}
	ask := func(id string, size int) {
		r.request(message{id: json.RawMessage(id), method: methodCall, line: make([]byte, size)})
	}
	ask("1", MaxLineBytes)
	ask("2", MaxLineBytes)
	ask("3", 1)
	if len(r.open) != 2 || len(r.calls) != 2 || r.held != maxHeld {
		t.Errorf("%d are open, %d wait, %d bytes are held", len(r.open), len(r.calls), r.held)
	}
	r.cancel(message{params: json.RawMessage(`{"requestId":1}`)})
	ask("4", 1)
	if len(r.open) != 2 || r.calls[1].line == nil || r.held != MaxLineBytes+1 {
		t.Errorf("with room again %d are open and %d bytes are held", len(r.open), r.held)
	}
	r.client.finish(time.Minute)
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"id":3`) || !strings.Contains(got, noteBusy) || !strings.Contains(got, "tool.unavailable") {
		t.Errorf("got %s", got)
	}
}
