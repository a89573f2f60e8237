package process

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// keyboard gives a shell a terminal to read from. bash that finds one when it begins makes
// it the controlling terminal of its session, and all that it started in the background
// would be hung up on when it ends.
const keyboard = "exec 0<&3 3<&-; "

// spawn starts a command.
func (m *Machine) spawn(s spec) (*family, *output, error) {
	ends, err := m.open(s)
	if err != nil {
		return nil, nil, err
	}
	mark := m.newMark(s.session)
	handle := -1
	command, files := s.command, []uintptr{uintptr(ends.in), uintptr(ends.out), uintptr(ends.out)}
	if ends.terminal && s.input {
		command, files = keyboard+command, []uintptr{uintptr(m.null), uintptr(ends.out), uintptr(ends.out), uintptr(ends.in)}
	}
	if s.program != nil {
		if err := ends.openErrors(s.errors); err != nil {
			ends.leave()
			ends.ours.close()
			return nil, nil, fmt.Errorf("open the errors of a program: %w", err)
		}
		files[2] = uintptr(ends.errors)
	}
	if err := seal(firstOurs); err != nil {
		ends.leave()
		ends.ours.close()
		return nil, nil, fmt.Errorf("keep our files from a command: %w", err)
	}
	arguments := s.arguments(command)
	pid, err := syscall.ForkExec(arguments[0], arguments, &syscall.ProcAttr{
		Dir: s.dir, Env: s.environ.with(mark, ends.terminal), Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true, PidFD: &handle},
	})
	prints := ends.prints(s.errors)
	ends.leave()
	if err != nil {
		ends.ours.close()
		return nil, nil, err
	}
	f := &family{m: m, mark: mark, pid: pid, outputs: prints, known: map[int]uint64{}}
	e, _, err := look(pid)
	f.ticks = e.ticks
	if err = errors.Join(err, unix.SetNonblock(handle, true)); err != nil {
		// Nothing may run unwatched.
		_ = unix.Close(handle)
		_ = unix.Kill(-pid, unix.SIGKILL)
		_, _ = unix.Wait4(pid, nil, 0, nil)
		ends.ours.close()
		return nil, nil, fmt.Errorf("watch a process: %w", err)
	}
	f.handle = os.NewFile(uintptr(handle), "process")
	m.remember(f)
	return f, ends.ours, nil
}
