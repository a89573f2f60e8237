package main

import (
	"context"
	"sync"
	"time"

	"countersign/app/bridge"
	"countersign/backend/tool"
)

// hintsEvent carries hints to the page, several at a time.
const hintsEvent = "countersign:hints"

// pumpPace is how long the pump rests after it has sent something. What happens meanwhile
// goes out together: the window queues what is sent without a limit, and a storm of hints
// must not fill that queue, nor the page's time, which each sending costs some of. After a
// while in which little was sent, pumpAtOnce pieces go out before it rests: a call is told
// of when it comes and again when it waits, and who is to answer it does not wait for that.
const (
	pumpPace   = 50 * time.Millisecond
	pumpAtOnce = 4
)

// pump sends the hints of the engine to the page.
type pump struct {
	source bridge.Source
	emit   func(name string, data any)
	clock  tool.Clock

	mu   sync.Mutex
	stop func()
	// over says that nothing begins any more.
	over bool
}

// begin starts counting anew, for a page that was just loaded.
func (p *pump) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.halt()
	if p.over {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	stream := bridge.NewStream(p.source)
	var work sync.WaitGroup
	work.Go(func() { p.run(ctx, stream) })
	p.stop = func() {
		cancel()
		stream.Close()
		work.Wait()
	}
}

// end stops for good and waits until nothing is sent any more.
func (p *pump) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.halt()
	p.over = true
}

func (p *pump) halt() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

func (p *pump) run(ctx context.Context, stream *bridge.Stream) {
	// paced is when all that was sent would have gone out at the pace.
	var paced time.Time
	for {
		first, err := stream.Next(ctx)
		if err != nil {
			return
		}
		p.emit(hintsEvent, append([]bridge.Event{first}, stream.Rest()...))
		now := p.clock.Now()
		if paced.Before(now) {
			paced = now
		}
		paced = paced.Add(pumpPace)
		select {
		case <-ctx.Done():
			return
		case <-time.After(paced.Sub(now) - (pumpAtOnce-1)*pumpPace):
		}
	}
}
