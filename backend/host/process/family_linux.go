package process

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// family is the first process of a command and all that came of it.
type family struct {
	m     *Machine
	mark  string
	pid   int
	ticks uint64
	// handle is a pidfd of the first process.
	handle *os.File

	// mu guards what follows, and that no signal goes to the group once its number may be
	// given again.
	mu        sync.Mutex
	collected bool
	ending    tool.Ending
	// outputs are the files that the command prints to, while we hold their other ends.
	outputs []file
	// known are the processes that were proved to belong to the command, by their starts.
	known map[int]uint64
	// undead says that something ended that will come to us to be collected.
	undead bool
	// untold says that something may be of the command and could not be asked.
	untold bool
	// front is the process that stands for what was left, with its end.
	front       int
	frontEnding tool.Ending
}

// birth is what tells the first process from others that had its number.
func (f *family) birth() string { return fmt.Sprintf("%s/%d/%s", f.m.boot, f.ticks, f.mark) }

// wait returns when the first process ended. Its number stays taken until collect.
func (f *family) wait() {
	raw, err := f.handle.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Read(func(fd uintptr) bool {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PIDFD, int(fd), &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
		return err != unix.EINTR && (err != nil || info.Signo != 0)
	})
}

// collect takes the first process, which ended, out of the list of the system.
func (f *family) collect() tool.Ending {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.collected {
		return f.ending
	}
	var status unix.WaitStatus
	for {
		_, err := unix.Wait4(f.pid, &status, 0, nil)
		if err != unix.EINTR {
			break
		}
	}
	f.collected = true
	f.ending = ending(status)
	_ = f.handle.Close()
	return f.ending
}

func ending(status unix.WaitStatus) tool.Ending {
	if status.Signaled() {
		return tool.Ending{Signal: unix.SignalName(status.Signal())}
	}
	code := status.ExitStatus()
	return tool.Ending{Code: &code}
}

// left are the processes of the command that run now, the oldest first.
func (f *family) left() []int {
	f.mu.Lock()
	alone := f.collected && len(f.known) == 0
	f.mu.Unlock()
	// Looking at all processes takes longer than most commands, and is seldom needed.
	if alone && (childless() || f.m.noOrphan()) {
		f.m.forget(f)
		return nil
	}
	members, err := f.members()
	for round := 0; err == nil && len(members) == 0 && f.asksAgain() && round < askRounds; round++ {
		_ = poll(nil, askPause)
		members, err = f.members()
	}
	if err != nil {
		// Until the opposite is seen, it runs.
		return []int{f.pid}
	}
	var pids []int
	for _, e := range members {
		pids = append(pids, e.pid)
	}
	return pids
}

// How often, and how long between, an orphan is asked again that cannot be asked.
const (
	askRounds = 20
	askPause  = 5 * time.Millisecond
)

func (f *family) asksAgain() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.untold
}

// childless reports that the program has no child at all, and so no orphan.
func childless() bool {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
		if err != unix.EINTR {
			return err == unix.ECHILD
		}
	}
}

// members are the processes of the command that run now, in the order of their start.
func (f *family) members() ([]entry, error) { return f.m.learn(f) }

// learn finds the members in a snapshot, remembers them, and collects those that ended
// and have us as their parent. leaders are the first processes of all families.
func (f *family) learn(snap *snapshot, leaders map[int]bool) []entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := map[int]bool{}
	f.untold = false
	var queue []int
	take := func(pid int) {
		if !found[pid] {
			found[pid] = true
			queue = append(queue, pid)
		}
	}
	for pid, e := range snap.all {
		if f.proved(e, snap, leaders) {
			take(pid)
		}
	}
	for len(queue) > 0 {
		pid := queue[0]
		queue = queue[1:]
		for _, child := range snap.children[pid] {
			if snap.all[child].ticks >= f.ticks {
				take(child)
			}
		}
	}
	var running []entry
	f.known, f.undead = map[int]uint64{}, false
	for pid := range found {
		e := snap.all[pid]
		switch {
		case !e.dead:
			f.known[pid] = e.ticks
			running = append(running, e)
		case e.ppid == f.m.pid && !leaders[pid]:
			f.bury(pid, e.ticks)
		case found[e.ppid]:
			// It will be known by its start alone once it has come to us.
			f.known[pid], f.undead = e.ticks, true
		}
	}
	slices.SortFunc(running, func(a, b entry) int {
		if a.ticks != b.ticks {
			return int(int64(a.ticks - b.ticks))
		}
		return a.pid - b.pid
	})
	return running
}

// proved reports whether a process belongs to the command by itself, not through its parent.
func (f *family) proved(e entry, snap *snapshot, leaders map[int]bool) bool {
	if e.ticks < f.ticks {
		return false
	}
	if e.pid == f.pid {
		return e.ticks == f.ticks
	}
	if e.session == f.m.session {
		// A command has a session of its own, and nothing can join ours again.
		return false
	}
	if ticks, ok := f.known[e.pid]; ok && ticks == e.ticks {
		return true
	}
	if e.session == f.pid || e.group == f.pid {
		// The number is ours while the first process was not collected. Later it is as
		// long as somebody uses it, which a process that has it anew would show.
		_, again := snap.all[f.pid]
		return !f.collected || !again && !leaders[f.pid] && snap.below(e.pid, f.m.pid)
	}
	if e.ppid != f.m.pid || leaders[e.pid] || e.dead {
		return false
	}
	carried, told := f.m.marks(e.pid)
	f.untold = f.untold || !told
	// A child of ours that has not become a program yet holds what we hold.
	return slices.Contains(carried, f.mark) || !ourselves(e.pid) && holds(e.pid, f.outputs)
}

// knows reports whether a process was proved to belong to the command.
func (f *family) knows(e entry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	ticks, ok := f.known[e.pid]
	return ok && ticks == e.ticks
}

// bury collects an orphan of the command that ended.
func (f *family) bury(pid int, ticks uint64) {
	var status unix.WaitStatus
	n, err := unix.Wait4(pid, &status, unix.WNOHANG, nil)
	switch {
	case err == nil && n == pid && pid == f.front:
		f.frontEnding = ending(status)
	case err != unix.ECHILD && n != pid:
		f.known[pid], f.undead = ticks, true
	}
}

// abandon stops waiting for the first process.
func (f *family) abandon() {
	_ = f.handle.Close()
	f.m.forget(f)
}

// stand names the process that stands for what was left.
func (f *family) stand(pid int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.front = pid
}

// stood is how the process that stood for what was left ended, as far as that was seen.
func (f *family) stood() tool.Ending {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.frontEnding
}

// shut says that the other end of the output is closed, so that its number proves nothing.
func (f *family) shut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.outputs = nil
}

// usage is what all of the command uses now.
func (f *family) usage() (tool.Usage, bool) {
	var u tool.Usage
	members, _ := f.members()
	for _, e := range members {
		u.CPU += time.Duration(e.cpu) * tick
		u.Memory += e.pages * int64(os.Getpagesize())
		u.Processes++
	}
	return u, u.Processes > 0
}
