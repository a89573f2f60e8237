package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/tool"
)

// The client starts first; the desk starts, stops and starts again between calls; the
// client hears nothing but its answers, in one session.
func TestRelayMovesBetweenDeskAndAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		hello := r.client.reply(initialize)
		r.client.send(initialized)
		check(t, "with no desk", r.call("1"), resultWith("1", "alone"))
		r.start()
		check(t, "after the desk came", r.call(`"two"`), resultWith(`"two"`, "desk"))
		check(t, "again", r.call("3.5"), resultWith("3.5", "desk"))
		r.stop()
		check(t, "after it went", r.call("4"), resultWith("4", "alone"))
		r.start()
		check(t, "after it came back", r.call("5"), resultWith("5", "desk"))
		r.stop()
		r.start()
		check(t, "after a restart between calls", r.call("6"), resultWith("6", "desk"))

		if len(r.desk.seen())+len(r.alone.seen()) != 6 {
			t.Errorf("desk saw %d calls and alone %d, want 6 in all", len(r.desk.seen()), len(r.alone.seen()))
		}
		if !strings.Contains(hello, `"protocolVersion":"2025-06-18"`) {
			t.Errorf("initialize got %s", hello)
		}
		r.mu.Lock()
		openings := slices.Clone(r.openings)
		r.mu.Unlock()
		if len(openings) != 3 {
			t.Errorf("the desk was opened %d times, want 3", len(openings))
		}
		for _, o := range openings {
			if o.Session != sessionID || o.Workspace != "/work" || !slices.Equal(o.Sets, []string{"coding"}) {
				t.Errorf("the desk was opened with %+v", o)
			}
		}
		r.finish()
		want := slices.Repeat([]string{"codex-mcp-client 0.171.0"}, 3)
		if !slices.Equal(r.desk.who, want) || r.desk.closed != 3 || r.alone.closed != 2 {
			t.Errorf("desk heard of %q and closed %d, alone closed %d", r.desk.who, r.desk.closed, r.alone.closed)
		}
	})
}

func TestRelayNeedsNoHandshakeInTheNewEra(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"2.1.332"}}`
	modern := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"write",` + meta + `}}`
	}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		if got := r.client.reply(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`); !strings.Contains(got, `"2026-07-28"`) {
			t.Fatalf("discover got %s", got)
		}
		r.client.send(`{"jsonrpc":"2.0","id":"sub","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`)
		if got := r.client.next(); !strings.Contains(got, "acknowledged") || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":"sub"`) {
			t.Fatalf("listen got %s", got)
		}
		if got := r.client.reply(modern("2")); !strings.Contains(got, `"text":"alone"`) {
			t.Errorf("alone: %s", got)
		}
		r.start()
		if got := r.client.reply(modern("3")); !strings.Contains(got, `"text":"desk"`) || !strings.Contains(got, `"id":3`) {
			t.Errorf("at the desk: %s", got)
		}
		entered := make(chan struct{})
		r.desk.run = func(ctx context.Context, _ tool.Call, _ func(string)) tool.Outcome {
			close(entered)
			<-ctx.Done()
			return ended(tool.StatusCancelled, tool.CodeCancelled)
		}
		r.client.send(modern("4"))
		<-entered
		r.stop()
		if got := r.client.next(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"resultType":"complete"`) || !strings.Contains(got, "reason_code: tool.unavailable") {
			t.Errorf("after the desk went: %s", got)
		}
		r.finish()
		if !slices.Contains(r.desk.who, "claude-code 2.1.332") {
			t.Errorf("the desk heard of %q", r.desk.who)
		}
	})
}

func TestRelayAnswersCallsInFlightWhenTheDeskGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start()
		r.client.shake()
		entered := make(chan struct{}, 2)
		r.desk.run = func(ctx context.Context, _ tool.Call, _ func(string)) tool.Outcome {
			entered <- struct{}{}
			<-ctx.Done()
			return ended(tool.StatusCancelled, tool.CodeCancelled)
		}
		r.client.send(callLine("1"))
		r.client.send(callLine("2"))
		<-entered
		<-entered
		start := time.Now()
		r.stop()
		got := []string{r.client.next(), r.client.next()}
		slices.Sort(got)
		for i, line := range got {
			for _, want := range []string{
				fmt.Sprintf(`"id":%d`, i+1), `"isError":true`, "The tool cannot work right now.",
				"status: unavailable", "action: write", "reason_code: tool.unavailable", "look at what it was to change",
			} {
				if !strings.Contains(line, want) {
					t.Errorf("answer %d is %s, want %s in it", i+1, line, want)
				}
			}
		}
		if waited := time.Since(start); waited != 0 {
			t.Errorf("the answers came after %v", waited)
		}
		check(t, "the next call", r.call("3"), resultWith("3", "alone"))
		r.finish()
	})
}

// A list that was asked for when the desk went is asked again, and answered once.
func TestRelayAsksListsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start()
		r.client.shake()
		check(t, "first", r.call("1"), resultWith("1", "desk"))
		// The desk takes the request and dies before it answers.
		asked := make(chan struct{})
		r.desk.list = func(ctx context.Context) {
			close(asked)
			<-ctx.Done()
		}
		r.client.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		<-asked
		r.stop()
		if got := r.client.next(); !strings.Contains(got, `"id":2`) || !strings.Contains(got, `"math_calculate"`) {
			t.Errorf("the list got %s", got)
		}
		check(t, "nothing came twice", r.client.reply(`{"jsonrpc":"2.0","id":3,"method":"ping"}`), `{"jsonrpc":"2.0","id":3,"result":{}}`)
		r.finish()
	})
}

// Own calls end before the session goes to the desk; other requests are answered
// meanwhile, and a call that came after them is made there.
func TestRelayDrainsBeforeItMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.client.shake()
		release := make(chan struct{})
		r.alone.run = func(context.Context, tool.Call, func(string)) tool.Outcome {
			<-release
			return done("alone")
		}
		r.client.send(callLine("1"))
		synctest.Wait()
		r.start()
		r.client.send(callLine("2"))
		synctest.Wait()
		check(t, "meanwhile", r.client.reply(`{"jsonrpc":"2.0","id":"p","method":"ping"}`), `{"jsonrpc":"2.0","id":"p","result":{}}`)
		if n := len(r.desk.seen()); n != 0 || r.alone.closed != 0 {
			t.Errorf("before the own call ended, the desk had %d calls and alone was closed %d times", n, r.alone.closed)
		}
		close(release)
		check(t, "the own call", r.client.next(), resultWith("1", "alone"))
		check(t, "the later one", r.client.next(), resultWith("2", "desk"))
		if r.alone.closed != 1 {
			t.Errorf("alone was closed %d times before the desk served", r.alone.closed)
		}
		r.finish()
	})
}

// A call that is cancelled while it waits for the move is never made.
func TestRelayForgetsACancelledCallThatWasNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.client.shake()
		release := make(chan struct{})
		r.alone.run = func(context.Context, tool.Call, func(string)) tool.Outcome {
			<-release
			return done("alone")
		}
		r.client.send(callLine("1"))
		synctest.Wait()
		r.start()
		r.client.send(callLine("2"))
		r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`)
		synctest.Wait()
		close(release)
		check(t, "the own call", r.client.next(), resultWith("1", "alone"))
		check(t, "a ping", r.client.reply(`{"jsonrpc":"2.0","id":3,"method":"ping"}`), `{"jsonrpc":"2.0","id":3,"result":{}}`)
		r.finish()
		if n := len(r.desk.seen()) + len(r.alone.seen()); n != 1 {
			t.Errorf("%d calls were made, want 1", n)
		}
	})
}

