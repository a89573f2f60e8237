package session

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAHeadIsCutBetweenCharactersAndCountsTheRest(t *testing.T) {
	for text, left := range map[string]int{
		"":                             0,
		"src/engine.go":                0,
		strings.Repeat("a", 400):       0,
		strings.Repeat("a", 401):       1,
		strings.Repeat("ä", 300):       100,
		"a" + strings.Repeat("€", 200): 67,
	} {
		h := HeadOf(text)
		if got := h.Text.Open(); !strings.HasPrefix(text, got) || !utf8.ValidString(got) || len(got) > MaxHead {
			t.Errorf("%.20q: head %.20q of %d bytes", text, got, len(got))
		}
		if h.Left != left || utf8.RuneCountInString(h.Text.Open())+h.Left != utf8.RuneCountInString(text) {
			t.Errorf("%.20q: %d left, want %d", text, h.Left, left)
		}
	}
}

func TestHeadsAreOfTextArgumentsOnly(t *testing.T) {
	got := HeadsOf([]byte(`{"file_path":"/w/a.go","count":3,"list":["x"],"content":"` + strings.Repeat("x", 1000) + `"}`))
	if len(got) != 2 || got["file_path"].Text.Open() != "/w/a.go" || got["content"].Left != 600 {
		t.Errorf("got %d heads: %+v", len(got), got)
	}
	for _, refused := range []string{"", "[1]", "{", `"text"`, "null"} {
		if got := HeadsOf([]byte(refused)); len(got) != 0 {
			t.Errorf("%s: %+v", refused, got)
		}
	}
}

func TestHeadsAreBoundedHoweverManyArgumentsThereAre(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"` + strings.Repeat("n", maxHeadName+1) + `":"long name"`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,"k%04d":"v"`, i)
	}
	b.WriteString("}")
	if got := HeadsOf([]byte(b.String())); len(got) != maxHeads {
		t.Errorf("%d heads", len(got))
	}
}
