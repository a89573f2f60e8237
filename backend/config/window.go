package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"countersign/backend/schema"
)

// Window is how the person left the window. It is no setting: nothing depends on it, so a
// file that cannot be read is as good as none.
type Window struct {
	// Width and Height are 0 where they are not known; the size is that of the window when
	// it is not maximised.
	Width  int `json:"width"`
	Height int `json:"height"`
	// X and Y are where it was on the screen, if Placed.
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"`
	Maximised bool `json:"maximised"`
	// View is the name of the view that was open, "" for the first one.
	View string `json:"view"`
}

const (
	// maxWindowFile is the largest window.json that is read, in bytes.
	maxWindowFile = 4 << 10
	// minSide, maxSide and maxPlace bound what is believed of it, in pixels.
	minSide, maxSide = 100, 1 << 14
	maxPlace         = 1 << 15
)

var viewForm = regexp.MustCompile(`^[a-z]{0,32}$`)

func (p Paths) windowFile() string { return filepath.Join(p.Home, "window.json") }

// LoadWindow returns how the window was left. What is missing or not believed is zero.
func LoadWindow(p Paths) Window {
	info, err := os.Stat(p.windowFile())
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxWindowFile {
		return Window{}
	}
	b, err := os.ReadFile(p.windowFile())
	if err != nil {
		return Window{}
	}
	if _, err := schema.ReadObject(b); err != nil {
		return Window{}
	}
	var w Window
	if err := json.Unmarshal(b, &w); err != nil {
		return Window{}
	}
	return w.believed()
}

// believed is the window without what cannot be.
func (w Window) believed() Window {
	if !between(w.Width, minSide, maxSide) || !between(w.Height, minSide, maxSide) {
		w.Width, w.Height = 0, 0
	}
	if !w.Placed || !between(w.X, -maxPlace, maxPlace) || !between(w.Y, -maxPlace, maxPlace) {
		w.X, w.Y, w.Placed = 0, 0, false
	}
	if !viewForm.MatchString(w.View) {
		w.View = ""
	}
	return w
}

func between(n, least, most int) bool { return least <= n && n <= most }

// SaveWindow keeps how the window is. The file is replaced in one step.
func SaveWindow(p Paths, w Window) error {
	b, err := json.Marshal(w.believed())
	if err != nil {
		return fmt.Errorf("write window.json: %w", err)
	}
	if err := replace(p.windowFile(), append(b, '\n')); err != nil {
		return fmt.Errorf("write window.json: %w", err)
	}
	return nil
}
