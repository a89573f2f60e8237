package connect

import "errors"

// Files are the files of the machine.
type Files interface {
	// Read reads the file that a path leads to. Links are followed, since people keep such
	// files elsewhere and link to them, but not out of the folder within, if one is given:
	// what lies in a workspace may have been put there by anybody. A missing file is no
	// error. Errors are those below.
	Read(path, within string) (File, error)
	// Write puts content in the place of a file as it was read, in one step, and makes the
	// folders that it lacks. A file that is no longer what was read gives ErrChanged and
	// stays as it is.
	Write(f File, content []byte) error
}

// File is a file as it was read.
type File struct {
	// Path is what was asked for, Real where it leads, Within the folder that it may not
	// lead out of.
	Path, Real, Within string
	Exists             bool
	Content            []byte
}

// What keeps a file from being read or written.
var (
	// ErrTooLarge says that it is larger than such a file ever is.
	ErrTooLarge = errors.New("the file is too large")
	// ErrNoFile says that something else has its name: a folder, a device, a loop of links.
	ErrNoFile = errors.New("there is no plain file")
	// ErrOutside says that a link leads out of the folder.
	ErrOutside = errors.New("the file lies outside")
	// ErrShut says that this program may not.
	ErrShut = errors.New("the file may not be read or written")
	// ErrKept says that the file is marked as not to be written.
	ErrKept = errors.New("the file is read-only")
	// ErrShared says that it has several names, or an owner that would be lost.
	ErrShared = errors.New("the file has several names or another owner")
	// ErrChanged says that it is not what it was when it was read.
	ErrChanged = errors.New("the file has changed")
	// ErrFull says that the disk has no room.
	ErrFull = errors.New("the disk is full")
)

// words say to the person why a file is not written.
func words(err error, f format) string {
	kind := map[format]string{formatJSON: "JSON", formatTOML: "TOML"}[f]
	for _, c := range []struct {
		err   error
		words string
	}{
		{ErrBroken, "The file is not valid " + kind + ", so nothing is put into it. Mend it, or paste the text below by hand."},
		{ErrOccupied, "Something else is already there under this name, or where the servers belong. Look at the file, and paste the text below by hand."},
		{ErrShape, "The entry is written in a way that is not changed from here. Paste the text below in its place."},
		{ErrTooLarge, "The file is larger than 1 MB and is not touched. Paste the text below by hand."},
		{ErrNoFile, "There is no plain file of this name: a folder, a device or a loop of links has it. Move that away first."},
		{ErrOutside, "The file is a link that leads out of the workspace, and is not followed. Paste the text below by hand."},
		{ErrShut, "Countersign may not read or write this file. Change its rights, or paste the text below by hand."},
		{ErrKept, "The file is marked read-only, so it is left alone. Change that, or paste the text below by hand."},
		{ErrShared, "The file has several names or belongs to somebody else, which writing it anew would lose. Paste the text below by hand."},
		{ErrFull, "The disk is full. Nothing was written; make room and try again."},
	} {
		if errors.Is(err, c.err) {
			return c.words
		}
	}
	return "The file could not be read or written. The log has the cause; paste the text below by hand."
}
