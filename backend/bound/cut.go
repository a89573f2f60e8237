package bound

import (
	"strings"
	"unicode/utf8"
)

// LineCut is what follows a line that was cut by Line.
const LineCut = "… [line truncated]"

// Line keeps the first max characters of a line and puts LineCut behind them. It
// reports whether it cut. Bytes that are not UTF-8 count as one character each.
func Line(line string, max int) (string, bool) {
	if len(line) <= max {
		return line, false
	}
	n := 0
	for i := range line {
		if n == max {
			return line[:i] + LineCut, true
		}
		n++
	}
	return line, false
}

// Head returns the longest start of s that is at most max bytes and does not end
// within a character.
func Head(s string, max int) string {
	if max <= 0 {
		return ""
	}
	if len(s) <= max {
		return s
	}
	return s[:runeStart(s, max)]
}

// Tail returns the longest end of s that is at most max bytes and does not start
// within a character.
func Tail(s string, max int) string {
	if max <= 0 {
		return ""
	}
	if len(s) <= max {
		return s
	}
	i := len(s) - max
	for n := 0; n < utf8.UTFMax-1 && i < len(s) && !utf8.RuneStart(s[i]); n++ {
		i++
	}
	return s[i:]
}

// runeStart moves i back to where a character starts, by no more than a character
// can be long, so that text that is not UTF-8 is cut too.
func runeStart(s string, i int) int {
	for n := range utf8.UTFMax {
		if i-n >= 0 && utf8.RuneStart(s[i-n]) {
			return i - n
		}
	}
	return i
}

// Whole leaves out a character at the end of a text that is there in part only. Bytes that
// begin no character stay.
func Whole(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return text[:at]
			}
			break
		}
	}
	return text
}

// Lines counts the lines of s; a last line without a line break counts.
func Lines(s string) int64 {
	n := int64(strings.Count(s, "\n"))
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}
