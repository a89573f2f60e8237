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

// program is one that runs without a shell until its call is over.
type program struct {
	s      *Session
	family *family
	ours   *output
	// out and err are its streams, with their branches of the log.
	out, err       *stream
	outLog, errLog *branch
	started        time.Time
	// exited is closed when the first process ended, printed when nothing more is to be read.
	exited, printed chan struct{}
	// wrote gets what came of the input.
	wrote chan error
}

// RunProgram runs a program without a shell until it ends, its limit comes or ctx ends. What it
// leaves running is ended.
func (s *Session) RunProgram(ctx context.Context, r tool.ProgramRequest) (tool.ProgramRan, error) {
	if err := s.enter(); err != nil {
		return tool.ProgramRan{}, err
	}
	defer s.work.Done()
	defer s.leave()
	p, err := s.startProgram(ctx, r)
	if err != nil {
		return tool.ProgramRan{}, err
	}
	if r.Progress != nil {
		defer p.tell(r.Progress)()
	}
	return p.run(ctx, r.Limit)
}

// enter counts a program as one that runs.
func (s *Session) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return notStarted("the session is ending.", errors.New("the session is closed"))
	}
	if len(s.running)+s.programs >= s.o.Most {
		return notStarted(fmt.Sprintf("%d programs of this session run already.", s.o.Most), errors.New("too many programs run"))
	}
	s.programs++
	s.work.Add(1)
	return nil
}

func (s *Session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.programs--
}

