package main

import (
	"fmt"
	"strings"
	"unicode"
)

// visible shows foreign text on one line of a terminal: what would move the cursor,
// colour text, turn its direction or hide is written as a code instead.
func visible(s string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(lines(s))
}

// lines is visible for text of several lines.
func lines(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "<U+%04X>", r)
	}
	return b.String()
}
