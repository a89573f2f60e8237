package edit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// nearMiss is what comes closest to a quote that was not found.
type nearMiss struct {
	// first and last are line numbers, from 1.
	first, last int
	// line is the first line that differs, 0 when that cannot be said; expected is the
	// quote's, has is the file's.
	line          int
	expected, has string
	// numbered says that the quote holds line numbers.
	numbered bool
}

// near looks for what comes closest: what a fuzzy way would find, where those do not
// count; the quote without line numbers; the best block between its anchors; the lines
// that are most like it.
func (s *search) near(all bool) (nearMiss, bool) {
	if plain, ok := unnumbered(s.lines); ok {
		inner := newSearch(s.ctx, s.text, newQuote(plain, ""))
		inner.work = s.work
		near, ok := inner.nearest(false)
		near.numbered = true
		return near, ok
	}
	return s.nearest(all)
}

// nearest is near for a quote without line numbers.
func (s *search) nearest(all bool) (nearMiss, bool) {
	if s.core == "" {
		return nearMiss{}, false
	}
	if all {
		if near, ok := s.byStrategies(); ok {
			return near, true
		}
	}
	if a, ok := s.anchored(); ok {
		if best, _ := newBlocks(s, a).best(score{lines: 1}, nearBlocks); len(best) > 0 {
			return s.miss(best[0].first, best[0].last, a.from), true
		}
	}
	return s.alike()
}

// nearBlocks is how many blocks are looked at closely for a near miss.
const nearBlocks = 200

// byStrategies is what one of the strategies finds, exact or not.
func (s *search) byStrategies() (nearMiss, bool) {
	for _, by := range strategies() {
		if got := by.find(s); got.count > 0 {
			r := s.settle(by, got.list[0])
			return s.miss(s.text.lineOf(r.start), s.text.lineOf(max(r.start, r.end-1)), 0), true
		}
	}
	return nearMiss{}, false
}

var numberedLine = regexp.MustCompile(`^ {0,6}[0-9]+→`)

// unnumbered takes the line numbers that read shows off a quote that has them on every line.
func unnumbered(lines []string) (string, bool) {
	out := make([]string, len(lines))
	for i, line := range lines {
		at := numberedLine.FindString(line)
		if at == "" {
			return "", false
		}
		out[i] = line[len(at):]
	}
	return strings.Join(out, "\n"), true
}

// alike finds the lines of the file that are most like those of the quote: where most of
// them are equal, else where the longest line of the quote has the most like it.
func (s *search) alike() (nearMiss, bool) {
	from, to := s.outer()
	lines := trimmedAll(s.lines[from : to+1])
	if len(lines) == 1 {
		return s.alikeLine(lines[0], from)
	}
	start, ok := s.voted(lines)
	if !ok {
		longest := slices.MaxFunc(lines, func(a, b string) int { return len(a) - len(b) })
		var at int
		if at, ok = s.likest(longest); !ok {
			return nearMiss{}, false
		}
		start = at - slices.Index(lines, longest)
	}
	first, last := max(0, start), min(s.text.lines()-1, start+len(lines)-1)
	if last < first || s.likenessAt(lines, start) < leastAlike {
		return nearMiss{}, false
	}
	return s.miss(first, last, from+first-start), true
}

// leastAlike is how like lines must be to be called near, in units.
const leastAlike = unit / 2

// voted returns the line where a block would start that has the most lines equal to
// those of the quote at their place.
func (s *search) voted(lines []string) (start int, ok bool) {
	at := map[string][]int{}
	for k, line := range lines {
		if line != "" && len(at[line]) < 4 {
			at[line] = append(at[line], k)
		}
	}
	votes := make([]int32, s.text.lines()+len(lines))
	var most int32
	for i := range s.text.lines() {
		for _, k := range at[s.text.trimmed(i)] {
			vote := &votes[i-k+len(lines)]
			if *vote++; *vote > most || *vote == most && i-k < start {
				most, start = *vote, i-k
			}
		}
	}
	return start, most > 0
}

// likenessAt is how like the lines of the file from start on are to those of the quote,
// on average.
func (s *search) likenessAt(lines []string, start int) int {
	sum := 0
	for k, line := range lines {
		if i := start + k; i >= 0 && i < s.text.lines() {
			sum += s.likeness(line, s.text.trimmed(i))
		}
	}
	return sum / len(lines)
}

