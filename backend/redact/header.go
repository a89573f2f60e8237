package redact

import (
	"encoding/base64"
	"strings"
)

// schemes are the words with which the value of an Authorization header begins; true for
// those behind which one word is the whole secret.
var schemes = map[string]bool{
	"bearer": true, "basic": true, "token": true, "apikey": true, "negotiate": true, "ntlm": true, "jwt": true,
	"digest": false, "hawk": false, "oauth": false, "signature": false, "aws4-hmac-sha256": false, "sharedkey": false, "key": false,
}

// schemeLength is how long the scheme at the beginning of a value is, with the space after
// it; 0 without one.
func schemeLength(text string) int {
	i := 0
	for i < len(text) && i < 24 && name.has[text[i]] {
		i++
	}
	if _, is := schemes[strings.ToLower(text[:i])]; !is || i == len(text) || text[i] != ' ' {
		return 0
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

// authorization hides the value of a header that is not between quotes of its own.
func (c *scanner) authorization(l label, i int, sep separator) {
	if i >= len(c.s) || c.quoteAt(i) != "" {
		c.assigned(l, i, sep, true)
		return
	}
	if c.reads(i) {
		return
	}
	skip := schemeLength(c.s[i:min(len(c.s), i+64)])
	if skip > 0 {
		scheme := strings.ToLower(strings.TrimRight(c.s[i:i+skip], " "))
		i += skip
		if c.reads(i) {
			return
		}
		if !schemes[scheme] {
			c.hide(i, c.headerEnd(i, '\n'), l.kind)
			return
		}
		c.hide(i, c.plainEnd(i), l.kind)
		return
	}
	end := c.plainEnd(i)
	text := c.s[i:end]
	small := strings.ToLower(strings.TrimRight(text, ".,:;!?"))
	if end == i || plainWords[small] || proseWords[small] || c.placeholder(i, end) || isCall(text) {
		return
	}
	// Behind an unknown scheme the next word is the secret.
	if word := c.blanks(end); sep == sepColon && word > end && isPrompt(text) {
		if last := c.plainEnd(word); last-word >= 8 && (hasDigit(c.s[word:last]) || last-word >= leastBare) {
			end = last
		}
	}
	c.hide(i, end, l.kind)
}

// reads reports whether what stands at i is kept for the reader.
func (c *scanner) reads(i int) bool {
	return i >= len(c.s) || strings.HasPrefix(c.s[i:], opening) || c.stands(i) || c.s[i] == '<' && c.placeholder(i, i+1)
}

// headerEnd returns where a header ends: with its line, with the quote around it, or before
// the byte until.
func (c *scanner) headerEnd(i int, until byte) int {
	end := c.lineEnd(i)
	quote := c.quoteBefore(i)
	for j := i; j < end; j++ {
		if c.steps++; c.s[j] == until || c.s[j] == quote || c.s[j] == '\\' && (c.byteAt(j+1) == 'n' || c.byteAt(j+1) == 'r') {
			return j
		}
	}
	return end
}

// quoteBefore returns the quote that stands before the name of the header whose value is at
// i, 0 without one.
func (c *scanner) quoteBefore(i int) byte {
	for n := 0; i > 0 && n < 128; n++ {
		i--
		switch b := c.s[i]; b {
		case '"', '\'':
			return b
		case '\n':
			return 0
		}
	}
	return 0
}

// cookies hides the cookies of a header.
func (c *scanner) cookies(l label, i int, sep separator) {
	if c.quoteAt(i) != "" {
		c.assigned(l, i, sep, true)
		return
	}
	if i >= len(c.s) || c.reads(i) {
		return
	}
	eq := c.while(i, dotted)
	if eq == i || c.byteAt(eq) != '=' {
		return
	}
	switch {
	case strings.EqualFold(c.s[max(0, l.start-4):l.start], "set-"):
		c.hide(eq+1, c.headerEnd(eq+1, ';'), l.kind)
	case sep == sepColon:
		c.hide(i, c.headerEnd(i, '\n'), l.kind)
	default:
		c.hide(i, c.plainEnd(i), l.kind)
	}
}

// scheme hides what follows the name of an authorization scheme.
func (c *scanner) scheme(w word) bool {
	n := w.end - w.start
	if n != 5 && n != 6 || c.byteAt(w.end) != ' ' {
		return false
	}
	bearer := n == 6 && strings.EqualFold(w.of(c.s), "bearer")
	basic := n == 5 && strings.EqualFold(w.of(c.s), "basic")
	if !bearer && !basic {
		return false
	}
	i := c.blanks(w.end)
	end := c.while(i, opaque)
	end = withoutStop(c.s, i, end)
	text := c.s[i:end]
	switch {
	case bearer && (len(text) >= leastBare || len(text) >= 6 && hasDigit(text)), basic && isBasic(text):
		c.hide(i, end, KindCredential)
		return true
	}
	return false
}

// isBasic reports whether a text is a name and a password as the scheme has them.
func isBasic(text string) bool {
	if len(text) < 4 {
		return false
	}
	head := text[:min(len(text)&^3, 256)]
	plain, err := base64.StdEncoding.DecodeString(head)
	return err == nil && strings.IndexByte(string(plain), ':') >= 0
}
