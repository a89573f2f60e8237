package mcp

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"countersign/backend/registry"
	"countersign/backend/tool"
)

// Calls that come together enter one by one, in their order: the next one when the one
// before it waits, runs or has ended.
func TestParallelCallsEnterInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var want, judged []string
		for i := range 40 {
			want = append(want, fmt.Sprintf(`{"n":%d}`, i))
		}
		s := &fakeSession{specs: specs(), judges: true, run: func(ctx context.Context, c tool.Call, progress func(string)) tool.Outcome {
			// The later a call came, the sooner it is judged.
			n := slices.Index(want, string(c.Arguments))
			time.Sleep(time.Duration(100-n) * time.Millisecond)
			mu.Lock()
			judged = append(judged, want[n])
			mu.Unlock()
			if n%3 != 0 {
				progress([]string{registry.Waiting, registry.Running}[n%2])
				<-ctx.Done()
			}
			return done(c.Name)
		}}
		l, end := unheard(t, s)
		for i, sent := range want {
			l.send(callWith(i+1, sent))
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		mu.Lock()
		if d := cmp.Diff(want, judged); d != "" {
			t.Errorf("judged (-want +got)\n%s", d)
		}
		mu.Unlock()
		end()
	})
}

// A call that is let go makes room for the next; one that is let go before its turn never
// enters, and does not overtake those before it.
func TestCallsThatAreLetGoKeepTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeSession{specs: specs(), judges: true, run: func(ctx context.Context, c tool.Call, _ func(string)) tool.Outcome {
			if string(c.Arguments) == `{"n":1}` {
				<-ctx.Done()
			}
			return done(c.Name)
		}}
		l, end := unheard(t, s)
		for id := 1; id <= 4; id++ {
			l.send(callWith(id, fmt.Sprintf(`{"n":%d}`, id)))
		}
		synctest.Wait()
		l.send(letGo(3))
		synctest.Wait()
		if d := cmp.Diff([]string{`{"n":1}`}, arguments(s)); d != "" {
			t.Errorf("entered while the first is judged (-want +got)\n%s", d)
		}
		l.send(letGo(1))
		synctest.Wait()
		if d := cmp.Diff([]string{`{"n":1}`, `{"n":2}`, `{"n":4}`}, arguments(s)); d != "" {
			t.Errorf("entered after it was let go (-want +got)\n%s", d)
		}
		end()
	})
}

// What is let go before the SDK has begun it is heard of once more, by its answer, and the
// line goes on.
func TestCallThatNeverBeganLeavesTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		served := newTransport(far)
		var requests []*jsonrpc.Request
		for id := 1; id <= 2; id++ {
			request, f := served.take([]byte(callWith(id, `{}`)))
			if f != nil {
				t.Fatal(f)
			}
			requests = append(requests, request)
		}
		if _, f := served.take([]byte(letGo(1))); f != nil {
			t.Fatal(f)
		}
		if err := served.Write(t.Context(), &jsonrpc.Response{ID: requests[0].ID, Error: context.Canceled}); err != nil {
			t.Fatal(err)
		}
		if !served.turns.wait(t.Context(), served.calls[requests[1].ID]) {
			t.Error("the next call may not enter")
		}
		_, _ = near.Close(), far.Close()
	})
}

// unheard serves s and reads what it answers without looking. end closes the client and waits
// for the server.
func unheard(t *testing.T, s Session) (l *lines, end func()) {
	t.Helper()
	near, far := net.Pipe()
	finished := make(chan error, 1)
	go func() { finished <- Serve(t.Context(), far, s, Options{}) }()
	l = talk(t, near)
	l.shake()
	go func() { _, _ = io.Copy(io.Discard, l.r) }()
	return l, func() {
		_ = near.Close()
		if err := <-finished; err != nil {
			t.Error(err)
		}
	}
}

func callWith(id int, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write","arguments":%s}}`, id, arguments)
}

func letGo(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

// arguments are those of the calls in the order in which they entered.
func arguments(s *fakeSession) (out []string) {
	for _, c := range s.seen() {
		out = append(out, string(c.Arguments))
	}
	return out
}
