package search

import (
	"context"
	"os"
	"path/filepath"
	"strings"

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
	// HeldByName is Held for a path that is known to be real, since it lies in a folder
	// that Held let pass and is no link: it looks at nothing on the disk. Nil means Held.
	HeldByName func(root, p tool.Path) bool
	// Restricted reports whether reading the path needs an answer each time.
	Restricted func(root tool.Path) bool
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

const separator = string(filepath.Separator)

// named makes the file that a run in p named, without having looked at it.
func (s *Searcher) named(root tool.Path, p place, name string) tool.FoundFile {
	real := strings.TrimSuffix(p.dir, separator) + separator + strings.TrimPrefix(name, "."+separator)
	f := tool.FoundFile{Path: tool.Path{Arg: real, Abs: real, Real: real, Zone: root.Zone, Kind: tool.KindFile}}
	f.Below = below(root.Real, real)
	if f.Below == "" {
		f.Below = filepath.Base(real)
	}
	f.Path.Rel = below(s.Workspace, real)
	return f
}

// below is path relative to dir with forward slashes, "" when it does not lie below it.
func below(dir, path string) string {
	dir = strings.TrimSuffix(dir, separator)
	if !strings.HasPrefix(path, dir) || !strings.HasPrefix(path[len(dir):], separator) {
		return ""
	}
	return filepath.ToSlash(path[len(dir)+1:])
}

// heldFile reports whether a file may not be shown that was looked at. folders are the
// folders of this search that were judged. Names that begin with a dot are judged by the
// whole path: such a one can lie in another zone than its folder.
func (s *Searcher) heldFile(root, p tool.Path, folders map[string]bool) bool {
	if s.HeldByName == nil || strings.HasPrefix(filepath.Base(p.Real), ".") {
		return s.held(root, p.Real)
	}
	dir := filepath.Dir(p.Real)
	held, known := folders[dir]
	if !known {
		held = s.held(root, dir)
		folders[dir] = held
	}
	if held {
		return s.held(root, p.Real)
	}
	return s.HeldByName(root, p)
}

func (s *Searcher) held(root tool.Path, real string) bool {
	return s.Held != nil && s.Held(root, real)
}

// Guarded reports whether what is found at root may not be kept.
func (s *Searcher) Guarded(root tool.Path) bool { return s.Restricted != nil && s.Restricted(root) }
