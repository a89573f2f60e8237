package process

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"countersign/backend/tool"
)

// Observer is told what becomes of managed processes. Calls come one after the other for
// one process, and hold it up: they should be short. They are made without locks, so the
// session may be asked.
type Observer interface {
	// Started says that there is a managed process, before anybody else hears of it.
	Started(p tool.Process)
	// Exited says that nothing of it runs any more and all it printed is in the log.
	Exited(p tool.Process)
	// Printed says that it printed more, a few times a second at most.
	Printed(p tool.Process)
}

// Options are what a session runs commands with. The zero value of a duration or a number
// means its default.
type Options struct {
	// Session is the id of the session.
	Session string
	// Environ is the environment of the program, of which commands get all but what is
	// the product's own.
	Environ  []string
	Clock    tool.Clock
	Observer Observer
	// Shell is the absolute path of the shell; "" for the bash that Shell finds.
	Shell string
	// Pipes says that commands shall print into pipes also where there are terminals.
	Pipes bool
	// Grace is how long what is asked to end may take; 3 s.
	Grace time.Duration
	// Linger is how long output is read on that something holds open behind the end of a
	// command; 1 s.
	Linger time.Duration
	// Settle is how long nothing must come until a reader gets what came; 100 ms.
	Settle time.Duration
	// Send is how long a process has to take what is written to it; 2 s.
	Send time.Duration
	// Given is the number of the last id that the session has given away before, and Past
	// are the processes of that time, in the order of their ids.
	Given int
	Past  []Past
	// Most bounds the commands that run at once; 64.
	Most int
}

// Session runs the commands of one session, and programs without a shell. It is a tool.Processes
// and a tool.Programs.
type Session struct {
	m       *Machine
	o       Options
	environ environ

	mu      sync.Mutex
	closed  bool
	running map[*command]bool
	// programs counts those without a shell that run, and gone is closed when they are to end.
	programs int
	gone     chan struct{}
	// given counts the ids that were given away.
	given int
	// managed are in the order of their ids, behind those of past.
	managed []*command
	// past does not change.
	past []*past
	// work is everything that runs for the session in the background.
	work sync.WaitGroup
}

// Session begins the commands of a session.
func (m *Machine) Session(o Options) *Session {
	o.Grace = cmp.Or(o.Grace, 3*time.Second)
	o.Linger = cmp.Or(o.Linger, time.Second)
	o.Settle = cmp.Or(o.Settle, 100*time.Millisecond)
	o.Send = cmp.Or(o.Send, 2*time.Second)
	o.Most = cmp.Or(o.Most, 64)
	if o.Observer == nil {
		o.Observer = nobody{}
	}
	s := &Session{m: m, o: o, environ: newEnviron(o.Environ), given: o.Given, running: map[*command]bool{}, gone: make(chan struct{})}
	for _, p := range o.Past {
		s.past = append(s.past, &past{Past: p, reading: make(chan struct{}, 1)})
	}
	s.o.Shell = cmp.Or(s.o.Shell, Shell(o.Environ), "/bin/bash")
	return s
}

type nobody struct{}

func (nobody) Started(tool.Process) {}
func (nobody) Exited(tool.Process)  {}
func (nobody) Printed(tool.Process) {}

// Hint says what to do where NewMachine fails.
const Hint = "They need Linux 5.4 or later, and a /proc that shows this program its processes. Start the desk again after that."

// NoShell says what to do where Shell finds none.
const NoShell = "Install bash, so that it is on the PATH or in /bin."

// Shell is the absolute path of the bash that commands with an environment are run with, ""
// where there is none. No other shell takes its place: commands are judged as bash reads
// them, and another may read the same text as something else.
func Shell(environ []string) string {
	return shell(newEnviron(environ).get("PATH"), "/bin", "/usr/bin")
}

// shell finds bash on a search path, or else in the folders more.
func shell(path string, more ...string) string {
	for _, dir := range append(filepath.SplitList(path), more...) {
		if file := filepath.Join(dir, "bash"); filepath.IsAbs(file) && executable(file) {
			return file
		}
	}
	return ""
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// List returns the managed processes in the order of their start, those before it was begun first.
func (s *Session) List() []tool.Process {
	s.mu.Lock()
	managed := slices.Clone(s.managed)
	s.mu.Unlock()
	out := make([]tool.Process, 0, len(s.past)+len(managed))
	for _, p := range s.past {
		out = append(out, p.Process)
	}
	for _, c := range managed {
		out = append(out, c.process())
	}
	return out
}

// find returns a managed process by its id.
func (s *Session) find(id string) (*command, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.managed {
		if c.id == id {
			return c, nil
		}
	}
	return nil, tool.Errorf(tool.CodeNoProcess, "the session has no such process")
}

// StopAll ends all managed processes, each as Stop does, and returns when that is done.
// Commands that are waited for are let alone.
func (s *Session) StopAll(ctx context.Context) error {
	s.mu.Lock()
	managed := slices.Clone(s.managed)
	s.mu.Unlock()
	errs := make([]error, len(managed))
	var all sync.WaitGroup
	for i, c := range managed {
		all.Go(func() { errs[i] = c.stop(ctx) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends everything that the session runs and lets nothing new begin. Managed
// processes get their grace unless ctx ends.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		close(s.gone)
	}
	s.closed = true
	for c := range s.running {
		// What is waited for ends at once; its caller hears of it.
		if c.id == "" && c.live {
			s.work.Go(func() { c.family.kill() })
		}
	}
	s.mu.Unlock()
	err := s.StopAll(ctx)
	s.work.Wait()
	return err
}
