package redact

import "strings"

// value hides what a label names, if anything does.
func (c *scanner) value(l label) {
	i, quote := c.afterName(l.end)
	flag := c.isFlag(l)
	at, sep := c.separator(i)
	switch {
	case sep == sepNone && (quote != "" || c.byteAt(i) == '\n' || c.byteAt(i) == '\r') && c.namedApart(l, i):
		return
	case sep == sepNone && flag:
		c.word2(l, i)
		return
	case sep == sepNone && c.byteAt(i) == '>' && c.opensElement(l):
		c.element(l, i+1)
		return
	case sep == sepNone:
		if quote == "" {
			c.bare(l, i)
		}
		return
	case l.header:
		c.authorization(l, at, sep)
		return
	case l.cookie:
		c.cookies(l, at, sep)
		return
	}
	c.assigned(l, at, sep, quote != "")
}

// afterName steps over the quote and the bracket that close a name. quote is what closed it.
func (c *scanner) afterName(i int) (int, string) {
	from := i
	for c.byteAt(i) == '\\' && i-from < 8 {
		i++
	}
	b := c.byteAt(i)
	if b != '"' && b != '\'' && b != '`' {
		return from, ""
	}
	i++
	quote := c.s[from:i]
	if c.byteAt(i) == ']' {
		i++
	}
	return i, quote
}

// separators between a name and its value.
type separator int

const (
	sepNone separator = iota
	// sepEqual is an assignment, sepColon one of JSON, YAML, headers and prose.
	sepEqual
	sepColon
	// sepCompare holds a value against a name.
	sepCompare
)

// separator reads what stands between a name and its value.
func (c *scanner) separator(i int) (int, separator) {
	i = c.blanks(i)
	s := c.s
	switch b := c.byteAt(i); {
	case (b == '=' || b == '!') && c.byteAt(i+1) == '=':
		i += 2
		if c.byteAt(i) == '=' {
			i++
		}
		return c.blanks(i), sepCompare
	case b == '=' && c.byteAt(i+1) == '>', b == ':' && c.byteAt(i+1) == '=', b == '?' && c.byteAt(i+1) == '=', b == '+' && c.byteAt(i+1) == '=', b == '-' && c.byteAt(i+1) == '>' && c.byteAt(i+2) == ' ':
		return c.blanks(i + 2), sepEqual
	case b == '=':
		return c.blanks(i + 1), sepEqual
	case b == ':' && (c.byteAt(i+1) == ':' || strings.HasPrefix(s[i:], "://")):
		return i, sepNone
	case b == ':':
		return c.blanks(i + 1), sepColon
	case b == '?' && c.byteAt(i+1) == ':':
		return c.blanks(i + 2), sepColon
	case b == '%' && strings.HasPrefix(s[i:], "%3D"), b == '%' && strings.HasPrefix(s[i:], "%3d"):
		return i + 3, sepEqual
	}
	return i, sepNone
}

// isFlag reports whether a name is that of an option: --name, or -name.
func (c *scanner) isFlag(l label) bool {
	i := l.start
	for i > 0 && dotted.has[c.s[i-1]] && l.start-i < maxName {
		i--
	}
	return c.byteAt(i) == '-'
}

// word2 hides the value of an option that stands apart: the next word of a line, or the
// next text of a list.
func (c *scanner) word2(l label, i int) {
	from := i
	i = c.blanks(i)
	if c.byteAt(i) == ',' {
		if i = c.blanks(i + 1); c.byteAt(i) == '\n' {
			i = c.blanks(i + 1)
		}
	}
	b := c.byteAt(i)
	if i == from || b == 0 || b == '-' || b == '|' || b == '&' || b == ';' || b == '\n' || b == '\r' || b == '>' || b == '<' {
		return
	}
	l.strong, l.phrase = true, false
	c.assigned(l, i, sepEqual, false)
}

// assigned hides the value that begins at i.
func (c *scanner) assigned(l label, i int, sep separator, quoted bool) {
	if i = c.overBreak(i, quoted); i >= len(c.s) {
		return
	}
	if strings.HasPrefix(c.s[i:], opening) || strings.HasPrefix(c.s[i:], "-----BEGIN ") {
		return
	}
	if end := c.typed(i); end > 0 {
		c.assigned(l, end, sepEqual, false)
		return
	}
	if open := c.quoteAt(i); open != "" {
		c.quoted(l, i, open)
		return
	}
	if sep == sepCompare {
		return
	}
	if (c.s[i] == '|' || c.s[i] == '>') && sep == sepColon {
		c.folded(l, i)
		return
	}
	c.unquoted(l, i, sep, quoted)
}

// overBreak steps over a line break before a quoted value, which JSON and code may have.
func (c *scanner) overBreak(i int, quoted bool) int {
	if !quoted && c.byteAt(i) != '\\' {
		return i
	}
	j := i
	if c.byteAt(j) == '\\' && c.byteAt(j+1) == '\n' {
		j++
	}
	if c.byteAt(j) == '\r' {
		j++
	}
	if c.byteAt(j) != '\n' {
		return i
	}
	if j = c.blanks(j + 1); c.quoteAt(j) != "" {
		return j
	}
	return i
}

