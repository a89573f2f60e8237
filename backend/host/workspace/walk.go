package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"countersign/backend/tool"
)

// trail is a walk down to a directory, with those that it made on the way, so that
// they can be taken away again.
type trail struct {
	dir  *os.Root
	made []made
}

// made is a directory that a walk made: its name and a handle on where it stands.
type made struct {
	in   *os.Root
	name string
}

// enter takes the next step of the walk.
func (t *trail) enter(next *os.Root, name string, fresh bool) {
	if fresh {
		t.made = append(t.made, made{t.dir, name})
	} else {
		_ = t.dir.Close()
	}
	t.dir = next
}

func (t *trail) close() {
	for _, m := range t.made {
		_ = m.in.Close()
	}
	_ = t.dir.Close()
}

// undo removes the directories that were made, as far as nobody put anything there.
func (t *trail) undo() {
	for i := len(t.made) - 1; i >= 0; i-- {
		m := t.made[i]
		if info, err := m.in.Lstat(m.name); err == nil && info.IsDir() {
			_ = m.in.Remove(m.name)
		}
	}
}

// walk opens the directory at a real path, one part after the other. With create it
// makes what is missing.
func (w *Workspace) walk(real string, create bool) (*trail, error) {
	dir, names, err := w.start(real)
	if err != nil {
		return nil, err
	}
	t := &trail{dir: dir}
	for _, name := range names {
		next, err := step(t.dir, name)
		fresh := false
		if create && errors.Is(err, fs.ErrNotExist) {
			next, fresh, err = makeStep(t.dir, name)
		}
		if err != nil {
			t.undo()
			t.close()
			if errors.Is(err, fs.ErrNotExist) {
				return nil, unusable(tool.KindAbsent)
			}
			return nil, err
		}
		t.enter(next, name, fresh)
	}
	return t, nil
}

// start opens the directory that a walk to real begins in, and names the rest of
// the way. The workspace begins at its own handle, so that directories above it
// that may be passed but not read are no obstacle; so does the output store.
func (w *Workspace) start(real string) (*os.Root, []string, error) {
	begin := filepath.VolumeName(real) + string(filepath.Separator)
	var dir *os.Root
	var err error
	switch {
	case w.output != "" && within(w.output, real):
		begin = w.output
		dir, err = os.OpenRoot(begin)
	case within(w.root, real):
		begin = w.root
		dir, err = w.handle.OpenRoot(".")
	default:
		dir, err = os.OpenRoot(begin)
	}
	if err != nil {
		return nil, nil, failure("open directory", err)
	}
	// The folder itself may have been replaced since it was opened or resolved.
	named, err := os.Lstat(begin)
	if err == nil {
		var opened fs.FileInfo
		if opened, err = dir.Stat("."); err == nil && os.SameFile(named, opened) {
			return dir, parts(real[len(begin):]), nil
		}
	}
	_ = dir.Close()
	if err != nil {
		return nil, nil, failure("look at directory", err)
	}
	return nil, nil, moved("the folder was replaced by another")
}

// step opens the directory name in dir. A link is not followed, and what was looked
// at must be what was opened.
func step(dir *os.Root, name string) (*os.Root, error) {
	looked, err := dir.Lstat(name)
	if err != nil {
		return nil, failure("look at directory", err)
	}
	switch {
	case looked.Mode()&fs.ModeSymlink != 0:
		return nil, moved("a link stands where a directory stood")
	case !looked.IsDir():
		return nil, failure("open directory", tool.ErrParentNotADir)
	}
	// With the dot the name is opened as a directory or not at all: a FIFO put there
	// meanwhile cannot hold the call.
	next, err := dir.OpenRoot(name + "/.")
	if err != nil {
		return nil, failure("open directory", err)
	}
	opened, err := next.Stat(".")
	if err == nil && os.SameFile(looked, opened) {
		return next, nil
	}
	_ = next.Close()
	if err != nil {
		return nil, failure("look at directory", err)
	}
	return nil, moved("a directory was replaced by another")
}

// makeStep makes the directory name in dir and opens it. It reports whether it was
// made: somebody else may have been first.
func makeStep(dir *os.Root, name string) (*os.Root, bool, error) {
	err := dir.Mkdir(name, 0o777)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, false, failure("make directory", err)
	}
	fresh := err == nil
	next, err := step(dir, name)
	if err != nil {
		if fresh {
			_ = dir.Remove(name)
		}
		return nil, false, err
	}
	return next, fresh, nil
}
