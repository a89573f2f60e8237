package serve

import (
	"net/http"
	"strconv"
	"time"

	"countersign/app/bridge"
)

// image answers with an image of a result. Its type is what its bytes are, and no browser is to
// guess another.
func (s *Server) image(w http.ResponseWriter, r *http.Request) {
	image, err := bridge.ImagesOf(s.config.API).Read(r.URL.Path)
	if err != nil {
		refuse(w, r, http.StatusNotFound, pageAbsent)
		return
	}
	// A large image takes as long as it takes; the end of the server ends it.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", image.Mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(image.Data)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(image.Data)
	}
}
