package redact

import "strings"

// plainWords are values that say something about a secret and are none.
var plainWords = map[string]bool{
	"string": true, "str": true, "text": true, "bytes": true, "byte": true, "char": true, "varchar": true, "any": true, "number": true, "int": true, "integer": true,
	"bool": true, "boolean": true, "object": true, "array": true, "optional": true, "option": true, "null": true, "none": true, "nil": true,
	"true": true, "false": true, "undefined": true, "required": true, "yes": true, "no": true, "on": true, "off": true, "default": true, "empty": true,
	"unknown": true, "basic": true, "bearer": true, "oauth": true, "oauth2": true, "digest": true, "password": true, "secret": true, "token": true,
	"enabled": true, "disabled": true, "missing": true, "invalid": true, "valid": true, "expired": true, "changeme": true, "securestring": true,
	"const": true, "let": true, "var": true, "new": true, "await": true, "void": true, "never": true, "self": true, "this": true,
}

// proseWords are words with which a sentence goes on behind a colon.
var proseWords = map[string]bool{
	"a": true, "an": true, "the": true, "must": true, "should": true, "is": true, "are": true, "was": true, "be": true, "been": true, "has": true, "have": true,
	"had": true, "can": true, "cannot": true, "could": true, "will": true, "would": true, "may": true, "might": true, "if": true, "in": true, "on": true,
	"at": true, "to": true, "for": true, "from": true, "of": true, "and": true, "or": true, "not": true, "no": true, "with": true, "without": true,
	"your": true, "you": true, "my": true, "our": true, "their": true, "its": true, "it": true, "this": true, "that": true, "these": true, "those": true,
	"use": true, "using": true, "used": true, "uses": true, "enter": true, "please": true, "see": true, "when": true, "which": true, "where": true, "what": true,
	"how": true, "why": true, "who": true, "make": true, "set": true, "get": true, "add": true, "fix": true, "remove": true, "update": true, "check": true,
	"any": true, "all": true, "each": true, "every": true, "some": true, "only": true, "also": true, "then": true, "than": true, "as": true, "by": true,
	"do": true, "does": true, "did": true, "never": true, "always": true, "allow": true, "handle": true, "support": true, "expired": true, "invalid": true,
	"missing": true, "failed": true, "incorrect": true, "wrong": true,
}

// readable reports whether the value at i, up to end, is kept for the reader.
func (c *scanner) readable(l label, text string, i, end int, sep separator, quoted bool) bool {
	small := ""
	if len(text) <= 24 {
		small = strings.ToLower(strings.TrimRight(text, ".,:;!?"))
	}
	switch {
	case plainWords[small], c.stands(i), c.placeholder(i, end):
		return true
	case sep == sepColon && !quoted && proseWords[small] && c.byteAt(end) == ' ':
		return true
	case isCall(text), l.file && pathLike(text):
		return true
	case !l.strong:
		return weakValue(text) || sep == sepColon && isPart(text)
	}
	return false
}

// isPart reports whether a text is a name with a dot in it, as code has them.
func isPart(text string) bool {
	for i := range len(text) {
		if b := text[i]; !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '.' || b == '_') {
			return false
		}
	}
	return strings.IndexByte(text, '.') > 0
}

// weakValue reports whether the value of a weak label is too plain for a secret.
func weakValue(text string) bool {
	letters, digits := 0, 0
	for i := range len(text) {
		switch b := text[i]; {
		case b >= '0' && b <= '9':
			digits++
		case alnum.has[b]:
			letters++
		}
	}
	switch {
	case letters == 0:
		return digits < 4 && len(text) < 6
	case digits == 0:
		return letters < 8
	}
	return len(text) < 5
}

// stands reports whether the value at i stands for another: a variable, a command's output,
// a template.
func (c *scanner) stands(i int) bool {
	rest := c.s[i:]
	if rest == "" {
		return false
	}
	switch rest[0] {
	case '$', '%':
		if len(rest) > 1 && (rest[1] == '(' || rest[0] == '$' && rest[1] == '{') {
			return true
		}
		return len(rest) > 1 && c.variable(i+1, rest[0])
	case '{', '<', '#':
		return strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "<%") || strings.HasPrefix(rest, "#{")
	case 'p', 'o', 'e', 'S', 'E':
		for _, begin := range []string{"process.env", "os.environ", "os.getenv", "os.Getenv", "System.getenv", "ENV["} {
			if strings.HasPrefix(rest, begin) {
				return true
			}
		}
	}
	return false
}

// variable reports whether a whole value is the name of a variable.
func (c *scanner) variable(i int, sign byte) bool {
	from := i
	for i < len(c.s) && i-from < maxName && (c.s[i] == '_' || upper.has[c.s[i]] || sign == '$' && c.s[i] >= 'a' && c.s[i] <= 'z') {
		i++
	}
	c.steps += i - from
	if i == from || c.s[from] >= '2' && c.s[from] <= '9' && i-from > 1 {
		return false
	}
	b := c.byteAt(i)
	if sign == '%' {
		return b == '%'
	}
	return b == 0 || strings.IndexByte(" \t\r\n\"'`,;)&|}]\\", b) >= 0
}

// maxFiller is the longest text that is only filled in, in bytes.
const maxFiller = 24

// placeholder reports whether a value tells what to put there, or is only filled in: <your
// key>, ***, xxxx, ....
func (c *scanner) placeholder(i, end int) bool {
	text := c.s[i:end]
	if text[0] == '<' {
		shut := strings.IndexByte(c.s[i:min(len(c.s), i+maxName)], '>')
		return shut > 1 && isPrompt(c.s[i+1:i+shut])
	}
	if strings.HasPrefix(text, opening) {
		return true
	}
	if len(text) > maxFiller {
		return false
	}
	for _, filler := range []string{"*", ".", "xX", "•", "…"} {
		if len(text) > 1 && strings.Trim(text, filler) == "" {
			return true
		}
	}
	return false
}

// isPrompt reports whether a text consists of words and of nothing a secret is made of.
func isPrompt(text string) bool {
	for i := range len(text) {
		b := text[i]
		if !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || strings.IndexByte(" _-./'|", b) >= 0) {
			return false
		}
	}
	return text != ""
}

// isCall reports whether a text begins as a call in code does, without a text in it.
func isCall(text string) bool {
	text = text[:min(len(text), maxTail)]
	i := 0
	for i < len(text) && (alnum.has[text[i]] || strings.IndexByte("_.>:*&-", text[i]) >= 0) {
		i++
	}
	return i > 0 && i < len(text) && text[i] == '(' && !strings.ContainsAny(text, "\"'`") && text[0] > '9'
}

// pathLike reports whether a text looks like the path of a file.
func pathLike(text string) bool {
	for _, begin := range []string{"/", "./", "../", "~/", "file://", "http://", "https://"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	slash := strings.LastIndexByte(text, '/')
	return strings.IndexByte(text[slash+1:], '.') > 0 && slash > 0
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// idLike reports whether a text is a date, a version or a number with signs.
func idLike(text string) bool {
	for i := range len(text) {
		if b := text[i]; !(b >= '0' && b <= '9') && strings.IndexByte("-.:/TZv+", b) < 0 {
			return false
		}
	}
	return true
}
