package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	locksFolder = "locks"
	lockSuffix  = ".lock"
	// entryName is locked while a program comes in or sweeps. Between making a lock
	// file and locking it a file looks like garbage: nobody may look then.
	entryName = "entry"
	deskName  = "desk.lock"
	// lockRetry is how often a lock is tried that is held for moments only.
	lockRetry = 5 * time.Millisecond
)

// makePrivate makes the folder, or takes the rights of others away from it.
func makePrivate(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the home folder: %w", err)
	}
	info, err := os.Stat(folder)
	if err != nil {
		return fmt.Errorf("look at the home folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("look at the home folder: %w", fs.ErrExist)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return fmt.Errorf("make the home folder private: %w", err)
	}
	return nil
}

// makePrivateFile makes the database file, readable by its owner alone, if it is not
// there. SQLite gives its other files the same mode.
func makePrivateFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("make the database file: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("make the database file: %w", err)
	}
	return nil
}

// entry is the right to come in and to sweep.
type entry struct {
	folder string
	lock   *flock.Flock
}

func enter(ctx context.Context, home string) (*entry, error) {
	folder := filepath.Join(home, locksFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of locks: %w", err)
	}
	e := &entry{folder: folder, lock: flock.New(filepath.Join(folder, entryName))}
	if _, err := e.lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("take the entry lock: %w", err)
	}
	return e, nil
}

func (e *entry) leave() { _ = e.lock.Unlock() }

// program is this program's mark in the home: a lock file that it holds for life.
type program struct {
	id   string
	path string
	lock *flock.Flock
}

func (e *entry) register(id string) (*program, error) {
	p := &program{id: id, path: filepath.Join(e.folder, id+lockSuffix)}
	p.lock = flock.New(p.path)
	ok, err := p.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("take the program lock: %w", err)
	}
	if !ok {
		return nil, errors.New("take the program lock: somebody holds it")
	}
	return p, nil
}

func (p *program) leave() {
	// Removed first: a file that is still there and not locked would be a dead program.
	_ = os.Remove(p.path)
	_ = p.lock.Unlock()
}

// alive reports whether the program of this id holds its lock. It asks for a shared
// lock, so that two who ask at once do not take each other for the program. What
// cannot be found out counts as alive.
func alive(home, id string) bool {
	return held(filepath.Join(home, locksFolder, id+lockSuffix))
}

// living returns what reports whether a program runs. Each is asked about once.
func (s *Store) living() func(program string) bool {
	known := map[string]bool{s.program.id: true}
	return func(program string) bool {
		lives, asked := known[program]
		if !asked {
			lives = alive(s.home, program)
			known[program] = lives
		}
		return lives
	}
}

func held(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil || !free {
		return true
	}
	_ = lock.Unlock()
	return false
}

// anyAlive reports whether any program holds its lock.
func anyAlive(home string) bool {
	for _, path := range lockFiles(home) {
		if held(path) {
			return true
		}
	}
	return false
}

func lockFiles(home string) []string {
	folder := filepath.Join(home, locksFolder)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), lockSuffix) {
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	return out
}

// TakeDesk makes this program the desk of the home, of which there is one. It
// fails with ErrDeskTaken while another program is. release gives the place up; it
// may be called more than once.
func (s *Store) TakeDesk() (release func(), err error) {
	lock := flock.New(filepath.Join(s.home, deskName))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fault("take the desk lock", err)
	}
	if !ok {
		return nil, fault("take the desk lock", ErrDeskTaken)
	}
	s.desk.Store(lock)
	return func() { _ = lock.Unlock() }, nil
}
