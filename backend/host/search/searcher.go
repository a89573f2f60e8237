package search

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"countersign/backend/tool"
)

// IgnoreFile is the name of the file at the top of a workspace that names what searches
// pass over, in the form of a .gitignore.
const IgnoreFile = ".countersignignore"

// Searcher searches for one session. It implements tool.Search and is safe for
// concurrent use.
type Searcher struct {
	// Program is the absolute path of ripgrep; "" where there is none.
	Program string
	// Workspace is the absolute real path of the workspace.
	Workspace string
	// Held reports whether reading the real path would need an answer that a call on
	// root did not.
	Held func(root tool.Path, real string) bool
}

var _ tool.Search = (*Searcher)(nil)

// always are the options of every run.
var always = []string{"--no-config", "--no-messages", "--no-ignore-global", "--no-ignore-messages", "--no-require-git", "--no-follow", "--no-mmap"}

// place is where a run happens: in the folder dir, on the path at below it.
type place struct {
	dir, at string
	ignore  bool
}

// placeOf runs searches of the workspace from its top, where its ignore file counts from,
// and any other from the root itself.
func (s *Searcher) placeOf(root tool.Path) place {
	if root.Rel != "" {
		info, err := os.Lstat(filepath.Join(s.Workspace, IgnoreFile))
		return place{dir: s.Workspace, at: filepath.FromSlash(root.Rel), ignore: err == nil && info.Mode().IsRegular()}
	}
	if root.Kind == tool.KindFile {
		return place{dir: filepath.Dir(root.Real), at: filepath.Base(root.Real)}
	}
	return place{dir: root.Real, at: "."}
}

func (s *Searcher) arguments(p place, more ...string) []string {
	args := append(append([]string{}, always...), more...)
	if p.ignore {
		args = append(args, "--ignore-file="+IgnoreFile)
	}
	return append(args, "--", p.at)
}

func (s *Searcher) ready(ctx context.Context, root tool.Path) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s == nil || s.Program == "" {
		return tool.Errorf(tool.CodeUnavailable, "%w", ErrMissing).WithText("Searching is not available here: " + ErrMissing.Error() + ". " + Hint)
	}
	switch root.Kind {
	case tool.KindFile, tool.KindDirectory:
		return nil
	case tool.KindAbsent:
		return tool.Errorf(tool.CodeFileNotFound, "nothing stands at the path")
	case tool.KindDevice, tool.KindFIFO, tool.KindSocket, tool.KindOther, tool.KindLink:
	}
	return tool.Errorf(tool.CodeNotAFile, "the path is a %s", root.Kind)
}

// found makes the file that a run in p named. It reports false when the file is not
// there, is a link now, or may not be shown.
func (s *Searcher) found(root tool.Path, p place, name string, held func(real string) bool) (tool.FoundFile, bool) {
	real := filepath.Join(p.dir, name)
	info, err := os.Lstat(real)
	if err != nil || !info.Mode().IsRegular() || held(real) {
		return tool.FoundFile{}, false
	}
	f := tool.FoundFile{
		Path:    tool.Path{Arg: real, Abs: real, Real: real, Zone: root.Zone, Kind: tool.KindFile},
		ModTime: info.ModTime().UTC().Truncate(time.Millisecond),
	}
	sep := string(filepath.Separator)
	f.Below = filepath.Base(real)
	if below, ok := strings.CutPrefix(real, strings.TrimSuffix(root.Real, sep)+sep); ok {
		f.Below = filepath.ToSlash(below)
	}
	if rel, ok := strings.CutPrefix(real, strings.TrimSuffix(s.Workspace, sep)+sep); ok {
		f.Path.Rel = filepath.ToSlash(rel)
	}
	return f, true
}

func (s *Searcher) heldBelow(root tool.Path) func(string) bool {
	return func(real string) bool { return s.Held != nil && s.Held(root, real) }
}
