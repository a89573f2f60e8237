package grep

import (
	"context"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// The bounds of the second look after a search that found nothing: its time, how many
// lines it looks at, how long a text is that letters are changed in, and how long what it
// suggests may be.
const (
	probeTime    = 2 * time.Second
	probeLines   = 200
	probeLeast   = 3
	probeMost    = 40
	probeSuggest = 80
)

// nothing is the answer when no line matches.
func (in input) nothing(ctx context.Context, search tool.Search, q tool.GrepQuery, wanted filter) (tool.Result, error) {
	meant, err := in.near(ctx, search, q, wanted)
	if err != nil {
		return tool.Result{}, err
	}
	hint := "Check the regex or broaden the scope."
	if meant != "" {
		hint = "Check the regex (did you mean " + lookup.Quote(meant) + "?) or broaden the scope."
	}
	zero := 0
	extra := map[string]any{"pattern": in.Pattern, "path": q.Root.Short(), "groups": []group{}}
	if meant != "" {
		extra["nearMiss"] = meant
	}
	return tool.Result{
		Content:  []tool.Part{tool.TextPart("No matches for " + lookup.Quote(in.Pattern) + " in " + q.Root.Shown() + ". " + hint)},
		Metadata: tool.Metadata{Title: "Search " + named(in.Pattern) + " · no matches", Matches: &zero, Files: &zero, Extra: extra},
	}, nil
}

// near returns a text of the files that the pattern nearly matches, "" when there is none
// or it takes too long to find one.
func (in input) near(ctx context.Context, search tool.Search, q tool.GrepQuery, wanted filter) (string, error) {
	limited, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	tries := []tool.GrepQuery{}
	if strings.ToLower(in.Pattern) != in.Pattern {
		q.IgnoreCase = true
		tries = append(tries, q)
		q.IgnoreCase = false
	}
	if variants := misspelt(in.Pattern); variants != "" {
		q.Pattern = variants
		tries = append(tries, q)
	}
	for _, try := range tries {
		meant := map[string]int{}
		lines := 0
		err := search.Grep(limited, try, func(f tool.FileHits) bool {
			if !wanted.takes(f.File) {
				return true
			}
			for _, h := range f.Hits {
				if len(h.Spans) > 0 {
					meant[h.Text[h.Spans[0][0]:h.Spans[0][1]]]++
				}
				lines++
			}
			return lines < probeLines
		})
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		// A second look that failed has nothing to suggest; nothing was found all the same.
		if best := likeliest(meant); err == nil && best != "" {
			return best, nil
		}
	}
	return "", nil
}

// likeliest is the text that was met most often, the first by its letters among equals.
func likeliest(met map[string]int) string {
	best := ""
	for text, n := range met {
		if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > probeSuggest {
			continue
		}
		if best == "" || n > met[best] || n == met[best] && text < best {
			best = text
		}
	}
	return best
}

// misspelt is a pattern of every text that is one letter away from a plain text: two
// swapped, one other, one more or one less. It is "" for what is no plain text, or too
// short or too long for that to mean anything.
func misspelt(text string) string {
	r := []rune(text)
	if len(r) < probeLeast || len(r) > probeMost || regexp.QuoteMeta(text) != text {
		return ""
	}
	var out []string
	for i := range r {
		head, tail := string(r[:i]), string(r[i+1:])
		if i > 0 {
			out = append(out, string(r[:i-1])+string(r[i])+string(r[i-1])+tail, head+`\w`+string(r[i:]))
		}
		out = append(out, head+`\w`+tail)
	}
	for i := range r {
		out = append(out, string(r[:i])+string(r[i+1:]))
	}
	return strings.Join(out, "|")
}