// typed returns where the value begins that follows the name of a type, as in
// "password: str = x", 0 where none does.
func (c *scanner) typed(i int) int {
	end := i
	for end < len(c.s) && end-i < maxName && (name.has[c.s[end]] || strings.IndexByte(".?[]<>|", c.s[end]) >= 0) {
		end++
	}
	if end == i || !plainWords[strings.ToLower(strings.TrimRight(c.s[i:end], "?[]"))] {
		return 0
	}
	j := c.blanks(end)
	if c.byteAt(j) != '=' || c.byteAt(j+1) == '=' {
		return 0
	}
	return c.blanks(j + 1)
}

// unquoted hides a value without quotes.
func (c *scanner) unquoted(l label, i int, sep separator, quoted bool) {
	if c.reads(i) {
		return
	}
	end := c.plainEnd(i)
	if end == i {
		return
	}
	text := c.s[i:end]
	if c.readable(l, text, i, end, sep, quoted) {
		return
	}
	if sep == sepColon && l.phrase && !quoted && c.startsLine(l) && c.byteAt(end) == ' ' {
		end = c.phraseEnd(end)
	}
	c.hide(i, end, l.kind)
}

// plainEnd returns where a value without quotes ends. Signs that may belong to it end it
// only where something follows that looks like the next part of the text.
func (c *scanner) plainEnd(i int) int {
	if c.plainTo.holds(i) {
		return c.plainTo.end
	}
	from := i
	for i < len(c.s) && !c.endsPlain(i) {
		i++
	}
	c.steps += i - from
	c.plainTo = found{from, i}
	return i
}

// endsPlain reports whether the byte at i ends a value without quotes.
func (c *scanner) endsPlain(i int) bool {
	switch c.s[i] {
	case ' ', '\t', '\n', '\r', 0, '`':
		return true
	case '"', '\'', ')', ']', '}', '>', '<', '|':
		return !alnum.has[c.byteAt(i+1)]
	case ',', ';', '&':
		return c.partFollows(i + 1)
	case '\\':
		n := c.byteAt(i + 1)
		return n == '"' || n == '\'' || (n == 'n' || n == 'r' || n == 't') && c.partFollows(i+2)
	}
	return false
}

// partFollows reports whether a text goes on at i with a space, an end, or a name with
// its value.
func (c *scanner) partFollows(i int) bool {
	if b := c.byteAt(i); !name.has[b] {
		return true
	}
	j := i
	for j < len(c.s) && j-i < maxName && (name.has[c.s[j]] || c.s[j] == '.' || c.s[j] == ' ' || c.s[j] == '[' || c.s[j] == ']') {
		j++
	}
	c.steps += j - i
	return c.byteAt(j) == '=' || c.byteAt(j) == ':'
}

// startsLine reports whether nothing but indentation, a list's dash or the sign of a diff
// stands before a name on its line.
func (c *scanner) startsLine(l label) bool {
	i := l.start
	for i > 0 && name.has[c.s[i-1]] && l.start-i < maxName {
		i--
	}
	for n := 0; i > 0 && n < maxName; n++ {
		switch c.s[i-1] {
		case ' ', '\t', '-', '+', '#':
			i--
			continue
		case '\n':
			return true
		}
		return false
	}
	return i == 0
}

// phraseEnd returns the end of a value of several words: that of the line, without a remark.
func (c *scanner) phraseEnd(i int) int {
	end := c.lineEnd(i)
	if at := strings.Index(c.s[i:end], " #"); at >= 0 {
		end = i + at
	}
	for end > i && (c.s[end-1] == ' ' || c.s[end-1] == '\t') {
		end--
	}
	return end
}

// leastBare is how long a word is that counts as a secret only because a label stands
// before it.
const leastBare = 16

// bare hides the word behind a label that nothing joins to it, if that is no word of a
// sentence.
func (c *scanner) bare(l label, i int) {
	if c.byteAt(i) != ' ' && c.byteAt(i) != '\t' {
		return
	}
	i = c.blanks(i)
	if strings.HasPrefix(c.s[i:], opening) {
		return
	}
	if end := c.typed(i); end > 0 {
		c.assigned(l, end, sepEqual, false)
		return
	}
	for _, verb := range []string{"is ", "was "} {
		if strings.HasPrefix(c.s[i:], verb) {
			i = c.blanks(i + len(verb))
			break
		}
	}
	end := c.while(i, opaque)
	end = withoutStop(c.s, i, end)
	text := c.s[i:end]
	if l.header || l.cookie || pathLike(text) {
		return
	}
	if l.kind == KindPassword && len(text) > 0 && c.afterLogin(l) {
		c.hide(i, c.plainEnd(i), l.kind)
		return
	}
	if len(text) >= leastBare || len(text) >= 8 && mixed(text) && hasDigit(text) && !idLike(text) {
		c.hide(i, end, l.kind)
	}
}

// afterLogin reports whether a name of a user stands before the label, as in .netrc.
func (c *scanner) afterLogin(l label) bool {
	before := c.s[max(0, l.start-96):l.start]
	at := strings.LastIndex(before, "login ")
	return at >= 0 && len(strings.Fields(before[at:])) == 2
}
