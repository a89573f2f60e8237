package workspace

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"countersign/backend/spelling"
	"countersign/backend/tool"
)

// The bounds of the search for a name like a missing one: how many entries are
// looked at, how deep, and how much alike two names must be.
const (
	similarEntries = 20_000
	similarDepth   = 16
	similarLeast   = 0.6
)

// noise are folders that hold what nobody means: histories, libraries, results.
var noise = []string{
	".git", ".hg", ".svn", ".vs", ".venv", "__pycache__", "bin", "dist", "node_modules", "obj", "target", "vendor",
}

// Similar returns up to limit existing paths, relative to the workspace, whose names
// are like the one that p misses, the likest first. It looks around where p would
// be and then through the workspace, the shallow folders first, and gives up after
// a number of entries. Outside the workspace it looks at nothing.
func (w *Workspace) Similar(ctx context.Context, p tool.Path, limit int) ([]string, error) {
	if p.Zone != tool.ZoneWorkspace || p.Rel == "" || p.Rel == "." || limit <= 0 {
		return nil, ctx.Err()
	}
	s := &search{w: w, want: p.Rel, left: similarEntries, seen: map[string]bool{}}
	if err := s.around(ctx); err != nil {
		return nil, err
	}
	if err := s.through(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(s.found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rel, b.rel))
	})
	var out []string
	for _, c := range s.found[:min(limit, len(s.found))] {
		out = append(out, c.rel)
	}
	return out, nil
}

type candidate struct {
	rel   string
	score float64
}

type search struct {
	w     *Workspace
	want  string
	left  int
	seen  map[string]bool
	found []candidate
}

// around looks into the nearest existing folder above the missing path, even where
// that is noise: it was named.
func (s *search) around(ctx context.Context) error {
	for dir := path.Dir(s.want); dir != "."; dir = path.Dir(dir) {
		if _, err := s.folder(ctx, dir); err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (s *search) through(ctx context.Context) error {
	level := []string{"."}
	for depth := 0; depth < similarDepth && len(level) > 0 && s.left > 0; depth++ {
		var next []string
		for _, dir := range level {
			if err := ctx.Err(); err != nil {
				return err
			}
			// A folder that may not be read has nothing to suggest.
			below, _ := s.folder(ctx, dir)
			next = append(next, below...)
		}
		slices.Sort(next)
		level = next
	}
	return ctx.Err()
}

// folder weighs the entries of one folder and returns the folders in it.
func (s *search) folder(ctx context.Context, dir string) ([]string, error) {
	if s.left <= 0 {
		return nil, nil
	}
	t, err := s.w.walk(filepath.Join(s.w.root, filepath.FromSlash(dir)), false)
	if err != nil {
		return nil, err
	}
	defer t.close()
	var below []string
	err = list(ctx, t.dir, func(e tool.Entry) bool {
		rel := path.Join(dir, e.Name)
		switch e.Kind {
		case tool.KindDirectory:
			if !slices.Contains(noise, e.Name) && s.w.zone(filepath.Join(s.w.root, filepath.FromSlash(rel))) == tool.ZoneWorkspace {
				below = append(below, rel)
			}
		case tool.KindFile:
			s.weigh(rel)
		case tool.KindAbsent, tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindLink, tool.KindOther:
		}
		s.left--
		return s.left > 0
	})
	return below, err
}

func (s *search) weigh(rel string) {
	if s.seen[rel] || strings.HasPrefix(path.Base(rel), tempPrefix) {
		return
	}
	name := alike(path.Base(s.want), path.Base(rel))
	if name < similarLeast {
		return
	}
	s.seen[rel] = true
	s.found = append(s.found, candidate{rel, 0.7*name + 0.3*alike(path.Dir(s.want), path.Dir(rel))})
}

// alike says how much two names are alike, from 0 to 1: by the letters that must
// change, not counting upper and lower case, accents that stand apart and an ending
// that both have, or by their first part, so that agent.test.ts is like agent.ts.
func alike(a, b string) float64 {
	a, b = plain(a), plain(b)
	if a == b {
		return 1
	}
	first, _, _ := strings.Cut(a, ".")
	if other, _, _ := strings.Cut(b, "."); first == other && len(first) > 1 {
		return 0.8
	}
	if ext := path.Ext(a); ext == path.Ext(b) && ext != a && ext != b {
		a, b = strings.TrimSuffix(a, ext), strings.TrimSuffix(b, ext)
	}
	x, y := []rune(a), []rune(b)
	return 1 - float64(spelling.Distance(x, y))/float64(max(len(x), len(y)))
}

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
