package change

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"countersign/backend/tool"
)

// fileOf is a file that was read, of which at most keep bytes are held.
func fileOf(t rapid.TB, content []byte, keep int64) *File {
	t.Helper()
	f, err := Scan(context.Background(), bytes.NewReader(content), keep)
	if err != nil {
		t.Fatal(err)
	}
	return &f
}

const whole = 4 << 20

func choice(c Change, kept ...int) []tool.Kept {
	return []tool.Kept{{Shown: Hash([]byte(c.Diff.Unified)), Changes: kept}}
}

// replaced are files and what a tool would make of them: with every line end, with a mark or
// without, with bytes that are no text, and with or without a last line break.
func replaced(t *rapid.T, alphabet []string) (old, now []byte) {
	line := rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(alphabet).Draw(t, "words") + rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\r\r\n"}).Draw(t, "end")
	})
	lines := rapid.SliceOfN(line, 0, 30).Draw(t, "lines")
	var after []string
	for _, l := range lines {
		switch rapid.IntRange(0, 5).Draw(t, "edit") {
		case 0:
		case 1:
			after = append(after, line.Draw(t, "new"))
		case 2:
			after = append(after, l, line.Draw(t, "more"))
		default:
			after = append(after, l)
		}
	}
	text := func(lines []string, label string) []byte {
		all := strings.Join(lines, "")
		if rapid.Bool().Draw(t, label+" unended") {
			all = strings.TrimRight(all, "\r\n")
		}
		if rapid.IntRange(0, 3).Draw(t, label+" crlf") == 0 {
			all = strings.ReplaceAll(strings.ReplaceAll(all, "\r", ""), "\n", "\r\n")
		}
		if rapid.IntRange(0, 3).Draw(t, label+" mark") == 0 {
			all = BOM + all
		}
		return []byte(all)
	}
	old = text(lines, "old")
	if now = text(after, "new"); rapid.Bool().Draw(t, "kept as it was") {
		now = Keep(ShapeOf(old), string(now))
	}
	return old, now
}

var repetitive = []string{"a", "b", "", "{", "}", "caf\xe9", "caf\xe8"}

// Whatever is left out, what is made of a file lies on the way to what was asked for: it is as
// far from the file as what was kept says, and as far from the whole as what was left out.
func TestAPartIsWhatWasKeptAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := replaced(t, repetitive)
		old := fileOf(t, before, whole)
		c := Draw("f", old, after)
		runs := c.Diff.Changes
		if runs < 2 {
			return
		}
		var kept []int
		for i := range runs {
			if rapid.Bool().Draw(t, "kept") {
				kept = append(kept, i)
			}
		}
		p, err := c.Keep(choice(c, kept...))
		switch {
		case len(kept) == 0:
			if p != nil || err == nil {
				t.Fatalf("nothing was kept: %v", err)
			}
			return
		case err != nil:
			t.Fatal(err)
		case len(kept) == runs:
			if p != nil {
				t.Fatal("all was kept")
			}
			return
		}
		sum := func(all []Run) (additions, deletions int) {
			for _, r := range all {
				additions, deletions = additions+r.Additions, deletions+r.Deletions
			}
			return
		}
		additions, deletions := sum(p.Made)
		leftAdditions, leftDeletions := sum(p.Left)
		if additions+leftAdditions != c.Diff.Additions || deletions+leftDeletions != c.Diff.Deletions || len(p.Made) != len(kept) || len(p.Made)+len(p.Left) != runs {
			t.Fatalf("made %+v, left %+v of %+v", p.Made, p.Left, c.Diff)
		}
		if p.Diff.Additions != additions || p.Diff.Deletions != deletions || p.Diff.Changes != 0 {
			t.Fatalf("the diff says %+v", p.Diff)
		}
		// The scripts are shortest ones, so a part cannot be nearer to either than its runs say.
		if d := Between("f", old, p.Content); sameEnds(before, after, p.Content) && (d.Additions != additions || d.Deletions != deletions) {
			t.Fatalf("from the file it is +%d -%d, kept were +%d -%d", d.Additions, d.Deletions, additions, deletions)
		}
		d := Between("f", fileOf(t, p.Content, whole), after)
		if sameEnds(before, after, p.Content) && (d.Additions != leftAdditions || d.Deletions != leftDeletions) {
			t.Fatalf("to the whole it is +%d -%d, left out were +%d -%d", d.Additions, d.Deletions, leftAdditions, leftDeletions)
		}
	})
}

