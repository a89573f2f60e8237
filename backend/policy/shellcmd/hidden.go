package shellcmd

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// maxHidden is how many of them are listed.
const maxHidden = 1000

// HiddenIn finds the characters of a text that a reader may miss or take for others.
func HiddenIn(text string) []Hidden { return hidden(text) }

// hidden finds the characters that a reader may miss or take for others.
func hidden(text string) []Hidden {
	if ordinaryText(text) {
		return nil
	}
	var out []Hidden
	words := prose(text)
	for at := 0; at < len(text) && len(out) < maxHidden; {
		c, size := utf8.DecodeRuneInString(text[at:])
		if letter(c) {
			end := at + token(text[at:])
			out = append(out, letters(text[at:end], at, words)...)
			at = end
			continue
		}
		if name := odd(c, size, text[:at]); name != "" {
			out = run(out, Hidden{Start: at, End: at + size, Name: name})
		}
		at += size
	}
	return out
}

// run adds h, which continues the one before it where it is the same character again.
func run(list []Hidden, h Hidden) []Hidden {
	if n := len(list); n > 0 && list[n-1].End == h.Start && list[n-1].Name == h.Name {
		list[n-1].End = h.End
		return list
	}
	return append(list, h)
}

// ordinaryText says whether text is visible ASCII with spaces, tabs and line breaks alone.
func ordinaryText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

func letter(c rune) bool { return unicode.IsLetter(c) && !strings.ContainsRune(blanks, c) }

// token is how long the run of letters is that text begins with.
func token(text string) int {
	for i, c := range text {
		if !letter(c) {
			return i
		}
	}
	return len(text)
}

// letters finds letters of other scripts that look like those of ASCII, in a word of letters
// alone, which stands at start. In a word of one's own script they are no trick, unless the whole word could be
// taken for another.
func letters(text string, start int, prose bool) []Hidden {
	ascii, alike, other := 0, 0, 0
	for _, c := range text {
		switch {
		case c < utf8.RuneSelf:
			ascii++
		case likeness(c) != 0:
			alike++
		default:
			other++
		}
	}
	if alike == 0 || ascii == 0 && (other > 0 || alike == 1 && prose) {
		// Forms that are made to be taken for ASCII are none of a script.
		if alike == 0 || !formsOnly(text) {
			return nil
		}
	}
	var out []Hidden
	for i, c := range text {
		if c < utf8.RuneSelf {
			continue
		}
		if like := likeness(c); like != 0 {
			size := utf8.RuneLen(c)
			out = run(out, Hidden{Start: start + i, End: start + i + size, Name: named(c) + ", looks like " + string(like)})
		}
	}
	return out
}

// prose says whether text holds letters of other scripts that look like none of ASCII, so
// that single letters are likely to be words.
func prose(text string) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf && unicode.IsLetter(c) && likeness(c) == 0 {
			return true
		}
	}
	return false
}

// formsOnly says whether a text is written in full-width or mathematical letters.
func formsOnly(text string) bool {
	for _, c := range text {
		if form(c) == 0 {
			return false
		}
	}
	return text != ""
}

// odd names a character that is no letter, "" where it is as it looks.
func odd(c rune, size int, before string) string {
	switch {
	case c == utf8.RuneError && size == 1:
		return "byte that is no text"
	case c == '\n' || c == '\t' || c >= ' ' && c < 0x7f:
		return ""
	case c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0:
		return control(c)
	}
	if like := likeness(c); like != 0 {
		return named(c) + ", looks like " + string(like)
	}
	switch {
	case unicode.In(c, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector), strings.ContainsRune(blanks, c):
		return named(c)
	case unicode.Is(unicode.Co, c):
		return "private use character"
	case unicode.Is(unicode.Me, c), unicode.Is(unicode.Mn, c) && before != "" && before[len(before)-1] < utf8.RuneSelf:
		return named(c)
	}
	return ""
}

// blanks are characters of other kinds that show nothing.
const blanks = "\u034f\u17b4\u17b5\u2800\u115f\u1160\u3164\uffa0\ufffc"

// controls are the names of the first control characters.
var controls = [...]string{
	"null", "start of heading", "start of text", "end of text", "end of transmission", "enquiry", "acknowledge", "bell", "backspace",
	"tab", "line feed", "vertical tab", "form feed", "carriage return", "shift out", "shift in", "data link escape", "device control one",
	"device control two", "device control three", "device control four", "negative acknowledge", "synchronous idle", "end of transmission block",
	"cancel", "end of medium", "substitute", "escape", "file separator", "group separator", "record separator", "unit separator",
}

func control(c rune) string {
	switch {
	case int(c) < len(controls):
		return controls[c]
	case c == 0x7f:
		return "delete"
	}
	return "control character"
}

// scripts are the words of names that are written with a capital.
var scripts = map[string]string{
	"cyrillic": "Cyrillic", "greek": "Greek", "armenian": "Armenian", "latin": "Latin", "cherokee": "Cherokee", "hangul": "Hangul", "braille": "Braille",
	"arabic": "Arabic", "mongolian": "Mongolian", "khmer": "Khmer", "hebrew": "Hebrew", "roman": "Roman", "coptic": "Coptic", "lisu": "Lisu",
}

// named is the name that Unicode gives to a character, in small letters.
func named(c rune) string {
	words := strings.Fields(strings.ToLower(runenames.Name(c)))
	for i, w := range words {
		if script, ok := scripts[w]; ok {
			words[i] = script
		}
	}
	return strings.Join(words, " ")
}
