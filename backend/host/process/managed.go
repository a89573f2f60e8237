package process

import (
	"context"
	"fmt"
	"os"
	"time"

	"countersign/backend/tool"
)

// Start begins a command that runs on by itself.
func (s *Session) Start(ctx context.Context, r tool.StartRequest) (tool.Process, error) {
	id := s.give()
	var log tool.Log
	c, err := s.begin(ctx, order{
		text: r.Command, dir: r.Dir.Real, input: true, started: r.Started,
		log: func(ctx context.Context) (_ tool.Log, err error) {
			log, err = r.Log(ctx, id)
			return log, err
		},
	})
	if err != nil {
		if log != nil {
			_ = log.Close()
		}
		s.takeBack(id)
		return tool.Process{}, err
	}
	p, _ := c.manage(id, 0)
	return p, nil
}

// give gives the next id away.
func (s *Session) give() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given++
	return name(s.given)
}

// takeBack takes an id back that nobody heard of, unless a later one was given away.
func (s *Session) takeBack(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == name(s.given) {
		s.given--
	}
}

// manage makes a command a managed process and returns what came so far. What comes later
// is for the readers of the process. id is "" for one that was waited for, which needs one;
// front is the process that stands for what a command left, 0 when the command itself runs.
func (c *command) manage(id string, front int) (tool.Process, tool.Captured) {
	s := c.s
	if id == "" {
		id = s.give()
		// A log that keeps its name is as good.
		_ = c.log.Rename(id + ".log")
	}
	output, end := c.stream.manage()
	if front == 0 {
		front = c.family.pid
	}
	c.family.stand(front)
	s.mu.Lock()
	c.id, c.pid = id, front
	if c.ours.input == nil {
		c.next = end
	}
	s.managed = append(s.managed, c)
	s.mu.Unlock()
	p := c.process()
	s.o.Observer.Started(p)
	s.work.Go(c.watch)
	return p, output
}

// lookAgain is how often something that does not end is looked at.
const lookAgain = 2 * time.Second

// watch waits for the end of a managed process and tells of it.
func (c *command) watch() {
	told := make(chan struct{})
	go func() {
		defer close(told)
		c.stream.watch(c.leave, func() { c.s.o.Observer.Printed(c.process()) })
	}()
	status := c.await()
	c.shut()
	<-told
	_ = c.log.Close()
	c.stream.rest()

	s := c.s
	defer s.work.Done()
	s.mu.Lock()
	delete(s.running, c)
	c.status, c.endedAt = status, s.o.Clock.Now()
	if c.stopped && status == tool.ProcessExited {
		c.status = tool.ProcessStopped
	}
	s.mu.Unlock()
	s.o.Observer.Exited(c.process())
	close(c.over)
}

// await returns when nothing of a process runs any more and its output is read, or when it
// is to be left alone.
func (c *command) await() tool.ProcessStatus {
	select {
	case <-c.exited:
	case <-c.leave:
		c.family.abandon()
		return tool.ProcessFailed
	}
	ending := c.family.collect()
	for len(c.family.left()) > 0 {
		c.family.pause(lookAgain, false)
		select {
		case <-c.leave:
			c.family.abandon()
			return tool.ProcessFailed
		default:
		}
	}
	_, _ = c.finish(context.Background())
	if c.pid != c.family.pid {
		ending = c.family.stood()
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.ending = ending
	return tool.ProcessExited
}

// Ending by force: what is killed is gone in a moment, unless the system holds it up, and
// something that starts others faster than they are found needs several rounds.
const (
	killRounds = 100
	killPause  = 50 * time.Millisecond
)

// Stop ends a process and all it started.
func (s *Session) Stop(ctx context.Context, id string) (tool.Process, error) {
	if p := s.findPast(id); p != nil {
		return p.Process, nil
	}
	c, err := s.find(id)
	if err != nil {
		return tool.Process{}, err
	}
	err = c.stop(ctx)
	return c.process(), err
}

// stop asks, and ends by force what does not listen in time, or at once when ctx ends.
func (c *command) stop(ctx context.Context) error {
	select {
	case <-c.over:
		return nil
	default:
	}
	if c.runs() {
		c.s.mu.Lock()
		c.stopped = true
		c.s.mu.Unlock()
		c.family.terminate()
	}
	grace := time.NewTimer(c.s.o.Grace)
	defer grace.Stop()
	select {
	case <-c.over:
		return nil
	case <-grace.C:
	case <-ctx.Done():
	}
	gone := c.family.kill()
	if !gone {
		c.once.Do(func() { close(c.leave) })
	}
	<-c.over
	if !gone {
		return tool.Errorf(tool.CodeExecutionFailed, "end a process: something of it cannot be ended").
			WithText("The process was told to end by force, but something of it still runs. It belongs to another user, or the system holds it.")
	}
	return nil
}

// runs reports whether anything of a process runs; its output may be read for a moment more.
func (c *command) runs() bool {
	select {
	case <-c.exited:
		return len(c.family.left()) > 0
	default:
		return true
	}
}

// Write sends text to a process.
func (s *Session) Write(ctx context.Context, id, text string) error {
	if s.findPast(id) != nil {
		return tool.Errorf(tool.CodeEnded, "the process ended before")
	}
	c, err := s.find(id)
	if err != nil {
		return err
	}
	if c.ours.input == nil {
		return tool.Errorf(tool.CodeNoInput, "the process reads from the null device")
	}
	if err := turn(ctx, c.writing); err != nil {
		return err
	}
	defer func() { <-c.writing }()
	select {
	case <-c.over:
		return tool.Errorf(tool.CodeEnded, "the process ended")
	default:
	}
	taken, err := c.send(ctx, text)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case os.IsTimeout(err):
		return tool.Errorf(tool.CodeNotTaken, "the process does not read").
			WithText(fmt.Sprintf("%d of %d bytes were sent. The process does not read the rest now.", taken, len(text)))
	}
	return tool.Errorf(tool.CodeEnded, "write to the process: %w", err)
}

// turn waits until nobody else has it.
func turn(ctx context.Context, one chan struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case one <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send writes until all is taken, the time is up or ctx ends.
func (c *command) send(ctx context.Context, text string) (int, error) {
	if err := c.ours.input.SetWriteDeadline(time.Time{}); err != nil {
		return 0, err
	}
	written := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		timer := time.NewTimer(c.s.o.Send)
		defer timer.Stop()
		select {
		case <-written:
			return
		case <-timer.C:
		case <-ctx.Done():
		}
		_ = c.ours.input.SetWriteDeadline(time.Unix(1, 0))
	}()
	n, err := c.ours.input.WriteString(text)
	close(written)
	// The deadline must not be that of the next one who writes.
	<-watched
	return n, err
}

// Usage returns what a process and all it started use now.
func (s *Session) Usage(id string) (tool.Usage, bool) {
	c, err := s.find(id)
	if err != nil {
		return tool.Usage{}, false
	}
	select {
	case <-c.over:
		return tool.Usage{}, false
	default:
		return c.family.usage()
	}
}
