package change

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"countersign/backend/change/changebench"
)

// cost is how many lines a script takes out and puts in. It fails where the script does not
// lead from a to b.
func cost(t interface {
	Fatalf(string, ...any)
}, a, b []int32, all []group) int {
	n := 0
	var out []int32
	at := 0
	for _, g := range all {
		if g.oldFrom < at || g.oldTo < g.oldFrom || g.newTo < g.newFrom {
			t.Fatalf("groups are out of order: %v", all)
		}
		out = append(append(out, a[at:g.oldFrom]...), b[g.newFrom:g.newTo]...)
		at = g.oldTo
		n += g.oldTo - g.oldFrom + g.newTo - g.newFrom
	}
	if out = append(out, a[at:]...); !slices.Equal(out, b) {
		t.Fatalf("the script leads to %v, not %v: %v", out, b, all)
	}
	return n
}

// shortest is the length of a shortest script, by the table that everybody knows.
func shortest(a, b []int32) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		corner := row[0]
		row[0] = i + 1
		for j, y := range b {
			above := row[j+1]
			if row[j+1] = min(above, row[j]) + 1; x == y {
				row[j+1] = corner
			}
			corner = above
		}
	}
	return row[len(b)]
}

func TestScriptIsAShortestOne(t *testing.T) {
	text := rapid.SliceOfN(rapid.Int32Range(1, 4), 0, 60)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		if got, want := cost(t, a, b, compare(a, b)), shortest(a, b); got != want {
			t.Fatalf("%d lines, %d would do", got, want)
		}
	})
}

func TestScriptOfNearlyEqualTextsIsAShortestOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.Int32Range(1, 30), 0, 300).Draw(t, "a")
		b := slices.Clone(a)
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			at := rapid.IntRange(0, len(b)).Draw(t, "at")
			if rapid.Bool().Draw(t, "takes") && at < len(b) {
				b = slices.Delete(b, at, at+1)
			} else {
				b = slices.Insert(b, at, rapid.Int32Range(1, 40).Draw(t, "line"))
			}
		}
		if got, want := cost(t, a, b, compare(a, b)), shortest(a, b); got != want {
			t.Fatalf("%d lines, %d would do", got, want)
		}
	})
}

// A search that gives up early finds a script all the same.
func TestScriptWithoutABudgetLeadsThereToo(t *testing.T) {
	text := rapid.SliceOfN(rapid.Int32Range(1, 3), 0, 2000)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		c := comparison{}
		if got := cost(t, a, b, c.find(a, b)); got > len(a)+len(b) {
			t.Fatalf("%d lines", got)
		}
	})
}

// Texts that have nothing in their places are worked off in a bounded number of steps.
func TestTheBudgetIsKept(t *testing.T) {
	a, b := make([]int32, 60_000), make([]int32, 60_000)
	for i := range a {
		a[i], b[i] = int32(i*7919%13+1), int32(i*104729%11+1)
	}
	c := comparison{budget: searchBudget}
	cost(t, a, b, c.find(a, b))
	if over := -c.budget; over > 8*len(a)*cheap {
		t.Errorf("%d steps over the budget", over)
	}
}

func TestAnEditedSourceIsNotReplacedWhole(t *testing.T) {
	before, after := changebench.Texts()
	a, b := numbered([]byte(before), []byte(after))
	// What GNU diff finds with --minimal.
	const least = 6526
	if got := cost(t, a.ids, b.ids, compare(a.ids, b.ids)); got > least {
		t.Errorf("%d lines, %d would do", got, least)
	}
}

// Long texts whose parts moved are told apart between what they have in common.
func TestLongTextsKeepToTheirAnchors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := make([]int32, 12_000)
		for i := range a {
			if a[i] = int32(i + 10); i%3 == 0 {
				a[i] = int32(i%7 + 1)
			}
		}
		from := rapid.IntRange(0, 9_000).Draw(t, "from")
		size := rapid.IntRange(0, 2_000).Draw(t, "size")
		to := rapid.IntRange(0, len(a)-size).Draw(t, "to")
		block := slices.Clone(a[from : from+size])
		b := slices.Insert(slices.Delete(slices.Clone(a), from, from+size), to, block...)
		edits := rapid.IntRange(0, 30).Draw(t, "edits")
		for i := range edits {
			b[i*300] = int32(i%9 + 1)
		}
		// Taking the block out and putting it in again is one script, and no longer than need be.
		if got := cost(t, a, b, compare(a, b)); got > 2*size+2*edits {
			t.Fatalf("%d lines for a block of %d and %d edits", got, size, edits)
		}
	})
}

func TestBlocksSlideToTheirOwnFirstLine(t *testing.T) {
	for _, row := range []struct{ before, after, want string }{
		{"f {\n}\n\ng {\n}\n", "f {\n}\n\nh {\n}\n\ng {\n}\n", "h {\n}\n\n"},
		{"a\nb\nb\nc\n", "a\nb\nb\nb\nc\n", "b\n"},
	} {
		a, b := numbered([]byte(row.before), []byte(row.after))
		all := compare(a.ids, b.ids)
		if len(all) != 1 {
			t.Fatalf("%q: %d groups", row.after, len(all))
		}
		var got strings.Builder
		for i := all[0].newFrom; i < all[0].newTo; i++ {
			got.Write(b.line(i))
		}
		if got.String() != row.want || all[0].oldFrom != all[0].oldTo {
			t.Errorf("%q comes, want %q", got.String(), row.want)
		}
	}
}

// However lines are numbered, equal ones have equal numbers.
func TestNumbersTellLinesApart(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "\n", "ab\n", "a"}), 0, 40).Draw(t, "lines"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbered([]byte(text.Draw(t, "before")), []byte(text.Draw(t, "after")))
		known := map[string]int32{}
		for _, side := range []textLines{a, b} {
			for i, id := range side.ids {
				line := string(side.line(i))
				if known[line] == 0 {
					known[line] = id
				}
				if known[line] != id {
					t.Fatalf("%q is %d and %d", line, known[line], id)
				}
			}
		}
		ids := map[int32]string{}
		for line, id := range known {
			if other, taken := ids[id]; taken {
				t.Fatalf("%q and %q are both %d", line, other, id)
			}
			ids[id] = line
		}
	})
}