// Each way in which a client leaves is heard at once by the call that waits.
func TestRelayLetsGoWithItsClient(t *testing.T) {
	rows := map[string]func(*rig){
		"end of input": func(r *rig) { _ = r.client.conn.Close() },
		"signal":       func(r *rig) { r.cancel() },
		"a cancelled id": func(r *rig) {
			r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		},
	}
	for name, leave := range rows {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				r.start()
				r.client.shake()
				entered, left := make(chan struct{}), make(chan struct{})
				r.desk.run = func(ctx context.Context, _ tool.Call, _ func(string)) tool.Outcome {
					close(entered)
					<-ctx.Done()
					close(left)
					return ended(tool.StatusCancelled, tool.CodeCancelled)
				}
				r.client.send(callLine("1"))
				<-entered
				start := time.Now()
				leave(r)
				<-left
				if waited := time.Since(start); waited != 0 {
					t.Errorf("the call heard of it after %v", waited)
				}
				r.finish()
			})
		})
	}
}

// Bad lines are answered by the relay itself, whoever serves, and nothing of them goes on.
func TestRelayAnswersBadLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.client.shake()
		check(t, "not JSON", r.client.reply(`{"jsonrpc`), errorOf("null", -32700, sentenceNotJSON))
		check(t, "a batch", r.client.reply(`[]`), errorOf("null", -32600, sentenceBatch))
		check(t, "too long", r.client.reply(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":"`+strings.Repeat("y", MaxLineBytes)+`"}`),
			errorOf(`"x"`, -32600, sentenceTooLong))
		r.client.send("")
		r.client.send(`{"jsonrpc":"2.0","id":9,"result":{}}`)
		check(t, "the next line", r.call("1"), resultWith("1", "alone"))
		r.finish()
	})
}

// A client that sends everything at once gets everything once, in spite of a desk that
// comes and goes under it.
func TestRelayLosesAndDoublesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.client.shake()
		const n = 100
		go func() {
			for i := range n {
				r.client.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-a","method":"tools/list"}`, i))
				r.client.send(callLine(fmt.Sprintf(`"%d-b"`, i)))
				r.client.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-c","method":"ping"}`, i))
			}
		}()
		seen := map[string]int{}
		for i := range 3 * n {
			// The desk comes, serves a while and is killed with whatever it has in hand.
			switch i % 20 {
			case 0:
				r.start()
			case 13:
				r.kill()
			}
			m, f := parse([]byte(r.client.next()))
			if f != nil || m.id == nil {
				t.Fatalf("a line without an id came: %s", m.line)
			}
			seen[string(m.id)]++
		}
		for i := range n {
			for _, k := range []string{"a", "b", "c"} {
				if id := fmt.Sprintf(`"%d-%s"`, i, k); seen[id] != 1 {
					t.Errorf("%s was answered %d times", id, seen[id])
				}
			}
		}
		if calls := len(r.desk.seen()) + len(r.alone.seen()); calls > n {
			t.Errorf("%d calls were made of %d", calls, n)
		}
		check(t, "nothing is left over", r.client.reply(`{"jsonrpc":"2.0","id":"end","method":"ping"}`), `{"jsonrpc":"2.0","id":"end","result":{}}`)
		r.finish()
	})
}
