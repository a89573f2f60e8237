package mcp

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"countersign/backend/tool"
)

// A bridge whose client was disconnected answers what is open and ends: it neither comes
// back by itself nor goes on alone.
func TestAClientThatIsDisconnectedStaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.desk.run = func(ctx context.Context, _ tool.Call, _ func(string)) tool.Outcome {
			<-ctx.Done()
			return ended(tool.StatusCancelled, tool.CodeCancelled)
		}
		r.start()
		r.client.shake()
		r.client.send(callLine("7"))
		synctest.Wait()
		r.mu.Lock()
		dismiss := r.openings[0].Peer.Dismiss
		r.mu.Unlock()
		dismiss()
		answer := r.client.next()
		if !strings.Contains(answer, `"id":7`) || !strings.Contains(answer, "disconnected you") || !strings.Contains(answer, `"isError":true`) {
			t.Errorf("the open call got %s", answer)
		}
		if err := <-r.ended; !errors.Is(err, ErrDismissed) {
			t.Errorf("the relay ended with %v", err)
		}
		dismiss()
		r.cancel()
		r.stop()
		r.work.Wait()
		if r.desk.closed != 1 || r.aloneOpened != 0 || len(r.openings) != 1 {
			t.Errorf("closed %d, alone %d, opened %d", r.desk.closed, r.aloneOpened, len(r.openings))
		}
		_ = r.client.conn.Close()
	})
}

func TestTheDeskKnowsTheProcessOfABridge(t *testing.T) {
	home := deepHome(t)
	heard := make(chan Opening, 1)
	s := &fakeSession{specs: specs()}
	listen(t, home, Handlers{Open: func(_ context.Context, o Opening) (Session, error) {
		heard <- o
		return s, nil
	}})
	conn, err := Dial(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := Open(t.Context(), conn, opening)
	if err != nil {
		t.Fatal(err)
	}
	client := talk(t, stream)
	client.shake()
	o := <-heard
	if o.Peer.Process != os.Getpid() {
		t.Errorf("process %d, want %d", o.Peer.Process, os.Getpid())
	}
	o.Peer.Dismiss()
	if got := client.next(); !strings.Contains(got, methodDismissed) {
		t.Errorf("heard %s", got)
	}
	if _, err := client.r.ReadByte(); err == nil {
		t.Error("the stream is still open")
	}
	_ = client.conn.Close()
}

// A server's notice of that name is for bridges; one that serves alone cannot end them, and
// neither can the client itself.
func TestOnlyADeskDisconnects(t *testing.T) {
	const notice = `{"jsonrpc":"2.0","method":"` + methodDismissed + `"}`
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		near, far := net.Pipe()
		r.aloneStream = near
		server := talk(t, far)
		r.client.send(callLine("1"))
		check(t, "the server heard", server.next(), callLine("1"))
		r.client.send(notice)
		check(t, "the server heard then", server.next(), notice)
		server.send(notice)
		server.send(resultWith("1", "alone"))
		check(t, "the client heard", r.client.next(), notice)
		check(t, "the client heard then", r.client.next(), resultWith("1", "alone"))
		r.finish()
	})
}
