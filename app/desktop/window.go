package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"countersign/app/bridge"
)

// surface is the window as the rest of this package needs it.
type surface interface {
	// emit sends an event to the page. What is sent before a page listens is lost.
	emit(name string, data any)
	// copy puts text on the clipboard.
	copy(text string) error
	// saveAs asks the person where to save a file of that name, and answers "" when the person
	// lets it be.
	saveAs(name string) (path string, err error)
	// reveal shows a folder in the person's file manager.
	reveal(dir string) error
	// front brings the window before all others.
	front()
	// quit closes the window, after asking whether it may.
	quit()
}

// Window is what the page may call: the only value that is bound. Each exported method is
// callable from the page, concurrently. None panics, since that would end the program with
// everything that waits in it, and each answers text or nothing, since a reply that cannot
// be written would end it too.
type Window struct {
	ctx     context.Context
	api     *bridge.API
	log     *slog.Logger
	room    chan struct{}
	surface surface
	pump    *pump
	leaving *leaving
	memory  *memory
	notices *notices
}

// brokenReply answers a request that failed outside its own method.
const brokenReply = `{"id":"","error":{"code":"internal","message":"The desk could not do this. Its log has the cause.","fields":{}}}`

// Ask answers one request of the page, both as they go over the socket of serve.
func (w *Window) Ask(text string) (reply string) {
	return guard(w, "Ask", brokenReply, func() string {
		select {
		case w.room <- struct{}{}:
			defer func() { <-w.room }()
		case <-w.ctx.Done():
			return brokenReply
		}
		return string(bridge.Dispatch(w.api, []byte(text)))
	})
}

// Ready says that the page listens: hints begin, numbered from 1.
func (w *Window) Ready() {
	w.do("Ready", func() {
		w.log.Info("the page is there")
		w.pump.begin()
	})
}

// maxCopy bounds what is put on the clipboard, in bytes.
const maxCopy = 16 << 20

// Copy puts text on the clipboard.
func (w *Window) Copy(text string) error {
	return guard(w, "Copy", errNotCopied, func() error {
		if len(text) > maxCopy {
			return errNotCopied
		}
		return w.surface.copy(text)
	})
}

var errNotCopied = errors.New("nothing was copied")

// Remember keeps the open view.
func (w *Window) Remember(view string) { w.do("Remember", func() { w.memory.setView(view) }) }

// Asking says that the page shows the question whether to quit.
func (w *Window) Asking() { w.do("Asking", w.leaving.asked) }

// Stay answers that question with no.
func (w *Window) Stay() { w.do("Stay", w.leaving.stay) }

// Quit answers it with yes.
func (w *Window) Quit() { w.do("Quit", w.leaving.quit) }

func (w *Window) do(method string, f func()) {
	guard(w, method, struct{}{}, func() struct{} { f(); return struct{}{} })
}

// guard runs a method and answers broken where it panics. The panic's value is not logged,
// since it may hold foreign text; its stack is.
func guard[T any](w *Window, method string, broken T, f func() T) (out T) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("method of the window panicked", "method", method, "type", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
			out = broken
		}
	}()
	return f()
}
