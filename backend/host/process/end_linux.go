package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// signal sends a signal to all that runs of the command, and reports whether anything may
// run, or has ended and is not collected.
func (f *family) signal(sig unix.Signal) bool {
	f.mu.Lock()
	group := !f.collected
	if group {
		_ = unix.Kill(-f.pid, sig)
	}
	f.mu.Unlock()
	members, err := f.members()
	for _, e := range members {
		if group && e.group == f.pid {
			continue
		}
		send(e, sig)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return err != nil || len(members) > 0 || f.undead || f.untold
}

// send signals one process unless its number means another by now.
func send(e entry, sig unix.Signal) {
	fd, err := unix.PidfdOpen(e.pid, 0)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if e.is() {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
}

// terminate asks all of the command to end.
func (f *family) terminate() {
	f.signal(unix.SIGTERM)
	// One that was stopped would not hear it.
	f.signal(unix.SIGCONT)
}

// kill ends all of the command by force and reports whether nothing of it runs any more.
func (f *family) kill() bool {
	for range killRounds {
		if !f.signal(unix.SIGKILL) {
			return true
		}
		f.pause(killPause, true)
	}
	return len(f.left()) == 0
}

// pause waits until members ended, one or all, at most for a while.
func (f *family) pause(most time.Duration, all bool) {
	fds := f.handles()
	defer func() {
		for _, p := range fds {
			_ = unix.Close(int(p.Fd))
		}
	}()
	if len(fds) == 0 && len(f.left()) == 0 {
		return
	}
	if len(fds) == 0 || !all {
		_ = poll(fds, most)
		return
	}
	for i := range fds {
		if !poll(fds[i:i+1], most) {
			return
		}
	}
}

// poll waits until one of the handles tells of an end, at most for a while.
func poll(fds []unix.PollFd, most time.Duration) bool {
	for {
		n, err := unix.Poll(fds, int(most/time.Millisecond))
		if err != unix.EINTR {
			return n > 0 && err == nil
		}
	}
}

// handles opens members, to wait for their end.
func (f *family) handles() []unix.PollFd {
	f.mu.Lock()
	defer f.mu.Unlock()
	var fds []unix.PollFd
	for pid, ticks := range f.known {
		if len(fds) == pauseHandles {
			break
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		if !(entry{pid: pid, ticks: ticks}).is() {
			_ = unix.Close(fd)
			continue
		}
		fds = append(fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	return fds
}

// pauseHandles bounds how many processes are waited for at once.
const pauseHandles = 64
