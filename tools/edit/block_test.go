package edit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"countersign/backend/change"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func searchOf(tb testing.TB, file, old, new string) *search {
	content := []byte(file)
	return newSearch(tb.Context(), newText(content, change.ShapeOf(content)), newQuote(old, new))
}

// everyBlock scores every block between the anchors by trying every pair of lines, and
// returns the best of at least floor.
func everyBlock(s *search, floor score) []window {
	a, ok := s.anchored()
	if !ok {
		return nil
	}
	first, last := strings.TrimSpace(s.lines[a.from]), strings.TrimSpace(s.lines[a.to])
	n := a.to - a.from + 1
	best := floor
	var out []window
	for i := range s.text.lines() {
		for j := i + 2; j < s.text.lines(); j++ {
			m := j - i + 1
			if 4*max(m-n, n-m) > n || s.text.trimmed(i) != first || s.text.trimmed(j) != last {
				continue
			}
			w := window{i, j, score{plainPairing(s, a.middle, i+1, j), int64(max(n, m) - 2)}}
			c := w.score.against(best)
			if c < 0 {
				continue
			}
			if c > 0 {
				out = nil
			}
			best, out = w.score, append(out, w)
		}
	}
	return out
}

func plainPairing(s *search, middle []string, from, to int) int64 {
	above := make([]int64, len(middle)+1)
	for i := from; i < to; i++ {
		here := make([]int64, len(middle)+1)
		for k, line := range middle {
			text := s.text.trimmed(i)
			like := likeness(plainDistance(line, text, false), characters(line), characters(text))
			here[k+1] = max(above[k+1], here[k], above[k]+int64(like))
		}
		above = here
	}
	return above[len(middle)]
}

func ranges(list []window) []string {
	var out []string
	for _, w := range list {
		out = append(out, fmt.Sprintf("%d-%d", w.first, w.last))
	}
	slices.Sort(out)
	return out
}

// spec: KH-34
func TestBestBlockIsTheBestOfAll(t *testing.T) {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"{", "}", "", "  x = 1;", "x = 1;", "x = 2;", "\ty := load(a)", "y := load(b)", "return", "return x"}),
		rapid.StringOfN(rapid.RuneFrom([]rune("abcé ")), 0, 12, -1))
	rapid.Check(t, func(t *rapid.T) {
		middle := rapid.SliceOfN(line, 1, 9).Draw(t, "middle")
		old := "{\n" + strings.Join(middle, "\n") + "\n}"
		var file []string
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			file = append(file, "{")
			for _, l := range middle {
				switch rapid.IntRange(0, 9).Draw(t, "fate") {
				case 0:
				case 1:
					file = append(file, line.Draw(t, "other"))
				case 2:
					file = append(file, l, line.Draw(t, "more"))
				case 3:
					file = append(file, l+"~")
				default:
					file = append(file, l)
				}
			}
			file = append(file, "}")
		}
		content := []byte(strings.Join(file, "\n"))
		s := newSearch(t.Context(), newText(content, change.ShapeOf(content)), newQuote(old, "x"))
		floor := score{65 * unit, 100}
		if rapid.Bool().Draw(t, "no floor") {
			floor = score{0, 1}
		}
		a, ok := s.anchored()
		if !ok {
			t.Fatal("no anchors")
		}
		got, _ := newBlocks(s, a).best(floor, -1)
		if d := cmp.Diff(ranges(everyBlock(s, floor)), ranges(got)); d != "" {
			t.Error(d)
		}
	})
}

// code makes lines as programs have them.
type code struct{ r *rand.Rand }

func newCode() code { return code{rand.New(rand.NewPCG(1, 2))} }

