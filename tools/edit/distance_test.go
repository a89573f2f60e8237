package edit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainDistance is the table that everybody knows. Where part is true, pattern may
// stand anywhere in text.
func plainDistance(pattern, text string, part bool) int {
	a, b := []rune(pattern), []rune(text)
	above := make([]int, len(b)+1)
	if !part {
		for j := range above {
			above[j] = j
		}
	}
	for i := range a {
		here := make([]int, len(b)+1)
		here[0] = i + 1
		for j := range b {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			here[j+1] = min(change, above[j+1]+1, here[j]+1)
		}
		above = here
	}
	if !part {
		return above[len(b)]
	}
	best := above[0]
	for _, d := range above {
		best = min(best, d)
	}
	return best
}

var fewRunes = rapid.RuneFrom([]rune("ab c(é中"))

// lineLike draws lines of which many are longer than one word of bits.
func lineLike(t *rapid.T, label string) string {
	text := rapid.StringOfN(fewRunes, 0, 90, -1).Draw(t, label)
	return strings.Repeat(text, rapid.IntRange(1, 3).Draw(t, label+" times"))
}

// spec: KH-34
func TestDistanceIsThatOfThePlainTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := lineLike(t, "a"), lineLike(t, "b")
		if rapid.Bool().Draw(t, "related") {
			b = a[:len(a)/2] + b
		}
		a, b = strings.ToValidUTF8(a, ""), strings.ToValidUTF8(b, "")
		p := newPattern(a)
		want := plainDistance(a, b, false)
		if got := p.distance(b); got != want {
			t.Errorf("distance %d, want %d", got, want)
		}
		if got, _, ok := compare(p, b); got != want || !ok {
			t.Errorf("compared %d, want %d", got, want)
		}
		if got, end := p.within(b); got != plainDistance(a, b, true) || end > len([]rune(b)) {
			t.Errorf("within %d at %d, want %d", got, end, plainDistance(a, b, true))
		}
		x, y := sketchOf(a), sketchOf(b)
		if bound := max(x.apart(&y), y.apart(&x)); bound > want {
			t.Errorf("at least %d apart, but %d", bound, want)
		}
	})
}

// spec: KH-34
func TestTwoEndlessLinesAreNotCompared(t *testing.T) {
	a, b := strings.Repeat("ab", 500_000), strings.Repeat("ba", 500_001)
	if _, steps, ok := compare(&pattern{text: a, chars: len(a)}, b); ok || steps != 0 {
		t.Errorf("%d steps, %v", steps, ok)
	}
	// What they have alike at either end costs no more than reading it.
	near := a[:400_000] + "x" + a[400_000:]
	if d, steps, ok := compare(&pattern{text: a, chars: len(a)}, near); d != 1 || steps > len(a)/8+10 || !ok {
		t.Errorf("distance %d in %d steps, %v", d, steps, ok)
	}
}
