package shellcmd

import (
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// Place is where a command line would run.
type Place struct {
	// Directory is the absolute folder that it starts in, Home that of the user.
	Directory, Home string
}

// Reading is what a command line would do, as far as it can be known beforehand.
type Reading struct {
	// Parsed says that bash would take it and that it could be read. Nothing else is set
	// when it is false, but Why and Hidden.
	Parsed bool
	// Commands are the simple commands in the order in which they stand, each before those
	// that stand inside it.
	Commands []Command
	// Dynamic says that nobody can tell what would be run; Why is the first reason, in
	// words for the person.
	Dynamic bool
	Why     string
	// Hidden are the characters that a reader may miss or take for others.
	Hidden []Hidden
}

// Command is one simple command.
type Command struct {
	// Words are its name and arguments; empty where there is only a redirect.
	Words       []program.Word
	Environment []program.Assignment
	Findings    []program.Finding
	// Uses are the files that it names by words and by redirects.
	Uses []Use
	// Hosts are other machines that it names.
	Hosts []string
	// Redirects says that it has a redirect other than a copy of a descriptor or the null
	// device.
	Redirects bool
	// Background says that it is not waited for.
	Background bool
	// Of is the index of the command that starts this one from its own words, -1 for one
	// that the shell starts.
	Of int
	// Extent is how far it may go, as far as its program is known.
	Extent program.Extent
	// Dynamic says that not all of its words are known, or what it does with them.
	Dynamic bool
	// Shown is how it is listed: its words with single spaces. It is "" for what is no
	// command to a reader: a redirect alone, a variable that nothing looks at.
	Shown string
	// Start and End are where it stands in the command line, in bytes.
	Start, End int
}

// Use is a file or folder that a command names.
type Use struct {
	// Path is absolute and clean by its names alone; "" where it is not known, and then it may
	// be anywhere. A folder that the path steps up from may be a link, so it is a use of its
	// own. A pattern is cut to the folder before its first part with one.
	Path   string
	Access tool.Access
	// Tree says that all below it is meant too.
	Tree bool
	// Below says which files below it the command gets to themselves, where it does more than
	// list their names; nil where it does not.
	Below *program.Below
	// Removes says that it is taken away, and not only changed.
	Removes bool
	// SignsIn says that it is a key or a password to sign in with at another machine, which
	// does not get its text.
	SignsIn bool
	// Word is the index of the word that names it, -1 for a redirect.
	Word int
	// Pattern is the pattern that Path was cut from, where that is not the word itself.
	Pattern string
}

// Hidden is a run of characters that a reader may miss or take for others.
type Hidden struct {
	// Start and End are where it stands in the command line, in bytes.
	Start, End int
	// Name says what it is: "zero width space", "Cyrillic small letter er, looks like p".
	Name string
}