func (c code) line() string {
	words := []string{"result", "value", "index", "return", "if err != nil {", "append(", "len(", "config.", "request", "range", ":=", "=", "+", "name", "user", "count", "total", "s.store.", "Get(ctx, ", "write(", "0", "1", "nil", "true", "}"}
	var b strings.Builder
	b.WriteString(strings.Repeat("\t", 1+c.r.IntN(3)))
	for range 4 + c.r.IntN(6) {
		b.WriteString(words[c.r.IntN(len(words))])
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "x%d", c.r.IntN(100_000))
	return b.String()
}

func (c code) lines(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.line()
	}
	return out
}

// typo changes some characters of a line.
func (c code) typo(line string, n int) string {
	b := []byte(line)
	for range n {
		b[c.r.IntN(len(b))] = "abcdefghij"[c.r.IntN(10)]
	}
	return string(b)
}

// bigFile is a file of 50,000 lines with a quote of 40, as a test or benchmark needs it.
type bigFile struct{ name, file, old string }

func bigFiles() []bigFile {
	c := newCode()
	quoted := append(append([]string{"func target() {"}, c.lines(38)...), "}")
	old := strings.Join(quoted, "\n")

	typical := c.lines(50_000)
	copy(typical[30_000:], quoted)
	typical[30_020] = c.typo(typical[30_020], 3)

	// Blocks that all begin and end alike, unlike each other.
	var unlike []string
	for len(unlike) < 50_000 {
		unlike = append(append(append(unlike, quoted[0]), c.lines(38)...), "}")
	}
	copy(unlike[30_000:], quoted)
	unlike[30_020] = c.typo(unlike[30_020], 3)

	// Blocks that are all alike, each with other changes: the best must be told from all.
	var alike []string
	for len(alike) < 50_000 {
		alike = append(alike, quoted[0])
		for _, line := range quoted[1:39] {
			alike = append(alike, c.typo(line, 12))
		}
		alike = append(alike, "}")
	}

	// Every fifth line begins and ends a block.
	var crowded []string
	for len(crowded) < 50_000 {
		crowded = append(append(crowded, "}"), c.lines(4)...)
	}
	crowdedOld := "}\n" + strings.Join(quoted[1:39], "\n") + "\n}"
	copy(crowded[30_001:], quoted[1:39])
	crowded[30_020] = c.typo(crowded[30_020], 3)
	crowded[30_039] = "}"

	// Two lines in every possible order.
	var two []string
	for range 50_000 {
		two = append(two, []string{"0,0,0,1", "0,0,1,0"}[c.r.IntN(2)])
	}
	twoOld := append([]string{}, two[20_000:20_040]...)
	twoOld[7], twoOld[20] = "0,1,1,0", "1,1,1,1"

	join := func(lines []string) string { return strings.Join(lines, "\n") + "\n" }
	return []bigFile{
		{"typical", join(typical), old},
		{"unlike", join(unlike), old},
		{"alike", join(alike), old},
		{"crowded", join(crowded), crowdedOld},
		{"two", join(two), strings.Join(twoOld, "\n")},
	}
}

func benchmarkSearch(b *testing.B, change func(string) string, look func(*search) bool) {
	for _, f := range bigFiles() {
		b.Run(f.name, func(b *testing.B) {
			s := searchOf(b, f.file, change(f.old), "x")
			b.ReportAllocs()
			for b.Loop() {
				if !look(newSearch(s.ctx, s.text, s.quote)) {
					b.Fatal("another end")
				}
			}
		})
	}
}

func same(old string) string { return old }

func BenchmarkBlock(b *testing.B) {
	benchmarkSearch(b, same, func(s *search) bool { return blockAnchor(s).count == 1 })
}

func BenchmarkCascade(b *testing.B) {
	benchmarkSearch(b, same, func(s *search) bool {
		got, err := s.one()
		return err == nil && got.by.name == "block_anchor"
	})
}

func BenchmarkNearMiss(b *testing.B) {
	typos := func(old string) string { return strings.ReplaceAll(old, "s", "##") }
	benchmarkSearch(b, typos, func(s *search) bool {
		s.near(false)
		return s.work > 0
	})
}
