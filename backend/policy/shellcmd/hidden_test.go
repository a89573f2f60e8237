package shellcmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHiddenCharactersAreFoundWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Hidden
	}{
		{"git log --oneline\n\tls", nil},
		{"рm -rf x", []Hidden{{0, 2, "Cyrillic small letter er, looks like p"}}},
		{"echo ‘hi; rm x’", []Hidden{{5, 8, "left single quotation mark, looks like '"}, {16, 19, "right single quotation mark, looks like '"}}},
		{"ls —la", []Hidden{{3, 6, "em dash, looks like -"}}},
		{"ls\u00a0x", []Hidden{{2, 4, "no-break space"}}},
		{"rm\u200b\u200b x", []Hidden{{2, 8, "zero width space"}}},
		{"echo \u202etxt", []Hidden{{5, 8, "right-to-left override"}}},
		{"echo a\rrm", []Hidden{{6, 7, "carriage return"}}},
		{"echo \x1b[24D", []Hidden{{5, 6, "escape"}}},
		{"ls\x00", []Hidden{{2, 3, "null"}}},
		{"ｒｍ x", []Hidden{{0, 3, "fullwidth Latin small letter r, looks like r"}, {3, 6, "fullwidth Latin small letter m, looks like m"}}},
		{"\xff", []Hidden{{0, 1, "byte that is no text"}}},
		{"a\u3000b", []Hidden{{1, 4, "ideographic space"}}},
		{"cat a\u0338b", []Hidden{{5, 7, "combining long solidus overlay"}}},
		{"x\ufe0f", []Hidden{{1, 4, "variation selector-16"}}},
		{"ls \U000e0041", []Hidden{{3, 7, "tag Latin capital letter a"}}},
		{"ls \u3164", []Hidden{{3, 6, "Hangul filler"}}},
		{"сору", []Hidden{
			{0, 2, "Cyrillic small letter es, looks like c"}, {2, 4, "Cyrillic small letter o, looks like o"},
			{4, 6, "Cyrillic small letter er, looks like p"}, {6, 8, "Cyrillic small letter u, looks like y"},
		}},
	} {
		if diff := cmp.Diff(c.want, hidden(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestHiddenLeavesOrdinaryWordsOfOtherScripts(t *testing.T) {
	for _, text := range []string{
		"git commit -m 'Привет, мир и с тобой'", "git commit -m 'Καλημέρα κόσμε'", "echo 'grüße für alle'", "echo 日本語", "echo café",
	} {
		if got := hidden(text); got != nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// The table is only as good as its letters: none may stand for two, and none is ASCII itself.
func TestTwinsAreOtherCharacters(t *testing.T) {
	seen := map[rune]rune{}
	for _, twin := range twins {
		for _, c := range twin.of {
			if c >= 0x80 && seen[c] != 0 && seen[c] != twin.like && !strings.ContainsRune("l|", twin.like) {
				t.Errorf("%q looks like %q and like %q", c, seen[c], twin.like)
			}
			seen[c] = twin.like
		}
	}
}
