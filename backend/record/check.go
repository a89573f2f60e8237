package record

import "fmt"

// check walks over the lines of a record.
type check struct {
	lines []line
	// at are the lines that hold so far, by their hashes; seqs the first lines of all that say
	// to have a place in the chain.
	at    map[string]int
	seqs  map[int64]int
	found Finding
}

func (c *check) run() {
	if len(c.lines) == 0 {
		c.found.Problem, c.found.Words = ProblemEmpty, "It holds nothing."
		return
	}
	if !c.begins(&c.lines[0]) {
		return
	}
	for i := 1; i < len(c.lines); i++ {
		if !c.follows(i) {
			return
		}
		if l := &c.lines[i]; l.Kind == KindClosed {
			c.closes(i)
			return
		}
		c.hold(i)
	}
	c.say(ProblemCutOff, len(c.lines), "The record is cut off behind line %d: its closing line is missing. %s up to there hold.", len(c.lines), decisions(c.found.Entries))
}

func (c *check) say(p Problem, number int, format string, args ...any) {
	c.found.Problem, c.found.Line, c.found.Words = p, number, fmt.Sprintf(format, args...)
}

// begins checks the line before the first decision, which follows from what it says.
func (c *check) begins(l *line) bool {
	if l.broken == ProblemUnreadable {
		c.say(ProblemNotARecord, 1, "Line 1 is not how a decision record begins: %s.", l.words)
		return false
	}
	begun, err := Begin(l.Session, Start{l.After, l.Calls})
	switch {
	case l.Kind != KindBegun:
		c.say(ProblemRemoved, 1, "Line 1 is not how a decision record begins: its beginning is missing.")
	case l.Version != Version:
		c.say(ProblemNotARecord, 1, "Line 1 says version %d of decision records, and this program knows version %d.", l.Version, Version)
	case l.broken != ProblemNone || err != nil || begun.Hash != l.hash:
		c.say(ProblemChanged, 1, "Line 1 was changed: it is not the beginning of the record of that session.")
	default:
		c.found.Session, c.found.Start = l.Session, Start{l.After, l.Calls}
		c.hold(0)
		return true
	}
	return false
}

// hold takes a line into the chain.
func (c *check) hold(i int) {
	l := &c.lines[i]
	c.at[l.hash] = i
	c.found.Last = l.hash
	if i > 0 {
		c.found.Entries++
	}
}

// follows checks that a line hangs on the one before it.
func (c *check) follows(i int) bool {
	l, before := &c.lines[i], &c.lines[i-1]
	switch {
	case l.broken == ProblemUnreadable && i == len(c.lines)-1 && l.words == "it ends in the middle":
		c.say(ProblemCutOff, l.number, "The record is cut off in line %d: %s. %s before it hold.", l.number, l.words, decisions(c.found.Entries))
	case l.broken == ProblemUnreadable:
		c.say(ProblemUnreadable, l.number, "Line %d cannot be read: %s.", l.number, l.words)
	case l.broken == ProblemChanged:
		c.say(ProblemChanged, l.number, "Line %d was changed: %s.", l.number, l.words)
	case l.broken == ProblemCard:
		c.say(ProblemCard, l.number, "The card of line %d was changed: %s.", l.number, l.words)
	case l.Previous == before.hash && l.Seq == before.Seq+1 && l.Session == c.found.Session:
		return true
	default:
		c.displaced(i)
	}
	return false
}

// displaced says why a line that is whole does not hang on the one before it.
func (c *check) displaced(i int) {
	l, want := &c.lines[i], c.lines[i-1].Seq+1
	earlier, known := c.at[l.Previous]
	later, comes := c.seqs[want]
	_, again := c.at[l.hash]
	switch {
	case again:
		c.say(ProblemRepeated, l.number, "Line %d repeats line %d.", l.number, c.at[l.hash]+1)
	case l.Session != c.found.Session:
		c.say(ProblemInserted, l.number, "Line %d was put in: it belongs to another session.", l.number)
	case known && earlier < i-1:
		first := earlier + 2
		c.say(ProblemInserted, first, "Line %d was put in: line %d follows line %d.", first, l.number, earlier+1)
	case l.Seq == want:
		c.say(ProblemReplaced, i, "Line %d was changed together with its hash: line %d was made behind an entry with the hash %s, and line %d has %s.",
			i, l.number, l.Previous, i, c.lines[i-1].hash)
	case l.Seq > want && comes && later > i:
		c.say(ProblemReordered, l.number, "Line %d is out of order: it holds decision %d, and decision %d stands in line %d.", l.number, l.Seq, want, later+1)
	case l.Seq > want:
		c.say(ProblemRemoved, l.number, "%s missing before line %d: it holds decision %d, and decision %d was to come.", missing(l.Seq-want), l.number, l.Seq, want)
	default:
		c.say(ProblemInserted, l.number, "Line %d was put in: it says decision %d, and decision %d was to come.", l.number, l.Seq, want)
	}
}

// closes checks the closing line, which follows from the lines before it.
func (c *check) closes(i int) {
	l := &c.lines[i]
	end, err := Head{c.found.Session, c.found.Entries, c.found.Last}.Close()
	switch {
	case err != nil || end.Hash != l.hash:
		c.say(ProblemChanged, l.number, "Line %d was changed: it is not the closing line of this record.", l.number)
	case i != len(c.lines)-1:
		c.say(ProblemAfterEnd, c.lines[i+1].number, "Line %d stands behind the closing line.", c.lines[i+1].number)
	}
}

func decisions(n int64) string {
	if n == 1 {
		return "1 decision"
	}
	return fmt.Sprintf("%d decisions", n)
}

func missing(n int64) string {
	if n == 1 {
		return "1 decision is"
	}
	return fmt.Sprintf("%d decisions are", n)
}
