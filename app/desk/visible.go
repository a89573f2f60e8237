package desk

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible shows foreign text on one line of a terminal: what would move the cursor,
// colour text, turn its direction or hide is written as a code instead.
func Visible(s string) string {
	return strings.NewReplacer("\n", "⏎", "\t", " ").Replace(Lines(s))
}

// Lines is Visible for text of several lines.
func Lines(s string) string {
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
