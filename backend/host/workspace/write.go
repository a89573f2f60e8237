package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"countersign/backend/tool"
)

// Write replaces the file at p with content in one step, or creates it where expect
// is "". It calls started just before the file takes its name; an error of started
// is returned as it is. When Write fails nothing is changed, but for
// tool.CodeUncertain: then the file stands and could not be made durable.
func (w *Workspace) Write(ctx context.Context, p tool.Path, content []byte, expect string, started func(context.Context) error) (tool.Stamp, error) {
	unlock, err := w.locks.Take(ctx, p.Real)
	if err != nil {
		return tool.Stamp{}, err
	}
	defer unlock()

	now, err := w.again(ctx, p)
	if err != nil {
		return tool.Stamp{}, err
	}
	if now.Kind != tool.KindAbsent && now.Kind != tool.KindOther {
		if err := unusable(now.Kind); err != nil {
			return tool.Stamp{}, err
		}
	}
	t, err := w.walk(filepath.Dir(p.Real), true)
	if err != nil {
		return tool.Stamp{}, err
	}
	defer t.close()
	r := &replacement{w: w, in: t.dir, real: p.Real, name: filepath.Base(p.Real), expect: expect}
	defer func() {
		if !r.done {
			t.undo()
		}
	}()
	stamp, err := r.run(ctx, content, started)
	if err != nil {
		return tool.Stamp{}, err
	}
	if err := durable(t); err != nil {
		return tool.Stamp{}, tool.Errorf(tool.CodeUncertain, "sync directory: %w", cause(err))
	}
	return stamp, nil
}

// durable syncs the directory that a file was put in, and each that was made for it.
func durable(t *trail) error {
	err := syncDir(t.dir)
	for _, m := range t.made {
		err = errors.Join(err, syncDir(m.in))
	}
	return err
}

// replacement is one file on its way to new content.
type replacement struct {
	w      *Workspace
	in     *os.Root
	real   string
	name   string
	expect string
	// done says that the file has taken its name.
	done bool
}

func (r *replacement) run(ctx context.Context, content []byte, started func(context.Context) error) (tool.Stamp, error) {
	old, err := r.check(ctx)
	if err != nil {
		return tool.Stamp{}, err
	}
	if old != nil {
		if err := mayWrite(r.real); err != nil {
			return tool.Stamp{}, failure("write file", err)
		}
	}
	sweepTemps(ctx, r.in)
	tmp, err := r.stage(content, old)
	if err != nil {
		return tool.Stamp{}, err
	}
	defer func() {
		if !r.done {
			tmp.discard()
		}
	}()
	if err := ctx.Err(); err != nil {
		return tool.Stamp{}, err
	}
	if err := r.unchanged(ctx, old); err != nil {
		return tool.Stamp{}, err
	}
	if err := started(ctx); err != nil {
		return tool.Stamp{}, err
	}
	// From here on the call has an effect, so a cancellation comes too late.
	if err := r.unchanged(context.WithoutCancel(ctx), old); err != nil {
		return tool.Stamp{}, err
	}
	info, err := r.publish(tmp, old == nil)
	if err != nil {
		return tool.Stamp{}, err
	}
	sum := sha256.Sum256(content)
	return tool.Stamp{
		Path: r.real, ModTime: info.ModTime().UTC(), Size: info.Size(),
		SHA256: hex.EncodeToString(sum[:]), At: r.w.clock.Now(),
	}, nil
}

// check compares the file with what is expected of it and returns what it saw; nil
// when there is none and none was expected.
func (r *replacement) check(ctx context.Context) (fs.FileInfo, error) {
	f, info, err := openIn(r.in, r.name)
	var e *tool.Error
	if errors.As(err, &e) && e.Code == tool.CodeFileNotFound {
		if r.expect == "" {
			return nil, nil
		}
		return nil, stale("the file is gone")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if r.expect == "" {
		return nil, stale("there is a file where there was none")
	}
	sum := sha256.New()
	if err := copyUntil(ctx, sum, f); err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != r.expect {
		return nil, stale("the file has other content")
	}
	return info, nil
}

// unchanged looks again at what check saw. The content decides: a file that was
// only touched is unchanged.
func (r *replacement) unchanged(ctx context.Context, old fs.FileInfo) error {
	now, err := r.in.Lstat(r.name)
	switch {
	case old == nil && absent(err):
		return nil
	case err == nil && old != nil && os.SameFile(now, old) && now.Size() == old.Size() && now.ModTime().Equal(old.ModTime()):
		return nil
	}
	_, err = r.check(ctx)
	return err
}

// stage puts the content into a temporary file beside the old one.
func (r *replacement) stage(content []byte, old fs.FileInfo) (*temp, error) {
	perm := fs.FileMode(0o666)
	if old != nil {
		// Nobody but us may look until it has the old file's own mode.
		perm = 0o600
	}
	tmp, err := r.w.newTemp(r.in, perm)
	if err != nil {
		return nil, err
	}
	_, err = tmp.f.Write(content)
	if err == nil && old != nil {
		err = tmp.f.Chmod(keepOwner(tmp.f, old))
	}
	if err == nil {
		err = tmp.f.Sync()
	}
	if err != nil {
		tmp.discard()
		return nil, failure("write temporary file", err)
	}
	return tmp, nil
}

// publish gives the temporary file its name.
func (r *replacement) publish(tmp *temp, created bool) (fs.FileInfo, error) {
	info, err := tmp.f.Stat()
	if err != nil {
		return nil, failure("look at temporary file", err)
	}
	if !keepsName {
		_ = tmp.f.Close()
	}
	if created {
		err = renameNew(r.in, tmp.name, r.name)
	} else {
		err = r.in.Rename(tmp.name, r.name)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil, stale("there is a file where there was none")
	}
	if err != nil {
		return nil, failure("rename temporary file", err)
	}
	r.done = true
	_ = tmp.f.Close()
	return info, nil
}

// renameNew renames a file unless the new name is taken. A link is made first, since
// it fails when the name is taken where a rename would replace; file systems without
// links get a look before the rename instead.
func renameNew(dir *os.Root, from, to string) error {
	err := dir.Link(from, to)
	if err == nil {
		_ = dir.Remove(from)
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := dir.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return dir.Rename(from, to)
}

// copyUntil copies a file as long as ctx lives.
func copyUntil(ctx context.Context, to io.Writer, f *os.File) error {
	r := newReader(ctx, f)
	defer r.stop()
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		_, _ = to.Write(buf[:n])
		if err == io.EOF {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return failure("read file", err)
		}
	}
}
