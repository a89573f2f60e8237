package processbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"countersign/backend/host/clock"
	"countersign/backend/host/process"
	"countersign/backend/spill"
	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// Goals, as ratios to what was measured in the same run, and in bytes.
const (
	GoalSpawn    = 1.15
	GoalPipes    = 1.1
	GoalTerminal = 1.1
	GoalBytes    = 8 << 20
)

// Load says how much is measured. The zero value of a field means its default.
type Load struct {
	// Spawns is how many commands are started each way; 400.
	Spawns int
	// Pipes and Terminal are how many bytes are printed; 1 GiB and 256 MiB. Rounds is how
	// often each is done; 5.
	Pipes, Terminal int64
	Rounds          int
	// Tree is how many processes a tree has, Trees how many trees are ended; 100 and 20.
	Tree, Trees int
}

func (l Load) filled() Load {
	for field, value := range map[*int]int{&l.Spawns: 400, &l.Rounds: 5, &l.Tree: 100, &l.Trees: 20} {
		if *field == 0 {
			*field = value
		}
	}
	for field, value := range map[*int64]int64{&l.Pipes: 1 << 30, &l.Terminal: 256 << 20} {
		if *field == 0 {
			*field = value
		}
	}
	return l
}

// Figures are the measurements. Times are medians.
type Figures struct {
	// Spawn is a command that is started, read and collected, over a terminal; SpawnPipes
	// the same over pipes; Fork the same shell with the same command by fork, exec and wait.
	Spawn, SpawnPipes, Fork time.Duration
	// Pipes is Bytes of output through pipes into a log, File the same producer writing to
	// a file, Copy a loop that reads a pipe into a file and does nothing else, Thrown one that
	// reads a pipe as large as can be and throws away what it reads.
	Pipes, File, Copy, Thrown time.Duration
	Bytes                     int64
	// Used is how much memory was asked for meanwhile, all told.
	Used int64
	// Terminal is TerminalBytes of output through a terminal into a log, Bare a loop that
	// reads a terminal and does nothing else.
	Terminal, Bare time.Duration
	TerminalBytes  int64
	// Kill is from the end of a context to the answer, with nothing of the tree of Tree
	// processes left; Signal is one signal to such a group until all have ended.
	Kill, Signal time.Duration
	Tree         int
}

type bench struct {
	dir string
	// shell is what the sessions run commands with.
	shell  string
	load   Load
	store  *spill.Store
	m      *process.Machine
	screen *process.Session
	pipes  *process.Session
	n      int
}

// Measure measures in dir, which must be an empty folder.
func Measure(ctx context.Context, dir string, load Load) (Figures, error) {
	// What is measured runs in it and writes there by its path.
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Figures{}, err
	}
	b := &bench{dir: dir, shell: process.Shell(os.Environ()), load: load.filled()}
	if b.store, err = spill.Open(filepath.Join(dir, "output")); err != nil {
		return Figures{}, err
	}
	defer func() { _ = b.store.Close() }()
	if b.m, err = process.NewMachine(); err != nil {
		return Figures{}, err
	}
	defer func() { _ = b.m.Close() }()
	o := process.Options{Session: "bench", Environ: os.Environ(), Clock: clock.System()}
	b.screen = b.m.Session(o)
	o.Pipes = true
	b.pipes = b.m.Session(o)
	defer func() { _ = b.screen.Close(ctx); _ = b.pipes.Close(ctx) }()

	f := Figures{Bytes: b.load.Pipes, TerminalBytes: b.load.Terminal, Tree: b.load.Tree}
	for _, take := range []func(context.Context, *Figures) error{b.spawns, b.throughPipes, b.throughTerminal, b.kills} {
		if err := take(ctx, &f); err != nil {
			return f, err
		}
	}
	return f, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// run runs a command in a session, with a log of its own.
func (b *bench) run(ctx context.Context, s *process.Session, command string) (tool.Ran, error) {
	b.n++
	log, err := b.store.For("bench", fmt.Sprintf("c%d", b.n)).Log(ctx, "bash")
	if err != nil {
		return tool.Ran{}, err
	}
	defer func() { _ = log.Close(); _ = os.Remove(log.Path()) }()
	return s.Run(ctx, tool.RunRequest{Command: command, Dir: tool.Path{Real: b.dir}, Limit: time.Hour, Log: log})
}

// ran is run for a command that must end well and print so many bytes.
func (b *bench) ran(ctx context.Context, s *process.Session, command string, size int64) error {
	r, err := b.run(ctx, s, command)
	if err != nil {
		return err
	}
	if r.Ending.Code == nil || *r.Ending.Code != 0 || r.Output.Bytes != size {
		return fmt.Errorf("%s ended with %+v after %d bytes", command, r.Ending, r.Output.Bytes)
	}
	return nil
}

