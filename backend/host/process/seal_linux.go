package process

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// firstOurs is the lowest descriptor that no command gets unless it is handed over.
const firstOurs = 3

// seal keeps every descriptor from first on from the commands that are started. Go opens
// none that a command would get, but the program may have been started with some, and the
// libraries of a window open their own: a command that holds one keeps it open for as long
// as it runs, and can read and write what it leads to.
func seal(first int) error {
	err := unix.CloseRange(uint(first), math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) {
		// A system before 5.11.
		return sealEach(first)
	}
	return err
}

// sealEach does the same one by one.
func sealEach(first int) error {
	dir, err := os.Open("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("list open files: %w", err)
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return fmt.Errorf("list open files: %w", err)
	}
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil || fd < first {
			continue
		}
		// One that was closed meanwhile is nobody's.
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC); err != nil && !errors.Is(err, unix.EBADF) {
			return err
		}
	}
	return nil
}
