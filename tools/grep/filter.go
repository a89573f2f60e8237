package grep

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// filter says which files are wanted. A glob without a slash is about names, one with a
// slash about paths, from where the search began or from the workspace.
type filter struct {
	glob   string
	slash  bool
	except bool
}

func newFilter(include string) (filter, error) {
	f := filter{}
	f.glob, f.except = strings.CutPrefix(include, "!")
	f.glob = strings.TrimPrefix(f.glob, "./")
	f.slash = strings.Contains(f.glob, "/")
	f.glob = strings.TrimPrefix(f.glob, "/")
	if why := lookup.Fault(f.glob); why != "" {
		return f, tool.Errorf(tool.CodeBadPattern, "include is no glob").WithText("The glob in include cannot be read: " + why + ".")
	}
	return f, nil
}

// names is a glob of the names that a wanted file can have, "" when any can.
func (f filter) names() string {
	if f.except || strings.Contains(f.glob, "/") && strings.ContainsAny(f.glob, `{\`) {
		return ""
	}
	return f.glob[strings.LastIndex(f.glob, "/")+1:]
}

func (f filter) takes(file tool.FoundFile) bool {
	if f.glob == "" {
		return true
	}
	return f.fits(file) != f.except
}

func (f filter) fits(file tool.FoundFile) bool {
	name := path.Base(file.Below)
	// Asked for names, the search does not pass over hidden ones.
	if !f.except && strings.HasPrefix(name, ".") && !strings.HasPrefix(path.Base(f.glob), ".") {
		return false
	}
	if !f.slash {
		return doublestar.MatchUnvalidated(f.glob, name)
	}
	return doublestar.MatchUnvalidated(f.glob, file.Below) || file.Path.Rel != "" && doublestar.MatchUnvalidated(f.glob, file.Path.Rel)
}
