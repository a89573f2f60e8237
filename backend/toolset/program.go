package toolset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Why a program of a set cannot be started.
var (
	// ErrNotFound says that there is no such program.
	ErrNotFound = errors.New("the program is not there")
	// ErrNotRunnable says that what is there is no program.
	ErrNotRunnable = errors.New("what is there is no file that may be executed")
	// ErrOutside says that a relative path leads out of the directory of the set.
	ErrOutside = errors.New("the program lies outside the directory of its set")
)

// program finds what the first word of a command names. A bare name is a file in the directory of
// the set, else a program on the search path. A relative path must stay in that directory, links
// followed; an absolute path is taken as it is. Parts of the search path that are not absolute are
// passed over: the working directory is the workspace, which must not offer programs by itself.
func program(directory, name, searchPath string) (string, error) {
	if filepath.IsAbs(name) {
		return runnable(name)
	}
	if strings.ContainsAny(name, `/`+string(filepath.Separator)) {
		return within(directory, name)
	}
	if file := filepath.Join(directory, name); isFile(file) {
		return runnable(file)
	}
	return onPath(name, searchPath)
}

// onPath finds a program on the search path.
func onPath(name, searchPath string) (string, error) {
	for _, dir := range filepath.SplitList(searchPath) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := runnable(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", ErrNotFound
}

// within finds a program by its path below the directory of the set.
func within(directory, name string) (string, error) {
	real, err := inside(directory, name)
	if err != nil {
		return "", err
	}
	return runnable(real)
}

// inside follows a path below the directory of a set, which links must not leave.
func inside(directory, name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", ErrOutside
	}
	root, err := filepath.EvalSymlinks(directory)
	if err != nil {
		return "", ErrNotFound
	}
	// The directory first: one that leads out is told as such, whatever lies there.
	real := root
	for _, part := range []string{filepath.Dir(name), filepath.Base(name)} {
		if real, err = filepath.EvalSymlinks(filepath.Join(real, part)); err != nil {
			return "", ErrNotFound
		}
		if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
			return "", ErrOutside
		}
	}
	return real, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// runnable returns the path if it is a file that somebody may execute.
func runnable(path string) (string, error) {
	if _, err := os.Stat(path); err != nil {
		return "", ErrNotFound
	}
	if !isFile(path) || !mayExecute(path) {
		return "", ErrNotRunnable
	}
	return path, nil
}