// Made whole, a change is the new content byte for byte, and with nothing made the old one.
func TestAllOrNothingOfAChangeIsEitherSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := replaced(t, repetitive)
		c := Draw("f", fileOf(t, before, whole), after)
		if c.Diff.Changes == 0 {
			return
		}
		mark, a, b := c.raw()
		for _, row := range []struct {
			made bool
			want []byte
		}{{true, after}, {false, before}} {
			got := mark + string(splice(a, b, c.runs, slices.Repeat([]bool{row.made}, len(c.runs))))
			if got != string(row.want) {
				t.Fatalf("made %v: %q, want %q", row.made, got, row.want)
			}
		}
	})
}

// sameEnds reports whether all texts are compared by the same bytes: line ends of two
// characters are left out of a diff only where all lines of both sides have them.
func sameEnds(all ...[]byte) bool {
	first := ShapeOf(all[0])
	return !slices.ContainsFunc(all, func(b []byte) bool {
		s := ShapeOf(b)
		return s.Ends != first.Ends || s.BOM != first.BOM
	})
}

// Every line differs from every other, so there is one way alone to tell the runs.
func TestAPartOfUnlikeLinesIsExactlyItsRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// run is old lines, and the new ones in their place.
		type run struct{ same, gone, come []string }
		n := 0
		unlike := func(label string, least int) (out []string) {
			for range rapid.IntRange(least, 3).Draw(t, label) {
				n++
				out = append(out, strings.Repeat("x", n)+"\n")
			}
			return out
		}
		var all []run
		for i := range rapid.IntRange(2, 6).Draw(t, "runs") {
			r := run{same: unlike("same", min(i, 1)), gone: unlike("gone", 0)}
			r.come = unlike("come", 1-min(1, len(r.gone)))
			all = append(all, r)
		}
		tail := unlike("tail", 0)
		text := func(which func(i int) bool) []byte {
			var b strings.Builder
			for i, r := range all {
				lines := r.gone
				if which(i) {
					lines = r.come
				}
				b.WriteString(strings.Join(r.same, "") + strings.Join(lines, ""))
			}
			return []byte(b.String() + strings.Join(tail, ""))
		}
		old := fileOf(t, text(func(int) bool { return false }), whole)
		c := Draw("f", old, text(func(int) bool { return true }))
		if c.Diff.Changes != len(all) {
			t.Fatalf("%d changes, want %d\n%s", c.Diff.Changes, len(all), c.Diff.Unified)
		}
		kept := rapid.SliceOfNDistinct(rapid.IntRange(0, len(all)-1), 1, len(all)-1, func(i int) int { return i }).Draw(t, "kept")
		slices.Sort(kept)
		p, err := c.Keep(choice(c, kept...))
		if err != nil {
			t.Fatal(err)
		}
		want := text(func(i int) bool { return slices.Contains(kept, i) })
		if d := cmp.Diff(string(want), string(p.Content)); d != "" {
			t.Fatal(d)
		}
		if d := Between("f", old, want); d.Unified != p.Diff.Unified {
			t.Fatal(cmp.Diff(d.Unified, p.Diff.Unified))
		}
		// Each run stands where it says.
		lines := strings.SplitAfter(string(want), "\n")
		made, left := p.Made, p.Left
		for i, r := range all {
			list, own := &left, r.gone
			if slices.Contains(kept, i) {
				list, own = &made, r.come
			}
			got := (*list)[0]
			*list = (*list)[1:]
			if got.Lines != len(own) || got.Additions != len(r.come) || got.Deletions != len(r.gone) {
				t.Fatalf("run %d: %+v", i, got)
			}
			if got.Lines > 0 && !slices.Equal(lines[got.First-1:got.First-1+got.Lines], own) {
				t.Fatalf("run %d does not stand at line %d", i, got.First)
			}
		}
	})
}

