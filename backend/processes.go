package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"countersign/backend/event"
	"countersign/backend/host/process"
	"countersign/backend/running"
	"countersign/backend/session"
	"countersign/backend/tool"
)

// runner runs the commands of one session. It outlives the connection of the caller: what
// a caller left running in the background runs on until it is stopped, or the program ends.
type runner struct {
	*process.Session
	engine *Engine
	id     string
	// open says that the session is open. The engine's lock guards it.
	open bool
}

// findProcesses looks for what programs and commands are run with. Without it the engine works
// all the same; the tools that need it say what is missing. Programs need no shell.
func (e *Engine) findProcesses() {
	m, err := process.NewMachine()
	if err != nil {
		e.options.Log.Warn("programs and commands cannot be run", "cause", err)
		return
	}
	e.machine, e.closeMachine = m, sync.OnceValue(m.Close)
	if e.shell = process.Shell(e.options.Environ); e.shell == "" {
		e.options.Log.Warn("commands cannot be run", "cause", "there is no bash")
	}
}

// takeRunner returns what runs the commands of a session that is opened, nil where nothing
// can. One session is opened at a time.
func (e *Engine) takeRunner(ctx context.Context, sessionID string) (*runner, error) {
	if e.machine == nil {
		return nil, nil
	}
	before, err := e.store.ProcessesOf(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runners[sessionID]
	if r == nil {
		r = &runner{engine: e, id: sessionID}
		r.Session = e.machine.Session(process.Options{
			Session: sessionID, Environ: e.options.Environ, Shell: e.shell, Clock: e.options.Clock, Observer: r,
			Given: lastGiven(before), Past: e.past(before),
		})
		e.runners[sessionID] = r
	}
	r.open = true
	return r, nil
}

// lastGiven is the highest number in the ids of processes: a process that was not started in
// the end may have left a gap.
func lastGiven(all []session.Managed) (last int) {
	for _, m := range all {
		last = max(last, process.Number(m.ID))
	}
	return last
}

// past are the processes of a session that ended before it was opened here. Its caller knows
// their ids and may ask how they ended and what they printed.
func (e *Engine) past(all []session.Managed) []process.Past {
	var out []process.Past
	for _, m := range all {
		if m.Status.Ended() {
			out = append(out, process.Past{Process: m.Process, Log: func() (process.Kept, error) {
				if m.LogPath == "" {
					return nil, fs.ErrNotExist
				}
				return e.spill.Text(m.SessionID, filepath.Base(m.LogPath))
			}})
		}
	}
	return out
}

// leaveRunner lets go of what runs the commands of a session that is closed: now, or once
// nothing of it runs and another session is closed.
func (e *Engine) leaveRunner(ctx context.Context, sessionID string) error {
	e.mu.Lock()
	if r := e.runners[sessionID]; r != nil {
		r.open = false
	}
	e.mu.Unlock()
	var errs []error
	for _, r := range e.takeRunners(func(r *runner) bool { return !r.open && len(r.active()) == 0 }) {
		errs = append(errs, r.Close(ctx))
	}
	return errors.Join(errs...)
}

// Started writes a process down.
func (r *runner) Started(p tool.Process) {
	if err := r.engine.store.BeginProcess(context.WithoutCancel(r.engine.life), r.id, p); err != nil {
		r.engine.options.Log.Error("a process was not written down", "session", r.id, "process", p.ID, "cause", err)
	}
}

// Exited writes down how it ended.
func (r *runner) Exited(p tool.Process) {
	if err := r.engine.store.EndProcess(context.WithoutCancel(r.engine.life), r.id, p); err != nil {
		r.engine.options.Log.Error("the end of a process was not written down", "session", r.id, "process", p.ID, "cause", err)
	}
}

// Printed tells whoever watches that there is more to read.
func (r *runner) Printed(p tool.Process) {
	r.engine.hub.Emit(event.Event{Type: event.ProcessPrinted, SessionID: r.id, Ref: p.ID, At: r.engine.options.Clock.Now()})
}

// active are the processes of a runner that run.
func (r *runner) active() []tool.Process {
	var out []tool.Process
	for _, p := range r.List() {
		if !p.Status.Ended() {
			out = append(out, p)
		}
	}
	return out
}

// OwnProcesses counts the processes that end with this program.
func (e *Engine) OwnProcesses() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, r := range e.runners {
		n += len(r.active())
	}
	return n
}

// takeRunners takes out the runners that want says are wanted.
func (e *Engine) takeRunners(wanted func(*runner) bool) (out []*runner) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, r := range e.runners {
		if wanted(r) {
			delete(e.runners, id)
			out = append(out, r)
		}
	}
	return out
}

// endProcesses ends everything that still runs, after it was said. The end of ctx takes
// from the processes the time to end by themselves.
func (e *Engine) endProcesses(ctx context.Context) error {
	var errs []error
	all := e.takeRunners(func(*runner) bool { return true })
	for _, r := range all {
		active := r.active()
		if len(active) == 0 {
			continue
		}
		words := noticeWords(active)
		e.options.Log.Warn("background processes end with the program", "session", r.id, "count", len(active))
		e.hub.Emit(event.Event{Type: event.ProcessesEnding, SessionID: r.id, At: e.options.Clock.Now()})
		if e.options.Notice != nil {
			e.options.Notice(words)
		}
	}
	done := make(chan error, len(all))
	for _, r := range all {
		go func() { done <- r.Close(ctx) }()
	}
	for range all {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// noticeWords say what ends with the program.
func noticeWords(active []tool.Process) string {
	names := make([]string, 0, len(active))
	for _, p := range active {
		names = append(names, p.ID+" ("+running.Name(p.Command)+")")
	}
	noun := "1 background process"
	if len(active) > 1 {
		noun = fmt.Sprintf("%d background processes", len(active))
	}
	return "Stopping " + noun + ": " + strings.Join(names, ", ") + "."
}
