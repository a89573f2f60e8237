package spill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Sweep removes everything a session kept. A session that kept nothing is no error.
func (s *Store) Sweep(sessionID string) error {
	if err := s.remove(safe(sessionID)); err != nil {
		return fmt.Errorf("sweep output of session: %w", cause(err))
	}
	return nil
}

// Usage is what one session keeps.
type Usage struct {
	// Session is the folder's name: the session's id, where that is a plain name.
	Session string
	Bytes   int64
	// Last is when the newest file was written.
	Last time.Time
}

// Usages lists the sessions that keep anything, the one that was written to
// longest ago first.
func (s *Store) Usages(ctx context.Context) ([]Usage, error) {
	folders, err := s.list(".")
	if err != nil {
		return nil, fmt.Errorf("measure output: %w", cause(err))
	}
	var all []Usage
	for _, folder := range folders {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !folder.IsDir() || folder.Name()[0] == '.' {
			continue
		}
		u, err := s.usage(folder.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // swept meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("measure output: %w", cause(err))
		}
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b Usage) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Session, b.Session))
	})
	return all, nil
}

// Pressed gives a message when so much was written that it is time to make room.
func (s *Store) Pressed() <-chan struct{} { return s.meter.pressed }

// Folder is the name of the folder of a session.
func Folder(sessionID string) string { return safe(sessionID) }

// leaving starts the name of a folder that is being removed. No session's folder is called so.
const leaving = ".leaving-"

// MakeRoom removes whole sessions, the oldest first, until the rest keeps at most
// maxBytes. It asks may just before it removes one, so that more than maxBytes can be left.
// It returns what it removed, and goes on after a session that it could not ask about or
// remove.
func (s *Store) MakeRoom(ctx context.Context, maxBytes int64, may func(ctx context.Context, folder string) (bool, error)) ([]Usage, error) {
	s.finishLeaving()
	all, err := s.Usages(ctx)
	if err != nil {
		return nil, err
	}
	var total int64
	for _, u := range all {
		total += u.Bytes
	}
	var gone []Usage
	var errs []error
	for _, u := range all {
		if total <= maxBytes || ctx.Err() != nil {
			break
		}
		yes, err := may(ctx, u.Session)
		if err == nil && yes {
			err = s.remove(u.Session)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("make room for output: %w", cause(err)))
		} else if yes {
			total -= u.Bytes
			gone = append(gone, u)
		}
	}
	s.meter.measured(total, maxBytes)
	return gone, errors.Join(append(errs, ctx.Err())...)
}

// remove takes the name from a folder before it takes its files, so that whoever comes back
// to the session meanwhile begins a folder of its own.
func (s *Store) remove(folder string) error {
	name := leaving + folder
	err := s.root.Rename(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return s.root.RemoveAll(folder)
	}
	return s.root.RemoveAll(name)
}

// finishLeaving removes what a program left that ended while it made room.
func (s *Store) finishLeaving() {
	folders, _ := s.list(".")
	for _, f := range folders {
		if strings.HasPrefix(f.Name(), leaving) {
			_ = s.root.RemoveAll(f.Name())
		}
	}
}

func (s *Store) usage(session string) (Usage, error) {
	u := Usage{Session: session}
	info, err := s.root.Lstat(session)
	if err != nil {
		return u, err
	}
	u.Last = info.ModTime()
	files, err := s.list(session)
	if err != nil {
		return u, err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			continue // removed meanwhile
		}
		if info.Mode().IsRegular() {
			u.Bytes += info.Size()
		}
		if info.ModTime().After(u.Last) {
			u.Last = info.ModTime()
		}
	}
	return u, nil
}

func (s *Store) list(dir string) ([]os.DirEntry, error) {
	f, err := s.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
