package dotfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"countersign/backend/connect"
)

// Write puts content in the place of a file, as connect.Files says.
func (Files) Write(f connect.File, content []byte) (err error) {
	if real, err := lead(f.Path, f.Within); err != nil || real != f.Real {
		return errors.Join(connect.ErrChanged, err)
	}
	folder := filepath.Dir(f.Real)
	made, err := makeFolders(folder, f.Within)
	defer func() {
		if err != nil {
			for _, dir := range made {
				_ = os.Remove(dir)
			}
		}
	}()
	if err != nil {
		return named(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return named(err)
	}
	defer root.Close()
	if err := isThere(root, folder); err != nil {
		return err
	}
	return replace(root, f, content)
}

// makeFolders makes a folder with those above it, and returns the new ones, the deepest
// first. Those in the person's home are for the person alone.
func makeFolders(folder, within string) (made []string, err error) {
	mode := fs.FileMode(0o700)
	if within != "" {
		mode = 0o755
	}
	var missing []string
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], mode); err != nil {
			return made, err
		}
		made = append([]string{missing[i]}, made...)
	}
	return made, nil
}

// isThere checks that the folder that was opened is still the one of its path, no link
// having come into it meanwhile. From here on its path is not used any more.
func isThere(root *os.Root, folder string) error {
	opened, err := root.Stat(".")
	if err != nil {
		return named(err)
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return named(err)
	}
	now, err := os.Lstat(folder)
	if err != nil {
		return named(err)
	}
	if real != folder || !os.SameFile(opened, now) {
		return connect.ErrChanged
	}
	return nil
}

// replace writes a file beside the old one and renames it over it, if that is still what
// was read.
func replace(root *os.Root, f connect.File, content []byte) (err error) {
	old, err := asRead(root, f)
	if err != nil {
		return err
	}
	if err := replaceable(old); err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	temp := ".countersign-" + hex.EncodeToString(sum[:8]) + ".tmp"
	file, err := create(root, temp)
	if err != nil {
		return named(err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = root.Remove(temp)
		}
	}()
	if _, err = file.Write(content); err != nil {
		return named(err)
	}
	if err = dress(file, old, f); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return named(err)
	}
	if err = file.Close(); err != nil {
		return named(err)
	}
	if _, err = asRead(root, f); err != nil {
		return err
	}
	if err = root.Rename(temp, filepath.Base(f.Real)); err != nil {
		return named(err)
	}
	return settle(root)
}

// create makes a file that must not be there; one that a killed program left is removed.
func create(root *os.Root, name string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	file, err := root.OpenFile(name, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if err := root.Remove(name); err != nil {
			return nil, err
		}
		file, err = root.OpenFile(name, flags, 0o600)
	}
	return file, err
}

// asRead checks that the file is what was read, and returns its info, nil where there is
// still none.
func asRead(root *os.Root, f connect.File) (fs.FileInfo, error) {
	now := connect.File{Real: f.Real}
	info, err := content(root, &now)
	if err != nil {
		return nil, errors.Join(connect.ErrChanged, err)
	}
	if now.Exists != f.Exists || !bytes.Equal(now.Content, f.Content) {
		return nil, connect.ErrChanged
	}
	return info, nil
}

// replaceable reports why an old file may not make room.
func replaceable(old fs.FileInfo) error {
	switch {
	case old == nil:
		return nil
	case old.Mode().Perm()&0o200 == 0:
		return connect.ErrKept
	case names(old) > 1:
		return connect.ErrShared
	}
	return nil
}

// dress gives the new file the mode and the owner of the old one.
func dress(file *os.File, old fs.FileInfo, f connect.File) error {
	mode := fs.FileMode(0o600)
	switch {
	case old != nil:
		mode = old.Mode().Perm()
	case f.Within != "":
		mode = 0o644
	}
	if old != nil {
		if err := own(file, old); err != nil {
			return fmt.Errorf("%w: %w", connect.ErrShared, err)
		}
	}
	if err := file.Chmod(mode); err != nil {
		return named(err)
	}
	return nil
}

// settle makes the new name last through a crash.
func settle(root *os.Root) error {
	folder, err := root.Open(".")
	if err != nil {
		return named(err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return named(err)
	}
	return nil
}
