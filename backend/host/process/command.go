package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"countersign/backend/tool"
)

// command is one that runs or ran.
type command struct {
	s      *Session
	text   string
	dir    string
	log    tool.Log
	family *family
	ours   *output
	stream *stream
	// started is when it began.
	started time.Time
	// exited is closed when the first process ended, over when the command is done with:
	// nothing of it runs, and all it printed was read.
	exited, over chan struct{}
	// leave ends the watching of one that cannot be ended.
	leave chan struct{}

	// live says that family is set. The session's lock guards what follows.
	live bool
	// id is "" until it is managed.
	id      string
	pid     int
	status  tool.ProcessStatus
	stopped bool
	ending  tool.Ending
	endedAt time.Time

	// reading lets one reader at a time, next is where the next one begins.
	reading chan struct{}
	next    cursor
	writing chan struct{}
	once    sync.Once
}

// order is what a command is begun with.
type order struct {
	text    string
	dir     string
	input   bool
	started func(context.Context) error
	log     func(context.Context) (tool.Log, error)
}

// begin starts a command. It counts as running until it is done.
func (s *Session) begin(ctx context.Context, o order) (*command, error) {
	c := &command{
		s: s, text: o.text, dir: o.dir, exited: make(chan struct{}), over: make(chan struct{}), leave: make(chan struct{}),
		reading: make(chan struct{}, 1), writing: make(chan struct{}, 1), status: tool.ProcessRunning,
	}
	if err := s.admit(c); err != nil {
		return nil, err
	}
	if err := c.spawn(ctx, o); err != nil {
		s.release(c)
		return nil, err
	}
	return c, nil
}

// admit makes a command one of those that run.
func (s *Session) admit(c *command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return closing()
	}
	if len(s.running)+s.programs >= s.o.Most {
		return refusal(fmt.Sprintf("%d commands of this session run already. Stop one with the process tool first.", s.o.Most),
			errors.New("too many commands run"))
	}
	s.running[c] = true
	// Until it is over, or handed to what watches it.
	s.work.Add(1)
	return nil
}

// release is called once nothing of a command runs and nothing watches it.
func (s *Session) release(c *command) {
	s.mu.Lock()
	delete(s.running, c)
	s.mu.Unlock()
	s.work.Done()
}

func (c *command) spawn(ctx context.Context, o order) error {
	log, err := o.log(ctx)
	if err != nil {
		return err
	}
	c.log = log
	if o.started != nil {
		if err := o.started(ctx); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s := c.s
	c.started = s.o.Clock.Now()
	c.family, c.ours, err = s.m.spawn(spec{
		shell: s.o.Shell, command: o.text, dir: o.dir, session: s.o.Session, environ: s.environ, input: o.input, pipes: s.o.Pipes,
	})
	if err != nil {
		return c.refused(err)
	}
	c.pid = c.family.pid
	c.stream = newStream(log)
	s.work.Go(func() { c.stream.drain(c.ours) })
	s.work.Go(func() {
		c.family.wait()
		close(c.exited)
	})
	s.mu.Lock()
	c.live = true
	closed := s.closed
	s.mu.Unlock()
	if closed {
		// The end of the session did not see it.
		c.family.kill()
	}
	return nil
}

func closing() error {
	return refusal("the session is ending.", errors.New("the session is closed"))
}

// end ends all of a command by force, reads what it printed last, and is done with it.
func (c *command) end() (held bool) {
	gone := c.family.kill()
	held, _ = c.finish(context.Background())
	if gone {
		<-c.exited
		c.ending = c.family.collect()
	} else {
		c.family.abandon()
	}
	c.shut()
	return held
}

// refusal says why a command could not begin.
func refusal(why string, cause error) error {
	return tool.Errorf(tool.CodeSpawn, "start a command: %w", cause).WithText("Command failed to start: " + why)
}

// refused puts the system's reason into words. The folder is looked at again, since the
// system says the same of a missing folder and of a missing shell.
func (c *command) refused(err error) error {
	// The path in an error is the person's.
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	info, statErr := os.Stat(c.dir)
	switch {
	case errors.Is(err, syscall.E2BIG):
		return refusal("the command is too long. Write it to a file and run that.", err)
	case errors.Is(err, syscall.EINVAL):
		return refusal("the command has a NUL character in it.", err)
	case statErr != nil && errors.Is(statErr, fs.ErrNotExist):
		return refusal("the working directory does not exist.", err)
	case statErr == nil && !info.IsDir():
		return refusal("the working directory is not a directory.", err)
	case statErr != nil:
		return refusal("the working directory cannot be entered.", err)
	case errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
		return refusal("the system has no room for another process now. Stop some, or try again later.", err)
	}
	return refusal("the shell could not be run.", err)
}

// process describes a managed process as it stands.
func (c *command) process() tool.Process {
	lines, size := c.stream.printed()
	path, lost := c.log.Path(), c.log.Lost()
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return tool.Process{
		ID: c.id, PID: c.pid, Birth: c.family.birth(), Command: c.text, Dir: c.dir, Input: c.ours.input != nil, Status: c.status,
		Ending: c.ending, StartedAt: c.started, EndedAt: c.endedAt, LogPath: path, Lines: lines, Bytes: size, Lost: lost,
	}
}

// finish reads what is still to come, at most for a while or until ctx ends, and says
// whether something holds the output open.
func (c *command) finish(ctx context.Context) (held bool, err error) {
	select {
	case <-c.stream.done:
		return false, nil
	default:
	}
	linger := time.NewTimer(c.s.o.Linger)
	defer linger.Stop()
	select {
	case <-c.stream.done:
		return false, nil
	case <-linger.C:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// shut ends the reading.
func (c *command) shut() {
	c.family.shut()
	c.ours.close()
	<-c.stream.done
}
