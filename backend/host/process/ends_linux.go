package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ends are both ends of what a command reads and prints.
type ends struct {
	ours *output
	// in and out are the ends of the command; terminal says that out is one.
	in, out  int
	terminal bool
	// errors is the end for what a program prints as errors.
	errors int
	theirs []int
}

// leave closes the ends of the command, once it has them.
func (e *ends) leave() {
	for _, fd := range e.theirs {
		_ = unix.Close(fd)
	}
}

// The size that terminals have here, in characters. Programs cut their lines at it.
const (
	columns = 120
	rows    = 40
)

// pipeBytes is how much the pipe of a command holds that prints much, where the system allows
// that. Few do, and the pipes of a user share what the system has for them.
const pipeBytes = 1 << 20

func (m *Machine) open(s spec) (*ends, error) {
	if !s.pipes {
		if e, err := m.openTerminal(s.input); err == nil {
			return e, nil
		}
		// Without terminals, such as in a bare container, pipes do.
	}
	return m.openPipes(s.input)
}

// openTerminal makes a terminal that changes nothing of what goes through it.
func (m *Machine) openTerminal(input bool) (*ends, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	peer, err := setUp(fd, input)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	e := &ends{ours: &output{file: os.NewFile(uintptr(fd), "terminal")}, in: m.null, out: peer, terminal: true, theirs: []int{peer}}
	if input {
		e.in, e.ours.input = peer, e.ours.file
	}
	return e, nil
}

func setUp(fd int, input bool) (peer int, err error) {
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return 0, err
	}
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return 0, err
	}
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return 0, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		return 0, err
	}
	mode := unix.O_WRONLY
	if input {
		mode = unix.O_RDWR
	}
	// By the handle and not by its path, which may lead elsewhere in a container.
	n, _, errno := syscall.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCGPTPEER, uintptr(mode|unix.O_NOCTTY|unix.O_CLOEXEC))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

func (m *Machine) openPipes(input bool) (*ends, error) {
	read, write, err := pipe()
	if err != nil {
		return nil, err
	}
	e := &ends{in: m.null, out: write, theirs: []int{write}}
	var in *os.File
	if input {
		theirs, ours, err := pipe()
		if err != nil {
			_ = unix.Close(read)
			_ = unix.Close(write)
			return nil, err
		}
		e.in, e.theirs = theirs, append(e.theirs, theirs)
		_ = unix.SetNonblock(ours, true)
		in = os.NewFile(uintptr(ours), "input")
	}
	_ = unix.SetNonblock(read, true)
	e.ours = &output{file: os.NewFile(uintptr(read), "output"), input: in}
	return e, nil
}

// openErrors makes the ends of what a program prints as errors: a pipe where that is read, else
// the null device.
func (e *ends) openErrors(read bool) error {
	if !read {
		nowhere, err := unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		e.errors, e.theirs = nowhere, append(e.theirs, nowhere)
		return nil
	}
	ours, theirs, err := pipe()
	if err != nil {
		return err
	}
	_ = unix.SetNonblock(ours, true)
	e.ours.errors = os.NewFile(uintptr(ours), "errors")
	e.errors, e.theirs = theirs, append(e.theirs, theirs)
	return nil
}

// prints are the files that the command prints to and we read.
func (e *ends) prints(errors bool) []file {
	fds := []int{e.out}
	if errors {
		fds = append(fds, e.errors)
	}
	var out []file
	for _, fd := range fds {
		var st unix.Stat_t
		if unix.Fstat(fd, &st) == nil {
			out = append(out, file{uint64(st.Dev), st.Ino})
		}
	}
	return out
}

func pipe() (read, write int, err error) {
	var p [2]int
	err = unix.Pipe2(p[:], unix.O_CLOEXEC)
	return p[0], p[1], err
}

// widen gives the command room to print on while we write. A terminal has no other room than
// its own, and what the system does not give is not needed.
func (o *output) widen() {
	if raw, err := o.file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
	}
}

// read reads what there is, as far as it has room, and waits when there is nothing. more is
// false at the end, which a terminal tells by an error once nobody has it open.
func (o *output) read(room []byte) (n int, more bool) {
	raw, err := o.file.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = raw.Read(func(fd uintptr) bool {
		for n < len(room) {
			got, err := unix.Read(int(fd), room[n:])
			switch {
			case err == unix.EINTR:
			case err == unix.EAGAIN:
				more = true
				return n > 0
			case err != nil || got == 0:
				more = false
				return true
			default:
				n += got
			}
		}
		more = true
		return true
	})
	return n, more && err == nil
}
