package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"countersign/app/bridge"
)

// A page that takes longer than this for one message is let go; it comes back and reads
// a snapshot. A quiet one is asked now and then whether it is still there.
const (
	sendTimeout  = 10 * time.Second
	pingInterval = 30 * time.Second
)

// socket carries the bridge for one page. The gate has let it through already.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	select {
	case s.sockets <- struct{}{}:
		defer func() { <-s.sockets }()
	default:
		refuse(w, r, http.StatusServiceUnavailable, pageFull)
		return
	}
	s.work.Add(1)
	defer s.work.Done()
	// The handler has held the origin against the host, port and scheme included, which is
	// more than the library does.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(bridge.MaxRequestBytes)

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	stream := bridge.NewStream(s.config.Source)
	defer stream.Close()
	var work sync.WaitGroup
	work.Go(func() { defer cancel(); sendEvents(ctx, conn, stream) })
	work.Go(func() { defer cancel(); keepAlive(ctx, conn) })
	s.answer(ctx, conn)
	cancel()
	work.Wait()
	_ = conn.Close(websocket.StatusGoingAway, "")
}

// answer reads requests and answers each on its own, so that a slow one holds up no other.
func (s *Server) answer(ctx context.Context, conn *websocket.Conn) {
	room := make(chan struct{}, bridge.MaxInFlight)
	var work sync.WaitGroup
	defer work.Wait()
	for {
		kind, text, err := conn.Read(ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			_ = conn.Close(websocket.StatusUnsupportedData, "text only")
			return
		}
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		work.Go(func() {
			defer func() { <-room }()
			send(ctx, conn, bridge.Dispatch(s.config.API, text))
		})
	}
}

func sendEvents(ctx context.Context, conn *websocket.Conn, stream *bridge.Stream) {
	for {
		e, err := stream.Next(ctx)
		if err != nil {
			return
		}
		text, err := bridge.EncodeEvent(e)
		if err != nil || !send(ctx, conn, text) {
			return
		}
	}
}

// send writes one message, and lets go of a page that does not take it in time.
func send(ctx context.Context, conn *websocket.Conn, text []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err := conn.Write(ctx, websocket.MessageText, text)
	if errors.Is(err, context.DeadlineExceeded) {
		_ = conn.CloseNow()
	}
	return err == nil
}

func keepAlive(ctx context.Context, conn *websocket.Conn) {
	ticker := time.NewTicker(pingInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		pong, cancel := context.WithTimeout(ctx, sendTimeout)
		err := conn.Ping(pong)
		cancel()
		if err != nil {
			return
		}
	}
}
