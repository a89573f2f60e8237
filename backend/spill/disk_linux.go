package spill

import "golang.org/x/sys/unix"

// diskOf says how many bytes the disk of a folder has, and how many of them this program
// may still take.
func diskOf(dir string) (total, free int64, ok bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || s.Blocks == 0 {
		return 0, 0, false
	}
	return int64(s.Blocks) * s.Bsize, int64(s.Bavail) * s.Bsize, true
}