func (s *search) likeness(a, b string) int {
	if a == b {
		return unit
	}
	if s.work < 0 {
		return 0
	}
	p := readyLine(a)
	distance, steps, ok := compare(p, b)
	if !s.spend(readySteps*len(p.ascii)+steps) || !ok {
		return 0
	}
	return int(likeness(distance, p.chars, characters(b)))
}

// alikeLine finds the line that has the part most like a quote of one line.
func (s *search) alikeLine(line string, from int) (nearMiss, bool) {
	if characters(line) > maxNear {
		return nearMiss{}, false
	}
	p := newPattern(line)
	least, at, end := p.chars/2+1, -1, 0
	for i := range s.text.lines() {
		text := s.text.line(i)
		if !s.spend(len(p.ascii) * len(text)) {
			return nearMiss{}, false
		}
		if distance, to := p.within(text); distance < least {
			least, at, end = distance, i, to
		}
	}
	if at < 0 {
		return nearMiss{}, false
	}
	has := []rune(s.text.line(at))
	first, last := max(0, end-p.chars-aroundPart), min(len(has), end+aroundPart)
	near := nearMiss{first: at + 1, last: at + 1, line: at + 1, expected: s.lines[from]}
	near.has = cutBetween(string(has), len(string(has[:first])), len(string(has[:last])))
	return near, true
}

// aroundPart is how much is shown on either side of a part of a line, in characters.
const aroundPart = 40

// likest returns the line of the file that is most like line.
func (s *search) likest(line string) (at int, ok bool) {
	if characters(line) > maxNear {
		return 0, false
	}
	p, sketch := newPattern(line), sketchOf(line)
	least := p.chars/2 + 1
	for i := range s.text.lines() {
		text := s.text.trimmed(i)
		other := sketchOf(text)
		if text == "" || sketch.apart(&other) >= least {
			continue
		}
		if !s.spend(len(p.ascii) * len(text)) {
			return 0, false
		}
		if distance := p.distance(text); distance < least {
			least, at, ok = distance, i, true
		}
	}
	return at, ok
}

// maxNear is how long a line may be for another like it to be looked for, in characters.
const maxNear = 1000

// miss describes the lines first to last of the file, from 0, against the quote from
// its line on.
func (s *search) miss(first, last, line int) nearMiss {
	near := nearMiss{first: first + 1, last: last + 1}
	for i := first; i <= last && line+i-first < len(s.lines); i++ {
		quoted, has := s.lines[line+i-first], s.text.line(i)
		if quoted == has || len(s.lines) == 1 && strings.Contains(has, quoted) {
			continue
		}
		near.line = i + 1
		near.expected, near.has = around(quoted, has)
		break
	}
	return near
}

// aroundBytes is how much is shown of two lines that differ.
const aroundBytes = 160

// around cuts two lines to what stands around the first difference.
func around(a, b string) (string, string) {
	from := max(0, samePrefix(a, b)-aroundBytes/2)
	return cutBetween(a, from, from+aroundBytes), cutBetween(b, from, from+aroundBytes)
}

// cutBetween is the part of a line between two offsets, with a sign where it was cut.
func cutBetween(s string, from, to int) string {
	from, to = runeFloor(s, min(from, len(s))), runeFloor(s, min(to, len(s)))
	out := s[from:to]
	if from > 0 {
		out = "…" + out
	}
	if to < len(s) {
		out += "…"
	}
	return out
}

// difference says where and how the near miss differs.
func (n nearMiss) difference() string {
	if n.line == 0 {
		return ""
	}
	in := ""
	if stripped(n.expected) == stripped(n.has) {
		in = "in whitespace "
	}
	return " (differs " + in + "on line " + strconv.Itoa(n.line) + ": expected " + quoted(n.expected) + ", file has " + quoted(n.has) + ")"
}

// quoted writes a text in quotes with every character that does not show by itself
// escaped, so that two texts that look alike can be told apart.
func quoted(text string) string {
	var b strings.Builder
	for _, r := range strconv.Quote(text) {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func stripped(s string) string { return strings.Join(strings.Fields(s), "") }
