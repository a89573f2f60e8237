package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// windowName is the program of the window. It lies beside this one, which links no window
// library and so runs where there is none.
const windowName = "countersign-desktop"

var errNoWindow = refusal("The window is not here: " + windowName + " does not lie beside this program. " +
	"Start the desk for a browser with: countersign serve")

// windowPath is where the program of the window is.
func windowPath() (string, error) {
	self, err := os.Executable()
	return filepath.Join(filepath.Dir(self), windowName), err
}

// window becomes the program of the window, in the same places.
func (p *program) window() error {
	path, err := windowPath()
	if err != nil {
		return errNoWindow
	}
	args := []string{windowName}
	if p.places.home != "" {
		args = append(args, "--home="+p.places.home)
	}
	if p.places.workspace != "" {
		args = append(args, "--workspace="+p.places.workspace)
	}
	err = become(path, args)
	if errors.Is(err, fs.ErrNotExist) {
		return errNoWindow
	}
	if err != nil {
		return refusal("The window cannot be started: " + path + " is not a program that may run here. " +
			"Start the desk for a browser with: countersign serve")
	}
	return nil
}
