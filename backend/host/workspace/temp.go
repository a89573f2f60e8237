package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"countersign/backend/tool"
)

// tempPrefix starts the name of every temporary file. It is hidden, and long enough
// that nobody else's file has it.
const tempPrefix = ".countersign-write-"

// temp is a temporary file that is open and held.
type temp struct {
	f    *os.File
	in   *os.Root
	name string
}

// newTemp makes a temporary file in dir with the given permissions less the umask.
func (w *Workspace) newTemp(dir *os.Root, perm fs.FileMode) (*temp, error) {
	for range 1000 {
		name := tempPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(w.temps.Add(1), 10)
		f, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, failure("create temporary file", err)
		}
		t := &temp{f, dir, name}
		// Somebody sweeping may have been quicker than the lock.
		if hold(f) && t.stands() {
			return t, nil
		}
		t.discard()
	}
	return nil, tool.Errorf(tool.CodeIO, "no free name for a temporary file")
}

// stands reports whether the name still leads to the open file.
func (t *temp) stands() bool {
	opened, err := t.f.Stat()
	if err != nil {
		return false
	}
	named, err := t.in.Lstat(t.name)
	return err == nil && os.SameFile(opened, named)
}

// discard closes the file and removes it.
func (t *temp) discard() {
	if t.stands() && keepsName {
		_ = t.in.Remove(t.name)
	}
	_ = t.f.Close()
	if !keepsName {
		_ = t.in.Remove(t.name)
	}
}

// sweepTemps removes what killed programs left in dir: temporary files that nobody
// holds. It looks at no more than sweepEntries names.
func sweepTemps(ctx context.Context, dir *os.Root) {
	seen := 0
	_ = list(ctx, dir, func(e tool.Entry) bool {
		if strings.HasPrefix(e.Name, tempPrefix) && e.Kind == tool.KindFile {
			sweepTemp(dir, e.Name)
		}
		seen++
		return seen < sweepEntries
	})
}

const sweepEntries = 10_000

func sweepTemp(dir *os.Root, name string) {
	f, _, err := openIn(dir, name)
	if err != nil {
		return
	}
	left := &temp{f, dir, name}
	if hold(f) {
		left.discard()
		return
	}
	_ = f.Close()
}
