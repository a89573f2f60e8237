package connect

import (
	"fmt"
	"strings"
)

// shell writes words for a POSIX shell. Control characters, which a terminal would act on
// when the line is pasted, are written out in the form that bash and zsh read.
func shell(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, shellWord(w))
	}
	return strings.Join(out, " ")
}

func shellWord(w string) string {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	isPlain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./+:@%,", r)
	}
	switch {
	case strings.ContainsFunc(w, isControl):
		var b strings.Builder
		b.WriteString("$'")
		for _, r := range w {
			switch {
			case r == '\'' || r == '\\':
				b.WriteString(`\` + string(r))
			case isControl(r):
				// Three digits, so that a digit that follows is not read into it.
				fmt.Fprintf(&b, `\%03o`, r)
			default:
				b.WriteRune(r)
			}
		}
		return b.String() + "'"
	case w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !isPlain(r) }):
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
