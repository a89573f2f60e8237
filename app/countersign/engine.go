package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"countersign/backend"
	"countersign/backend/config"
	"countersign/backend/host/clock"
	"countersign/backend/store"
	"countersign/backend/tool"
)

// closeTime bounds an orderly end.
const closeTime = 15 * time.Second

// maxLog is the size at which a log file is set aside, in bytes.
const maxLog = 8 << 20

// places are where a command works.
type places struct{ home, workspace string }

func (p *places) add(c *cobra.Command) {
	c.PersistentFlags().StringVar(&p.home, "home", "", "where everything is kept (default: COUNTERSIGN_HOME, else ~/.countersign)")
	c.PersistentFlags().StringVar(&p.workspace, "workspace", "", "the folder to work in (default: the current one)")
}

const noWorkspace = "The workspace is not a folder that can be opened. Give one with --workspace."

// directory is the absolute path of the workspace.
func (p *places) directory() (string, error) {
	dir, err := filepath.Abs(p.workspace)
	if err != nil {
		return "", refusal("The current folder cannot be found. Give one with --workspace.")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", refusal(noWorkspace)
	}
	return dir, nil
}

// opening says how a command wants its engine.
type opening struct {
	name  string
	clock string
	desk  bool
	model string
}

// engine is an open engine with the log that it writes.
type engine struct {
	*backend.Engine
	log  *slog.Logger
	file *os.File
}

// openEngine opens the engine of the home. The caller closes it.
func (p *program) openEngine(ctx context.Context, o opening) (*engine, error) {
	paths, err := config.Locate(p.places.home)
	if err != nil {
		return nil, refusal(sentence(err))
	}
	still, err := clock.At(o.clock)
	if err != nil {
		return nil, refusal("--clock takes a time like 2026-01-31T12:00:00Z.")
	}
	dir, err := p.places.directory()
	if err != nil {
		return nil, err
	}
	if !usableHome(paths.Home) {
		return nil, refusal(noHome)
	}
	// Without the path of this program the page has no command to give, and says so.
	self, _ := os.Executable()
	e := &engine{}
	e.log, e.file = openLog(paths, o.name)
	e.Engine, err = backend.Open(ctx, backend.Options{
		Paths: paths, Clock: still, Desk: o.desk, Workspace: dir, Model: o.model, Program: self, Log: e.log,
	})
	if err != nil {
		e.log.Error("open the engine", "cause", err)
		_ = e.closeLog()
		return nil, &exit{code: exitUsage, sentence: sentence(err), cause: err}
	}
	return e, nil
}

const noHome = "The home is not a folder, or lies below something that is none. Move that away, or give another home with --home."

// usableHome reports whether a home is a folder or may become one. What only cannot be
// written is said by opening the history.
func usableHome(home string) bool {
	info, err := os.Stat(home)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
	}
	return info.IsDir()
}

// close ends the engine in order. A context that has ended does not cut that short.
func (e *engine) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	err := e.Engine.Close(ctx)
	if err != nil {
		e.log.Error("close the engine", "cause", err)
	}
	return errors.Join(err, e.closeLog())
}

func (e *engine) closeLog() error {
	if e.file == nil {
		return nil
	}
	return e.file.Close()
}

// openLog opens the log of a command. Where none can be written there is none: what
// keeps the home from being written is said by opening the engine.
func openLog(paths config.Paths, name string) (*slog.Logger, *os.File) {
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
	return slog.New(slog.NewTextHandler(f, nil)), f
}

// storeWords says an error of the store to the person, "" for any other error.
func storeWords(err error) string {
	if e, ok := errors.AsType[*tool.Error](err); ok && e.Code == tool.CodeStorageUnavailable {
		return store.Words(err)
	}
	return ""
}

// sentence says an error to the person: in the store's words where it is about the
// store, in our own where it is about the workspace, else as it is, as a sentence.
func sentence(err error) string {
	if words := storeWords(err); words != "" {
		return words
	}
	if errors.Is(err, backend.ErrNoWorkspace) {
		return noWorkspace
	}
	text := visible(err.Error())
	// The name of a file stays as it is.
	if word, _, _ := strings.Cut(text, " "); !strings.Contains(word, ".") {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
