package mcp

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"

	"countersign/backend/tool"
)

const sessionID = "01890a5d-ac96-774b-bcce-b302099a8057"

// rig is a relay between a client and those who may serve it: a desk that comes and
// goes, and this program alone.
type rig struct {
	t      *testing.T
	client *lines
	ended  chan error
	cancel context.CancelFunc

	mu       sync.Mutex
	up       bool
	refuse   error
	noAlone  error
	conns    []net.Conn
	openings []Opening
	work     sync.WaitGroup

	desk, alone *fakeSession
	aloneOpened int
	// aloneStream is what serves alone instead, if it is set.
	aloneStream io.ReadWriteCloser
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, ended: make(chan error, 1)}
	r.desk = &fakeSession{specs: specs(), run: says("desk")}
	r.alone = &fakeSession{specs: specs(), run: says("alone")}
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	near, far := net.Pipe()
	go func() {
		r.ended <- Relay(ctx, far, far, RelayConfig{
			Opening: Opening{Session: sessionID, Workspace: "/work", Sets: []string{"coding"}},
			Dial:    r.dial,
			Alone:   r.serveAlone,
		})
		_ = far.Close()
	}()
	r.client = talk(t, near)
	return r
}

func says(text string) func(context.Context, tool.Call, func(string)) tool.Outcome {
	return func(context.Context, tool.Call, func(string)) tool.Outcome { return done(text) }
}

func (r *rig) dial(context.Context) (io.ReadWriteCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.up {
		return nil, ErrNoDesk
	}
	near, far := net.Pipe()
	r.conns = append(r.conns, far)
	d := &desk{ctx: r.t.Context(), handlers: Handlers{Open: func(_ context.Context, o Opening) (Session, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.openings = append(r.openings, o)
		return r.desk, r.refuse
	}}}
	r.work.Go(func() {
		defer far.Close()
		d.host(far, 4711)
	})
	return near, nil
}

func (r *rig) serveAlone(ctx context.Context, _ Opening) (io.ReadWriteCloser, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.noAlone != nil {
		return nil, r.noAlone
	}
	r.aloneOpened++
	if r.aloneStream != nil {
		return r.aloneStream, nil
	}
	return InProcess(ctx, r.alone, Options{}), nil
}

func (r *rig) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.up = true
}

// stop kills the desk and waits until that has been noticed.
func (r *rig) stop() {
	r.kill()
	synctest.Wait()
}

// kill takes the desk away like a killed program: every connection is closed.
func (r *rig) kill() {
	r.mu.Lock()
	r.up = false
	conns := r.conns
	r.conns = nil
	r.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

// finish closes the client and waits for the relay.
func (r *rig) finish() {
	r.t.Helper()
	_ = r.client.conn.Close()
	if err := <-r.ended; err != nil {
		r.t.Errorf("Relay: %v", err)
	}
	r.cancel()
	r.stop()
	r.work.Wait()
}

func (r *rig) call(id string) string {
	r.t.Helper()
	return r.client.reply(callLine(id))
}

func callLine(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"write","arguments":{"n":1.50}}}`
}

func resultWith(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

// check reports a difference between two texts.
func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}
