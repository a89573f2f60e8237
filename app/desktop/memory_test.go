package main

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"countersign/backend/config"
)

// kept is a memory that writes into a list.
func kept(log *slog.Logger) (m *memory, written func() []config.Window) {
	var writes []config.Window
	m = &memory{log: log, save: func(w config.Window) error { writes = append(writes, w); return nil }}
	return m, func() []config.Window {
		m.mu.Lock()
		defer m.mu.Unlock()
		return slices.Clone(writes)
	}
}

func TestADraggedWindowIsWrittenOnceItRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, writes := kept(slog.New(slog.DiscardHandler))
		for x := range 100 {
			m.moved(config.Window{Width: 1000, Height: 700, X: x, Y: 5, Placed: true})
			time.Sleep(10 * time.Millisecond)
		}
		if len(writes()) != 0 {
			t.Errorf("%d writes while it moved", len(writes()))
		}
		time.Sleep(savePace)
		synctest.Wait()
		if want := (config.Window{Width: 1000, Height: 700, X: 99, Y: 5, Placed: true}); len(writes()) != 1 || writes()[0] != want {
			t.Errorf("wrote %+v, want %+v once", writes(), want)
		}
		m.end()
		if len(writes()) != 1 {
			t.Error("what was written is written again")
		}
	})
}

// A window manager gives the size of the screen a moment before it says maximised.
func TestAMaximisedWindowKeepsItsOtherSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, writes := kept(slog.New(slog.DiscardHandler))
		small := config.Window{Width: 1000, Height: 700, X: 10, Y: 20, Placed: true}
		m.moved(small)
		time.Sleep(2 * savePace)
		m.moved(config.Window{Width: 1920, Height: 1080, Placed: true})
		m.moved(config.Window{Width: 1920, Height: 1080, Placed: true, Maximised: true})
		time.Sleep(2 * savePace)
		synctest.Wait()
		small.Maximised = true
		if got := writes()[len(writes())-1]; got != small {
			t.Errorf("got %+v, want %+v", got, small)
		}
	})
}

func TestTheEndWritesWhatIsNotWrittenYet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, writes := kept(slog.New(slog.DiscardHandler))
		m.setView("tools")
		m.end()
		m.setView("desk")
		time.Sleep(2 * savePace)
		synctest.Wait()
		if len(writes()) != 1 || writes()[0].View != "tools" {
			t.Errorf("wrote %+v", writes())
		}
	})
}

func TestAPlaceThatCannotBeWrittenIsSaidOnce(t *testing.T) {
	var log strings.Builder
	m := &memory{log: slog.New(slog.NewTextHandler(&log, nil)), save: func(config.Window) error { return errors.New("full") }}
	m.now.View = "tools"
	m.flush()
	m.flush()
	if strings.Count(log.String(), "\n") != 1 {
		t.Errorf("log %s", log.String())
	}
}
