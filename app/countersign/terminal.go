package main

import (
	"fmt"
	"strings"
	"unicode"
)

// visible shows foreign text on one line of a terminal: what would move the cursor,
// colour text, turn its direction or hide is written as a code instead.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString("⏎")
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
