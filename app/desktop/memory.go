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

	mu     sync.Mutex
	now    config.Window
	kept   config.Window
	timer  *time.Timer
	failed bool
}

func newMemory(paths config.Paths, log *slog.Logger) *memory {
	was := config.LoadWindow(paths)
	return &memory{save: func(w config.Window) error { return config.SaveWindow(paths, w) }, log: log, now: was, kept: was}
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
func (m *memory) setView(name string) { m.change(func(w *config.Window) { w.View = name }) }

// change notes how the window is now.
func (m *memory) change(f func(*config.Window)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.now)
	if m.timer == nil {
		m.timer = time.AfterFunc(savePace, m.flush)
	} else {
		m.timer.Reset(savePace)
	}
}

// flush writes what has changed.
func (m *memory) flush() {
	m.mu.Lock()
	defer m.mu.Unlock()
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

// end writes what has changed and nothing after that.
func (m *memory) end() {
	m.mu.Lock()
	if m.timer != nil {
		m.timer.Stop()
	}
	m.mu.Unlock()
	m.flush()
}
