package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"countersign/backend/keylock"
	"countersign/backend/tool"
)

// Options are what a workspace needs to know beside its root.
type Options struct {
	// Home is the product's own folder; "" when there is none. It need not exist.
	Home string
	// OutputDir is the output store's folder, usually in Home; "" when there is none.
	OutputDir string
	// Clock stamps what was written.
	Clock tool.Clock
	// Locks are shared by the workspaces of one program, so that two sessions never
	// write one file at once. Nil makes a set of its own.
	Locks *keylock.Locks
}

// Workspace is a handle on one folder. It implements tool.Files and is safe for
// concurrent use.
type Workspace struct {
	root   string
	handle *os.Root
	home   string
	output string
	clock  tool.Clock
	locks  *keylock.Locks
	temps  atomic.Uint64
}

var _ tool.Files = (*Workspace)(nil)

// Open opens the folder root as a workspace. The caller closes it. It fails when
// root is not a directory that can be read.
func Open(root string, o Options) (*Workspace, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, failure("open workspace", err)
	}
	at, err := follow(abs)
	if err != nil {
		return nil, err
	}
	handle, err := os.OpenRoot(at.real)
	if err != nil {
		return nil, failure("open workspace", err)
	}
	w := &Workspace{root: at.real, handle: handle, clock: o.Clock, locks: o.Locks}
	if w.locks == nil {
		w.locks = keylock.New()
	}
	for _, own := range []struct {
		dir  string
		real *string
	}{{o.Home, &w.home}, {o.OutputDir, &w.output}} {
		if own.dir == "" {
			continue
		}
		if *own.real, err = realOf(own.dir); err != nil {
			_ = handle.Close()
			return nil, err
		}
	}
	return w, nil
}

// Close lets go of the folder.
func (w *Workspace) Close() error { return w.handle.Close() }

// Root returns the absolute real path of the workspace.
func (w *Workspace) Root() string { return w.root }

// TrustRoot returns what a person would trust to work in root: the nearest folder
// at or above it that holds .git, as a folder or as the file of a worktree or
// submodule; root itself when there is none. The answer is a real path.
func TrustRoot(root string) string {
	start, err := realOf(root)
	if err != nil {
		return root
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		if err == nil && (info.IsDir() || info.Mode().IsRegular()) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return start
		}
	}
}

func realOf(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", failure("resolve folder", err)
	}
	at, err := follow(abs)
	return at.real, err
}

// zone says where a real path lies. Our own folders win over the workspace: a
// workspace may well hold them, as somebody's home folder does. What starts with a dot
// in the output store is not for readers: versions of files lie there that may be secret.
func (w *Workspace) zone(real string) tool.Zone { return ZoneIn(w.root, w.home, w.output, real) }

// ZoneIn says the same of a path by its text alone. All are clean and absolute; home and output
// may be "".
func ZoneIn(root, home, output, path string) tool.Zone {
	switch {
	case output != "" && within(output, path) && strings.Contains(path[len(output):], string(filepath.Separator)+"."):
		return tool.ZoneOwnHome
	case output != "" && within(output, path):
		return tool.ZoneOutput
	case home != "" && within(home, path):
		return tool.ZoneOwnHome
	case within(root, path):
		return tool.ZoneWorkspace
	}
	return tool.ZoneOutside
}

// rel returns a real path relative to the workspace with forward slashes, "" outside.
func (w *Workspace) rel(real string) string {
	if !within(w.root, real) {
		return ""
	}
	if real == w.root {
		return "."
	}
	return filepath.ToSlash(strings.TrimPrefix(real[len(w.root):], string(filepath.Separator)))
}

// within reports whether path is dir or below it. Both are clean and absolute.
func within(dir, path string) bool {
	if path == dir {
		return true
	}
	sep := string(filepath.Separator)
	return strings.HasPrefix(path, strings.TrimSuffix(dir, sep)+sep)
}
