package shellcmd

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// simple are the escapes of one letter between $' and '.
var simple = map[byte]byte{
	'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11, '\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// ansi decodes what stands between $' and '. It fails where bash would stop at a NUL, where
// the result depends on the language of the machine, and where it is no text.
func ansi(s string) (string, bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		if c, ok := simple[s[i]]; ok {
			out.WriteByte(c)
			continue
		}
		n, ok := numbered(&out, s[i:])
		if !ok {
			return "", false
		}
		i += n - 1
	}
	text := out.String()
	return text, utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// numbered decodes an escape with a number, behind its backslash, and says how long it is.
func numbered(out *strings.Builder, s string) (int, bool) {
	switch c := s[0]; {
	case c >= '0' && c <= '7':
		return number(out, s, 0, 3, 8)
	case c == 'x':
		return number(out, s, 1, 2, 16)
	case c == 'u':
		return number(out, s, 1, 4, 16)
	case c == 'U':
		return number(out, s, 1, 8, 16)
	case c == 'c':
		return 0, false
	}
	out.WriteByte('\\')
	out.WriteByte(s[0])
	return 1, true
}

func number(out *strings.Builder, s string, from, most, base int) (int, bool) {
	end := from
	for end < len(s) && end < from+most && strings.IndexByte("0123456789abcdefABCDEF"[:digitsOf(base)], s[end]) >= 0 {
		end++
	}
	if end == from {
		return 0, false
	}
	n, err := strconv.ParseUint(s[from:end], base, 32)
	if err != nil || n == 0 || (s[0] == 'u' || s[0] == 'U') && n > 0x7f {
		return 0, false
	}
	out.WriteByte(byte(n))
	return end, true
}

func digitsOf(base int) int {
	if base == 8 {
		return 8
	}
	return 22
}

// unescape takes off the backslashes that count between double quotes.
func unescape(s string, heredoc bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		switch next := s[i+1]; {
		case next == '\n':
			i++
		case next == '$', next == '`', next == '\\', next == '"' && !heredoc:
			out.WriteByte(next)
			i++
		default:
			out.WriteByte('\\')
		}
	}
	return out.String()
}
