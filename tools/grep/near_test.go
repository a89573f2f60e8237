package grep

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every text that is one letter away is met, and no other.
func TestMisspeltMeetsWhatIsOneLetterAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("abcdeXY_9"))
		text := []rune(rapid.StringOfN(letters, probeLeast, 12, -1).Draw(t, "text"))
		all := regexp.MustCompile("^(?:" + misspelt(string(text)) + ")$")
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		other := rapid.SampledFrom([]rune("qQ7")).Draw(t, "other")
		head, tail := string(text[:i]), string(text[i+1:])
		near := []string{head + tail, head + string(other) + tail}
		if i > 0 {
			near = append(near, head+string(other)+string(text[i:]), string(text[:i-1])+string(text[i])+string(text[i-1])+tail)
		}
		for _, s := range near {
			if !all.MatchString(s) {
				t.Fatalf("%q is not met from %q", s, string(text))
			}
		}
		for _, s := range []string{head + "qq" + string(text[i:]), string(text) + "qq", "qq" + string(text)} {
			if all.MatchString(s) {
				t.Fatalf("%q is met from %q", s, string(text))
			}
		}
	})
}

func TestOnlyPlainTextIsVaried(t *testing.T) {
	for _, text := range []string{"", "ab", "a.b", "a(b", `a\d`, strings.Repeat("x", probeMost+1)} {
		if got := misspelt(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}
