package glob

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"countersign/backend/lookup"
	"countersign/backend/tool"
)

// pattern is a glob of paths below the folder that is searched.
type pattern struct{ glob string }

// newPattern reads a pattern. One that begins with the folder itself means what is below
// it; one without a slash means a name in any folder.
func newPattern(text string, root tool.Path) (pattern, error) {
	glob := text
	for _, dir := range []string{root.Real, root.Abs} {
		if below, ok := strings.CutPrefix(glob, strings.TrimSuffix(dir, "/")+"/"); ok {
			glob = "./" + below
			break
		}
	}
	switch {
	case strings.HasPrefix(glob, "/"):
		return pattern{}, refused("it is absolute and not below " + root.Shown() + ". Give the folder as path, and a pattern relative to it")
	case slices.Contains(strings.Split(glob, "/"), ".."):
		return pattern{}, refused(`it leaves the folder with "..". Give the folder as path, and a pattern relative to it`)
	}
	if why := lookup.Fault(glob); why != "" {
		return pattern{}, refused(why)
	}
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	glob = strings.TrimPrefix(glob, "./")
	if strings.HasSuffix(glob, "/") {
		glob += "**"
	}
	return pattern{glob}, nil
}

func refused(why string) error {
	return tool.Errorf(tool.CodeBadPattern, "the pattern is no glob below the folder").WithText("The pattern cannot be used: " + why + ".")
}

func (p pattern) fits(below string) bool { return doublestar.MatchUnvalidated(p.glob, below) }

// noisy are folders that hold what nobody means who does not name them.
var noisy = []string{".git", "dist", "node_modules"}

// noise are the folders that are left out of a search.
func (p pattern) noise(root tool.Path) []string {
	var out []string
	for _, name := range noisy {
		named := slices.Contains(strings.Split(p.glob, "/"), name) || slices.Contains(strings.Split(root.Real, "/"), name)
		if !named {
			out = append(out, name)
		}
	}
	return out
}

// ext is the plain extension at the end of the pattern, "" without one.
func (p pattern) ext() string {
	ext := path.Ext(p.glob)
	if len(ext) < 2 || strings.ContainsAny(ext, `*?[]{}\/,`) {
		return ""
	}
	return ext
}
