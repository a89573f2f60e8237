package change_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"countersign/backend/change"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func texts(e change.Excerpt) []string {
	out := []string{}
	for _, l := range e.Lines {
		out = append(out, l.Text)
	}
	return out
}

func TestExcerptIsTheLinesThatWereAskedFor(t *testing.T) {
	for _, row := range []struct {
		name, text string
		first      int64
		count      int
		want       []string
		more       bool
	}{
		{"from the start", "a\nb\nc\n", 1, 2, []string{"a", "b"}, true},
		{"to the end", "a\nb\nc\n", 2, 2, []string{"b", "c"}, false},
		{"the last one unended", "a\nb", 2, 5, []string{"b"}, false},
		{"behind the end", "a\n", 3, 5, []string{}, false},
		{"before the start", "a\nb\n", -3, 1, []string{"a"}, true},
		{"empty lines", "\n\n\n", 2, 5, []string{"", ""}, false},
		{"nothing", "", 1, 5, []string{}, false},
		{"without the mark", "\ufeffa\nb\n", 1, 1, []string{"a"}, true},
		{"bytes of no character", "caf\xe9\n", 1, 1, []string{"caf\ufffd"}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := change.LinesOf([]byte(row.text), row.first, row.count)
			if d := cmp.Diff(row.want, texts(got)); d != "" || got.More != row.more {
				t.Errorf("more is %v, %s", got.More, d)
			}
		})
	}
	if got := change.LinesOf([]byte("a\r\n"), 1, 1); got.Lines[0].Text != "a\r" {
		t.Errorf("the carriage return of a mixed file is gone: %q", got.Lines[0].Text)
	}
}

func TestExcerptOfALongLineSaysWhatIsLeft(t *testing.T) {
	for _, unit := range []string{"x", "é", "€", "😀"} {
		long := strings.Repeat(unit, 100_000)
		got, err := change.ReadExcerpt(t.Context(), strings.NewReader("a\n"+long+"\nb\n"), 2, 2)
		if err != nil || len(got.Lines) != 2 || got.Lines[1].Text != "b" {
			t.Fatalf("%v, %d lines", err, len(got.Lines))
		}
		l := got.Lines[0]
		if len(l.Text) > change.MaxLineBytes || !strings.HasPrefix(long, l.Text) || l.Left+strings.Count(l.Text, unit) != 100_000 {
			t.Errorf("%s: %d bytes and %d characters left", unit, len(l.Text), l.Left)
		}
	}
}

func TestExcerptReadsNoFurtherThanItMust(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(strings.Repeat("a line\n", 100_000)), iotest.ErrReader(errors.New("read too far")))
	got, err := change.ReadExcerpt(t.Context(), endless, 50_000, 3)
	if err != nil || len(got.Lines) != 3 || !got.More || got.First != 50_000 {
		t.Errorf("%v, %+v", err, got)
	}
	if _, err := change.ReadExcerpt(t.Context(), strings.NewReader("a\x00b"), 1, 1); !errors.Is(err, change.ErrBinary) {
		t.Errorf("a binary file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := change.ReadExcerpt(ctx, strings.NewReader("a\n"), 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Any excerpt is what a split of the whole would give.
func TestExcerptAgreesWithTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab\n\n\r"))).Draw(t, "text")
		first, count := rapid.Int64Range(1, 9).Draw(t, "first"), rapid.IntRange(1, 9).Draw(t, "count")
		all := strings.Split(text, "\n")
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		from := min(int(first)-1, len(all))
		to := min(from+count, len(all))
		got := change.LinesOf([]byte(text), first, count)
		if d := cmp.Diff(append([]string{}, all[from:to]...), texts(got)); d != "" || got.More != (int(first)-1+count < len(all)) {
			t.Fatal(fmt.Sprintf("%q: more is %v, %s", text, got.More, d))
		}
	})
}
