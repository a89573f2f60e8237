package process

import (
	"context"
	"time"

	"countersign/backend/tool"
)

// Read returns what a process printed since the last read, or from a line on.
func (s *Session) Read(ctx context.Context, id string, from int64, wait time.Duration) (tool.Page, error) {
	if p := s.findPast(id); p != nil {
		return p.read(ctx, from)
	}
	c, err := s.find(id)
	if err != nil {
		return tool.Page{}, err
	}
	if err := turn(ctx, c.reading); err != nil {
		return tool.Page{}, err
	}
	defer func() { <-c.reading }()
	start := c.next
	if from >= 1 {
		start = c.stream.line(from)
	}
	if wait > 0 {
		if err := c.hear(ctx, start.place, wait); err != nil {
			return tool.Page{}, err
		}
	}
	p, next := c.stream.page(start)
	if from < 1 {
		c.next = next
	}
	p.Process = c.process()
	return p, nil
}

// hear waits until something came behind a place and then nothing for a moment, a page is
// full, or the process is over; at most for a while.
func (c *command) hear(ctx context.Context, place int64, most time.Duration) error {
	end := time.NewTimer(most)
	defer end.Stop()
	settle := time.NewTimer(most)
	defer settle.Stop()
	full := place + pageBytes
	for {
		if size, over := c.stream.state(); over {
			// Its end is about to be known.
			select {
			case <-c.over:
			case <-end.C:
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		} else if size >= full {
			return nil
		} else if size > place {
			place = size
			settle.Reset(min(most, c.s.o.Settle))
		}
		select {
		case <-c.stream.more(place):
		case <-settle.C:
			return nil
		case <-end.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
