package serve

import (
	"io"
	"net/http"
	"strconv"
)

// page is a plain answer in words: what happened, and what to do.
type page struct{ title, words string }

var (
	pageUnknown = page{"This page is not open here", "Open the link that Countersign printed in its terminal. " +
		"If it was used already, run countersign serve again or look for a newer link there."}
	pageUsed = page{"This link was used before", "A link to Countersign works once. " +
		"A new one stands in the terminal where countersign serve runs. Open that one."}
	pageHost   = page{"This is not the name of this server", "Open the link that Countersign printed in its terminal, with the address as it stands there."}
	pageOrigin = page{"Another page asked for this", "Countersign answers its own page only. Nothing was done."}
	pageMethod = page{"This cannot be done here", "Countersign answers its own page only. Nothing was done."}
	pageAbsent = page{"There is no such page", "Go to the start of Countersign."}
	pageBroken = page{"Something went wrong", "Nothing was done. The log in the home folder has the cause."}
	pageFull   = page{"Too many pages are open", "Close one of them and load this page again."}
	pageBuild  = page{"The page is not in this program", "It was built without its page. Build it with make build and start it again."}
)

// html writes the page. Its texts are ours and hold nothing to escape.
func (p page) html() string {
	return "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>" + p.title + " - Countersign</title>\n<h1>" +
		p.title + "</h1>\n<p>" + p.words + "</p>\n</html>\n"
}

func refuse(w http.ResponseWriter, r *http.Request, status int, p page) {
	body := p.html()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, body)
	}
}
