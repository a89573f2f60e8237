package store

import (
	"errors"
	"os"
	"path/filepath"
)

// roomBytes is what must fit beside the database before a store that met a full disk looks
// whether it can write again. A write of a few bytes often fits into what the log of the
// database holds already, and the next call would not.
const roomBytes = 512 << 10

// roomBeside reports why so much cannot be written beside a file, nil when it can. It leaves
// nothing.
func roomBeside(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".room-*")
	if err != nil {
		return err
	}
	// Where a file that is open can be removed, a program that is killed leaves none.
	gone := os.Remove(f.Name()) == nil
	defer func() {
		err = errors.Join(err, f.Close())
		if !gone {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(make([]byte, roomBytes)); err != nil {
		return err
	}
	return f.Sync()
}
