package spelling

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDistanceCountsWhatMustChange(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"abc", "axc", 1}, {"abc", "xabc", 1},
		{"abc", "acb", 1}, {"abc", "cab", 2}, {"größe", "grösse", 2}, {".ts", ".tsx", 1}, {".ts", ".st", 1}, {"ab", "cd", 2},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := Distance([]rune(pair[0]), []rune(pair[1])); got != c.want {
				t.Errorf("%q to %q: got %d, want %d", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func TestOneChangeIsOneApart(t *testing.T) {
	letters := rapid.RuneFrom([]rune("abé中"))
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(letters, 1, 20).Draw(t, "a")
		i := rapid.IntRange(0, len(a)-1).Draw(t, "at")
		head, tail := a[:i:i], a[i+1:]
		for _, b := range [][]rune{append(head, tail...), append(append(head, '!'), tail...), append(append(head, '!', a[i]), tail...)} {
			if got := Distance(a, b); got != 1 {
				t.Errorf("%q to %q: got %d", string(a), string(b), got)
			}
		}
	})
}
