//go:build !linux

package process

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"countersign/backend/tool"
)

// Machine is what the sessions of a program have in common. On this system what leaves the
// group of a command is not found.
type Machine struct {
	count atomic.Uint64
}

// NewMachine makes the one machine of a program.
func NewMachine() (*Machine, error) { return &Machine{}, nil }

// Close ends the looking after. The sessions must be closed before.
func (m *Machine) Close() error { return nil }

// family is the first process of a command and all in its group.
type family struct {
	pid     int
	mark    string
	start   string
	process *os.Process
	group   group
	ended   chan struct{}

	mu    sync.Mutex
	state *os.ProcessState
	// empty says that nothing is in the group any more, so that its number may be another's.
	empty bool
}

func (m *Machine) spawn(s spec) (*family, *output, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = write.Close() }()
	o := &output{file: read}
	in, err := os.Open(os.DevNull)
	if err == nil && s.input {
		_ = in.Close()
		in, o.input, err = os.Pipe()
	}
	if err != nil {
		_ = read.Close()
		return nil, nil, err
	}
	defer func() { _ = in.Close() }()
	mark := fmt.Sprintf("%s:%d:%d", s.session, os.Getpid(), m.count.Add(1))
	files, arguments := []*os.File{in, write, write}, s.arguments(s.command)
	if s.program != nil {
		var theirs *os.File
		if s.errors {
			o.errors, theirs, err = os.Pipe()
		} else {
			theirs, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		}
		if err != nil {
			o.close()
			return nil, nil, err
		}
		defer func() { _ = theirs.Close() }()
		files[2] = theirs
	}
	p, err := os.StartProcess(arguments[0], arguments, &os.ProcAttr{Dir: s.dir, Env: s.environ.with(mark, false), Files: files, Sys: apart()})
	if err != nil {
		o.close()
		return nil, nil, err
	}
	f := &family{pid: p.Pid, mark: mark, start: startOf(p.Pid), process: p, ended: make(chan struct{})}
	f.group.add(p)
	return f, o, nil
}

func (f *family) birth() string { return f.start + "/" + f.mark }

// wait returns when the first process ended.
func (f *family) wait() {
	state, _ := f.process.Wait()
	f.mu.Lock()
	f.state = state
	f.mu.Unlock()
	close(f.ended)
}

// collect returns how the first process, which ended, did so.
func (f *family) collect() tool.Ending {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state == nil {
		return tool.Ending{}
	}
	return ending(f.state)
}

// left is the group when anything of it runs.
func (f *family) left() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.empty || !f.group.alive(f.pid) {
		f.empty = true
		f.group.close()
		return nil
	}
	return []int{f.pid}
}

func (f *family) terminate() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.empty {
		f.group.terminate(f.pid)
	}
}

// kill ends all of the group by force and reports whether nothing of it runs any more.
func (f *family) kill() bool {
	for range killRounds {
		f.mu.Lock()
		if !f.empty {
			f.group.kill(f.pid)
		}
		f.mu.Unlock()
		f.pause(killPause, true)
		if len(f.left()) == 0 {
			return true
		}
	}
	return false
}

// pause waits a while, less when nothing is left.
func (f *family) pause(most time.Duration, _ bool) {
	timer := time.NewTimer(min(most, killPause))
	defer timer.Stop()
	select {
	case <-f.ended:
		if len(f.left()) > 0 {
			<-timer.C
		}
	case <-timer.C:
	}
}

func (f *family) abandon() { f.group.close() }

func (f *family) stand(int) {}

func (f *family) stood() tool.Ending { return tool.Ending{} }

func (f *family) shut() {}

func (f *family) usage() (tool.Usage, bool) { return tool.Usage{}, false }

// widen does nothing: on this system a pipe is as big as it is.
func (o *output) widen() {}

// read reads what there is.
func (o *output) read(room []byte) (n int, more bool) {
	n, err := o.file.Read(room)
	return n, err == nil
}
