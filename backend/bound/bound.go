package bound

import "countersign/backend/tool"

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

// Cut bounds text. path is where the whole of it can be read, "" when it was not
// kept. A limit too small for the marker leaves as much of the marker as fits.
func Cut(text string, b tool.Bounding, path string) Text {
	if Fits(text, b) {
		return Text{Shown: text}
	}
	b = filled(b)
	total := Lines(text)
	room := b.MaxBytes - len(longestMarker(total, path)) - len("\n\n")
	if room < 0 {
		return Text{
			Shown:      Head(Marker(total, int64(len(text)), path), b.MaxBytes),
			Truncation: &tool.Truncation{OriginalBytes: int64(len(text)), OriginalLines: total, OmittedLines: total, SpillPath: path},
		}
	}
	percent := b.HeadPercent
	if b.Prefix {
		percent = 100
	}
	headRoom, headLines := room*percent/100, b.MaxLines*percent/100
	head := takeHead(text, headRoom, headLines, b.Prefix)
	var tail piece
	if !b.Prefix {
		tail = takeTail(text, room-headRoom, b.MaxLines-headLines)
	}
	omitted := total - head.lines - tail.lines
	missing := int64(len(text) - len(head.text) - len(tail.text))

	shown := head.text
	if shown != "" && shown[len(shown)-1] != '\n' {
		shown += "\n"
	}
	shown += Marker(omitted, missing, path)
	if tail.text != "" {
		shown += "\n" + tail.text
	}
	return Text{Shown: shown, Truncation: &tool.Truncation{
		OriginalBytes: int64(len(text)), OriginalLines: total,
		ShownHeadLines: head.lines, ShownTailLines: tail.lines, OmittedLines: omitted,
		SpillPath: path,
	}}
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
