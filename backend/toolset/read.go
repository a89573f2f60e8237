package toolset

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"countersign/backend/toolset/manifest"
)

// list returns the sets of a tree: its directories that have something called tools.json. A tree
// that is not there has none.
func list(tree Tree) ([]*found, *Note) {
	entries, err := os.ReadDir(tree.Tools)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, &Note{NoteKey: NoteKey{Tree: tree}, Text: "The directory of the tool sets cannot be read. Make it a directory that you may read."}
	}
	var out []*found
	for _, e := range entries {
		path := filepath.Join(tree.Tools, e.Name())
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if _, err := os.Lstat(filepath.Join(path, manifest.FileName)); err != nil && errors.Is(err, fs.ErrNotExist) || e.Type()&fs.ModeSymlink != 0 && !isDirectory(path) {
			continue
		}
		out = append(out, &found{Entry: Entry{Tree: tree, Directory: e.Name(), Path: path}})
	}
	return out, nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// open reads the manifest. It waits for nobody: what is no plain file is not read.
func (f *found) open() ([]byte, *manifest.Note) {
	file, err := f.Tree.open(filepath.Join(f.Path, manifest.FileName))
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, unreadable(err)
	}
	data, err := io.ReadAll(io.LimitReader(file, manifest.MaxBytes+1))
	if err != nil {
		return nil, unreadable(err)
	}
	return data, nil
}

// open opens a file of a tree. Of a project, links that leave the workspace are refused.
func (t Tree) open(path string) (*os.File, error) {
	if t.Origin == OriginHome {
		return os.OpenFile(path, os.O_RDONLY|noWait, 0)
	}
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	rel, err := filepath.Rel(t.Root, path)
	if err != nil {
		return nil, err
	}
	return root.OpenFile(rel, os.O_RDONLY|noWait, 0)
}

func unreadable(err error) *manifest.Note {
	words := "is not a plain file. Write the manifest into a plain file."
	switch {
	case errors.Is(err, fs.ErrPermission):
		words = "may not be read by you. Give yourself the right to read it."
	case err != nil:
		words = "cannot be read. Make it a plain file that lies, links followed, inside the workspace."
	}
	return &manifest.Note{Text: manifest.FileName + ": The file " + words}
}

func noteOf(err error) manifest.Note {
	var refusal *manifest.Refusal
	if errors.As(err, &refusal) {
		return refusal.Note
	}
	return manifest.Note{Text: manifest.FileName + ": The file cannot be used. Correct it and reload."}
}
