package workspace

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"

	"countersign/backend/tool"
)

// noWait is not needed: no name of a directory here waits when it is opened.
const noWait = 0

// absent reports whether nothing stands at a path; what lies below a file does not
// exist either.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, windows.ERROR_DIRECTORY)
}

func tooLong(err error) bool { return errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) }

// advised names the causes that a reader can be advised about.
func advised(err error) error {
	switch {
	case errors.Is(err, windows.ERROR_DISK_FULL), errors.Is(err, windows.ERROR_HANDLE_DISK_FULL):
		return tool.ErrNoSpace
	case errors.Is(err, windows.ERROR_WRITE_PROTECT):
		return tool.ErrReadOnlyDisk
	case errors.Is(err, windows.ERROR_DIRECTORY):
		return tool.ErrParentNotADir
	}
	return nil
}

// hold has nothing to do: an open file cannot be removed here.
func hold(*os.File) bool { return true }

// keepsName says that an open file cannot be renamed.
const keepsName = false

// keepOwner returns the mode bits to keep; owners follow from the directory.
func keepOwner(_ *os.File, old fs.FileInfo) fs.FileMode { return old.Mode() & fs.ModePerm }

// mayWrite reports whether a file is marked read-only.
func mayWrite(real string) error {
	info, err := os.Lstat(real)
	if err == nil && info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// syncDir has nothing to do: the file system orders its own names.
func syncDir(*os.Root) error { return nil }