func TestAPartIsOfTheChangeThatWasShownAlone(t *testing.T) {
	old := fileOf(t, []byte("a\nb\nc\n"), whole)
	c := Draw("f", old, []byte("A\nb\nC\n"))
	if p, err := c.Keep(nil); p != nil || err != nil {
		t.Errorf("without a choice: %v, %v", p, err)
	}
	one := choice(c, 1)[0]
	for name, keep := range map[string][]tool.Kept{
		"no file": {}, "two files": {one, one},
		"another diff":   {{Shown: Hash([]byte("x")), Changes: []int{1}}},
		"none":           {{Shown: one.Shown}},
		"one too high":   {{Shown: one.Shown, Changes: []int{2}}},
		"one below":      {{Shown: one.Shown, Changes: []int{-1}}},
		"one twice":      {{Shown: one.Shown, Changes: []int{1, 1}}},
		"not in order":   {{Shown: one.Shown, Changes: []int{1, 0}}},
		"all and others": {{Shown: one.Shown, Changes: []int{0, 1, 2}}},
	} {
		if p, err := c.Keep(keep); p != nil || codeOf(err) != tool.CodeApprovalInvalidated {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

func codeOf(err error) tool.Code {
	if own, ok := err.(*tool.Error); ok {
		return own.Code
	}
	return ""
}

func TestThereIsNoChoiceWhereNotAllIsShown(t *testing.T) {
	big := strings.Repeat("line of a file that is long enough\n", 80_000)
	long := fileOf(t, []byte("a\nb\nc\n"), 2)
	for name, c := range map[string]Change{
		"binary":             Draw("f", fileOf(t, []byte("a\x00\nb\n"), whole), []byte("x\ny\n")),
		"too large":          Draw("f", fileOf(t, []byte("a\n"+big+"b\n"), whole), []byte("b\n"+strings.ToUpper(big)+"c\n")),
		"not held":           Draw("f", long, []byte("A\nb\nC\n")),
		"nothing is changed": Draw("f", fileOf(t, []byte("a\n"), whole), []byte("a\n")),
	} {
		if c.Diff.Changes != 0 {
			t.Errorf("%s: %d changes", name, c.Diff.Changes)
		}
		if _, err := c.Keep(choice(c, 0)); codeOf(err) != tool.CodeApprovalInvalidated {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := Between("f", fileOf(t, []byte("a\nb\nc\n"), whole), []byte("A\nb\nC\n")); d.Changes != 0 {
		t.Error("a diff of which no part can be made offers a choice")
	}
	if d := Draw("f", nil, []byte("a\nb\n")).Diff; d.Changes != 1 {
		t.Errorf("a new file is %d changes", d.Changes)
	}
}

func TestAPartSaysWhatWasMadeAndWhatWasNot(t *testing.T) {
	for _, row := range []struct {
		name, old, now string
		kept           []int
		want           string
	}{
		{
			"lines in place of lines", "a\nb\nc\n", "A\nb\nC\nD\n", []int{1},
			"1 of 2 changes, and nothing else was changed. Made: lines 3–4 (+2 −1). Left out: line 1 (+1 −1).",
		},
		{
			"lines that go", "a\nb\nc\nd\ne\n", "b\nd\ne\nf\n", []int{0, 1},
			"2 of 3 changes, and nothing else was changed. Made: at the start (+0 −1), after line 1 (+0 −1). Left out: after line 3 (+1 −0).",
		},
		{
			"many", strings.Repeat("a\nb\n", 25), strings.Repeat("a\nB\n", 25), []int{0},
			"1 of 25 changes, and nothing else was changed. Made: line 2 (+1 −1). Left out: line 4 (+1 −1), line 6 (+1 −1), line 8 (+1 −1), " +
				"line 10 (+1 −1), line 12 (+1 −1), line 14 (+1 −1), line 16 (+1 −1), line 18 (+1 −1), line 20 (+1 −1), line 22 (+1 −1), " +
				"line 24 (+1 −1), line 26 (+1 −1), line 28 (+1 −1), line 30 (+1 −1), line 32 (+1 −1), line 34 (+1 −1), line 36 (+1 −1), " +
				"line 38 (+1 −1), line 40 (+1 −1), line 42 (+1 −1), and 4 more.",
		},
	} {
		c := Draw("f", fileOf(t, []byte(row.old), whole), []byte(row.now))
		p, err := c.Keep(choice(c, row.kept...))
		if err != nil {
			t.Fatal(err)
		}
		want := "The user allowed " + row.want + " The file is not what you asked for: do not make what was left out again unless the user asks for it."
		if d := cmp.Diff(want, p.Text()); d != "" {
			t.Errorf("%s: %s", row.name, d)
		}
		facts := p.Record(map[string]any{})
		if facts[KeyKept] != len(row.kept) || facts[KeyChanges] != c.Diff.Changes {
			t.Errorf("%s: %v", row.name, facts)
		}
	}
}
