package search

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"countersign/backend/tool"
)

// nameBytes is more than a path can have.
const nameBytes = 64 << 10

// List lists files.
func (s *Searcher) List(ctx context.Context, q tool.ListQuery, each func(tool.FoundFile) bool) error {
	if err := s.ready(ctx, q.Root); err != nil {
		return err
	}
	p := s.placeOf(q.Root)
	more := []string{"--files", "--null", listers()}
	for _, name := range q.Without {
		more = append(more, "--glob=!"+name+"/")
	}
	complaint, err := s.run(ctx, p, s.arguments(p, more...), func(out io.Reader) (bool, error) {
		return s.names(q, p, bufio.NewReaderSize(out, nameBytes), each)
	})
	if err == nil && complaint != "" {
		err = tool.Errorf(tool.CodeExecutionFailed, "ripgrep refused to list files")
	}
	return err
}

// names reads the names that ripgrep prints. A name says less than what a file holds, so
// what is left out are the folders that may not be listed, with all that is in them. The
// system is asked only about files that are wanted.
func (s *Searcher) names(q tool.ListQuery, p place, in *bufio.Reader, each func(tool.FoundFile) bool) (enough bool, err error) {
	var dir string
	held := false
	folders := map[string]bool{}
	found := newAges(each)
	defer found.stop()
	for {
		name, err := in.ReadSlice(0)
		switch {
		case err == io.EOF && len(name) == 0:
			return found.finish(), nil
		case errors.Is(err, io.EOF):
			return false, io.ErrUnexpectedEOF
		case err != nil:
			return false, err
		}
		f := s.named(q.Root, p, string(name[:len(name)-1]))
		// Files come folder by folder, mostly.
		if now := f.Path.Real[:strings.LastIndex(f.Path.Real, separator)]; now != dir || now == "" {
			dir = now
			known := false
			if held, known = folders[dir]; !known {
				real := filepath.Dir(f.Path.Real)
				held = real != q.Root.Real && s.held(q.Root, real)
				folders[dir] = held
			}
		}
		if held || q.Wanted != nil && !q.Wanted(f.Below) {
			continue
		}
		if !found.add(f) {
			return true, nil
		}
	}
}
