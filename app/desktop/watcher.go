package main

import (
	"log/slog"

	"countersign/backend/config"
)

// watcher is told what happens to a window. Its zero value is told for nothing.
type watcher struct {
	memory *memory
	log    *slog.Logger
}

// moved says where the window is.
func (w watcher) moved(at config.Window) {
	if w.memory != nil {
		w.memory.moved(at)
	}
}

// pageEnded says that the page's own process is gone, for a reason in WebKit's numbers. It
// is loaded again.
func (w watcher) pageEnded(reason int) {
	if w.log != nil {
		w.log.Error("the page ended", "reason", reason)
	}
}
