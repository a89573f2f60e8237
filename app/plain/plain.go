// Package plain is a page in a few words, for when the desk's own page cannot be shown:
// it needs no file, no script and no desk. Who shows it, and how, is others' business.
package plain

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
)

// Page says what happened, and what to do.
type Page struct{ Title, Words string }

// style is all that a plain page looks like: the colours and the type of the desk's page,
// whose style sheet is for opened pages only.
const style = `:root{color-scheme:light dark}
body{margin:0;padding:64px 24px;background:light-dark(#fff,#1a1b1f);color:light-dark(#484b53,#b4b7bf);` +
	`font:13px/20px system-ui,-apple-system,"Segoe UI",Cantarell,"Noto Sans",sans-serif}
main{max-width:520px;margin:0 auto}
h1{margin:0 0 8px;font-size:18px;line-height:24px;font-weight:600;color:light-dark(#191a1d,#e9eaed)}
p{margin:0}
.own{margin-bottom:24px;font-size:12px;font-weight:600;color:light-dark(#1f55c4,#8fb3ff)}`

// Policy lets a plain page use its style, by its hash, and nothing else.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// HTML writes the page. Its texts are shown as they are, whatever they hold.
func (p Page) HTML() string {
	title, words := html.EscapeString(p.Title), html.EscapeString(p.Words)
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + title + " - Countersign</title>\n" +
		"<style>" + style + "</style>\n</head>\n<body>\n<main>\n<p class=\"own\">Countersign</p>\n<h1>" + title + "</h1>\n<p>" +
		words + "</p>\n</main>\n</body>\n</html>\n"
}
