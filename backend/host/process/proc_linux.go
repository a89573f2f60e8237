package process

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// entry is a process as the system shows it.
type entry struct {
	pid, ppid, group, session int
	// dead says that it ended and was not collected.
	dead  bool
	ticks uint64
	cpu   uint64
	pages int64
}

// tick is the unit of the times of the system.
const tick = time.Second / 100

// The places of what is read in /proc/<pid>/stat, counted behind the name.
const (
	statState   = 0
	statParent  = 1
	statGroup   = 2
	statSession = 3
	statUser    = 11
	statSystem  = 12
	statThreads = 17
	statStart   = 19
	statPages   = 21
)

// look reads one process; false when there is none. It fails when that cannot be told, such
// as without a free descriptor: a process must not be taken for gone then.
func look(pid int) (entry, bool, error) {
	var buf [1024]byte
	n, err := readFile("/proc/"+strconv.Itoa(pid)+"/stat", buf[:])
	if err == unix.ENOENT || err == unix.ESRCH {
		return entry{}, false, nil
	}
	if err != nil {
		return entry{}, false, fmt.Errorf("look at a process: %w", err)
	}
	e, ok := parseStat(pid, buf[:n])
	return e, ok, nil
}

// is reports whether a number means the same process still. One that cannot be looked at is
// none.
func (e entry) is() bool {
	now, ok, err := look(e.pid)
	return err == nil && ok && now.ticks == e.ticks && !now.dead
}

// parseStat reads a line of the system. The name in it is chosen by the process and may
// hold anything.
func parseStat(pid int, line []byte) (entry, bool) {
	end := bytes.LastIndexByte(line, ')')
	if end < 0 {
		return entry{}, false
	}
	e, state, threads, at := entry{pid: pid}, byte(0), uint64(0), 0
	for field := range bytes.FieldsSeq(line[end+1:]) {
		n := number(field)
		switch at {
		case statState:
			state = field[0]
		case statParent:
			e.ppid = int(n)
		case statGroup:
			e.group = int(n)
		case statSession:
			e.session = int(n)
		case statUser, statSystem:
			e.cpu += n
		case statThreads:
			threads = n
		case statStart:
			e.ticks = n
		case statPages:
			e.pages = int64(n)
			// The first thread of a process may end before the others.
			e.dead = (state == 'Z' || state == 'X') && threads <= 1
			return e, true
		}
		at++
	}
	return entry{}, false
}

// number reads digits; 0 when there are none.
func number(digits []byte) uint64 {
	n := uint64(0)
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0
		}
		n = n*10 + uint64(d-'0')
	}
	return n
}

// readFile reads the start of a small file of the system in one call.
func readFile(path string, buf []byte) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer func() { _ = unix.Close(fd) }()
	for {
		n, err := unix.Read(fd, buf)
		if err != unix.EINTR {
			return n, err
		}
	}
}

// snapshot is all processes at one time, as near as the system tells that.
type snapshot struct {
	all      map[int]entry
	children map[int][]int
}

func takeSnapshot() (*snapshot, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	s := &snapshot{all: map[int]entry{}, children: map[int][]int{}}
	// Again until nothing is new: a process may start another after the names were read,
	// and end before it is looked at.
	for fresh := true; fresh; {
		fresh = false
		if _, err := dir.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		names, err := dir.Readdirnames(-1)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if _, seen := s.all[pid]; err != nil || seen {
				continue
			}
			e, ok, err := look(pid)
			if err != nil {
				return nil, err
			}
			if ok {
				s.all[pid] = e
				s.children[e.ppid] = append(s.children[e.ppid], pid)
				fresh = true
			}
		}
	}
	return s, nil
}

// orphanage returns the children of the first thread of the program: what lost its parent
// comes to that one. false when the system does not tell.
func orphanage(pid int) ([]int, bool) {
	var buf [4096]byte
	self := strconv.Itoa(pid)
	n, err := readFile("/proc/"+self+"/task/"+self+"/children", buf[:])
	if err != nil || n == len(buf) {
		return nil, false
	}
	var pids []int
	for field := range bytes.FieldsSeq(buf[:n]) {
		pids = append(pids, int(number(field)))
	}
	return pids, true
}

// below reports whether a process descends from another.
func (s *snapshot) below(pid, ancestor int) bool {
	for range len(s.all) {
		e, ok := s.all[pid]
		if !ok {
			return false
		}
		if e.ppid == ancestor {
			return true
		}
		pid = e.ppid
	}
	return false
}

// marks returns the marks that a process carries, the innermost last. told is false for one that
// cannot say just now: between two programs it shows neither arguments nor an environment.
func marks(pid int) (list []string, told bool) {
	proc := "/proc/" + strconv.Itoa(pid)
	environ, err := os.ReadFile(proc + "/environ")
	if err != nil {
		return nil, true
	}
	if len(environ) == 0 {
		var buf [1]byte
		n, err := readFile(proc+"/cmdline", buf[:])
		return nil, n > 0 || err != nil
	}
	for v := range bytes.SplitSeq(environ, []byte{0}) {
		if joined, ok := bytes.CutPrefix(v, []byte(markVariable+"=")); ok {
			for m := range bytes.SplitSeq(joined, []byte{','}) {
				list = append(list, string(m))
			}
			break
		}
	}
	return list, true
}

// file is what tells one open file from all others.
type file struct {
	dev, ino uint64
}

// holds reports whether a process has one of some files open.
func holds(pid int, files []file) bool {
	if len(files) == 0 {
		return false
	}
	folder := "/proc/" + strconv.Itoa(pid) + "/fd/"
	dir, err := os.Open(folder)
	if err != nil {
		return false
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	return slices.ContainsFunc(names, func(name string) bool {
		var st unix.Stat_t
		// A terminal that is gone has no name, and its number may be that of another.
		return unix.Stat(folder+name, &st) == nil && st.Nlink > 0 && slices.Contains(files, file{uint64(st.Dev), st.Ino})
	})
}

// ourselves reports whether a process runs our own program, or cannot be asked.
func ourselves(pid int) bool {
	var theirs, ours unix.Stat_t
	return unix.Stat("/proc/"+strconv.Itoa(pid)+"/exe", &theirs) != nil || unix.Stat("/proc/self/exe", &ours) != nil ||
		theirs.Dev == ours.Dev && theirs.Ino == ours.Ino
}

// bootID tells one run of the system from all others.
func bootID() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(bytes.TrimSpace(b)), err
}
