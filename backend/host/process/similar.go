package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"countersign/backend/spelling"
)

// Bounds of the search for a name that is spelt like another.
const (
	mostNameBytes = 64
	// shortName is up to how many letters one change is as much as two in longer ones.
	shortName = 4
)

// Similar returns the name of a program on the search path that is spelt like name.
func (s *Session) Similar(ctx context.Context, name string) string {
	wanted := []rune(name)
	if name == "" || len(name) > mostNameBytes || strings.ContainsRune(name, '/') {
		return ""
	}
	near := 2
	if len(wanted) <= shortName {
		near = 1
	}
	best := ""
	for _, dir := range filepath.SplitList(s.environ.get("PATH")) {
		if ctx.Err() != nil || !filepath.IsAbs(dir) {
			continue
		}
		// What cannot be listed holds no programs that could be named.
		names, _ := os.ReadDir(dir)
		for _, entry := range names {
			found := entry.Name()
			if found == name || len(found) > mostNameBytes || strings.HasPrefix(found, ".") {
				continue
			}
			d := spelling.Distance(wanted, []rune(found))
			if d > near || d == near && best != "" && best <= found || !executable(filepath.Join(dir, found)) {
				continue
			}
			best, near = found, d
		}
	}
	return best
}
