package search

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"countersign/backend/tool"
)

// refused says what is wrong with a pattern, from what ripgrep complained of: the lines
// between "regex parse error:" and "error: …" show the pattern with marks below the place.
func refused(complaint string) error {
	e := tool.Errorf(tool.CodeBadPattern, "ripgrep refused the pattern")
	if strings.Contains(complaint, "is not allowed in a regex") {
		return e.WithText("The pattern cannot be read: it asks for a line break, and a pattern matches within one line. Search for the text of one of the lines.")
	}
	if strings.Contains(complaint, "exceeds size limit") {
		return e.WithText("The pattern cannot be read: it would become too large. Use smaller repetitions.")
	}
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	why, column := "", 0
	for _, line := range lines {
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), "error: "); ok {
			why = said
		}
		marks := strings.TrimLeft(line, " ")
		if marks != "" && strings.Trim(marks, "^ ") == "" {
			// Patterns stand four columns in.
			column = utf8.RuneCountInString(line) - utf8.RuneCountInString(marks) - 4 + 1
		}
	}
	if why == "" {
		return e.WithText("The pattern cannot be read: it is not a regular expression.")
	}
	text := "The pattern cannot be read: " + why
	if column > 0 {
		text += ", at character " + strconv.Itoa(column)
	}
	return e.WithText(text + ". To search for the text itself, put a backslash before each of . ( ) [ ] { } * + ? ^ $ | and \\.")
}
