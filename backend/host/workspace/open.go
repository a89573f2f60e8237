package workspace

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"countersign/backend/tool"
)

// Open opens the regular file at p for reading; the caller closes it. When ctx ends, so
// does a read that waits for content, with the error of ctx.
func (w *Workspace) Open(ctx context.Context, p tool.Path) (io.ReadCloser, tool.FileInfo, error) {
	now, err := w.again(ctx, p)
	if err != nil {
		return nil, tool.FileInfo{}, err
	}
	// What may not be looked at is tried, so that the system says why.
	if now.Kind != tool.KindOther {
		if err := unusable(now.Kind); err != nil {
			return nil, tool.FileInfo{}, err
		}
	}
	t, err := w.walk(filepath.Dir(p.Real), false)
	if err != nil {
		return nil, tool.FileInfo{}, err
	}
	defer t.close()
	f, info, err := openIn(t.dir, filepath.Base(p.Real))
	if err != nil {
		return nil, tool.FileInfo{}, err
	}
	return newReader(ctx, f), tool.FileInfo{Size: info.Size(), ModTime: info.ModTime(), Mode: info.Mode()}, nil
}

// openTries is how often a file is opened that others keep replacing. Whoever saves a
// file in one step replaces it, so meeting that once is nothing unusual.
const openTries = 8

// openIn opens the regular file name in dir. A link is not followed, nothing else
// is waited for, and what was looked at must be what was opened.
func openIn(dir *os.Root, name string) (f *os.File, info os.FileInfo, err error) {
	for range openTries {
		if f, info, err = openOnce(dir, name); err != nil || f != nil {
			return f, info, err
		}
	}
	return nil, nil, moved("the file was replaced by others as often as it was opened")
}

// openOnce returns no file and no error when another file took the name meanwhile.
func openOnce(dir *os.Root, name string) (*os.File, os.FileInfo, error) {
	looked, err := dir.Lstat(name)
	if absent(err) {
		return nil, nil, unusable(tool.KindAbsent)
	}
	if err != nil {
		return nil, nil, failure("look at file", err)
	}
	if err := unusable(kindOf(looked.Mode())); err != nil {
		return nil, nil, err
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|noWait, 0)
	if absent(err) {
		return nil, nil, unusable(tool.KindAbsent)
	}
	if err != nil {
		return nil, nil, failure("open file", err)
	}
	opened, err := f.Stat()
	if err == nil && os.SameFile(looked, opened) && opened.Mode().IsRegular() {
		return f, opened, nil
	}
	_ = f.Close()
	if err != nil {
		return nil, nil, failure("look at file", err)
	}
	return nil, nil, nil
}
