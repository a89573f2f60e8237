//go:build linux && production

package main

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#include "native_linux.h"
*/
import "C"

import (
	"runtime/cgo"

	"countersign/backend/config"
)

// openDisplay connects to the display that the session names, and reports whether it
// could. It binds GTK to the thread of its caller, which must stay on it.
func openDisplay() bool { return C.native_open() != 0 }

// systemIsDark reports whether the system draws light on dark.
func systemIsDark() bool { return C.native_dark() != 0 }

// paint gives the window that is opened next a colour, which shows until the page has drawn.
func paint(red, green, blue uint8) { C.native_paint(C.int(red), C.int(green), C.int(blue)) }

// fit returns a window as it can be shown on the screens of now: no larger than its
// screen, and without a place where that is off every screen.
func fit(w config.Window) config.Window {
	p := C.native_place{x: C.int(w.X), y: C.int(w.Y), width: C.int(w.Width), height: C.int(w.Height)}
	if C.native_fit(&p, flag(w.Placed)) == 0 {
		w.X, w.Y, w.Placed = 0, 0, false
	}
	w.Width, w.Height = int(p.width), int(p.height)
	return w
}

// adopt has the window watched as soon as its loop runs, and brought to its place. The
// window lives as long as the program, and so does what is told of it.
func adopt(w config.Window, to watcher) {
	p := C.native_place{x: C.int(w.X), y: C.int(w.Y)}
	C.native_adopt(C.uintptr_t(cgo.NewHandle(to)), p, flag(w.Placed), flag(w.Maximised))
}

// bringToFront brings the window before all others.
func bringToFront() { C.native_front() }

// endLoop ends the window's loop. From another thread GTK would not notice before
// something else wakes it.
func endLoop() { C.native_quit() }

func flag(on bool) C.int {
	if on {
		return 1
	}
	return 0
}

//export nativeMoved
func nativeMoved(handle C.uintptr_t, p C.native_place, maximised, hasPlace C.int) {
	told(handle).moved(config.Window{
		X: int(p.x), Y: int(p.y), Width: int(p.width), Height: int(p.height),
		Placed: hasPlace != 0, Maximised: maximised != 0,
	})
}

//export nativeFronted
func nativeFronted(handle C.uintptr_t, inFront C.int) { told(handle).fronted(inFront != 0) }

//export nativeEnded
func nativeEnded(handle C.uintptr_t, reason C.int) { told(handle).pageEnded(int(reason)) }

func told(handle C.uintptr_t) watcher {
	to, ok := cgo.Handle(handle).Value().(watcher)
	if !ok {
		panic("the handle of a window is something else")
	}
	return to
}
