package process

import (
	"context"
	"time"

	"countersign/backend/tool"
)

// Run runs a command until it ends, its limit comes or ctx ends.
func (s *Session) Run(ctx context.Context, r tool.RunRequest) (tool.Ran, error) {
	c, err := s.begin(ctx, order{
		text: r.Command, dir: r.Dir.Real, started: r.Started,
		log: func(context.Context) (tool.Log, error) { return r.Log, nil },
	})
	if err != nil {
		return tool.Ran{}, err
	}
	if r.Progress != nil {
		stop := make(chan struct{})
		told := make(chan struct{})
		go func() {
			defer close(told)
			c.stream.watch(stop, func() { r.Progress(c.stream.lastLine()) })
		}()
		defer func() {
			close(stop)
			<-told
		}()
	}
	limit := time.NewTimer(r.Limit)
	defer limit.Stop()
	select {
	case <-c.exited:
		return c.ended(ctx)
	case <-ctx.Done():
		return c.cancelled(ctx)
	case <-limit.C:
	}
	select {
	case <-c.exited:
		// Both at once: it ended.
		return c.ended(ctx)
	default:
		return c.moved(), nil
	}
}

// ended is the answer of a command whose first process ended.
func (c *command) ended(ctx context.Context) (tool.Ran, error) {
	// How long it took is how long its first process ran, not what is waited for here.
	took := c.took()
	held, err := c.finish(ctx)
	if err != nil {
		return c.cancelled(ctx)
	}
	ran := tool.Ran{Ending: c.family.collect(), Duration: took}
	if left := c.family.left(); len(left) > 0 {
		p, output := c.manage("", left[0])
		output.Held = held
		ran.Output, ran.Left = output, &p
		return ran, nil
	}
	c.shut()
	ran.Output, _ = c.stream.captured()
	ran.Output.Held = held
	c.s.release(c)
	return ran, nil
}

// moved is the answer of a command that runs on as a managed process.
func (c *command) moved() tool.Ran {
	took := c.took()
	p, output := c.manage("", 0)
	return tool.Ran{Output: output, Duration: took, Moved: &p}
}

// cancelled ends all of a command and is the answer then.
func (c *command) cancelled(ctx context.Context) (tool.Ran, error) {
	ran := tool.Ran{Duration: c.took()}
	held := c.end()
	ran.Ending = c.ending
	ran.Output, _ = c.stream.captured()
	ran.Output.Held = held
	c.s.release(c)
	return ran, ctx.Err()
}

func (c *command) took() time.Duration { return c.s.o.Clock.Now().Sub(c.started) }
