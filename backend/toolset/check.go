package toolset

import (
	"context"
	"path/filepath"
	"slices"

	"countersign/backend/toolset/manifest"
)

// Checked is what is to be said of one directory.
type Checked struct {
	Entry Entry
	// Notes are what is wrong, Programs what the set would run.
	Notes    []Note
	Programs []Program
	// Usable says that every tool of the set can be called.
	Usable bool
}

// unasked asks no assembly: it would run.
func unasked(context.Context, Entry) ([]manifest.Described, []manifest.Note, error) {
	return nil, nil, ErrUnasked
}

// Check looks at one directory as if it lay in a tree by itself. It runs nothing.
func Check(ctx context.Context, dir string, reserved []string, searchPath string) Checked {
	parent := filepath.Dir(dir)
	f := &found{Entry: Entry{Tree: Tree{OriginHome, FolderOwn, parent, parent}, Directory: filepath.Base(dir), Path: dir}}
	o := Options{Trusted: true, Dotnet: unasked, Reserved: func(name string) bool { return slices.Contains(reserved, name) }}
	all := []*found{f}
	o.overlay(all)
	if f.Status == "" {
		f.read(ctx, o)
	}
	o.name(all)
	out := Checked{Entry: f.Entry, Notes: f.notes}
	if f.Set == nil {
		return out
	}
	print, err := f.Print(ctx, searchPath)
	if err != nil {
		f.note(manifest.Note{Field: "command", Text: manifest.FileName + ": A program of the set cannot be read. Give yourself the right to read it."})
	}
	for _, p := range print.Programs {
		if p.Path == "" {
			f.note(manifest.Note{Field: "command", Text: manifest.FileName + ": A program of the set is not there, or may not be executed. Put it into the directory and make it executable, or correct its name."})
		}
	}
	out.Programs, out.Notes = print.Programs, f.notes
	out.Usable = len(f.notes) == 0 && (f.Status == StatusLoaded || f.Status == StatusDisabled)
	return out
}
