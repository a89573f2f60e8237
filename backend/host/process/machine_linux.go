package process

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Machine is what the sessions of a program have in common: it takes in what lost its
// parent and knows which command that came from. A program has one.
type Machine struct {
	boot string
	// pid, ticks and session are those of the program itself.
	pid     int
	ticks   uint64
	session int
	null    int
	// marks asks a process for the marks that it carries.
	marks func(pid int) (list []string, told bool)
	count atomic.Uint64

	// looking is held from before a snapshot until what it shows is learned, so that an older
	// one never takes the place of a newer one. It is taken before mu.
	looking sync.Mutex

	mu       sync.Mutex
	families map[*family]bool
	// strangers are dead children that nobody collected, and grandchildren what has another
	// parent than the program and is below it.
	strangers     map[int]stranger
	grandchildren map[int]uint64
	// timer is for the next look, which is in pause.
	timer  *time.Timer
	pause  time.Duration
	closed bool
}

// stranger is a child that ended and that is no known command's.
type stranger struct {
	ticks uint64
	// seen is for how long it was seen, at least.
	seen time.Duration
}

// The tree is looked at soon after a command began, since a program that hides does so at
// its start, and then now and again.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = 2 * time.Second
	// patience is how long a dead child waits for whoever started it.
	patience = 5 * time.Second
)

// NewMachine makes the program take in what its commands leave behind. It fails where the
// system cannot tell processes apart safely.
func NewMachine() (*Machine, error) {
	boot, err := bootID()
	if err != nil {
		return nil, fmt.Errorf("read the id of this run of the system: %w", err)
	}
	self, ok, err := look(os.Getpid())
	if err != nil || !ok {
		return nil, errors.Join(errors.New("the system does not show processes"), err)
	}
	fd, err := unix.PidfdOpen(self.pid, 0)
	if err != nil {
		return nil, fmt.Errorf("open a handle on a process: %w", err)
	}
	_ = unix.Close(fd)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("take in orphans: %w", err)
	}
	null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open the null device: %w", err)
	}
	return &Machine{
		boot: boot, pid: self.pid, ticks: self.ticks, session: self.session, null: null, marks: marks,
		families: map[*family]bool{}, strangers: map[int]stranger{},
	}, nil
}

// Close ends the looking after. The sessions must be closed before.
func (m *Machine) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	if m.timer != nil {
		m.timer.Stop()
	}
	return unix.Close(m.null)
}

// newMark makes what a new command is known by. It holds the program, so that what a
// program left behind that is gone can be told from what belongs to one that runs. The
// descriptor keeps machines of one program apart, of which tests have several.
func (m *Machine) newMark(session string) string {
	return fmt.Sprintf("%s:%d:%d:%d.%d", session, m.pid, m.ticks, m.null, m.count.Add(1))
}

func (m *Machine) remember(f *family) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.families[f] = true
	switch {
	case m.closed || m.pause == firstLook:
	case m.timer == nil:
		m.pause = firstLook
		m.timer = time.AfterFunc(firstLook, m.sweep)
	default:
		m.pause = firstLook
		m.timer.Reset(firstLook)
	}
}

func (m *Machine) forget(f *family) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.families, f)
}

func (m *Machine) leaders() map[int]bool {
	out := make(map[int]bool, len(m.families))
	for f := range m.families {
		f.mu.Lock()
		if !f.collected {
			out[f.pid] = true
		}
		f.mu.Unlock()
	}
	return out
}

// noOrphan reports that no orphan runs that might be of a command that just ended. It is
// quick and may say false without need. The list of the system can miss one while another
// child ends, so it must say the same twice.
func (m *Machine) noOrphan() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	leaders := m.leaders()
	first, ok := orphanage(m.pid)
	for _, pid := range first {
		ok = ok && (leaders[pid] || m.elsewhere(pid))
	}
	if !ok {
		return false
	}
	second, ok := orphanage(m.pid)
	return ok && slices.Equal(first, second)
}

// elsewhere reports whether a child is dead, in our own session, or known to be of a command
// that runs.
func (m *Machine) elsewhere(pid int) bool {
	e, ok, err := look(pid)
	if err != nil {
		return false
	}
	if !ok || e.dead || e.session == m.session {
		return true
	}
	for f := range m.families {
		if f.knows(e) {
			return true
		}
	}
	return false
}

// learn finds what runs of a command. One of which nothing runs any more is forgotten.
func (m *Machine) learn(f *family) ([]entry, error) {
	m.looking.Lock()
	defer m.looking.Unlock()
	snap, err := takeSnapshot()
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.learned(f, snap, m.leaders()), nil
}

func (m *Machine) learned(f *family, snap *snapshot, leaders map[int]bool) []entry {
	running := f.learn(snap, leaders)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(running) == 0 && f.collected && !f.untold {
		delete(m.families, f)
	}
	return running
}

// sweep looks at all processes: members are learned while it can be seen whose they are,
// and what ended is collected.
func (m *Machine) sweep() {
	m.looking.Lock()
	defer m.looking.Unlock()
	snap, err := takeSnapshot()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	if err == nil {
		leaders := m.leaders()
		for f := range m.families {
			m.learned(f, snap, leaders)
		}
		m.bury(snap, leaders)
	}
	if len(m.families) == 0 && len(m.strangers) == 0 {
		m.pause = 0
		return
	}
	m.pause = min(lastLook, 2*m.pause)
	m.timer.Reset(m.pause)
}

// bury collects dead children of which it could not be seen whose they were. Nobody else
// will ever collect what lost its parent and came to us, such as the rest of a command that
// left its session between two looks. A child in the program's own session may be one that
// the program started in another way and will collect itself: it is let alone unless it was
// seen with another parent.
func (m *Machine) bury(snap *snapshot, leaders map[int]bool) {
	now := map[int]stranger{}
	for _, pid := range snap.children[m.pid] {
		e := snap.all[pid]
		if !e.dead || leaders[pid] {
			continue
		}
		s := m.strangers[pid]
		if s.ticks != e.ticks {
			s = stranger{ticks: e.ticks}
		}
		s.seen += m.pause
		if m.grandchildren[pid] == e.ticks || e.session != m.session && s.seen >= patience {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			continue
		}
		if e.session != m.session {
			now[pid] = s
		}
	}
	m.strangers = now
	m.grandchildren = map[int]uint64{}
	for pid, e := range snap.all {
		if e.ppid != m.pid && snap.below(pid, m.pid) {
			m.grandchildren[pid] = e.ticks
		}
	}
}
