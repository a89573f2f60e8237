package toolset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"countersign/backend/toolset/manifest"
)

// Why a set is not switched.
var (
	// ErrNoSet says that there is no such set in the trees that were named.
	ErrNoSet = errors.New("there is no such tool set")
	// ErrUntrusted says that the set is one of a workspace that the person does not trust.
	ErrUntrusted = errors.New("the workspace of the tool set is not trusted")
)

// Find returns the set of a directory as it lies on disk, read or not: that of the first tree
// that has one. origin "" looks in all of them. Of an untrusted workspace nothing is read.
func Find(trees []Tree, origin Origin, directory string, trusted bool) (Entry, error) {
	for _, tree := range trees {
		if origin != "" && tree.Origin != origin {
			continue
		}
		sets, _ := list(tree)
		for _, f := range sets {
			switch {
			case f.Directory != directory || !manifest.LegalDirectory(directory):
				continue
			case tree.Origin == OriginProject && !trusted:
				return f.Entry, ErrUntrusted
			}
			return f.Entry, nil
		}
	}
	return Entry{}, ErrNoSet
}

// Enable switches a set on or off in its manifest, of which nothing else changes; the file is
// replaced in one step. changed is false where it said so already. A manifest that is refused is
// left as it is: the error is a *manifest.Refusal then.
func Enable(e Entry, on bool) (changed bool, err error) {
	data, err := e.text()
	if err != nil {
		return false, err
	}
	set, _, err := manifest.Parse(e.Directory, data)
	if err != nil {
		return false, err
	}
	if set.Enabled == on {
		return false, nil
	}
	next, err := manifest.Enable(e.Directory, data, on)
	if err != nil {
		return false, err
	}
	return true, e.replace(next)
}

// replace puts a text in the place of the manifest. A link is followed, and of a project only
// within its workspace.
func (e Entry) replace(text []byte) error {
	path, err := filepath.EvalSymlinks(filepath.Join(e.Path, manifest.FileName))
	if err != nil {
		return fmt.Errorf("find the manifest: %w", err)
	}
	bounds := filepath.Dir(path)
	if e.Tree.Origin == OriginProject {
		if bounds, err = filepath.EvalSymlinks(e.Tree.Root); err != nil {
			return fmt.Errorf("find the workspace: %w", err)
		}
	}
	root, err := os.OpenRoot(bounds)
	if err != nil {
		return fmt.Errorf("open the directory of the manifest: %w", err)
	}
	defer root.Close()
	rel, err := filepath.Rel(bounds, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ErrOutside
	}
	return write(root, rel, text)
}

// write replaces a file in one step: a new one beside it, then a rename. The mode stays.
func write(root *os.Root, rel string, text []byte) (err error) {
	mode := fs.FileMode(0o644)
	if info, err := root.Stat(rel); err == nil {
		mode = info.Mode().Perm()
	}
	beside := rel + ".new"
	// One that was left behind when a program ended in the middle is of no use to anybody.
	_ = root.Remove(beside)
	f, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = root.Remove(beside)
		}
	}()
	if _, err = f.Write(text); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err = f.Chmod(mode); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err = f.Sync(); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err = f.Close(); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err = root.Rename(beside, rel); err != nil {
		return fmt.Errorf("replace the manifest: %w", err)
	}
	return nil
}
