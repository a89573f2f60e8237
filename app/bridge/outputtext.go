package bridge

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// maxHex is how many bytes of a run are told.
const maxHex = 16

// plainText makes what a program printed into text that a page can hold. Bytes that are no
// text become one U+FFFD a run, and the runs are told. What moves or colours text stays: the
// page reads it as data.
func plainText(p []byte) (string, []OutputHidden) {
	var text strings.Builder
	text.Grow(len(p))
	var hidden []OutputHidden
	units := 0
	for at := 0; at < len(p); {
		if n := noText(p[at:]); n > 0 {
			hidden = append(hidden, OutputHidden{At: units, Bytes: n, Hex: hexOf(p[at : at+n])})
			text.WriteRune(utf8.RuneError)
			units++
			at += n
			continue
		}
		r, n := utf8.DecodeRune(p[at:])
		text.WriteRune(r)
		units++
		if r > 0xffff {
			units++
		}
		at += n
	}
	return text.String(), hidden
}

// noText is how many bytes at the start are no text.
func noText(p []byte) (n int) {
	for n < len(p) {
		b := p[n]
		if b >= utf8.RuneSelf {
			if r, size := utf8.DecodeRune(p[n:]); r != utf8.RuneError || size > 1 {
				return n
			}
		} else if b >= ' ' || strings.IndexByte("\a\b\t\r\x1b", b) >= 0 {
			return n
		}
		n++
	}
	return n
}

func hexOf(p []byte) string {
	var b strings.Builder
	for i, c := range p[:min(len(p), maxHex)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(hex.EncodeToString([]byte{c}))
	}
	if len(p) > maxHex {
		b.WriteString(" …")
	}
	return b.String()
}
