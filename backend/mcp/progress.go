package mcp

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"countersign/backend/registry"
)

// ProgressInterval is how often a client hears of a call that has not ended. Clients
// give up after a minute of silence or more.
const ProgressInterval = 10 * time.Second

// What clients show for a call that has not ended.
const (
	WaitingText = "Waiting for approval in Countersign"
	RunningText = "Running in Countersign"
)

// progress tells a client that asked for it how its call is doing.
type progress struct {
	// said wakes the teller.
	said chan struct{}
	mu   sync.Mutex
	// text is what to tell, told that something was.
	text string
	told bool

	cancel context.CancelFunc
	done   chan struct{}
}

// startProgress begins to tell; without a token nothing is told.
func startProgress(ctx context.Context, session *sdk.ServerSession, token json.RawMessage) *progress {
	p := &progress{said: make(chan struct{}, 1), text: RunningText, done: make(chan struct{})}
	ctx, p.cancel = context.WithCancel(ctx)
	if token == nil {
		close(p.done)
		return p
	}
	go p.tell(ctx, session, token)
	return p
}

// say sets the text. A wait is told at once and so is what follows it; a call that
// simply runs is told of only when it takes long. It never blocks. What a program printed
// is not passed on: a client may show it where it would pass for words of ours.
func (p *progress) say(text string) {
	switch text {
	case registry.Waiting:
		text = WaitingText
	case registry.Running:
		text = RunningText
	default:
		return
	}
	p.mu.Lock()
	p.text = text
	p.told = p.told || text == WaitingText
	told := p.told
	p.mu.Unlock()
	if !told {
		return
	}
	select {
	case p.said <- struct{}{}:
	default:
	}
}

// stop ends the telling; nothing is sent after it has returned.
func (p *progress) stop() {
	p.cancel()
	<-p.done
}

func (p *progress) tell(ctx context.Context, session *sdk.ServerSession, token json.RawMessage) {
	defer close(p.done)
	tick := time.NewTicker(ProgressInterval)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-p.said:
			tick.Reset(ProgressInterval)
		case <-tick.C:
		}
		p.mu.Lock()
		text := p.text
		p.told = true
		p.mu.Unlock()
		// A client that cannot be told is on its way out, and the call hears of that by itself.
		_ = session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(n), Message: text,
		})
	}
}
