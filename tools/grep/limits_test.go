package grep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"countersign/backend/tool"
	"countersign/tools/scenariotest"
)

// searching answers one search after the other.
type searching struct {
	tool.Search
	answers []func(ctx context.Context, each func(tool.FileHits) bool) error
}

func (s *searching) Grep(ctx context.Context, _ tool.GrepQuery, each func(tool.FileHits) bool) error {
	now := s.answers[0]
	s.answers = s.answers[1:]
	return now(ctx, each)
}

func (*searching) Guarded(tool.Path) bool { return false }

type broken struct{ tool.Output }

func (broken) Spill(_ context.Context, _ string, text io.Reader) (string, int64, error) {
	return "", 0, tool.Errorf(tool.CodeStorageUnavailable, "full")
}

type answer = func(context.Context, func(tool.FileHits) bool) error

func search(t *testing.T, ctx context.Context, pattern string, answers ...answer) (tool.Result, string, error) {
	t.Helper()
	host := tool.Host{Search: &searching{answers: answers}, Output: broken{}}
	return scenariotest.InFolder(t, ctx, Spec(), host, map[string]string{"pattern": pattern})
}

// endless finds lines as long as they are wanted, ten a file.
func endless(line string) answer {
	return func(_ context.Context, each func(tool.FileHits) bool) error {
		for i := 0; ; i++ {
			f := tool.FileHits{File: tool.FoundFile{Path: tool.Path{Real: fmt.Sprintf("/w/f%07d", i), Rel: fmt.Sprintf("f%07d", i)}}}
			for n := range 10 {
				f.Hits = append(f.Hits, tool.Hit{Line: int64(n + 1), Text: line, Spans: [][2]int{{0, 1}}})
			}
			if !each(f) {
				return nil
			}
		}
	}
}

func nothingFound(context.Context, func(tool.FileHits) bool) error { return nil }

func waiting(ctx context.Context, _ func(tool.FileHits) bool) error {
	<-ctx.Done()
	return ctx.Err()
}

// spec: KH-39, KH-40
func TestASearchThatFindsTooMuchIsStopped(t *testing.T) {
	res, text, err := search(t, t.Context(), "x", endless("x"))
	if err != nil || *res.Metadata.Matches != fullLines || res.Metadata.Truncation.OriginalLines != fullLines {
		t.Fatalf("%v, %+v", err, res.Metadata)
	}
	const head = "Showing first 100 of more than 10,000 matching lines (the search was stopped there; of what it found the newest first) for \"x\":\n\nf0000000\n  1: x\n"
	const foot = "[Results truncated. The full results were not kept — use a more specific pattern, path, or include filter.]"
	if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, foot) || res.Metadata.Title != `Search "x" · more than 10,000 matches` {
		t.Errorf("%.200s … %s, %s", text, text[len(text)-120:], res.Metadata.Title)
	}
	res, _, err = search(t, t.Context(), "x", endless(strings.Repeat("long ", 4000)))
	if err != nil || *res.Metadata.Matches*keptChars > fullBytes+10*keptChars {
		t.Errorf("%v, %d lines are held", err, *res.Metadata.Matches)
	}
}

func TestAnAnswerFitsWhatAReaderGets(t *testing.T) {
	res, text, err := search(t, t.Context(), "x", endless(strings.Repeat("😀", 1000)))
	if err != nil || len(text) > tool.DefaultBytes || res.Metadata.Truncation.ShownHeadLines < 40 || res.Metadata.Truncation.ShownHeadLines >= 100 {
		t.Errorf("%v, %d bytes, %+v", err, len(text), res.Metadata.Truncation)
	}
}

func TestASlowSearchSaysHowToNarrowIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), Spec().Class.Timeout)
		defer cancel()
		_, text, err := search(t, ctx, "x", waiting)
		e, ok := errors.AsType[*tool.Error](err)
		if !ok || e.Code != tool.CodeTimeout || !strings.Contains(text, "within 10 seconds") {
			t.Errorf("%v: %s", err, text)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := search(t, ctx, "x", waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, _, err := search(t, ctx, "Xyz", nothingFound, waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled at the second look: %v", err)
	}
}

func TestASlowSecondLookSuggestsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, text, err := search(t, t.Context(), "Engine", nothingFound, waiting, waiting)
		if err != nil || text != `No matches for "Engine" in /w. Check the regex or broaden the scope.` || time.Since(start) != probeTime {
			t.Errorf("%v after %s: %s", err, time.Since(start), text)
		}
	})
}

func TestTheSuggestionIsWhatWasMetMostOften(t *testing.T) {
	for _, c := range []struct {
		met  map[string]int
		want string
	}{
		{nil, ""},
		{map[string]int{"b": 1, "a": 1}, "a"},
		{map[string]int{"b": 2, "a": 1}, "b"},
		{map[string]int{" ": 9, strings.Repeat("x", probeSuggest+1): 9, "c": 1}, "c"},
	} {
		if got := likeliest(c.met); got != c.want {
			t.Errorf("%v: %q", c.met, got)
		}
	}
}

func TestALineIsCutAroundItsMatch(t *testing.T) {
	for _, unit := range []string{"x", "é", "€", "😀"} {
		for lead := 0; lead < 700; lead += 7 {
			for _, tail := range []int{0, 1, 59, 189, 250, 600} {
				text := strings.Repeat(unit, lead) + "needle" + strings.Repeat(unit, tail)
				at := lead * len(unit)
				h := tool.Hit{Line: 1, Text: text, Spans: [][2]int{{at, at + len("needle")}}}
				for _, h := range []tool.Hit{h, shorten(h)} {
					got := show(h, lineChars)
					if n := utf8.RuneCountInString(strings.Trim(got.Text, "…")); n > lineChars || n < min(lineChars, lead+6+tail) {
						t.Fatalf("%d %s before, %d behind: %d characters", lead, unit, tail, n)
					}
					if len(got.Spans) != 1 || slice16(got.Text, got.Spans[0]) != "needle" {
						t.Fatalf("%d %s before, %d behind: %q at %v", lead, unit, tail, got.Text, got.Spans)
					}
				}
			}
		}
	}
	got := show(tool.Hit{Text: "abc", Cut: true}, lineChars)
	if got.Text != "abc…" || len(got.Spans) != 0 {
		t.Errorf("%+v", got)
	}
}

// slice16 cuts a text as a page does.
func slice16(text string, span [2]int) string {
	var out strings.Builder
	at := 0
	for _, r := range text {
		if at >= span[0] && at < span[1] {
			out.WriteRune(r)
		}
		at += units(string(r))
	}
	return out.String()
}
