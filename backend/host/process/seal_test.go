//go:build linux

package process

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Where the system cannot do it at once it is done one by one.
func TestFilesAreSealedOneByOne(t *testing.T) {
	for name, seal := range map[string]func(int) error{"at once": seal, "one by one": sealEach} {
		fd, err := unix.Open(os.DevNull, unix.O_RDONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := seal(fd + 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		below, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err := seal(fd); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sealed, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if below&unix.FD_CLOEXEC != 0 || sealed&unix.FD_CLOEXEC == 0 {
			t.Errorf("%s: %#x below, then %#x", name, below, sealed)
		}
		_ = unix.Close(fd)
	}
}
