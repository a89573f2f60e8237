package main

import (
	"context"
	"errors"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// wailsWindow is the surface that Wails gives. Wails ends the program on a context that is
// not its own, so everything waits for the one that it hands to its first callback.
type wailsWindow struct {
	begun chan struct{}
	ctx   context.Context
}

func newWailsWindow() *wailsWindow { return &wailsWindow{begun: make(chan struct{})} }

// begin takes Wails' own context. It is called once, and returns when the window's loop
// runs: it answers the question for the size.
func (w *wailsWindow) begin(ctx context.Context) {
	w.ctx = ctx
	runtime.WindowGetSize(ctx)
	close(w.begun)
}

// has reports whether there is a window yet.
func (w *wailsWindow) has() bool {
	select {
	case <-w.begun:
		return true
	default:
		return false
	}
}

func (w *wailsWindow) emit(name string, data any) {
	if w.has() {
		runtime.EventsEmit(w.ctx, name, data)
	}
}

func (w *wailsWindow) copy(text string) error {
	if !w.has() {
		return errors.New("there is no window yet")
	}
	return runtime.ClipboardSetText(w.ctx, text)
}

func (w *wailsWindow) saveAs(name string) (string, error) {
	if !w.has() {
		return "", errors.New("there is no window yet")
	}
	return runtime.SaveFileDialog(w.ctx, runtime.SaveDialogOptions{Title: "Save output", DefaultFilename: name})
}

func (w *wailsWindow) reveal(dir string) error { return reveal(dir) }

func (w *wailsWindow) front() {
	if w.has() {
		bringToFront()
	}
}

// quit waits for the window: one that is still opening is closed as soon as it is there.
func (w *wailsWindow) quit() {
	<-w.begun
	endLoop()
}
