package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"

	"countersign/backend/tool"
)

// CapBytes is how much all sessions together may keep, in bytes.
const CapBytes int64 = 512 << 20

// Store is the output folder. It is safe for concurrent use.
type Store struct {
	dir   string
	root  *os.Root
	meter *meter
	// longest is how long the log of a process may become, in bytes.
	longest atomic.Int64
}

// Open opens the output folder dir, making it where it is missing. The caller
// closes the store.
func Open(dir string) (*Store, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open output folder: %w", cause(err))
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return nil, fmt.Errorf("open output folder: %w", cause(err))
	}
	// A marker names the path that read opens, so it is the real one.
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("open output folder: %w", cause(err))
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open output folder: %w", cause(err))
	}
	s := &Store{dir: abs, root: root, meter: newMeter(func() (int64, int64, bool) { return diskOf(abs) })}
	s.longest.Store(CapBytes)
	return s, nil
}

// LimitLogs says how long a text with a name of its own may become, in bytes; CapBytes
// unless it is called. What comes later counts as lost, and the text says so at its end.
func (s *Store) LimitLogs(bytes int64) { s.longest.Store(bytes) }

// Close lets go of the folder; the files stay.
func (s *Store) Close() error { return s.root.Close() }

// Dir is the absolute real path of the output folder.
func (s *Store) Dir() string { return s.dir }

// For returns the output store of one call. The label given to Spill is the tool's
// wire name, so that a file is called <tool>-<call>.txt.
func (s *Store) For(sessionID, callID string) tool.Output {
	return output{store: s, session: safe(sessionID), call: safe(callID)}
}

type output struct {
	store         *Store
	session, call string
}

// Spill writes text to a new file and returns its path and size in bytes. It holds
// no more of the text in memory than a buffer. A failure is a *tool.Error with
// CodeStorageUnavailable, or the error of ctx; then nothing of the text is kept and
// the disk is as it was.
func (o output) Spill(ctx context.Context, label string, text io.Reader) (string, int64, error) {
	dir, err := o.store.session(o.session)
	if err != nil {
		return "", 0, failed("make session folder", err)
	}
	defer dir.Close()

	base := o.base(label)
	temp, f, err := create(dir, base, ".part")
	if err != nil {
		return "", 0, failed("create output file", err)
	}
	size, err := o.store.fill(ctx, f, text)
	if err == nil {
		var name string
		if name, err = publish(dir, temp, base, ".txt"); err == nil {
			return filepath.Join(o.store.dir, o.session, name), size, nil
		}
	}
	_ = dir.Remove(temp)
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	return "", 0, failed("write output file", err)
}

// base is the start of the name of a call's file.
func (o output) base(label string) string { return safe(label) + "-" + o.call }

// session opens the folder of a session, making it where it is missing.
func (s *Store) session(name string) (*os.Root, error) {
	if err := s.root.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	info, err := s.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("session folder is not a directory")
	}
	return s.root.OpenRoot(name)
}

// attempts bounds the search for a free name.
const attempts = 10_000

// create makes a new file that is called base and suffix, with a number between
// them when there is one already.
func create(dir *os.Root, base, suffix string) (string, *os.File, error) {
	for n := 1; n <= attempts; n++ {
		name := numbered(base, n, suffix)
		f, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return name, f, err
		}
	}
	return "", nil, fs.ErrExist
}

// publish gives a file a free name that is called base and suffix, in place of the one it has.
func publish(dir *os.Root, temp, base, suffix string) (string, error) {
	for n := 1; n <= attempts; n++ {
		name := numbered(base, n, suffix)
		err := rename(dir, temp, name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return name, syncDir(dir)
	}
	return "", fs.ErrExist
}

// rename renames temp unless there is a file called name. A link is made first,
// since it fails when the name is taken where a rename would replace; file systems
// without links get a look before the rename instead.
func rename(dir *os.Root, temp, name string) error {
	err := dir.Link(temp, name)
	if err == nil {
		return dir.Remove(temp)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, statErr := dir.Lstat(name); statErr == nil {
		return fs.ErrExist
	}
	return dir.Rename(temp, name)
}

func numbered(base string, n int, suffix string) string {
	if n == 1 {
		return base + suffix
	}
	return base + "-" + strconv.Itoa(n) + suffix
}

// fill copies text into f until ctx ends, and makes it durable.
func (s *Store) fill(ctx context.Context, f *os.File, text io.Reader) (int64, error) {
	size, err := io.Copy(metered{s.meter, f}, until{ctx, text})
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return size, err
}

// metered is the one way in which the store writes: a file, as far as the disk has room.
type metered struct {
	meter *meter
	file  *os.File
}

// Write writes a chunk with one system call, or the start of it that there is room for.
func (m metered) Write(p []byte) (int, error) {
	may := m.meter.take(len(p))
	n, err := 0, error(nil)
	if may > 0 {
		n, err = m.file.Write(p[:may])
	}
	if err == nil && n < len(p) {
		err = errNoRoom
	}
	return n, err
}

// errNoRoom says that the rest of the disk is for the store.
var errNoRoom = fmt.Errorf("the disk is almost full: %w", syscall.ENOSPC)

// until reads from a reader as long as ctx lives.
type until struct {
	ctx  context.Context
	from io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}

func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// failed is an error without the path, which is made of what a caller wrote.
func failed(doing string, err error) *tool.Error {
	return tool.Errorf(tool.CodeStorageUnavailable, "%s: %w", doing, cause(err))
}

// cause takes the path out of an error of the file system.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
