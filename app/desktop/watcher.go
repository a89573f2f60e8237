package main

import (
	"log/slog"

	"countersign/backend/config"
)

// watcher is told what happens to a window.
type watcher interface {
	// moved says where the window is.
	moved(at config.Window)
	// fronted says whether it is the window that the person looks at.
	fronted(inFront bool)
	// pageEnded says that the page's own process is gone, for a reason in WebKit's numbers.
	// It is loaded again.
	pageEnded(reason int)
}

// follower is the watcher of the desk's window.
type follower struct {
	memory  *memory
	notices *notices
	log     *slog.Logger
}

func (f follower) moved(at config.Window) { f.memory.moved(at) }

func (f follower) fronted(inFront bool) { f.notices.fronted(inFront) }

func (f follower) pageEnded(reason int) { f.log.Error("the page ended", "reason", reason) }

// nobody is the watcher of a window that is not remembered.
type nobody struct{}

func (nobody) moved(config.Window) {}

func (nobody) fronted(bool) {}

func (nobody) pageEnded(int) {}
