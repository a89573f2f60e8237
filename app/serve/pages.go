package serve

import (
	"io"
	"net/http"
	"strconv"

	"countersign/app/plain"
)

var (
	pageUnknown = plain.Page{Title: "This page is not open here", Words: "Open the link that Countersign printed in its terminal. " +
		"If it was used already, run countersign serve again or look for a newer link there."}
	pageUsed = plain.Page{Title: "This link was used before", Words: "A link to Countersign works once. " +
		"A new one stands in the terminal where countersign serve runs. Open that one."}
	pageHost   = plain.Page{Title: "This is not the name of this server", Words: "Open the link that Countersign printed in its terminal, with the address as it stands there."}
	pageOrigin = plain.Page{Title: "Another page asked for this", Words: "Countersign answers its own page only. Nothing was done."}
	pageMethod = plain.Page{Title: "This cannot be done here", Words: "Countersign answers its own page only. Nothing was done."}
	pageAbsent = plain.Page{Title: "There is no such page", Words: "Go to the start of Countersign."}
	pageBroken = plain.Page{Title: "Something went wrong", Words: "Nothing was done. The log in the home folder has the cause."}
	pageFull   = plain.Page{Title: "Too many pages are open", Words: "Close one of them and load this page again."}
	pageBuild  = plain.Page{Title: "The page is not in this program", Words: "It was built without its page. Build it with make build and start it again."}
)

func refuse(w http.ResponseWriter, r *http.Request, status int, p plain.Page) {
	body := p.HTML()
	w.Header().Set("Content-Security-Policy", plain.Policy())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, body)
	}
}
