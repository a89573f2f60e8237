//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"countersign/backend/tool"
)

// noWait keeps an open from waiting for the other end of a FIFO.
const noWait = unix.O_NONBLOCK

// absent reports whether nothing stands at a path; what lies below a file does not
// exist either.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) }

func tooLong(err error) bool { return errors.Is(err, unix.ENAMETOOLONG) }

// advised names the causes that a reader can be advised about.
func advised(err error) error {
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT), errors.Is(err, unix.EFBIG):
		return tool.ErrNoSpace
	case errors.Is(err, unix.EROFS):
		return tool.ErrReadOnlyDisk
	case errors.Is(err, unix.ENOTDIR):
		return tool.ErrParentNotADir
	}
	return nil
}

// hold locks a temporary file as long as it is open, so that others see that it is
// in use. It reports false when somebody else holds it.
func hold(f *os.File) bool {
	held := false
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) { held = unix.Flock(int(fd), unix.LOCK_EX|unix.LOCK_NB) == nil })
	return err == nil && held
}

// keepsName says that an open file can be renamed.
const keepsName = true

// keepOwner gives f the owner and group of the file it will replace, as far as the
// system lets us, and returns the mode bits to keep: where the owner changes, a
// program that ran as somebody else must not come to run as us.
func keepOwner(f *os.File, old fs.FileInfo) fs.FileMode {
	bits := old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return bits & fs.ModePerm
	}
	if info, err := f.Stat(); err == nil {
		if now, ok := info.Sys().(*syscall.Stat_t); ok && now.Uid == was.Uid && now.Gid == was.Gid {
			return bits
		}
	}
	if f.Chown(int(was.Uid), int(was.Gid)) == nil {
		return bits
	}
	_ = f.Chown(-1, int(was.Gid))
	return bits & fs.ModePerm
}

// mayWrite reports whether a file's own mode lets us write it. A rename would not
// ask, but somebody who took the right to write away meant it.
func mayWrite(real string) error {
	err := unix.Access(real, unix.W_OK)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EROFS) {
		return err
	}
	return nil
}

// syncDir makes the names in a directory durable, where the file system can.
func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}
