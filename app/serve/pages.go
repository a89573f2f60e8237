package serve

import (
	"crypto/sha256"
	"encoding/base64"
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

// pageStyle is all that a plain page looks like: the colours and the type of the desk's page,
// whose style sheet is for opened pages only.
const pageStyle = `:root{color-scheme:light dark}
body{margin:0;padding:64px 24px;background:light-dark(#fff,#1a1b1f);color:light-dark(#484b53,#b4b7bf);` +
	`font:13px/20px system-ui,-apple-system,"Segoe UI",Cantarell,"Noto Sans",sans-serif}
main{max-width:520px;margin:0 auto}
h1{margin:0 0 8px;font-size:18px;line-height:24px;font-weight:600;color:light-dark(#191a1d,#e9eaed)}
p{margin:0}
.own{margin-bottom:24px;font-size:12px;font-weight:600;color:light-dark(#1f55c4,#8fb3ff)}`

// pagePolicy lets a plain page use that style, by its hash, and nothing else.
var pagePolicy = func() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// html writes the page. Its texts are ours and hold nothing to escape.
func (p page) html() string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + p.title + " - Countersign</title>\n" +
		"<style>" + pageStyle + "</style>\n</head>\n<body>\n<main>\n<p class=\"own\">Countersign</p>\n<h1>" + p.title + "</h1>\n<p>" +
		p.words + "</p>\n</main>\n</body>\n</html>\n"
}

func refuse(w http.ResponseWriter, r *http.Request, status int, p page) {
	body := p.html()
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, body)
	}
}
