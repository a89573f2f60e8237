package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"countersign/app/bridge"
)

// What the page shows when it was not done.
var (
	errNotOpened = errors.New("the folder could not be opened here")
	errNotSaved  = errors.New("the file could not be saved there")
)

// OpenFolder shows the folder that an output lies in, in the person's file manager. The page
// names the output; the path is ours.
func (w *Window) OpenFolder(sessionID, name string) error {
	return guard(w, "OpenFolder", errNotOpened, func() error {
		dir, err := bridge.FilesOf(w.api).Folder(bridge.OutputRef{SessionID: sessionID, Name: name})
		if err != nil {
			return spoken(err, errNotOpened)
		}
		if err := w.surface.reveal(dir); err != nil {
			w.log.Warn("a folder was not opened", "cause", err)
			return errNotOpened
		}
		return nil
	})
}

// SaveOutput asks the person where to save an output and answers the path, "" when the
// person let it be.
func (w *Window) SaveOutput(sessionID, name string) (path string, err error) {
	type answer struct {
		path string
		err  error
	}
	a := guard(w, "SaveOutput", answer{err: errNotSaved}, func() answer {
		path, err := w.surface.saveAs(filepath.Base(name))
		if err != nil || path == "" {
			return answer{"", err}
		}
		err = bridge.FilesOf(w.api).Copy(bridge.OutputRef{SessionID: sessionID, Name: name}, func(text io.Reader, _ int64) error {
			return save(path, text)
		})
		if err != nil {
			w.log.Warn("an output was not saved", "cause", err)
			return answer{err: spoken(err, errNotSaved)}
		}
		return answer{path: path}
	})
	return a.path, a.err
}

// spoken is the sentence of an error of the bridge, or the one that is given.
func spoken(err, otherwise error) error {
	if fault, ok := errors.AsType[*bridge.Error](err); ok && fault.Code != bridge.CodeInternal {
		return errors.New(fault.Message)
	}
	return otherwise
}

// save writes a file that is whole or not there. The person has agreed that one of that
// name is replaced.
func save(path string, text io.Reader) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".countersign-*")
	if err != nil {
		return fmt.Errorf("create the file: %w", err)
	}
	_, err = io.Copy(f, text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

// reveal asks the desktop to show a folder. The path is absolute, so it is never an option.
func reveal(dir string) error {
	if !filepath.IsAbs(dir) {
		return errors.New("the path is not absolute")
	}
	c := exec.Command("xdg-open", dir)
	if err := c.Start(); err != nil {
		return fmt.Errorf("start xdg-open: %w", err)
	}
	go func() { _ = c.Wait() }()
	return nil
}
