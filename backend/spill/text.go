package spill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Text is a kept text, open for reading. It may grow meanwhile. It is safe for concurrent
// use; the caller closes it.
type Text struct{ file *os.File }

// ReadAt reads as io.ReaderAt does.
func (t *Text) ReadAt(p []byte, off int64) (int, error) { return t.file.ReadAt(p, off) }

// Size is how many bytes the text has now.
func (t *Text) Size() (int64, error) {
	info, err := t.file.Stat()
	if err != nil {
		return 0, cause(err)
	}
	return info.Size(), nil
}

// Close lets go of the text.
func (t *Text) Close() error { return t.file.Close() }

// Text opens a text of a session by its name, never one that is for the product alone. What
// is not there, or is no file of the store, is fs.ErrNotExist.
func (s *Store) Text(sessionID, name string) (*Text, error) {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\`+"\x00") {
		return nil, fs.ErrNotExist
	}
	folder := Folder(sessionID)
	if info, err := s.root.Lstat(folder); err != nil || !info.IsDir() {
		return nil, errors.Join(fs.ErrNotExist, err)
	}
	return openText(s.root, filepath.Join(folder, name))
}

// openText opens a regular file that is no link. It never waits for a pipe.
func openText(root *os.Root, path string) (*Text, error) {
	if info, err := root.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fs.ErrNotExist, cause(err))
	}
	f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, errors.Join(fs.ErrNotExist, cause(err))
	}
	return &Text{f}, nil
}
