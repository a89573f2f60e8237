package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"countersign/backend/tool"
)

// Filter is a program that reads a text and prints one.
type Filter struct {
	// Program is the absolute path of the program and its arguments. No shell reads them.
	Program []string
	// Dir is where it runs, Session the session that it runs for.
	Dir, Session string
	// Environ is the environment of this program, of which it gets the plain variables alone.
	Environ []string
	Input   []byte
	// Most is how many bytes it may print.
	Most int
}

// What a filter may do wrong.
var (
	ErrPrintedTooMuch = errors.New("it printed too much")
	ErrNoProgram      = errors.New("it is no program that may be run")
)

// heldTime is how long is read on what something that cannot be ended holds open.
const heldTime = time.Second

// Program says whether a path is a program that this user may run, and gives the file that it
// leads to.
func Program(path string) (real string, err error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("%w: its path is not absolute", ErrNoProgram)
	}
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoProgram, err)
	}
	if !executable(real) {
		return "", fmt.Errorf("%w: it is no file, or may not be executed", ErrNoProgram)
	}
	return real, nil
}

// Given says where a path leads that a program is given: real is "" where nothing is there or it
// is a folder. A file whose place cannot be told is an error.
func Given(path string) (real string, err error) {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return "", nil
	}
	if real, err = filepath.EvalSymlinks(path); err != nil {
		return "", fmt.Errorf("follow the path of a file: %w", err)
	}
	return real, nil
}

// Filter runs a program and returns what it printed. The end of ctx, too much output and the
// program's own end all end everything that it started. It returns ctx's error,
// ErrPrintedTooMuch, or an error that says how the program failed; there is no output then.
func (m *Machine) Filter(ctx context.Context, f Filter) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	family, ours, err := m.spawn(spec{
		program: f.Program, dir: f.Dir, session: f.Session, environ: plainEnviron(f.Environ), input: true, pipes: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	exited, wrote, read := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(exited)
		family.wait()
	}()
	go func() {
		defer close(wrote)
		// One that does not read all of it is free not to.
		_, _ = ours.input.Write(f.Input)
		_ = ours.input.Close()
	}()
	var printed []byte
	full := make(chan struct{})
	go func() {
		defer close(read)
		printed, _ = io.ReadAll(io.LimitReader(ours.file, int64(f.Most)+1))
		if len(printed) > f.Most {
			close(full)
		}
	}()
	ended := false
	select {
	case <-exited:
		ended = true
	case <-ctx.Done():
	case <-full:
	}
	ending := endFilter(family, exited, ended)
	settle(ours, wrote, read)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case len(printed) > f.Most:
		return nil, ErrPrintedTooMuch
	case ending.Signal != "":
		return nil, fmt.Errorf("it was ended by %s", ending.Signal)
	case ending.Code == nil || *ending.Code != 0:
		return nil, fmt.Errorf("it ended with code %d", codeOf(ending))
	}
	return printed, nil
}

func codeOf(e tool.Ending) int {
	if e.Code == nil {
		return -1
	}
	return *e.Code
}

// endFilter ends what still runs, and says how the first process ended.
func endFilter(f *family, exited <-chan struct{}, ended bool) tool.Ending {
	defer f.shut()
	if ended {
		ending := f.collect()
		if len(f.left()) > 0 {
			f.kill()
		}
		return ending
	}
	if !f.kill() {
		f.abandon()
		return tool.Ending{}
	}
	<-exited
	return f.collect()
}

// settle reads what is still to come, and ends the reading and the writing.
func settle(ours *output, wrote, read <-chan struct{}) {
	late := time.NewTimer(heldTime)
	defer late.Stop()
	select {
	case <-read:
	case <-late.C:
	}
	_ = ours.file.Close()
	_ = ours.input.Close()
	<-read
	<-wrote
}
