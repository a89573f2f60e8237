package search

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrMissing means that ripgrep is neither shipped nor installed.
var ErrMissing = errors.New("ripgrep is not installed")

// Hint says what to do where ripgrep is missing.
const Hint = "Install ripgrep so that rg is on the PATH (on Debian: apt-get install ripgrep), then start the desk again."

// Program is where ripgrep is.
type Program struct {
	// Path is absolute, "" where there is none.
	Path string
	// Shipped says that it lies beside our own program.
	Shipped bool
}

// Find looks for ripgrep beside the program self, then where the system looks for
// programs. A name in a folder that the PATH gives relative to where one stands does not
// count: that may be a workspace. It returns ErrMissing where there is none.
func Find(self string) (Program, error) {
	name := "rg"
	if runtime.GOOS == "windows" {
		name = "rg.exe"
	}
	if self != "" {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			if path, err := exec.LookPath(beside); err == nil {
				return Program{Path: path, Shipped: true}, nil
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return Program{}, ErrMissing
	}
	if !filepath.IsAbs(path) {
		return Program{}, ErrMissing
	}
	return Program{Path: path}, nil
}
