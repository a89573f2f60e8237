package desk

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"time"

	"countersign/backend"
	"countersign/backend/config"
	"countersign/backend/host/clock"
)

// closeTime bounds an orderly end.
const closeTime = 15 * time.Second

// maxLog is the size at which a log file is set aside, in bytes.
const maxLog = 8 << 20

// Places are where a program works: Home is where everything is kept, "" for the usual
// place; Workspace is the folder to work in, "" for the current one.
type Places struct{ Home, Workspace string }

const noWorkspace = "The workspace is not a folder that can be opened. Give one with --workspace."

// Directory is the absolute path of the workspace. Its error is a Refusal.
func (p Places) Directory() (string, error) {
	dir, err := filepath.Abs(p.Workspace)
	if err != nil {
		return "", refuse("The current folder cannot be found. Give one with --workspace.", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", refuse(noWorkspace, err)
	}
	return dir, nil
}

// Opening says how a program wants its engine.
type Opening struct {
	// Name is the program's; its log is called so.
	Name string
	// Clock is a time at which the clock stands, "" for the machine's.
	Clock string
	// Desk says that a person can be asked here.
	Desk bool
	// Model is what the built-in agent's replies come from, "" for none.
	Model string
	// Notice tells the person something that cannot wait; nil where nobody reads it.
	Notice func(words string)
}

// Engine is an open engine with the log that it writes.
type Engine struct {
	*backend.Engine
	Log  *slog.Logger
	file *os.File
}

// OpenEngine opens the engine of a home. Its error is a Refusal. The caller closes it.
func OpenEngine(ctx context.Context, p Places, o Opening) (*Engine, error) {
	paths, err := config.Locate(p.Home)
	if err != nil {
		return nil, refuse(Sentence(err), err)
	}
	still, err := clock.At(o.Clock)
	if err != nil {
		return nil, refuse("--clock takes a time like 2026-01-31T12:00:00Z.", err)
	}
	dir, err := p.Directory()
	if err != nil {
		return nil, err
	}
	if !UsableHome(paths.Home) {
		return nil, refuse("The home is not a folder, or lies below something that is none. Move that away, or give another home with --home.", nil)
	}
	// Without the path of this program the page has no command to give, and says so.
	self, _ := os.Executable()
	e := &Engine{}
	e.Log, e.file = OpenLog(paths, o.Name)
	e.Engine, err = backend.Open(ctx, backend.Options{
		Paths: paths, Clock: still, Desk: o.Desk, Workspace: dir, Model: o.Model, Program: self,
		Environ: config.Environment(), Notice: o.Notice, Log: e.Log,
	})
	if err != nil {
		e.Log.Error("open the engine", "cause", err)
		_ = e.closeLog()
		return nil, refuse(Sentence(err), err)
	}
	return e, nil
}

// UsableHome reports whether a home is a folder or may become one. What only cannot be
// written is said by opening the history.
func UsableHome(home string) bool {
	info, err := os.Stat(home)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	}
	return info.IsDir()
}

// Close ends the engine in order. A context that has ended does not cut that short, but a
// signal that comes meanwhile does: what runs is killed then, not left behind. One more
// signal ends the program where it stands.
func (e *Engine) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, EndSignals()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := e.Engine.Close(ctx)
	if err != nil {
		e.Log.Error("close the engine", "cause", err)
	}
	return errors.Join(err, e.closeLog())
}

func (e *Engine) closeLog() error {
	if e.file == nil {
		return nil
	}
	return e.file.Close()
}

// OpenLog opens the log of a program. Where none can be written there is none: what
// keeps the home from being written is said by opening the engine. The caller closes the
// file if there is one.
func OpenLog(paths config.Paths, name string) (*slog.Logger, *os.File) {
	path := filepath.Join(paths.LogDir(), name+".log")
	if err := paths.Prepare(); err == nil {
		if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
			_ = os.Rename(path, path+".1")
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return slog.New(slog.DiscardHandler), nil
	}
	return slog.New(discreet{slog.NewTextHandler(f, nil)}), f
}

// Version is the version that the build recorded.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
