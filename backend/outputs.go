package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"countersign/backend/lines"
	"countersign/backend/session"
	"countersign/backend/spill"
)

// ErrOutputGone says that a text was removed from the output store and is not kept.
var ErrOutputGone = errors.New("the output is no longer kept")

// keptFor is how long a text is kept that a person keeps.
const keptFor = 30 * 24 * time.Hour

// maxReading is how many texts stay open for those who read them.
const maxReading = 8

// Output is a text of the output store as it is now.
type Output struct {
	Row session.Output
	// Kept is how long a person keeps it, nil when nobody does.
	Kept *session.Artifact
	// Gone says that there is nothing to read any more.
	Gone  bool
	State lines.State
}

// reading are the texts that are open for reading, by the row that tells of each.
type reading struct {
	mu   sync.Mutex
	open []*readText
}

// readText is an open text. The lock of reading guards it.
type readText struct {
	key      string
	file     *spill.Text
	lines    *lines.Text
	users    int
	counting bool
}

// Output tells of a text of a session by its name, and begins to count its lines.
func (e *Engine) Output(ctx context.Context, sessionID, name string) (Output, error) {
	row, err := e.store.Output(ctx, sessionID, name)
	if err != nil {
		return Output{}, err
	}
	o := Output{Row: row}
	if a, kept, err := e.store.ArtifactOf(ctx, row); err != nil {
		return Output{}, err
	} else if kept {
		o.Kept = &a
	}
	err = e.readOutput(ctx, row, func(t *readText) error {
		o.State, err = t.lines.State()
		if err == nil && o.State.Scanned < o.State.Bytes {
			e.countLines(t)
		}
		return err
	})
	if errors.Is(err, ErrOutputGone) {
		o.Gone, err = true, nil
	}
	return o, err
}

// ReadOutput gives a text of a session to f, with its lines. It returns session.ErrNoOutput
// or ErrOutputGone.
func (e *Engine) ReadOutput(ctx context.Context, sessionID, name string, f func(*lines.Text) error) error {
	row, err := e.store.Output(ctx, sessionID, name)
	if err != nil {
		return err
	}
	return e.readOutput(ctx, row, func(t *readText) error { return f(t.lines) })
}

// CopyOutput gives all of a text, as it was printed, to f with its size in bytes.
func (e *Engine) CopyOutput(ctx context.Context, sessionID, name string, f func(text io.Reader, size int64) error) error {
	row, err := e.store.Output(ctx, sessionID, name)
	if err != nil {
		return err
	}
	return e.readOutput(ctx, row, func(t *readText) error {
		size, err := t.file.Size()
		if err != nil {
			return fmt.Errorf("measure the output: %w", err)
		}
		return f(io.NewSectionReader(t.file, 0, size), size)
	})
}

// KeepOutput keeps a text as it is now for thirty days, whatever becomes of its session.
func (e *Engine) KeepOutput(ctx context.Context, sessionID, name string) (session.Artifact, error) {
	row, err := e.store.Output(ctx, sessionID, name)
	if err != nil {
		return session.Artifact{}, err
	}
	e.keeping.Lock()
	defer e.keeping.Unlock()
	now := e.options.Clock.Now()
	a := session.Artifact{Name: filepath.Base(row.Path), CreatedAt: now, ExpiresAt: now.Add(keptFor)}
	err = e.readOutput(ctx, row, func(t *readText) error {
		size, err := t.file.Size()
		if err != nil {
			return fmt.Errorf("measure the output: %w", err)
		}
		a.SHA256, a.Bytes, err = e.artifacts.Put(ctx, io.NewSectionReader(t.file, 0, size))
		return err
	})
	if err != nil {
		return session.Artifact{}, err
	}
	return e.store.KeepArtifact(ctx, row, a)
}

// OutputFolder is the folder that a text of a session lies in. It returns ErrOutputGone for
// one that does not lie there any more.
func (e *Engine) OutputFolder(ctx context.Context, sessionID, name string) (string, error) {
	row, err := e.store.Output(ctx, sessionID, name)
	if err != nil {
		return "", err
	}
	t, err := e.spill.Text(sessionID, filepath.Base(row.Path))
	if row.RemovedAt != nil || errors.Is(err, fs.ErrNotExist) {
		return "", ErrOutputGone
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(e.spill.Dir(), spill.Folder(sessionID)), t.Close()
}

// readOutput opens a text, or takes it as somebody has it open, for as long as f runs.
func (e *Engine) readOutput(ctx context.Context, row session.Output, f func(*readText) error) error {
	key := row.Path + "\x00" + row.CreatedAt.String()
	e.reading.mu.Lock()
	t := e.reading.take(key)
	e.reading.mu.Unlock()
	if t == nil {
		file, err := e.openOutput(ctx, row)
		if err != nil {
			return err
		}
		e.reading.mu.Lock()
		t = e.reading.add(&readText{key: key, file: file, lines: lines.New(file), users: 1})
		e.reading.mu.Unlock()
	}
	defer func() {
		e.reading.mu.Lock()
		defer e.reading.mu.Unlock()
		e.reading.leave(t)
	}()
	return f(t)
}

// openOutput opens a text where it lies, or the content that is kept of it.
func (e *Engine) openOutput(ctx context.Context, row session.Output) (*spill.Text, error) {
	if row.RemovedAt == nil {
		file, err := e.spill.Text(row.SessionID, filepath.Base(row.Path))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	a, kept, err := e.store.ArtifactOf(ctx, row)
	if err != nil {
		return nil, err
	}
	if kept {
		file, err := e.artifacts.Text(a.SHA256)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, ErrOutputGone
}

// countLines counts the lines of a text while others read it, as long as the engine lives.
func (e *Engine) countLines(t *readText) {
	e.reading.mu.Lock()
	begins := !t.counting
	if begins {
		t.counting = true
		t.users++
	}
	e.reading.mu.Unlock()
	if !begins {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.life.Err() == nil {
		e.work.Go(func() {
			// A text that cannot be read says so to whoever reads it.
			_ = t.lines.Count(e.life)
			e.reading.counted(t)
		})
		return
	}
	e.reading.counted(t)
}

func (r *reading) counted(t *readText) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t.counting = false
	r.leave(t)
}

// take returns the open text of a key and makes it the newest.
func (r *reading) take(key string) *readText {
	for i, t := range r.open {
		if t.key == key {
			r.open = append(append(r.open[:i:i], r.open[i+1:]...), t)
			t.users++
			return t
		}
	}
	return nil
}

// add keeps a text open, unless somebody else has opened it meanwhile: then that one is it.
func (r *reading) add(t *readText) *readText {
	if other := r.take(t.key); other != nil {
		_ = t.file.Close()
		return other
	}
	r.open = append(r.open, t)
	return t
}

// leave ends one use of a text, and closes the oldest ones that nobody uses.
func (r *reading) leave(t *readText) {
	t.users--
	rest := r.open[:0]
	surplus := len(r.open) - maxReading
	for _, t := range r.open {
		if surplus > 0 && t.users == 0 {
			surplus--
			_ = t.file.Close()
			continue
		}
		rest = append(rest, t)
	}
	clear(r.open[len(rest):])
	r.open = rest
}

// close closes all. Nobody reads any more.
func (r *reading) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.open {
		_ = t.file.Close()
	}
	r.open = nil
}
