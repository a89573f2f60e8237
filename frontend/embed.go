// Package frontend carries the built page. It stands beside dist because an
// embedding cannot reach into another folder. It holds no Go logic: who serves
// the files, and to whom, is decided in app/serve and app/desktop.
package frontend

import (
	"embed"
	"io/fs"
)

// The prefix all: keeps the placeholder that makes dist exist before the first
// build of the page.
//
//go:embed all:dist
var dist embed.FS

// Assets returns the files of the built page, index.html at the root. It is a
// plain fs.FS on purpose: from an embed.FS a development build would guess a
// folder on disk.
func Assets() fs.FS {
	assets, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err)
	}
	return assets
}
