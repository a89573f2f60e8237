package glob

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"countersign/backend/bound"
	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// The most paths that are looked for, and the bytes of them. A search that finds more is
// stopped there.
const (
	fullPaths = 50_000
	fullBytes = 8 << 20
	roomFiles = 512
)

// findings are the files that fit.
type findings struct {
	// files point into rooms, which stay where they are.
	files []*tool.FoundFile
	room  []tool.FoundFile
	size  int
	// more says that the search was stopped.
	more bool
}

// add takes a file and reports whether there is room for another.
func (f *findings) add(file tool.FoundFile) bool {
	if len(f.files) == fullPaths || f.size > fullBytes {
		f.more = true
		return false
	}
	if len(f.room) == cap(f.room) {
		f.room = make([]tool.FoundFile, 0, roomFiles)
	}
	f.room = append(f.room, file)
	f.files = append(f.files, &f.room[len(f.room)-1])
	f.size += len(file.Path.Real)
	return true
}

// sort puts the files that changed last first.
func (f *findings) sort() {
	slices.SortFunc(f.files, func(a, b *tool.FoundFile) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path.Real, b.Path.Real))
	})
}

// shownFile is a file as the window gets it. File opens it where Path, which is written
// so that it stays on its line, does not.
type shownFile struct {
	Path    string    `json:"path"`
	File    string    `json:"file,omitempty"`
	ModTime time.Time `json:"mtime"`
}

// answer shows the first paths and keeps all of them when there are more.
func (f *findings) answer(ctx context.Context, env tool.Env, in input, p tool.Path) (tool.Result, error) {
	n := len(f.files)
	of := bound.Count(int64(n))
	if f.more {
		of = "more than " + of
	}
	verb := " match "
	if n == 1 {
		verb = " matches "
	}
	noun := " files"
	if n == 1 {
		noun = " file"
	}
	var text strings.Builder
	text.WriteString(of + noun + verb + lookup.Quote(in.Pattern) + " (newest first):")
	shown := []shownFile{}
	for _, file := range f.files {
		path := file.Path.Short()
		if len(shown) == shownPaths || len(shown) > 0 && text.Len()+len(path) > pageBytes {
			break
		}
		text.WriteString("\n" + path)
		shown = append(shown, shownFile{path, lookup.Name(file.Path), file.ModTime})
	}
	var truncation *tool.Truncation
	if len(shown) < n {
		list := f.list()
		kept, size, err := lookup.Keep(ctx, env.Host, p, "glob", func() io.Reader { return strings.NewReader(list) })
		if err != nil {
			return tool.Result{}, err
		}
		where := "Full list: " + kept + " — or narrow the pattern.]"
		if kept == "" {
			where = "The full list was not kept — narrow the pattern.]"
		}
		text.WriteString("\n[Showing " + strconv.Itoa(len(shown)) + " of " + of + ". " + where)
		truncation = &tool.Truncation{
			OriginalBytes: size, OriginalLines: int64(n), ShownHeadLines: int64(len(shown)), OmittedLines: int64(n - len(shown)), SpillPath: kept,
		}
	}
	return tool.Result{
		Content: []tool.Part{tool.TextPart(text.String())},
		Metadata: tool.Metadata{
			Title: "Glob " + tool.ShowPath(in.Pattern) + " · " + of + noun, Files: &n, Truncation: truncation,
			Extra: map[string]any{"pattern": in.Pattern, "path": p.Short(), "paths": shown},
		},
	}, nil
}

// list is every path on a line of its own.
func (f *findings) list() string {
	var list strings.Builder
	for _, file := range f.files {
		list.WriteString(file.Path.Short() + "\n")
	}
	return list.String()
}
