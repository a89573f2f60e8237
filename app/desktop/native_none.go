//go:build !linux || !production

package main

import "countersign/backend/config"

// This build checks and tests the program without the libraries of the window: it has no
// display, so it opens none.

func openDisplay() bool { return false }

func systemIsDark() bool { return false }

func paint(_, _, _ uint8) {}

func fit(w config.Window) config.Window { return w }

func adopt(config.Window, watcher) {}

func bringToFront() {}

func endLoop() {}
