package tool

import (
	"context"
	"time"
)

// Need names a part of the machine that a tool cannot work without.
type Need string

// NeedSearch is the program that searches files.
const NeedSearch Need = "search"

// GrepQuery says what text to look for, and where.
type GrepQuery struct {
	// Root is the file or directory to look in.
	Root Path
	// Pattern is a regular expression that matches within a line. Letters in upper case
	// make it mind the case.
	Pattern string
	// IgnoreCase lets upper and lower case count as one, whatever the pattern has.
	IgnoreCase bool
	// Names is a glob of file names that spares the search files that the caller would
	// leave out anyway; "" for all. Slashes have no place in it.
	Names string
}

// ListQuery says which files to list.
type ListQuery struct {
	// Root is the directory to look in.
	Root Path
	// Without are names of directories that are left out with all that is in them.
	Without []string
	// Wanted says by its path below the root whether a file is wanted; nil for all.
	Wanted func(below string) bool
}

// FoundFile is a file that a search came by.
type FoundFile struct {
	Path Path
	// Below is the path relative to the root of the search, with forward slashes; the
	// name of the file where the root is a file.
	Below string
	// ModTime is the zero time where it could not be read.
	ModTime time.Time
}

// Hit is a line that a pattern matched in.
type Hit struct {
	Line int64
	// Text is the line without its line break, legible, or as much of its start as is
	// kept. Cut says that there is more of it.
	Text string
	Cut  bool
	// Spans are the places of the matches in Text, in bytes, those that lie in it whole.
	Spans [][2]int
}

// FileHits are the matching lines of a file in their order.
type FileHits struct {
	File FoundFile
	Hits []Hit
}

// Search finds text and files below a path. Files that are ignored, hidden, binary or
// no regular files are passed over, and so is what the session may not read without
// being asked. Links are not followed. Methods return a *Error with a code, or a
// context error; whatever they started has ended when they return.
type Search interface {
	// Grep calls each for every file with matching lines, in no order, until each says
	// no. A pattern that cannot be read ends as CodeBadPattern, with the place in Content.
	Grep(ctx context.Context, q GrepQuery, each func(FileHits) bool) error
	// List calls each for every file, in no order, until each says no.
	List(ctx context.Context, q ListQuery, each func(FoundFile) bool) error
	// Guarded reports whether a read of the path is answered anew each time, so that
	// nothing found there may be kept where it could be read without a question.
	Guarded(root Path) bool
}

// CodeBadPattern is the code of a pattern that cannot be read.
const CodeBadPattern Code = "tool.invalid_arguments.bad_pattern"
