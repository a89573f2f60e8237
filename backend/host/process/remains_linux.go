package process

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// Remains is what still runs of a session whose program is gone.
type Remains struct {
	m       *Machine
	session string
	// recorded are the processes that were written down as running.
	recorded []tool.Process
	// known are the processes that were found so far, by their starts.
	known map[int]uint64
	// anchored are those that were found last and not by their descent alone.
	anchored map[int]bool

	// IDs are those of the recorded processes of which something runs.
	IDs []string
	// Processes counts all that runs, also of what was not recorded.
	Processes int
}

// Remains finds what still runs of a session that no living program has open. recorded are
// its processes as they were when they were last heard of. A process counts when it has the
// number and the birth of a recorded one, carries a mark of the session that a program made
// that does not run any more, or descends from one of these. The program itself and what is
// above it never counts, also when it was started from such a process.
func (m *Machine) Remains(session string, recorded []tool.Process) (*Remains, error) {
	r := &Remains{m: m, session: session, recorded: recorded, known: map[int]uint64{}}
	running, err := r.find()
	if err != nil {
		return nil, fmt.Errorf("look for processes: %w", err)
	}
	r.Processes = len(running)
	alive := map[string]bool{}
	for _, e := range running {
		carried, _ := marks(e.pid)
		for _, mark := range carried {
			alive[mark] = true
		}
	}
	for _, p := range recorded {
		_, ticks, mark, ok := parseBirth(p.Birth)
		if ok && (r.known[p.PID] == ticks || alive[mark]) {
			r.IDs = append(r.IDs, p.ID)
		}
	}
	return r, nil
}

// parseBirth reads what family.birth wrote.
func parseBirth(birth string) (boot string, ticks uint64, mark string, ok bool) {
	parts := strings.SplitN(birth, "/", 3)
	if len(parts) != 3 {
		return "", 0, "", false
	}
	ticks, err := strconv.ParseUint(parts[1], 10, 64)
	return parts[0], ticks, parts[2], err == nil && ticks > 0 && parts[0] != ""
}

// orphaned reports whether a mark is one of the session that was made by a program that
// does not run any more.
func (r *Remains) orphaned(mark string, snap *snapshot) bool {
	parts := strings.Split(mark, ":")
	if len(parts) < 4 || strings.Join(parts[:len(parts)-3], ":") != r.session {
		return false
	}
	pid, err := strconv.Atoi(parts[len(parts)-3])
	if err != nil {
		return false
	}
	ticks, err := strconv.ParseUint(parts[len(parts)-2], 10, 64)
	return err == nil && (snap.all[pid].ticks != ticks || snap.all[pid].dead)
}

// find looks for everything that runs.
func (r *Remains) find() ([]entry, error) {
	snap, err := takeSnapshot()
	if err != nil {
		return nil, err
	}
	spared := map[int]bool{}
	for pid := r.m.pid; pid > 0 && !spared[pid]; pid = snap.all[pid].ppid {
		spared[pid] = true
	}
	var queue []int
	found := map[int]bool{}
	take := func(pid int) {
		if e := snap.all[pid]; !found[pid] && !spared[pid] && !e.dead {
			found[pid] = true
			queue = append(queue, pid)
		}
	}
	r.anchored = map[int]bool{}
	for _, p := range r.recorded {
		boot, ticks, _, ok := parseBirth(p.Birth)
		if ok && boot == r.m.boot && snap.all[p.PID].ticks == ticks {
			r.anchored[p.PID] = true
			take(p.PID)
		}
	}
	for pid, e := range snap.all {
		carried, _ := marks(pid)
		marked := slices.ContainsFunc(carried, func(mark string) bool { return r.orphaned(mark, snap) })
		if marked {
			r.anchored[pid] = true
		}
		if marked || r.known[pid] == e.ticks {
			take(pid)
		}
	}
	var running []entry
	for len(queue) > 0 {
		e := snap.all[queue[0]]
		queue = queue[1:]
		running = append(running, e)
		r.known[e.pid] = e.ticks
		for _, child := range snap.children[e.pid] {
			take(child)
		}
	}
	return running, nil
}

// End ends all of it: asked first, and by force after the grace or when ctx ends. What can be
// found by itself is ended last, and held still until then: whoever goes on, should this program
// die meanwhile, finds the rest through it.
func (r *Remains) End(ctx context.Context, grace time.Duration) error {
	loose := func(running []entry) []entry {
		var rest []entry
		for _, e := range running {
			if r.anchored[e.pid] {
				send(e, unix.SIGSTOP)
			} else {
				rest = append(rest, e)
			}
		}
		return rest
	}
	err := r.end(ctx, grace, loose)
	return errors.Join(err, r.end(ctx, grace, func(running []entry) []entry { return running }))
}

// end ends those of what runs that which names, in rounds, until there are none.
func (r *Remains) end(ctx context.Context, grace time.Duration, which func([]entry) []entry) error {
	over := time.NewTimer(grace)
	defer over.Stop()
	sig, rounds := unix.SIGTERM, 0
	for {
		running, err := r.find()
		if err != nil {
			return err
		}
		running = which(running)
		if len(running) == 0 {
			return nil
		}
		for _, e := range running {
			send(e, sig)
			if sig == unix.SIGTERM {
				send(e, unix.SIGCONT)
			}
		}
		if sig == unix.SIGKILL {
			if rounds++; rounds > killRounds {
				return errors.New("end what a session left running: some of it cannot be ended")
			}
		}
		// Asked once more in each round: what was started meanwhile did not hear it.
		for _, e := range running {
			if !ended(e, killPause) {
				break
			}
		}
		select {
		case <-over.C:
			sig = unix.SIGKILL
		case <-ctx.Done():
			sig = unix.SIGKILL
		default:
		}
	}
}

// ended waits a while for the end of a process.
func ended(e entry, most time.Duration) bool {
	fd, err := unix.PidfdOpen(e.pid, 0)
	if err != nil {
		return true
	}
	defer func() { _ = unix.Close(fd) }()
	if !e.is() {
		return true
	}
	return poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, most)
}