// startProgram starts a program and everything that reads from it and writes to it.
func (s *Session) startProgram(ctx context.Context, r tool.ProgramRequest) (*program, error) {
	if r.Started != nil {
		if err := r.Started(ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &program{s: s, started: s.o.Clock.Now(), exited: make(chan struct{}), printed: make(chan struct{}), wrote: make(chan error, 1)}
	var err error
	p.family, p.ours, err = s.m.spawn(spec{
		program: r.Argv, errors: true, dir: r.Dir, session: s.o.Session,
		environ: s.environ.beside(r.Without, append([]string{"PWD=" + r.Dir}, r.Environ...)), input: r.Input != nil, pipes: true,
	})
	if err != nil {
		return nil, refusedProgram(r, err)
	}
	var one sync.Mutex
	p.outLog = &branch{Log: r.Log, capture: r.Capture, one: &one}
	p.errLog = &branch{Log: r.Log, capture: r.Capture, one: &one}
	p.out, p.err = newStream(p.outLog), newStream(p.errLog)
	s.work.Go(func() { p.out.drain(p.ours) })
	s.work.Go(func() { p.err.drain(&output{file: p.ours.errors}) })
	s.work.Go(func() {
		<-p.out.done
		<-p.err.done
		close(p.printed)
	})
	s.work.Go(func() {
		p.family.wait()
		close(p.exited)
	})
	s.work.Go(func() { p.wrote <- p.write(r.Input) })
	return p, nil
}

// write gives the program its input and closes it.
func (p *program) write(input []byte) error {
	if p.ours.input == nil {
		return nil
	}
	_, err := p.ours.input.Write(input)
	return errors.Join(err, p.ours.input.Close())
}

// tell tells the last line of both streams until it is told to stop.
func (p *program) tell(progress func(string)) (stop func()) {
	over := make(chan struct{})
	var all sync.WaitGroup
	var one sync.Mutex
	for _, s := range []*stream{p.out, p.err} {
		all.Go(func() {
			s.watch(over, func() {
				one.Lock()
				defer one.Unlock()
				progress(s.lastLine())
			})
		})
	}
	return func() {
		close(over)
		all.Wait()
	}
}

// run waits for the end of the program, brings it about where it has to be, and is the answer.
func (p *program) run(ctx context.Context, limit time.Duration) (tool.ProgramRan, error) {
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	var ran tool.ProgramRan
	exited, err := p.await(ctx, late, &ran.Stop)
	ran.Duration = p.s.o.Clock.Now().Sub(p.started)
	var out, errs bool
	if exited {
		err = p.linger(ctx, late, &ran.Stop)
		out, errs = !over(p.out), !over(p.err)
	}
	p.end(exited, &ran)
	p.settle()
	ran.Out, ran.Err = p.capture(p.out, p.outLog, out), p.capture(p.err, p.errLog, errs)
	return ran, err
}

// over reports whether nothing more is to be read of a stream.
func over(s *stream) bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// await waits for the end of the first process and reports whether it ended by itself. It returns
// the error of ctx where that is what ends it.
func (p *program) await(ctx context.Context, late <-chan time.Time, stop *tool.ProgramStop) (exited bool, err error) {
	var untaken <-chan time.Time
	wrote := p.wrote
	for {
		select {
		case <-p.exited:
			return true, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case <-p.s.gone:
			return false, nil
		case <-late:
			*stop = tool.StopLimit
			return false, nil
		case <-untaken:
			*stop = tool.StopInput
			return false, nil
		case err := <-wrote:
			// One that ends closes its input, too, and is seen to have ended a moment later.
			if wrote = nil; err != nil {
				patience := time.NewTimer(p.s.o.Linger)
				defer patience.Stop()
				untaken = patience.C
			}
		}
	}
}

// linger reads on for a moment what something that the program left behind holds open.
func (p *program) linger(ctx context.Context, late <-chan time.Time, stop *tool.ProgramStop) error {
	select {
	case <-p.printed:
		return nil
	default:
	}
	timer := time.NewTimer(p.s.o.Linger)
	defer timer.Stop()
	select {
	case <-p.printed:
	case <-ctx.Done():
		return ctx.Err()
	case <-p.s.gone:
	case <-timer.C:
	case <-late:
		*stop = tool.StopLimit
	}
	return nil
}

// end ends all that runs of the program.
func (p *program) end(exited bool, ran *tool.ProgramRan) {
	if exited {
		ran.Ending = p.family.collect()
		if len(p.family.left()) == 0 {
			return
		}
		// What has closed its output may be about to end.
		p.family.pause(killPause, true)
		if len(p.family.left()) > 0 {
			ran.Left, ran.Escaped = true, !p.family.kill()
		}
		return
	}
	if !p.family.kill() {
		ran.Escaped = true
		select {
		case <-p.exited:
			ran.Ending = p.family.collect()
		default:
			p.family.abandon()
		}
		return
	}
	<-p.exited
	ran.Ending = p.family.collect()
}

// settle reads what is still to come, and ends the reading and the writing.
func (p *program) settle() {
	late := time.NewTimer(heldTime)
	defer late.Stop()
	select {
	case <-p.printed:
	case <-late.C:
	}
	p.family.shut()
	p.ours.close()
	<-p.printed
}

func (p *program) capture(s *stream, b *branch, held bool) tool.Printed {
	c, _ := s.captured()
	c.Held = held
	return tool.Printed{Captured: c, Start: b.printed()}
}

// notStarted says why a program could not begin.
func notStarted(why string, cause error) error {
	return tool.Errorf(tool.CodeSpawn, "start a program: %w", cause).WithText("The program failed to start: " + why)
}

// refusedProgram puts the system's reason into words. The system says the same of a missing
// program, of a missing folder, and of a script whose interpreter is missing.
func refusedProgram(r tool.ProgramRequest, err error) error {
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		err = cause.Err
	}
	folder, folderErr := os.Stat(r.Dir)
	file, fileErr := os.Stat(r.Argv[0])
	switch {
	case errors.Is(err, syscall.E2BIG):
		return notStarted("its arguments are too long for the system.", err)
	case folderErr != nil || !folder.IsDir():
		return notStarted("the directory it runs in is not there.", err)
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return notStarted("the system has no room for another process now.", err)
	case fileErr != nil:
		return notStarted("it is not there.", err)
	case file.IsDir():
		return notStarted("it is a directory.", err)
	case errors.Is(err, syscall.ENOEXEC):
		return notStarted("it is no program of this system. A script must say in its first line what runs it, such as #!/bin/sh.", err)
	case errors.Is(err, syscall.ENOENT):
		return notStarted("what is to run it, by its first line, is not there.", err)
	case errors.Is(err, syscall.ETXTBSY):
		return notStarted("somebody is writing it just now.", err)
	case errors.Is(err, fs.ErrPermission):
		return notStarted("it may not be executed by you.", err)
	}
	return notStarted("the system refused it.", err)
}
