package bound_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"countersign/backend/bound"
	"countersign/backend/tool"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// spec: KH-18
func TestMarkerSaysLinesBytesAndWhere(t *testing.T) {
	for _, row := range []struct {
		lines, bytes int64
		path, want   string
	}{
		{1842, 58 << 10, "/home/x/.countersign/output/s/bash-9.txt", "[... 1,842 lines omitted (58 KB). Full output: /home/x/.countersign/output/s/bash-9.txt — read or grep that file for the rest.]"},
		{1, 1, "/o", "[... 1 line omitted (1 byte). Full output: /o — read or grep that file for the rest.]"},
		{2, 1536, "", "[... 2 lines omitted (1.5 KB). The rest was not kept.]"},
	} {
		if got := bound.Marker(row.lines, row.bytes, row.path); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
}

// spec: KH-3, KH-10, KH-18, KH-59, RL-13
func TestCutKeepsSeventyOfAHundredLinesFromTheStart(t *testing.T) {
	text := numbered(3000)
	got := bound.Cut(text, tool.Bounding{}, "/o/read-1.txt")

	lines := strings.SplitAfter(text, "\n")
	missing := strings.Join(lines[1400:2400], "")
	want := bound.Text{
		Shown: strings.Join(lines[:1400], "") +
			bound.Marker(1000, int64(len(missing)), "/o/read-1.txt") + "\n" +
			strings.Join(lines[2400:], ""),
		Truncation: &tool.Truncation{
			OriginalBytes: int64(len(text)), OriginalLines: 3000,
			ShownHeadLines: 1400, ShownTailLines: 600, OmittedLines: 1000, SpillPath: "/o/read-1.txt",
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// spec: KH-59
func TestCutStartsOneBeyondTheLimit(t *testing.T) {
	small := tool.Bounding{MaxBytes: 400, MaxLines: 10, HeadPercent: 50}
	for _, row := range []struct {
		name, text string
		cut        bool
	}{
		{"nothing", "", false},
		{"ten lines", strings.Repeat("a\n", 10), false},
		{"ten lines, the last without a break", strings.Repeat("a\n", 9) + "a", false},
		{"eleven lines", strings.Repeat("a\n", 11), true},
		{"ten lines and a piece of one", strings.Repeat("a\n", 10) + "a", true},
		{"four hundred bytes", strings.Repeat("a", 400), false},
		{"four hundred and one bytes", strings.Repeat("a", 401), true},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := bound.Cut(row.text, small, "")
			if cut := got.Truncation != nil; cut != row.cut || bound.Fits(row.text, small) == row.cut {
				t.Errorf("cut %v, want %v", cut, row.cut)
			}
			if !row.cut && got.Shown != row.text {
				t.Errorf("changed to %q", got.Shown)
			}
		})
	}
}

// spec: KH-24, KH-59, RL-13
func TestCutDefaultsAreFiftyKilobytesAndTwoThousandLines(t *testing.T) {
	for _, row := range []struct {
		text string
		cut  bool
	}{
		{strings.Repeat("x\n", 2000), false},
		{strings.Repeat("x\n", 2001), true},
		{strings.Repeat("y", 51_200), false},
		{strings.Repeat("y", 51_201), true},
	} {
		got := bound.Cut(row.text, tool.Bounding{}, "")
		if cut := got.Truncation != nil; cut != row.cut || len(got.Shown) > 51_200 {
			t.Errorf("%d bytes: cut %v, want %v; shown %d", len(row.text), cut, row.cut, len(got.Shown))
		}
	}
}

// spec: KH-46, KH-59
func TestCutKeepsTheNumberOfLinesThatAToolNames(t *testing.T) {
	b := tool.Bounding{MaxBytes: 30 << 10, MaxLines: 400, HeadLines: 250}
	lines := strings.SplitAfter(numbered(401), "\n")
	got := bound.Cut(strings.Join(lines, ""), b, "/o/x.txt")
	if want := strings.Join(lines[:250], "") + bound.Marker(1, int64(len(lines[250])), "/o/x.txt") + "\n" + strings.Join(lines[251:], ""); got.Shown != want {
		t.Errorf("got %.300q", got.Shown)
	}
	if whole := bound.Cut(numbered(400), b, ""); whole.Truncation != nil {
		t.Errorf("400 lines were cut: %+v", whole.Truncation)
	}
}

// A text of which only the ends are at hand is cut as if all of it were.
//
// spec: KH-59
func TestEndsAreCutAsTheWholeIs(t *testing.T) {
	small := tool.Bounding{MaxBytes: 900, MaxLines: 20, HeadLines: 12}
	for name, text := range map[string]string{
		"short lines": numbered(500), "long lines": strings.Repeat(strings.Repeat("x", 300)+"\n", 40), "one line": strings.Repeat("y", 9000),
		"no break at the end": strings.TrimSuffix(numbered(300), "\n"),
	} {
		want := bound.Cut(text, small, "/o/x.txt")
		for _, keep := range []int{900, 1000, 1200} {
			e := bound.Ends{Head: text[:keep], Tail: text[len(text)-keep:], Lines: bound.Lines(text), Bytes: int64(len(text))}
			e.MissingBytes = int64(len(text) - 2*keep)
			if d := cmp.Diff(want, bound.CutEnds(e, small, "/o/x.txt")); d != "" {
				t.Errorf("%s, %d kept: %s", name, keep, d)
			}
		}
		e := bound.Ends{Head: text[:700], Tail: text[700:], Lines: bound.Lines(text), Bytes: int64(len(text))}
		if d := cmp.Diff(want, bound.CutEnds(e, small, "/o/x.txt")); d != "" {
			t.Errorf("%s in two pieces: %s", name, d)
		}
	}
}

// A line of which no more than the start is shown is not a line less at the end.
//
// spec: KH-10, KH-18
func TestTheLinesOfBothEndsAreCountedEach(t *testing.T) {
	long := strings.Repeat("x", 100_000) + "\n"
	for name, text := range map[string]string{"first": long + "end\n", "second": "start\n" + long + "end\nof it\n"} {
		tail := text[strings.Index(text, "end"):]
		e := bound.Ends{Head: text[:64<<10], Tail: tail, Lines: bound.Lines(text), Bytes: int64(len(text))}
		e.MissingBytes = int64(len(text) - len(e.Head) - len(tail))
		got := bound.CutEnds(e, tool.Bounding{MaxBytes: 30 << 10, MaxLines: 400, HeadLines: 250}, "")
		if got.Truncation.OmittedLines != 1 || !strings.Contains(got.Shown, "\n[... 1 line omitted (") || !strings.HasSuffix(got.Shown, "\n"+tail) {
			t.Errorf("%s: %+v", name, got.Truncation)
		}
	}
}

// The error of a build stands at its end: neither end may vanish because of one
// long line.
//
// spec: KH-3
func TestCutKeepsBothEndsOfLongLines(t *testing.T) {
	b := tool.Bounding{MaxBytes: 1000}
	one := "START" + strings.Repeat("x", 5000) + "END"
	few := "first\n" + strings.Repeat("y", 5000) + "\nlast: it failed\n"
	for name, text := range map[string]string{"one line": one, "few lines": few} {
		got := bound.Cut(text, b, "/o/x.txt")
		if !strings.HasPrefix(got.Shown, text[:5]) || !strings.HasSuffix(got.Shown, text[len(text)-3:]) || len(got.Shown) > 1000 {
			t.Errorf("%s: %q", name, got.Shown)
		}
		if len(got.Shown) < 900 {
			t.Errorf("%s: only %d of 1000 bytes used", name, len(got.Shown))
		}
	}
	if got := bound.Cut(one, b, ""); got.Truncation.ShownHeadLines != 0 || got.Truncation.OmittedLines != 1 {
		t.Errorf("a line shown in part counts as omitted: %+v", got.Truncation)
	}
}

// spec: KH-3
func TestPrefixKeepsWholeEntriesOfTheStartOnly(t *testing.T) {
	text := numbered(30)
	got := bound.Cut(text, tool.Bounding{MaxLines: 10, Prefix: true}, "/o/grep-1.txt")
	lines := strings.SplitAfter(text, "\n")
	want := strings.Join(lines[:10], "") + bound.Marker(20, int64(len(strings.Join(lines[10:], ""))), "/o/grep-1.txt")
	if got.Shown != want {
		t.Errorf("got %q\nwant %q", got.Shown, want)
	}

	long := "short\n" + strings.Repeat("x", 5000) + "\n"
	got = bound.Cut(long, tool.Bounding{MaxBytes: 1000, Prefix: true}, "")
	if !strings.HasPrefix(got.Shown, "short\n[...") {
		t.Errorf("an entry was cut: %q", got.Shown[:40])
	}
}

func TestCutWithoutRoomForTheMarkerStaysWithinTheLimit(t *testing.T) {
	text := strings.Repeat("é", 500)
	for max := 1; max < 200; max++ {
		got := bound.Cut(text, tool.Bounding{MaxBytes: max}, "/a/long/path/to/the/output/of/a/session.txt")
		if len(got.Shown) > max || !utf8.ValidString(got.Shown) || got.Truncation == nil {
			t.Fatalf("max %d: %d bytes %q", max, len(got.Shown), got.Shown)
		}
	}
}

// spec: KH-24
func TestLineIsCutBehindItsLastAllowedCharacter(t *testing.T) {
	for _, row := range []struct {
		line string
		max  int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc… [line truncated]"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äöü… [line truncated]"},
		{"\xff\xfe\xfd\xfc", 3, "\xff\xfe\xfd… [line truncated]"},
	} {
		got, cut := bound.Line(row.line, row.max)
		if got != row.want || cut != (row.want != row.line) {
			t.Errorf("%q: %q, %v", row.line, got, cut)
		}
	}
}

func TestACharacterThatIsThereInPartIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "a\xc3": "a", "\xc3": "", "aé": "aé", "€\xe2\x82": "€", "\xf0\x9f\x98": "", "😀": "😀",
		"a\xff": "a\xff", "\x80\x80\x80\x80": "\x80\x80\x80\x80", "a\xc3\x28": "a\xc3\x28",
	} {
		if got := bound.Whole([]byte(text)); string(got) != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestCountsHaveCommasBetweenThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := bound.Count(n); got != want {
			t.Errorf("%d: got %q", n, got)
		}
	}
}

