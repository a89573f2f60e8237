package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"countersign/app/bridge"
	"countersign/app/plain"
	"countersign/backend/config"
)

// policy is what the page may load: its own files and nothing else. There is no address
// to connect to, since the page speaks through the window.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// themePath is the script that the page runs before it draws anything. In a browser it
// looks for what an earlier page kept; here what the page begins with is at hand.
const themePath = "/theme.js"

// brokenPath is shown when the page has ended too often to be loaded again.
const brokenPath = "/broken"

var brokenPage = plain.Page{
	Title: "The page has ended several times",
	Words: "It is not loaded again by itself. Calls that wait keep waiting. Close this window and start Countersign again; " +
		"if that does not help, countersign serve shows the same desk in a browser.",
}

// pictures are the images of results, by the addresses that the page has of them.
type pictures interface {
	Named(path string) bool
	Read(path string) (bridge.ImageFile, error)
}

// assets answers for the files of the page with what each must carry, as app/serve does,
// and answers nothing but reading. What the page begins with is as it is then.
func assets(begin func() beginning, images pictures) func(http.Handler) http.Handler {
	return func(files http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Content-Security-Policy", policy)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("Cache-Control", "no-store")
			switch {
			case r.Method != http.MethodGet:
				w.WriteHeader(http.StatusMethodNotAllowed)
			case r.URL.Path == brokenPath:
				say(brokenPage).ServeHTTP(w, r)
			case r.URL.Path == themePath:
				h.Set("Content-Type", "text/javascript; charset=utf-8")
				_, _ = io.WriteString(w, begin().script())
			case images.Named(r.URL.Path):
				image, err := images.Read(r.URL.Path)
				if err != nil {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				h.Set("Content-Type", image.Mime)
				_, _ = w.Write(image.Data)
			default:
				files.ServeHTTP(w, r)
			}
		})
	}
}

// beginning is how the page begins: in a theme, and at the view that was open before, "" where
// none is known.
type beginning struct {
	theme config.Theme
	view  string
}

// plainName is what a view is called. The name comes from a file.
var plainName = regexp.MustCompile(`^[a-z]+$`)

// script has the page begin so. Without a theme it is the system's; a page that is loaded
// again stays where it is.
func (b beginning) script() string {
	var s strings.Builder
	if b.theme == config.ThemeLight || b.theme == config.ThemeDark {
		fmt.Fprintf(&s, "document.documentElement.dataset.theme = '%s';\n", b.theme)
	}
	if plainName.MatchString(b.view) {
		fmt.Fprintf(&s, "if (!location.hash) history.replaceState(null, '', '#/%s');\n", b.view)
	}
	return s.String()
}

// say answers every address with one plain page.
func say(p plain.Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", plain.Policy())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, p.HTML())
	})
}
