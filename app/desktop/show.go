package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"countersign/app/bridge"
	"countersign/app/desk"
	"countersign/frontend"
)

const (
	title = "Countersign"
	// The size of a first start and the smallest one that the page is made for.
	firstWidth, firstHeight = 1280, 800
	minWidth, minHeight     = 900, 600
	// maxSide takes the limit off that Wails sets: the size of the screen on which the
	// window opened, which may not be the one where it ends up.
	maxSide = 1 << 14
)

// closeTime bounds the end of the desk once the window is gone.
const closeTime = 20 * time.Second

// show opens the window on a desk and returns after both are gone.
func (p *program) show(ctx context.Context, d *desk.Desk) (err error) {
	defer func() { err = errors.Join(err, p.end(d)) }()
	w := newWindow(d)
	if err := d.Welcome(func() string { w.surface.front(); return "" }); err != nil {
		return p.explain(ctx, err)
	}
	return p.window(ctx, w)
}

// explain says why there is no desk.
func (p *program) explain(_ context.Context, err error) error { return err }

// end closes the desk, for a bounded time: the window is gone, and nobody would see a
// program that hangs.
func (p *program) end(d *desk.Desk) error {
	done := make(chan error, 1)
	go func() { done <- d.Close() }()
	select {
	case err := <-done:
		if err != nil {
			return &desk.Refusal{Words: "The desk could not end in order. Its log in the home folder has the cause.", Cause: err}
		}
		return nil
	case <-time.After(closeTime):
		return &desk.Refusal{Words: "The desk did not end in time. Calls that were under way are told of at the next start."}
	}
}

// newWindow makes what the page may call. Its surface is there once Wails has begun.
func newWindow(d *desk.Desk) *Window {
	w := &Window{ctx: context.Background(), api: d.API, log: d.Log, room: make(chan struct{}, bridge.MaxInFlight), surface: newWailsWindow()}
	w.memory = newMemory(d.Paths(), d.Log)
	w.pump = &pump{source: d, emit: w.surface.emit}
	w.leaving = &leaving{
		waiting: func() int {
			n, err := d.Waiting(w.ctx)
			if err != nil {
				w.log.Error("count the waiting calls", "cause", err)
			}
			return n
		},
		ask:   func(n int) { w.surface.emit(quitEvent, n) },
		close: w.surface.quit,
	}
	return w
}

// window opens it and returns when it is gone. A signal closes it without a question.
func (p *program) window(ctx context.Context, w *Window) (err error) {
	defer func() {
		// Wails panics where GTK cannot open the display that the session names.
		if r := recover(); r != nil {
			w.log.Error("open the window", "type", fmt.Sprintf("%T", r))
			err = errNoDisplay
		}
	}()
	defer w.memory.end()
	defer w.pump.end()
	stop := context.AfterFunc(ctx, w.leaving.quit)
	defer stop()
	surface, _ := w.surface.(*wailsWindow)
	return wails.Run(&options.App{
		Title: title, Width: firstWidth, Height: firstHeight, MinWidth: minWidth, MinHeight: minHeight, MaxWidth: maxSide, MaxHeight: maxSide,
		AssetServer:   &assetserver.Options{Assets: frontend.Assets(), Middleware: protect},
		Logger:        wailsLog{w.log},
		Bind:          []any{w},
		OnStartup:     func(ctx context.Context) { p.interrupts.claim(); surface.begin(ctx) },
		OnBeforeClose: func(context.Context) bool { return !w.leaving.may() },
		DragAndDrop:   &options.DragAndDrop{DisableWebViewDrop: true},
		Linux: &linux.Options{
			ProgramName:      "countersign-desktop",
			WebviewGpuPolicy: linux.WebviewGpuPolicyOnDemand,
		},
	})
}
