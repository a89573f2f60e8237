package toolset

import (
	"path/filepath"

	"countersign/backend/toolset/manifest"
)

// Origin says whose a set is.
type Origin string

// The origins.
const (
	OriginProject Origin = "project"
	OriginHome    Origin = "home"
)

// The folders that a tree of sets lies in.
const (
	FolderOwn     = ".countersign"
	FolderCrystal = ".crystal"
)

// Tree is a place where sets are looked for.
type Tree struct {
	Origin Origin
	// Folder is FolderOwn or FolderCrystal. Our home may have another name; this is what its
	// tree is called all the same.
	Folder string
	// Root bounds where links of a project may lead; Tools is the directory of the sets.
	Root  string
	Tools string
}

// Places are the folders that trees are derived from.
type Places struct {
	// Home is our home, UserHome that of the person, in which Crystal keeps its own. Workspace is
	// "" where there is none.
	Home      string
	UserHome  string
	Workspace string
	// Crystal says that the trees of Crystal are looked at too.
	Crystal bool
}

// Trees returns the trees in the order in which one hides the next.
func (p Places) Trees() []Tree {
	var out []Tree
	add := func(origin Origin, folder, root, tools string) {
		if root != "" && (folder == FolderOwn || p.Crystal) {
			out = append(out, Tree{origin, folder, root, filepath.Join(tools, "tools")})
		}
	}
	add(OriginProject, FolderOwn, p.Workspace, filepath.Join(p.Workspace, FolderOwn))
	add(OriginProject, FolderCrystal, p.Workspace, filepath.Join(p.Workspace, FolderCrystal))
	add(OriginHome, FolderOwn, p.Home, p.Home)
	add(OriginHome, FolderCrystal, p.UserHome, filepath.Join(p.UserHome, FolderCrystal))
	return out
}

// Status says what became of a set.
type Status string

// The statuses.
const (
	StatusLoaded Status = "loaded"
	// StatusDisabled is a set that its manifest switches off.
	StatusDisabled Status = "disabled"
	// StatusSkipped is a set that cannot be used as it is; a note says why.
	StatusSkipped Status = "skipped"
	// StatusHidden is a set of whose name another tree has one.
	StatusHidden Status = "hidden"
	// StatusUntrusted is a set of a workspace that the person does not trust. Its manifest was
	// not read.
	StatusUntrusted Status = "untrusted"
	// StatusUnavailable is a set whose runner this machine does not have.
	StatusUnavailable Status = "unavailable"
)

// Entry is a set that was found.
type Entry struct {
	Tree      Tree
	Directory string
	// Path is the directory.
	Path   string
	Status Status
	// HiddenBy is the tree whose set hides this one, of a set that is hidden.
	HiddenBy *Tree
	// Set is the manifest, nil where it was not read or not taken. Tools are those of the set that
	// are offered.
	Set   *manifest.Set
	Tools []manifest.Tool
	// Manifest is the text that Set was read from.
	Manifest []byte
}

// NoteKey names a set in its notes: by its tree, and by its directory as it may be shown anywhere.
type NoteKey struct {
	Tree Tree
	Set  string
}

// Note tells the operator of something about a set that was left out. Without a set it is about
// the whole tree.
type Note struct {
	NoteKey
	Field string
	Text  string
}

// NoteKey is how notes name the set.
func (e *Entry) NoteKey() NoteKey { return NoteKey{e.Tree, legible(e.Directory)} }

// Note is a note about the set.
func (e *Entry) Note(n manifest.Note) Note { return Note{e.NoteKey(), n.Field, n.Text} }

// Inventory is everything that was found.
type Inventory struct {
	Entries []Entry
	Notes   []Note
}
