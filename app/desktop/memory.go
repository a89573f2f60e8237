package main

import (
	"log/slog"
	"sync"
	"time"

	"countersign/backend/config"
)

// savePace is how long the window must be left alone before its place is written: a
// window that is dragged moves a hundred times a second.
const savePace = 500 * time.Millisecond

// memory keeps how the window is left. Nothing depends on it: what cannot be written is
// logged once and forgotten.
type memory struct {
	save func(config.Window) error
	log  *slog.Logger

	mu sync.Mutex
	// now is what is to be written, kept what was.
	now, kept config.Window
	// seen is the latest place and size. They are those of the whole screen for a moment
	// before a window is known to be maximised, so they count once it has settled.
	seen   config.Window
	timer  *time.Timer
	failed bool
	over   bool
}

func newMemory(paths config.Paths, log *slog.Logger) *memory {
	was := config.LoadWindow(paths)
	m := &memory{save: func(w config.Window) error { return config.SaveWindow(paths, w) }, log: log}
	m.now, m.kept, m.seen = was, was, was
	return m
}

// was returns how the window was left.
func (m *memory) was() config.Window {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// view returns the name of the view that was open.
func (m *memory) view() string { return m.was().View }

// setView notes the view that is open.
func (m *memory) setView(name string) { m.change(func() { m.now.View = name }) }

// moved notes where the window is.
func (m *memory) moved(w config.Window) {
	m.change(func() { m.seen, m.now.Maximised = w, w.Maximised })
}

func (m *memory) change(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
	switch {
	case m.over:
	case m.timer == nil:
		m.timer = time.AfterFunc(savePace, m.flush)
	default:
		m.timer.Reset(savePace)
	}
}

// flush writes what has changed.
func (m *memory) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.now.Maximised {
		m.now.Width, m.now.Height = m.seen.Width, m.seen.Height
		m.now.X, m.now.Y, m.now.Placed = m.seen.X, m.seen.Y, m.seen.Placed
	}
	if m.now == m.kept {
		return
	}
	if err := m.save(m.now); err != nil {
		if !m.failed {
			m.log.Warn("keep the window's place", "cause", err)
		}
		m.failed = true
		return
	}
	m.kept, m.failed = m.now, false
}

// end writes what has changed, and nothing after that.
func (m *memory) end() {
	m.mu.Lock()
	m.over = true
	if m.timer != nil {
		m.timer.Stop()
	}
	m.mu.Unlock()
	m.flush()
}
