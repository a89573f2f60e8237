package spill

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// Log begins a text that grows, called <label>-<call>.txt. It fails with
// CodeStorageUnavailable when there is no file for it at all.
func (o output) Log(ctx context.Context, label string) (tool.Log, error) {
	return o.begin(ctx, o.base(label), ".txt", false)
}

// NamedLog begins a text that grows under a plain name of the session. It stays when it is
// empty, since a name was given away for it. It grows no longer than LimitLogs says.
func (o output) NamedLog(ctx context.Context, name string) (tool.Log, error) {
	base, suffix := split(name)
	return o.begin(ctx, base, suffix, true)
}

// split makes a plain name safe and takes its suffix off, before which a number has its place.
func split(name string) (base, suffix string) {
	name = safe(name)
	suffix = filepath.Ext(name)
	return strings.TrimSuffix(name, suffix), suffix
}

func (o output) begin(ctx context.Context, base, suffix string, stays bool) (tool.Log, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := o.store.session(o.session)
	if err != nil {
		return nil, failed("make session folder", err)
	}
	name, f, err := create(dir, base, suffix)
	if err != nil {
		_ = dir.Close()
		return nil, failed("create output file", err)
	}
	return &growing{
		store: o.store, session: o.session, folder: filepath.Join(o.store.dir, o.session),
		dir: dir, file: f, to: metered{o.store.meter, f}, name: name, stays: stays,
	}, nil
}

// growing is a text that grows. It is not synced: a machine that loses power may lose the
// end of it, and a producer never waits for the platter.
type growing struct {
	store   *Store
	session string
	folder  string

	mu   sync.Mutex
	dir  *os.Root
	file *os.File
	to   metered
	name string
	// stays says that an empty file is kept.
	stays bool
	size  int64
	lost  int64
	// missing is how much of what was lost the text does not yet tell of.
	missing int64
}

// lineBytes is room for the line that tells of what is missing.
const lineBytes = 64

// room is how much of n bytes the text may still take. A call ends, and so does what it
// prints; the log of a process, which has a name of its own, could grow for ever.
func (g *growing) room(n int) int {
	if !g.stays {
		return n
	}
	return int(max(0, min(int64(n), g.store.longest.Load()-lineBytes-g.size)))
}

// Write keeps what can be kept of a chunk.
func (g *growing) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept := 0
	if room := g.room(len(p)); g.file != nil && room > 0 && g.told() {
		kept, _ = g.to.Write(p[:room])
		g.size += int64(kept)
	}
	g.lost += int64(len(p) - kept)
	g.missing += int64(len(p) - kept)
	return len(p), nil
}

// told puts a line where something is missing, before the text goes on. A line that has no
// room either leaves nothing behind.
func (g *growing) told() bool {
	if g.missing == 0 {
		return true
	}
	line := "\n[... " + bound.Plural(g.missing, "byte") + " could not be kept here ...]\n"
	n, err := g.to.Write([]byte(line))
	if err != nil {
		if n > 0 && g.file.Truncate(g.size) == nil {
			_, _ = g.file.Seek(g.size, 0)
		}
		return false
	}
	g.size += int64(n)
	g.missing = 0
	return true
}

// ReadAt reads what is kept. A text that ended is opened anew for it.
func (g *growing) ReadAt(p []byte, offset int64) (int, error) {
	g.mu.Lock()
	file, name := g.file, g.name
	g.mu.Unlock()
	if file != nil {
		// It may be closed meanwhile; then it is read like one that was.
		if n, err := file.ReadAt(p, offset); !errors.Is(err, os.ErrClosed) {
			return n, err
		}
	}
	if name == "" {
		return 0, io.EOF
	}
	file, err := g.store.root.Open(filepath.Join(g.session, name))
	if err != nil {
		return 0, failed("open output file", err)
	}
	defer file.Close()
	return file.ReadAt(p, offset)
}

// Path is the absolute path of the text, "" once it was removed.
func (g *growing) Path() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.name == "" {
		return ""
	}
	return filepath.Join(g.folder, g.name)
}

// Size is how many bytes the text has.
func (g *growing) Size() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.size
}

// Lost is how many bytes could not be kept.
func (g *growing) Lost() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost
}

// Rename gives the text another name while it is open. It fails with
// CodeStorageUnavailable, and then the text keeps its name.
func (g *growing) Rename(name string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file == nil {
		return failed("rename output file", os.ErrClosed)
	}
	if safe(name) == g.name {
		return nil
	}
	base, suffix := split(name)
	name, err := publish(g.dir, g.name, base, suffix)
	if err != nil {
		return failed("rename output file", err)
	}
	g.name, g.stays = name, true
	return nil
}

// Close ends the text.
func (g *growing) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file == nil {
		return nil
	}
	g.told()
	err := g.file.Close()
	if g.size == 0 && !g.stays {
		err = errors.Join(err, g.dir.Remove(g.name))
		g.name = ""
	}
	g.file = nil
	if err = errors.Join(err, g.dir.Close()); err != nil {
		return failed("close output file", err)
	}
	return nil
}
