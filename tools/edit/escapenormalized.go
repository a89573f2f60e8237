package edit

import "strings"

// escapeNormalized finds the quote with its escapes undone, as models write them one
// time too many.
func escapeNormalized(s *search) places {
	plain := unescape(s.old)
	if plain == s.old {
		return places{}
	}
	return verbatim(s.text.plain, plain)
}

// unescape undoes \n, \t, \", \' and \\ and leaves all other escapes alone.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if at := strings.IndexByte(`nt"'\`, s[i+1]); at >= 0 {
				b.WriteByte("\n\t\"'\\"[at])
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
