//go:build unix

package search

import (
	"time"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// look fills in what the system says of a file. It reports false when the file is not
// there any more, or is a link now. It is asked of thousands at once, so it leaves nothing
// behind that has to be collected.
func look(f *tool.FoundFile) bool {
	var st unix.Stat_t
	err := unix.Lstat(f.Path.Real, &st)
	for err == unix.EINTR {
		err = unix.Lstat(f.Path.Real, &st)
	}
	if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return false
	}
	f.ModTime = time.Unix(st.Mtim.Unix()).UTC()
	return true
}