// fork starts a command by the least that the system offers.
func (b *bench) fork(command string, out uintptr) (pid int, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer func() { _ = null.Close() }()
	return syscall.ForkExec(b.shell, []string{b.shell, "-c", command}, &syscall.ProcAttr{
		Dir: b.dir, Env: os.Environ(), Files: []uintptr{null.Fd(), out, out}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
}

// forked runs a command in that way.
func (b *bench) forked(command string, out uintptr) error {
	pid, err := b.fork(command, out)
	if err != nil {
		return err
	}
	_, err = syscall.Wait4(pid, nil, 0, nil)
	return err
}

// drained gives to each what the producer prints, and collects it. It must be as much as was
// to be printed.
func drained(pid, in int, size int64, buf []byte, each func(piece []byte) error) error {
	total := int64(0)
	for {
		n, err := unix.Read(in, buf)
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			break
		}
		if err := each(buf[:n]); err != nil {
			return err
		}
		total += int64(n)
	}
	if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil {
		return err
	}
	if total != size {
		return fmt.Errorf("a bare reader got %d bytes of %d", total, size)
	}
	return nil
}

func (b *bench) spawns(ctx context.Context, f *Figures) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }()
	var forks, screens, pipes []time.Duration
	timed := func(into *[]time.Duration, do func() error) {
		start := time.Now()
		if e := do(); e != nil {
			err = e
		}
		*into = append(*into, time.Since(start))
	}
	// A log of its own is the store's price, which other measurements have.
	log := &nothing{}
	r := tool.RunRequest{Command: "/bin/true", Dir: tool.Path{Real: b.dir}, Limit: time.Hour, Log: log}
	for range b.load.Spawns {
		timed(&forks, func() error { return b.forked("/bin/true", null.Fd()) })
		timed(&screens, func() error { _, err := b.screen.Run(ctx, r); return err })
		timed(&pipes, func() error { _, err := b.pipes.Run(ctx, r); return err })
		if err != nil {
			return err
		}
	}
	f.Fork, f.Spawn, f.SpawnPipes = median(forks), median(screens), median(pipes)
	return nil
}

// producer prints so many bytes in pieces of 64 KiB.
func producer(size int64) string {
	return fmt.Sprintf("exec dd if=/dev/zero bs=64k count=%d status=none", size>>16)
}

func (b *bench) throughPipes(ctx context.Context, f *Figures) error {
	var files, copies, thrown, pipes []time.Duration
	path := filepath.Join(b.dir, "file")
	for range b.load.Rounds {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		start := time.Now()
		err = b.forked(producer(b.load.Pipes), file.Fd())
		files = append(files, time.Since(start))
		_ = file.Close()
		if info, e := os.Stat(path); err != nil || e != nil || info.Size() != b.load.Pipes {
			return fmt.Errorf("the producer did not write its file: %w", err)
		}
		_ = os.Remove(path)
		start = time.Now()
		if err := b.copied(path); err != nil {
			return err
		}
		copies = append(copies, time.Since(start))
		_ = os.Remove(path)
		start = time.Now()
		if err := b.piped(pipeBytes, func([]byte) error { return nil }); err != nil {
			return err
		}
		thrown = append(thrown, time.Since(start))

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start = time.Now()
		if err := b.ran(ctx, b.pipes, producer(b.load.Pipes), b.load.Pipes); err != nil {
			return err
		}
		pipes = append(pipes, time.Since(start))
		runtime.ReadMemStats(&after)
		f.Used = max(f.Used, int64(after.TotalAlloc-before.TotalAlloc))
	}
	f.File, f.Copy, f.Thrown, f.Pipes = median(files), median(copies), median(thrown), median(pipes)
	return nil
}

// pieceBytes is what is read at once, pipeBytes the largest pipe that the system gives.
const (
	pieceBytes = 64 << 10
	pipeBytes  = 1 << 20
)

// copied writes what the producer prints to a pipe into a file.
func (b *bench) copied(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	out := int(file.Fd())
	return b.piped(pieceBytes, func(piece []byte) error {
		_, err := unix.Write(out, piece)
		return err
	})
}

// piped gives to each what the producer prints to a pipe that holds so many bytes, and reads
// as many at once.
func (b *bench) piped(size int, each func(piece []byte) error) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = read.Close() }()
	in := int(read.Fd())
	_, _ = unix.FcntlInt(uintptr(in), unix.F_SETPIPE_SZ, size)
	pid, err := b.fork(producer(b.load.Pipes), write.Fd())
	_ = write.Close()
	if err != nil {
		return err
	}
	return drained(pid, in, b.load.Pipes, make([]byte, size), each)
}

func (b *bench) throughTerminal(ctx context.Context, f *Figures) error {
	var bare, screens []time.Duration
	for range b.load.Rounds {
		start := time.Now()
		if err := b.bare(); err != nil {
			return err
		}
		bare = append(bare, time.Since(start))
		start = time.Now()
		if err := b.ran(ctx, b.screen, producer(b.load.Terminal), b.load.Terminal); err != nil {
			return err
		}
		screens = append(screens, time.Since(start))
	}
	f.Bare, f.Terminal = median(bare), median(screens)
	return nil
}

// bare reads what the producer prints to a raw terminal and does nothing with it.
func (b *bench) bare() error {
	ours, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(ours) }()
	t, err := unix.IoctlGetTermios(ours, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	if err := unix.IoctlSetTermios(ours, unix.TCSETS, t); err != nil {
		return err
	}
	if err := unix.IoctlSetPointerInt(ours, unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	theirs, _, errno := syscall.Syscall(unix.SYS_IOCTL, uintptr(ours), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if errno != 0 {
		return errno
	}
	pid, err := b.fork(producer(b.load.Terminal), theirs)
	_ = unix.Close(int(theirs))
	if err != nil {
		return err
	}
	return drained(pid, ours, b.load.Terminal, make([]byte, pieceBytes), func([]byte) error { return nil })
}

// nothing is a log that keeps nothing.
type nothing struct{}

func (nothing) Write(p []byte) (int, error)       { return len(p), nil }
func (nothing) ReadAt([]byte, int64) (int, error) { return 0, os.ErrClosed }
func (nothing) Path() string                      { return "" }
func (nothing) Size() int64                       { return 0 }
func (nothing) Lost() int64                       { return 0 }
func (nothing) Rename(string) error               { return nil }
func (nothing) Close() error                      { return nil }
