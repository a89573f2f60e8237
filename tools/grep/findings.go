package grep

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/lookup"
	"countersign/backend/redact"
	"countersign/backend/tool"
)

// The most that is looked for, in matching lines and in bytes of them. A search that finds
// more is stopped there.
const (
	fullLines = 10_000
	fullBytes = 8 << 20
	// keptChars is how much of a line the full list has.
	keptChars = 2000
)

// findings are the files that something was found in.
type findings struct {
	files       []tool.FileHits
	lines, size int
	// more says that the search was stopped.
	more bool
}

// add takes a file and reports whether there is room for another.
func (f *findings) add(file tool.FileHits) bool {
	for i := range file.Hits {
		h := &file.Hits[i]
		if f.lines == fullLines || f.size > fullBytes {
			f.more = true
			file.Hits = file.Hits[:i]
			break
		}
		// What no view shows is let go at once: so many long lines would be much to hold.
		*h = shorten(*h)
		f.lines++
		f.size += len(h.Text)
	}
	if len(file.Hits) > 0 {
		f.files = append(f.files, file)
	}
	return !f.more
}

// sort puts the files that changed last first.
func (f *findings) sort() {
	slices.SortFunc(f.files, func(a, b tool.FileHits) int {
		return cmp.Or(b.File.ModTime.Compare(a.File.ModTime), cmp.Compare(a.File.Path.Real, b.File.Path.Real))
	})
}

// group is a file with its lines as the window gets them. File opens it where Path, which
// is written so that it stays on its line, does not.
type group struct {
	Path  string     `json:"path"`
	File  string     `json:"file,omitempty"`
	Lines []shownHit `json:"lines"`
}

// named is a pattern in a title, for eyes: what is secret of it is hidden before it is cut.
func named(pattern string) string { return lookup.Quote(redact.Text(pattern, "")) }

// answer shows the first lines and keeps all of them when there are more.
func (f *findings) answer(ctx context.Context, env tool.Env, in input, p tool.Path) (tool.Result, error) {
	text, groups, shown := f.page()
	files, quoted := len(f.files), lookup.Quote(in.Pattern)
	of := bound.Count(int64(f.lines))
	if f.more {
		of = "more than " + of
	}
	head := plural(f.lines, "match", "matches") + " in " + plural(files, "file", "files") + " for " + quoted + ":\n\n"
	title := "Search " + named(in.Pattern) + " · " + plural(f.lines, "match", "matches") + " in " + plural(files, "file", "files")
	if f.more {
		title = "Search " + named(in.Pattern) + " · " + of + " matches"
	}
	foot := ""
	var truncation *tool.Truncation
	if shown < f.lines {
		kept, size, err := lookup.Keep(ctx, env.Host, p, "grep", func() io.Reader { return &listing{files: f.files} })
		if err != nil {
			return tool.Result{}, err
		}
		head = "Showing first " + strconv.Itoa(shown) + " of " + of + " matching lines (" + plural(files, "file", "files") + ", newest first) for " + quoted + ":\n\n"
		if f.more {
			head = "Showing first " + strconv.Itoa(shown) + " of " + of + " matching lines (the search was stopped there; of what it found the newest first) for " + quoted + ":\n\n"
		}
		foot = "[Results truncated. Full results: " + kept + " — or use a more specific pattern, path, or include filter.]"
		if kept == "" {
			foot = "[Results truncated. The full results were not kept — use a more specific pattern, path, or include filter.]"
		}
		truncation = &tool.Truncation{
			OriginalBytes: size, OriginalLines: int64(f.lines), ShownHeadLines: int64(shown), OmittedLines: int64(f.lines - shown), SpillPath: kept,
		}
	}
	return tool.Result{
		Content: []tool.Part{tool.TextPart(strings.TrimSuffix(head+text+foot, "\n"))},
		Metadata: tool.Metadata{
			Title: title, Matches: &f.lines, Files: &files, Truncation: truncation,
			Extra: map[string]any{"pattern": in.Pattern, "path": p.Short(), "groups": groups},
		},
	}, nil
}

// page writes the first lines, as many as an answer has room for.
func (f *findings) page() (string, []group, int) {
	var text strings.Builder
	var groups []group
	shown := 0
	for _, file := range f.files {
		head := file.File.Path.Short() + "\n"
		g := group{Path: file.File.Path.Short(), File: lookup.Name(file.File.Path)}
		for _, h := range file.Hits {
			line := show(h, lineChars)
			row := "  " + strconv.FormatInt(line.Line, 10) + ": " + line.Text + "\n"
			if shown == shownLines || shown > 0 && text.Len()+len(head)+len(row) > pageBytes {
				break
			}
			text.WriteString(head + row)
			head = ""
			g.Lines = append(g.Lines, line)
			shown++
		}
		if len(g.Lines) > 0 {
			groups = append(groups, g)
		}
		if len(g.Lines) < len(file.Hits) || shown == shownLines {
			break
		}
	}
	return text.String(), groups, shown
}

// listing reads the full list, one file at a time.
type listing struct {
	files []tool.FileHits
	rest  string
}

// Read takes the next piece.
func (l *listing) Read(b []byte) (int, error) {
	for l.rest == "" {
		if len(l.files) == 0 {
			return 0, io.EOF
		}
		var text strings.Builder
		text.WriteString(l.files[0].File.Path.Short() + "\n")
		for _, h := range l.files[0].Hits {
			text.WriteString("  " + strconv.FormatInt(h.Line, 10) + ": " + show(h, keptChars).Text + "\n")
		}
		l.rest, l.files = text.String(), l.files[1:]
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return bound.Count(int64(n)) + " " + many
}
