package main

import (
	"io"
	"net/http"

	"countersign/app/plain"
)

// policy is what the page may load: its own files and nothing else. There is no address
// to connect to, since the page speaks through the window.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// brokenPath is shown when the page has ended too often to be loaded again.
const brokenPath = "/broken"

var brokenPage = plain.Page{
	Title: "The page has ended several times",
	Words: "It is not loaded again by itself. Calls that wait keep waiting. Close this window and start Countersign again; " +
		"if that does not help, countersign serve shows the same desk in a browser.",
}

// protect sets what every file of the page carries, as app/serve does, and answers
// nothing but reading.
func protect(next http.Handler) http.Handler {
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
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// say answers every address with one plain page.
func say(p plain.Page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", plain.Policy())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, p.HTML())
	})
}
