package serve

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"countersign/app/bridge"
	"countersign/app/plain"
)

var pageGone = plain.Page{Title: "This output is no longer kept", Words: "The preview that the model read is still in the history."}

// output answers a download with all of a text of the output store, as it was printed. Whatever
// a program printed, it is never a page: it is bytes to be saved.
func (s *Server) output(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	ref := bridge.OutputRef{SessionID: q.Get("session"), Name: q.Get("name")}
	begun := false
	err := bridge.FilesOf(s.config.API).Copy(ref, func(text io.Reader, size int64) error {
		begun = true
		// A large text takes as long as it takes; the end of the server ends it.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="`+fileName(ref.Name)+`"`)
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		if r.Method == http.MethodHead {
			return nil
		}
		_, err := io.Copy(w, text)
		return err
	})
	if err == nil || begun {
		return
	}
	page := pageBroken
	status := http.StatusInternalServerError
	if fault, ok := errors.AsType[*bridge.Error](err); ok {
		switch fault.Code {
		case bridge.CodeGone:
			page, status = pageGone, http.StatusGone
		case bridge.CodeNotFound, bridge.CodeInvalid:
			page, status = pageAbsent, http.StatusNotFound
		}
	}
	refuse(w, r, status, page)
}

// fileName keeps a name within a header: letters, digits and a few signs.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", c) {
			return c
		}
		return '_'
	}, name)
}