func TestSizesAreWrittenForPeople(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 1023: "1,023 bytes", 1024: "1 KB", 1536: "1.5 KB", 10 << 10: "10 KB",
		58<<10 + 300: "58 KB", 10 << 20: "10 MB", 13002342: "12.4 MB", 3 << 30: "3 GB", math.MaxInt64: "8 EB",
	} {
		if got := bound.Size(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1842: "1,842", 1234567: "1,234,567", -1842: "-1,842"} {
		if got := bound.Count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestASizeOverALimitNeverReadsLikeTheLimit(t *testing.T) {
	for want, sizes := range map[string][2]int64{
		"19.1 MB, limit 10 MB":                     {20_000_000, 10 << 20},
		"10,485,761 bytes, limit 10,485,760 bytes": {10<<20 + 1, 10 << 20},
		"2,097,153 bytes, limit 2,097,152 bytes":   {2<<20 + 1, 2 << 20},
	} {
		if got := bound.Excess(sizes[0], sizes[1]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// spec: KH-59
func TestCutNeverExceedsAndNeverInvents(t *testing.T) {
	lineish := rapid.StringOf(rapid.RuneFrom([]rune("ab é→\n\n\r𝄞")))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(lineish, 0, 60).Draw(t, "text"), rapid.SampledFrom([]string{"", "\n"}).Draw(t, "sep"))
		checkCut(t, text)
	})
	rapid.Check(t, func(t *rapid.T) {
		checkCut(t, string(rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "bytes")))
	})
}

func checkCut(t *rapid.T, text string) {
	b := tool.Bounding{
		MaxBytes:    rapid.IntRange(1, 600).Draw(t, "bytes allowed"),
		MaxLines:    rapid.IntRange(1, 40).Draw(t, "lines allowed"),
		HeadPercent: rapid.IntRange(1, 100).Draw(t, "head"),
		Prefix:      rapid.Bool().Draw(t, "prefix"),
	}
	path := rapid.SampledFrom([]string{"", "/o/x-1.txt"}).Draw(t, "path")
	got := bound.Cut(text, b, path)

	if len(got.Shown) > b.MaxBytes {
		t.Fatalf("%d bytes of %d", len(got.Shown), b.MaxBytes)
	}
	if utf8.ValidString(text) && !utf8.ValidString(got.Shown) {
		t.Fatalf("cut within a character: %q", got.Shown)
	}
	tr := got.Truncation
	if tr == nil {
		if got.Shown != text {
			t.Fatalf("changed without saying so")
		}
		return
	}
	if tr.ShownHeadLines+tr.ShownTailLines+tr.OmittedLines != tr.OriginalLines || tr.OmittedLines < 1 {
		t.Fatalf("lines do not add up: %+v", *tr)
	}
	if tr.ShownHeadLines+tr.ShownTailLines > int64(b.MaxLines) {
		t.Fatalf("%+v shows more than %d lines", *tr, b.MaxLines)
	}
	at := strings.LastIndex(got.Shown, "[... ")
	if strings.Count(got.Shown, "[... ") != 1 {
		return // no room for a whole marker, or the text looks like one
	}
	end := strings.Index(got.Shown[at:], ".]")
	if end < 0 {
		return
	}
	head, tail := got.Shown[:at], strings.TrimPrefix(got.Shown[at+end+2:], "\n")
	if !strings.HasPrefix(text, head) && !strings.HasPrefix(text, strings.TrimSuffix(head, "\n")) {
		t.Fatalf("head %q is not the start", head)
	}
	if !strings.HasSuffix(text, tail) {
		t.Fatalf("tail %q is not the end", tail)
	}
	if b.Prefix && tail != "" {
		t.Fatalf("a prefix has a tail %q", tail)
	}
}
