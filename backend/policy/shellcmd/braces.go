package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces is how many words one word with braces may make.
const maxBraces = 64

// braces returns the words that bash makes of one with braces, where that is simple: lists
// between commas of ordinary letters, one within nothing.
func braces(w *syntax.Word) ([]string, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.IndexByte(lit.Value, '{') < 0 {
		return nil, false
	}
	return alternatives(lit.Value)
}

func alternatives(s string) ([]string, bool) {
	out := []string{""}
	several := false
	for s != "" {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			open = len(s)
		}
		if !ordinary(s[:open]) {
			return nil, false
		}
		choices := []string{s[:open]}
		out = combine(out, choices)
		s = s[open:]
		if s == "" {
			break
		}
		end := strings.IndexByte(s, '}')
		if end < 0 || !ordinary(s[1:end]) {
			return nil, false
		}
		inside := s[1:end]
		switch {
		case strings.Contains(inside, ","):
			choices = strings.Split(inside, ",")
			several = true
		case strings.Contains(inside, ".."):
			if choices = sequence(inside); choices == nil {
				return nil, false
			}
			several = true
		default:
			// Braces around one text, or none, are ordinary letters.
			choices = []string{s[:end+1]}
		}
		if out = combine(out, choices); len(out) > maxBraces {
			return nil, false
		}
		s = s[end+1:]
	}
	for _, word := range out {
		// An empty word falls away, and a name may not begin with ~ only behind this.
		if several && (word == "" || word[0] == '~') {
			return nil, false
		}
	}
	return out, true
}

// sequence returns the numbers of one like 1..3, nil for any other kind.
func sequence(s string) []string {
	from, to, _ := strings.Cut(s, "..")
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || strconv.Itoa(a) != from || strconv.Itoa(b) != to || max(a, b)-min(a, b) >= maxBraces {
		return nil
	}
	out := []string{from}
	for a != b {
		if a < b {
			a++
		} else {
			a--
		}
		out = append(out, strconv.Itoa(a))
	}
	return out
}

func combine(heads, tails []string) []string {
	if len(tails) == 1 && tails[0] == "" {
		return heads
	}
	out := make([]string, 0, len(heads)*len(tails))
	for _, head := range heads {
		for _, tail := range tails {
			out = append(out, head+tail)
		}
	}
	return out
}

// ordinary says whether no letter of s means anything to the shell.
func ordinary(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-./,:@%+=^*?", c) >= 0 {
			continue
		}
		return false
	}
	return true
}
