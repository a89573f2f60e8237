package serve

import (
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// contentTypes are the kinds of file that a built page has. The machine's own table is
// not asked: it differs from one to the next.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".json", ".map":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// asset serves one file of the page, the root as index.html. Folders are not listed.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name, absent := strings.TrimPrefix(r.URL.Path, "/"), pageAbsent
	if name == "" {
		name, absent = "index.html", pageBuild
	}
	if !fs.ValidPath(name) {
		refuse(w, r, http.StatusNotFound, pageAbsent)
		return
	}
	f, err := s.config.Assets.Open(name)
	if err != nil {
		refuse(w, r, http.StatusNotFound, absent)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, r, http.StatusNotFound, absent)
		return
	}
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	if r.Method != http.MethodHead {
		_, _ = io.Copy(w, f)
	}
}
