package grep

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"countersign/backend/tool"
)

// before is how many characters are shown before a match that lies far into its line.
const before = 60

// shownHit is a line as it is shown. Spans are the matches in Text, counted as a page
// counts: in units of UTF-16.
type shownHit struct {
	Line  int64    `json:"line"`
	Text  string   `json:"text"`
	Spans [][2]int `json:"spans"`
}

// part is a stretch of a line, in bytes.
type part struct{ from, to int }

// window is the stretch of at most chars characters that is shown of a line: its start,
// or what stands around its first match where that ends beyond.
func window(h tool.Hit, chars int) part {
	end := forward(h.Text, 0, chars)
	if end == len(h.Text) || len(h.Spans) == 0 || h.Spans[0][1] <= end {
		return part{0, end}
	}
	from := back(h.Text, h.Spans[0][0], before)
	end = forward(h.Text, from, chars)
	if end == len(h.Text) {
		from = back(h.Text, end, chars)
	}
	return part{from, end}
}

// forward returns where n characters behind i end.
func forward(text string, i, n int) int {
	for ; n > 0 && i < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return i
}

// back returns where n characters before i begin.
func back(text string, i, n int) int {
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
	}
	return i
}

const ellipsis = "…"

// show cuts a line to chars characters.
func show(h tool.Hit, chars int) shownHit {
	w := window(h, chars)
	out := shownHit{Line: h.Line, Text: h.Text[w.from:w.to], Spans: [][2]int{}}
	lead := 0
	if w.from > 0 {
		out.Text, lead = ellipsis+out.Text, 1
	}
	if w.to < len(h.Text) || h.Cut {
		out.Text += ellipsis
	}
	for _, s := range h.Spans {
		from, to := max(s[0], w.from), min(s[1], w.to)
		if from < to {
			at := lead + units(h.Text[w.from:from])
			out.Spans = append(out.Spans, [2]int{at, at + units(h.Text[from:to])})
		}
	}
	return out
}

func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// shorten lets go of what no view of a line needs.
func shorten(h tool.Hit) tool.Hit {
	w := window(h, keptChars)
	if w.from == 0 && w.to == len(h.Text) {
		return h
	}
	lead := ""
	if w.from > 0 {
		lead = ellipsis
	}
	out := tool.Hit{Line: h.Line, Text: lead + strings.Clone(h.Text[w.from:w.to]), Cut: h.Cut || w.to < len(h.Text)}
	for _, s := range h.Spans {
		if from, to := max(s[0], w.from), min(s[1], w.to); from < to {
			out.Spans = append(out.Spans, [2]int{len(lead) + from - w.from, len(lead) + to - w.from})
		}
	}
	return out
}
