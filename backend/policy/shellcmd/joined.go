package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// joinsWord says whether a backslash at the end of a line joins what bash then reads as one
// and the parser may read as two: a dollar and a quote, the parts of an operator, a number
// and a redirect. Behind a blank, and behind an operator that does not go on, it joins nothing.
func joinsWord(file *syntax.File, text string) bool {
	var plain []span
	for at := 0; ; {
		i := strings.Index(text[at:], "\\\n")
		if i < 0 {
			return false
		}
		i += at
		at = i + 2
		if escaped(text, i) || apart(text, i, at) {
			continue
		}
		if plain == nil {
			plain = literals(file)
		}
		if text[i-1] == '$' || !within(plain, i) {
			return true
		}
	}
}

// escaped says whether the backslash at i stands behind one that takes its meaning.
func escaped(text string, i int) bool {
	return (i-len(strings.TrimRight(text[:i], "\\")))%2 == 1
}

// apart says whether the texts before i and from next on stand apart also when joined.
func apart(text string, i, next int) bool {
	if i == 0 {
		return true
	}
	switch text[i-1] {
	case ' ', '\t', '\n':
		return true
	case '&', '|', ';', '(', ')':
		return next < len(text) && strings.IndexByte("&|;()<>\\", text[next]) < 0
	}
	return false
}
