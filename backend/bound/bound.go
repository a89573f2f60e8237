package bound

import (
	"strings"

	"countersign/backend/tool"
)

// The limits that hold where a tool names none of its own, in bytes, lines and
// percent, and the most text that any result may hold.
const (
	DefaultBytes       = tool.DefaultBytes
	DefaultLines       = tool.DefaultLines
	DefaultHeadPercent = 70
	BackstopBytes      = 64 << 10
)

// Text is a text after bounding.
type Text struct {
	// Shown is at most as long as the limits allow.
	Shown string
	// Truncation says what Shown lacks; nil when it lacks nothing.
	Truncation *tool.Truncation
}

// Fits reports whether text is within the limits as it is.
func Fits(text string, b tool.Bounding) bool {
	b = filled(b)
	return len(text) <= b.MaxBytes && Lines(text) <= int64(b.MaxLines)
}

// Ends are the start and the end of a text of which the middle is not at hand, and the
// size of it all. Tail begins with a line, or within one that is longer than is shown of it.
type Ends struct {
	Head, Tail   string
	Lines, Bytes int64
	// MissingBytes lie between Head and Tail; none where the two are one text.
	MissingBytes int64
}

// Cut bounds text. path is where the whole of it can be read, "" when it was not
// kept. A limit too small for the marker leaves as much of the marker as fits.
func Cut(text string, b tool.Bounding, path string) Text {
	return CutEnds(Ends{Head: text, Lines: Lines(text), Bytes: int64(len(text))}, b, path)
}

// CutEnds bounds a text of which only the ends are known, as Cut does.
func CutEnds(e Ends, b tool.Bounding, path string) Text {
	size := int64(len(e.Head)) + e.MissingBytes + int64(len(e.Tail))
	if e.MissingBytes == 0 {
		e.Head += e.Tail
		if Fits(e.Head, b) {
			return Text{Shown: e.Head}
		}
		e.Tail = e.Head
	}
	b = filled(b)
	room := b.MaxBytes - len(longestMarker(e.Lines, path)) - len("\n\n")
	if room < 0 {
		return Text{
			Shown:      Head(Marker(e.Lines, e.Bytes, path), b.MaxBytes),
			Truncation: &tool.Truncation{OriginalBytes: e.Bytes, OriginalLines: e.Lines, OmittedLines: e.Lines, SpillPath: path},
		}
	}
	head, tail := e.take(room, b)
	omitted := e.Lines - head.lines - tail.lines
	shown := head.text
	if shown != "" && shown[len(shown)-1] != '\n' {
		shown += "\n"
	}
	shown += Marker(omitted, size-int64(len(head.text))-int64(len(tail.text)), path)
	if tail.text != "" {
		shown += "\n" + tail.text
	}
	return Text{Shown: shown, Truncation: &tool.Truncation{
		OriginalBytes: e.Bytes, OriginalLines: e.Lines,
		ShownHeadLines: head.lines, ShownTailLines: tail.lines, OmittedLines: omitted,
		SpillPath: path,
	}}
}

// take takes as much of both ends as there is room for.
func (e Ends) take(room int, b tool.Bounding) (head, tail piece) {
	percent := b.HeadPercent
	if b.Prefix {
		percent = 100
	}
	headRoom, headLines := room*percent/100, b.MaxLines*percent/100
	if b.HeadLines > 0 && !b.Prefix {
		headLines = min(b.HeadLines, b.MaxLines)
	}
	head = takeHead(e.Head, headRoom, headLines, b.Prefix)
	if !b.Prefix {
		tail = takeTail(e.Tail, room-headRoom, b.MaxLines-headLines)
	}
	if e.MissingBytes > 0 && len(head.text) == len(e.Head) && !strings.HasSuffix(e.Head, "\n") {
		// The last line goes on in what is missing.
		head.lines--
	}
	return head, tail
}

// Marker is the line that stands for what was left out. A line of which only a
// part is shown counts as left out.
func Marker(lines, bytes int64, path string) string {
	s := "[... " + Plural(lines, "line") + " omitted (" + Size(bytes) + "). "
	if path == "" {
		return s + "The rest was not kept.]"
	}
	return s + "Full output: " + path + " — read or grep that file for the rest.]"
}

// longestMarker is at least as long as any marker for a text of so many lines: no
// size is written longer than 1,023 bytes.
func longestMarker(lines int64, path string) string { return Marker(max(lines, 2), 1<<10-1, path) }

func filled(b tool.Bounding) tool.Bounding {
	if b.MaxBytes <= 0 {
		b.MaxBytes = DefaultBytes
	}
	if b.MaxLines <= 0 {
		b.MaxLines = DefaultLines
	}
	if b.HeadPercent <= 0 || b.HeadPercent > 100 {
		b.HeadPercent = DefaultHeadPercent
	}
	return b
}
