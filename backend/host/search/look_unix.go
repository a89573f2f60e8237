//go:build unix

package search

import (
	"strings"
	"time"

	"countersign/backend/tool"

	"golang.org/x/sys/unix"
)

// fewFiles is up to how many files of a folder are asked about by their whole paths: the way
// to a folder costs about as much as the rest of a question, and opening it twice that.
const fewFiles = 4

// lookAt fills in what the system says of files, and for each whether it is a file still and
// no link by now. Those of a folder that stand together are asked about from there. It is asked
// of thousands at once, so it leaves little behind that has to be collected.
func lookAt(files []tool.FoundFile, there []bool) {
	for len(files) > 0 {
		dir, _ := cut(files[0].Path.Real)
		n := 1
		for n < len(files) && isIn(dir, files[n].Path.Real) {
			n++
		}
		lookIn(dir, files[:n], there[:n])
		files, there = files[n:], there[n:]
	}
}

func cut(path string) (dir, name string) {
	at := strings.LastIndex(path, separator) + 1
	return path[:at], path[at:]
}

func isIn(dir, path string) bool {
	return strings.HasPrefix(path, dir) && !strings.Contains(path[len(dir):], separator)
}

// lookIn looks at files of one folder.
func lookIn(dir string, files []tool.FoundFile, there []bool) {
	folder := unix.AT_FDCWD
	if len(files) > fewFiles {
		if fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err == nil {
			defer func() { _ = unix.Close(fd) }()
			folder = fd
		}
	}
	for i := range files {
		name := files[i].Path.Real
		if folder != unix.AT_FDCWD {
			name = name[len(dir):]
		}
		there[i] = lookFrom(folder, name, &files[i])
	}
}

// look fills in what the system says of a file. It reports false when the file is not
// there any more, or is a link now.
func look(f *tool.FoundFile) bool { return lookFrom(unix.AT_FDCWD, f.Path.Real, f) }

func lookFrom(folder int, name string, f *tool.FoundFile) bool {
	var st unix.Stat_t
	err := unix.Fstatat(folder, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	for err == unix.EINTR {
		err = unix.Fstatat(folder, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	}
	if err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return false
	}
	f.ModTime = time.Unix(st.Mtim.Unix()).UTC()
	return true
}
