package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Problem says what is wrong with a record.
type Problem string

// The problems. Only the first is looked for: what follows a broken link hangs on nothing.
const (
	ProblemNone Problem = ""
	// ProblemEmpty is a text without a line, ProblemNotARecord one that does not begin as a
	// record does.
	ProblemEmpty      Problem = "empty"
	ProblemNotARecord Problem = "not_a_record"
	// ProblemUnreadable is a line that no record has.
	ProblemUnreadable Problem = "unreadable"
	// ProblemChanged is an entry that does not have the hash that its line gives.
	ProblemChanged Problem = "changed"
	// ProblemCard is a card that is missing, or another than the one that was shown.
	ProblemCard Problem = "card_changed"
	// ProblemReplaced is an entry that was changed together with its hash: the next one was made
	// behind another.
	ProblemReplaced  Problem = "replaced"
	ProblemRemoved   Problem = "removed"
	ProblemInserted  Problem = "inserted"
	ProblemRepeated  Problem = "repeated"
	ProblemReordered Problem = "reordered"
	// ProblemCutOff is a record without its closing line.
	ProblemCutOff Problem = "cut_off"
	// ProblemAfterEnd is a line behind the closing one.
	ProblemAfterEnd Problem = "after_end"
)

// Finding is what was found in a record.
type Finding struct {
	Problem Problem
	// Line is the first line with the problem, from 1; 0 without one.
	Line int
	// Words say in a sentence what differs.
	Words string
	// Session is whose record it is, Entries how many decisions up to the problem or the end
	// hold, and Last the hash of the last of them.
	Session string
	Entries int64
	Last    string
	// Start says where the record begins.
	Start Start
}

// maxLine is the longest line that is read, in bytes. An entry holds at most a card, and that
// the arguments of a call.
const maxLine = 64 << 20

var errLongLine = errors.New("a line is longer than 64 MiB")

// line is a line of a record as it was read.
type line struct {
	number int
	hash   string
	// The rest is what the entry says.
	Kind     Kind   `json:"kind"`
	Seq      int64  `json:"seq"`
	Session  string `json:"session"`
	Previous string `json:"previous"`
	Shown    string `json:"shown"`
	Version  int    `json:"version"`
	After    int64  `json:"after"`
	Calls    int64  `json:"calls_before"`
	Entries  int64  `json:"entries"`
	// broken says what keeps the line from being one of a record by itself.
	broken Problem
	words  string
}

// Verify reads a record that was given away and returns the first thing that is wrong with
// it. err says that it could not be read to its end.
func Verify(r io.Reader) (Finding, error) {
	lines, err := readLines(r)
	if err != nil {
		return Finding{}, err
	}
	c := check{lines: lines, at: map[string]int{}, seqs: map[int64]int{}}
	for i, l := range lines {
		if _, known := c.seqs[l.Seq]; !known && l.broken != ProblemUnreadable {
			c.seqs[l.Seq] = i
		}
	}
	c.run()
	return c.found, nil
}

// readLines reads the lines of a record. What is wrong with one by itself is noted in it.
func readLines(r io.Reader) (lines []line, err error) {
	in := bufio.NewReader(r)
	for {
		text, err := readLine(in)
		if len(text) > 0 {
			lines = append(lines, readEntry(len(lines)+1, text))
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine reads up to the end of a line, which is part of it.
func readLine(in *bufio.Reader) (text []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if text = append(text, part...); len(text) > maxLine {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

func readEntry(number int, text []byte) line {
	l := line{number: number, broken: ProblemUnreadable, words: "it is no line of a decision record"}
	var parts struct {
		Entry json.RawMessage `json:"entry"`
		Hash  string          `json:"hash"`
		Card  json.RawMessage `json:"card"`
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		l.words = "it ends in the middle"
		return l
	}
	if json.Unmarshal(text, &parts) != nil || json.Unmarshal(parts.Entry, &l) != nil {
		return l
	}
	// Nothing stands in a line beside what is checked.
	if !bytes.Equal(text, AppendLine(nil, Sealed{Text: parts.Entry, Hash: parts.Hash}, parts.Card)) {
		l.words = "it is not written as a decision record is"
		return l
	}
	if !isHash(parts.Hash) || l.Previous != "" && !isHash(l.Previous) || l.Shown != "" && !isHash(l.Shown) {
		l.words = "it gives a hash that is none"
		return l
	}
	l.hash, l.broken, l.words = parts.Hash, ProblemNone, ""
	switch got := hashOf(parts.Entry); {
	case got != l.hash:
		l.broken, l.words = ProblemChanged, fmt.Sprintf("its entry has the hash %s, and the line says %s", got, l.hash)
	case l.Shown != "" && parts.Card == nil:
		l.broken, l.words = ProblemCard, "the card that its entry says was shown is missing"
	case l.Shown == "" && parts.Card != nil:
		l.broken, l.words = ProblemCard, "it has a card, and its entry says of none"
	case parts.Card != nil && hashOf(parts.Card) != l.Shown:
		l.broken, l.words = ProblemCard, fmt.Sprintf("its card has the hash %s, and the entry says %s was shown", hashOf(parts.Card), l.Shown)
	}
	return l
}

// isHash reports whether a text is a hash as records have them.
func isHash(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && strings.ToLower(text) == text
}
