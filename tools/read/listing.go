package read

import (
	"context"
	"strings"

	"countersign/backend/bound"
	"countersign/backend/tool"
)

// manyEntries is how many entries a folder in a listing may have to be opened up;
// a bigger one is counted.
const manyEntries = 200

// listing shows the directory at p, two levels deep. Hidden entries are counted.
func listing(ctx context.Context, files tool.Files, p tool.Path) (tool.Result, error) {
	entries, err := files.Entries(ctx, p)
	if err != nil {
		return tool.Result{}, err
	}
	shown, hidden := split(entries)
	lines := []string{p.Shown() + " (directory, " + count(len(shown), hidden) + ")"}
	for _, e := range shown {
		lines = append(lines, named(e))
		if e.Kind != tool.KindDirectory {
			continue
		}
		note, below := inner(ctx, files, p.Child(e))
		if err := ctx.Err(); err != nil {
			return tool.Result{}, err
		}
		lines[len(lines)-1] += note
		lines = append(lines, below...)
	}
	text, kept := fit(lines)
	res := tool.Result{
		Content: []tool.Part{tool.TextPart(text)},
		Metadata: tool.Metadata{
			Title: "List " + p.Short() + " · " + entryWord(len(shown)),
			Extra: map[string]any{"path": p.Short(), "lines": int64(kept), "totalLines": int64(len(lines)), "directory": true},
		},
	}
	if kept < len(lines) {
		res.Metadata.Truncation = &tool.Truncation{
			OriginalBytes: int64(len(strings.Join(lines, "\n"))), OriginalLines: int64(len(lines)),
			ShownHeadLines: int64(kept), OmittedLines: int64(len(lines) - kept),
		}
	}
	return res, nil
}

// inner shows the second level. A folder that cannot be listed is said to be so: it
// may have gone meanwhile, or be closed to us.
func inner(ctx context.Context, files tool.Files, p tool.Path) (note string, lines []string) {
	entries, err := files.Entries(ctx, p)
	if err != nil {
		return " (cannot be listed)", nil
	}
	shown, hidden := split(entries)
	switch {
	case len(shown) > manyEntries:
		return " (" + count(len(shown), hidden) + ")", nil
	case hidden > 0:
		note = " (" + bound.Count(int64(hidden)) + " hidden)"
	}
	for _, e := range shown {
		lines = append(lines, "  "+named(e))
	}
	return note, lines
}

// split takes out the hidden entries and counts them.
func split(entries []tool.Entry) (shown []tool.Entry, hidden int) {
	for _, e := range entries {
		if strings.HasPrefix(e.Name, ".") {
			hidden++
		} else {
			shown = append(shown, e)
		}
	}
	return shown, hidden
}

// named writes an entry: folders end in a slash, and what is neither folder nor
// file says what it is.
func named(e tool.Entry) string {
	name := tool.ShowPath(e.Name)
	switch e.Kind {
	case tool.KindDirectory:
		return name + "/"
	case tool.KindFile:
		return name
	case tool.KindLink, tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindOther, tool.KindAbsent:
	}
	return name + " (" + string(e.Kind) + ")"
}

func count(shown, hidden int) string {
	if hidden == 0 {
		return entryWord(shown)
	}
	return entryWord(shown) + " and " + bound.Count(int64(hidden)) + " hidden"
}

func entryWord(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return bound.Count(int64(n)) + " entries"
}

// fit joins as many lines as a page holds and says how many more there are.
func fit(lines []string) (string, int) {
	size, kept := 0, 0
	for kept < len(lines) && kept < defaultLines && size+len(lines[kept])+1 <= pageBytes-footerRoom {
		size += len(lines[kept]) + 1
		kept++
	}
	text := strings.Join(lines[:kept], "\n")
	if kept < len(lines) {
		text += "\n(Showing " + bound.Count(int64(kept)) + " of " + bound.Plural(int64(len(lines)), "line") + ". Read a folder below for the rest.)"
	}
	return text, kept
}
