package dotfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"countersign/backend/connect"
)

// maxBytes is the largest file that is read.
const maxBytes = 1 << 20

// maxLinks is how many links in a row are followed.
const maxLinks = 40

// Files are the files of this machine.
type Files struct{}

// Read reads the file that a path leads to, as connect.Files says.
func (Files) Read(path, within string) (connect.File, error) {
	f := connect.File{Path: path, Within: within}
	var err error
	if f.Real, err = lead(path, within); err != nil {
		return f, err
	}
	root, err := os.OpenRoot(filepath.Dir(f.Real))
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, named(err)
	}
	defer root.Close()
	_, err = content(root, &f)
	return f, err
}

// lead resolves the links of a path as far as it exists, and checks that it ends within the
// folder.
func lead(path, within string) (string, error) {
	left := maxLinks
	real, err := follow(path, &left)
	if err != nil || within == "" {
		return real, err
	}
	folder, err := filepath.EvalSymlinks(within)
	if err != nil {
		return "", named(err)
	}
	rel, err := filepath.Rel(folder, real)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", connect.ErrOutside
	}
	return real, nil
}

func follow(path string, left *int) (string, error) {
	parent := filepath.Dir(path)
	if parent == path {
		return path, nil
	}
	folder, err := follow(parent, left)
	if err != nil {
		return "", err
	}
	at := filepath.Join(folder, filepath.Base(path))
	info, err := os.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at, nil
	case err != nil:
		return "", named(err)
	case info.Mode()&fs.ModeSymlink == 0:
		return at, nil
	}
	if *left--; *left < 0 {
		return "", connect.ErrNoFile
	}
	target, err := os.Readlink(at)
	if err != nil {
		return "", named(err)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(folder, target)
	}
	return follow(target, left)
}

// content reads a file in an open folder into f. Its info is nil where there is no file.
func content(root *os.Root, f *connect.File) (fs.FileInfo, error) {
	name := filepath.Base(f.Real)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, named(err)
	case !info.Mode().IsRegular():
		return nil, connect.ErrNoFile
	case info.Size() > maxBytes:
		return nil, connect.ErrTooLarge
	}
	// What was a plain file a moment ago may be a pipe now, which would be waited for.
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, named(err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, named(err)
	}
	if !info.Mode().IsRegular() {
		return nil, connect.ErrNoFile
	}
	b, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	switch {
	case err != nil:
		return nil, named(err)
	case len(b) > maxBytes:
		return nil, connect.ErrTooLarge
	}
	f.Exists, f.Content = true, b
	return info, nil
}

// named gives an error of the machine its name.
func named(err error) error {
	for _, c := range []struct{ is, name error }{
		{syscall.ENOTDIR, connect.ErrNoFile},
		{syscall.EISDIR, connect.ErrNoFile},
		{syscall.ELOOP, connect.ErrNoFile},
		{syscall.ENOSPC, connect.ErrFull},
		{syscall.EDQUOT, connect.ErrFull},
		{syscall.EROFS, connect.ErrShut},
		{fs.ErrPermission, connect.ErrShut},
	} {
		if errors.Is(err, c.is) {
			return fmt.Errorf("%w: %w", c.name, err)
		}
	}
	return err
}

// Beside returns the program of a name in the folder of another, "" when there is none. A
// program that has the name itself is the one.
func Beside(self, name string) string {
	path := filepath.Join(filepath.Dir(self), name+filepath.Ext(self))
	if filepath.Base(self) == filepath.Base(path) {
		path = self
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return ""
	}
	return path
}
