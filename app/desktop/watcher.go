package main

import (
	"log/slog"

	"countersign/backend/config"
)

// watcher is told what happens to a window.
type watcher interface {
	// moved says where the window is.
	moved(at config.Window)
	// pageEnded says that the page's own process is gone, for a reason in WebKit's numbers.
	// It is loaded again.
	pageEnded(reason int)
}

// follower is the watcher of the desk's window.
type follower struct {
	memory *memory
	log    *slog.Logger
}

func (f follower) moved(at config.Window) { f.memory.moved(at) }

func (f follower) pageEnded(reason int) { f.log.Error("the page ended", "reason", reason) }

// nobody is the watcher of a window that is not remembered.
type nobody struct{}

func (nobody) moved(config.Window) {}

func (nobody) pageEnded(int) {}
