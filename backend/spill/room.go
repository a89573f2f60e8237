package spill

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Sweep removes everything a session kept. A session that kept nothing is no error.
func (s *Store) Sweep(sessionID string) error {
	if err := s.root.RemoveAll(safe(sessionID)); err != nil {
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
		if !folder.IsDir() {
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

// MakeRoom removes whole sessions, the oldest first, until the rest keeps at most
// maxBytes. It never touches a session that live names, so that more than maxBytes
// can be left. It returns the sessions that it removed.
func (s *Store) MakeRoom(ctx context.Context, maxBytes int64, live func(session string) bool) ([]string, error) {
	all, err := s.Usages(ctx)
	if err != nil {
		return nil, err
	}
	var total int64
	for _, u := range all {
		total += u.Bytes
	}
	var gone []string
	for _, u := range all {
		if total <= maxBytes {
			break
		}
		if live(u.Session) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return gone, err
		}
		if err := s.root.RemoveAll(u.Session); err != nil {
			return gone, fmt.Errorf("make room for output: %w", cause(err))
		}
		total -= u.Bytes
		gone = append(gone, u.Session)
	}
	return gone, nil
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
