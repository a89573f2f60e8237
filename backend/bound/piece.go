package bound

import "strings"

// piece is a start or an end of a text. lines counts only lines that it has whole.
type piece struct {
	text  string
	lines int64
}

// takeHead takes whole lines from the start of text. When a line too long for the
// rest of the room would leave more than half of it empty, a part of that line is
// taken too, unless only whole lines are wanted.
func takeHead(text string, room, maxLines int, wholeOnly bool) piece {
	var p piece
	end := 0
	for p.lines < int64(maxLines) {
		i := strings.IndexByte(text[end:], '\n')
		next := end + i + 1
		if i < 0 {
			next = len(text)
		}
		if next == end {
			break
		}
		if next > room {
			if !wholeOnly && end < room/2 {
				end += len(Head(text[end:], room-end))
			}
			break
		}
		end = next
		p.lines++
	}
	p.text = text[:end]
	return p
}

// takeTail is takeHead from the other end.
func takeTail(text string, room, maxLines int) piece {
	var p piece
	start := len(text)
	for p.lines < int64(maxLines) && start > 0 {
		// The line break that ends this line is not the one that starts it.
		next := strings.LastIndexByte(text[:start-1], '\n') + 1
		if taken := len(text) - start; len(text)-next > room {
			if taken < room/2 {
				start -= len(Tail(text[:start], room-taken))
			}
			break
		}
		start = next
		p.lines++
	}
	p.text = text[start:]
	return p
}
