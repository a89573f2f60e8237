package program

import "countersign/backend/tool"

// Unknown stands in a text for a part that only the shell can know.
const Unknown = "<dynamic>"

// Word is one word of an argument vector, without the quotes that it was written in.
type Word struct {
	// Text is what the program receives, with Unknown for each part that is not known.
	Text string
	// Dynamic says that a part is not known; the shell may even make several words of it,
	// or none.
	Dynamic bool
	// Glob says that Text holds a pattern in whose place the shell may put the names of
	// files.
	Glob bool
	// Start and End are where the word stands in the command line, in bytes.
	Start, End int
}

// Assignment is a variable that is set for one command.
type Assignment struct {
	Name  string
	Value Word
}

// Invocation is one program with its words, as Judge reads it.
type Invocation struct {
	// Words are the program's name and its arguments; never empty.
	Words []Word
	// Environment is what is set for it, in the order in which it was written.
	Environment []Assignment
	// Fed says that its input comes from a pipe, a here-document or a file, and not from
	// nothing. Script is the text of its input where the command line holds it.
	Fed    bool
	Script *string
	// Piped says that Script comes through a pipe, so that it may be more or less than that.
	Piped bool
}

// Effect is what words make a program do beyond running and printing.
type Effect string

// The effects.
const (
	// Runs starts another program or code that is not among the commands that are read.
	Runs Effect = "runs"
	// Writes changes, makes or removes files, or says that they are written.
	Writes Effect = "writes"
	// Reaches speaks to another machine.
	Reaches Effect = "reaches"
	// ChangesGit changes what git keeps: commits, branches, its settings, the index.
	ChangesGit Effect = "changes-git"
	// Privileged acts with more rights, or on the machine as a whole.
	Privileged Effect = "privileged"
	// Changes alters something that is no file, such as the name of the machine.
	Changes Effect = "changes"
	// Obeys does what a file says that its words name, such as a script: what would happen
	// just so if that file were started itself.
	Obeys Effect = "obeys"
)

// Extent is how far a command may go, as far as its program is known. It tells a person how
// bad it would be to allow the wrong one, and decides nothing.
type Extent uint8

// The extents, widest first, so that what nobody looked at is the widest.
const (
	// Anything: nobody knows what it does, or it takes away more than its words name.
	Anything Extent = iota
	// Works: it changes what it names, or does what the files of the project say.
	Works
	// Looks: it reads what it names and prints.
	Looks
)

// Finding is one thing that words make a program do.
type Finding struct {
	Effect Effect
	// Word is the index of the word that does it, 0 for the program itself, -1 for the
	// environment.
	Word int
	// Rule is the row that found it.
	Rule string
	// Words completes a sentence about the command: "runs the program after -exec".
	Words string
	// Restricted says that only a person may allow it, once: raised rights, a forced push.
	Restricted bool
}

// Path is a file or folder that a word names, as it is written there.
type Path struct {
	// Text is relative to the folder of the command unless it is absolute; it may begin
	// with ~. Dynamic says that a part of it is not known.
	Text    string
	Dynamic bool
	Glob    bool
	// Word is the index of the word that names it.
	Word   int
	Access tool.Access
	// Tree says that all below it is meant too.
	Tree bool
	// Below says which files below it the program gets to themselves, where it does more than
	// list their names; nil where it does not.
	Below *Below
	// Removes says that it is taken away, as rm does, and not only changed.
	Removes bool
	// SignsIn says that it is a key or a password to sign in with at another machine, which
	// does not get its text.
	SignsIn bool
}

// Inner is a command that a program starts from its own words.
type Inner struct {
	// Words are an argument vector of its own: what env, sudo or xargs start. Their Start
	// and End are those in the command line.
	Words []Word
	// Environment is what is set for it beyond what the outer command has.
	Environment []Assignment
	// Shell is the text of a script for a POSIX shell, where Words is empty: what follows
	// -c.
	Shell *Word
	// Arguments are the words that the script is given.
	Arguments []Word
	// More says that the program appends words that are not known, as xargs does.
	More bool
	// Elsewhere says that it runs on another machine or in another root, so that its paths
	// are not those of this one.
	Elsewhere bool
	// Directory is the word that names the folder it runs in, where that is not the outer
	// command's.
	Directory *Word
	// Silent says that the outer command shows it already, as find does with what follows
	// -exec: it is read for what it does, which counts as done by the outer command at the
	// word By, and is not listed.
	Silent bool
	// Guessed says that it is only one of those that may be started: words of it stand in the
	// input of the program, or are not known.
	Guessed bool
	// By is the index of the outer word that the command comes from.
	By int
}

// Judgement is what is known of one invocation.
type Judgement struct {
	Findings []Finding
	Paths    []Path
	// Hosts are the names and addresses of other machines among the words, as written.
	Hosts []string
	Inner []Inner
	// Opaque says why nobody can tell what would be run, in words that complete a sentence
	// about the command; "" when it is known.
	Opaque string
	// Extent is how far it may go.
	Extent Extent
	// Input says that it runs what its input says.
	Input bool
	// Directory is the word that the shell's folder changes to, as cd does; nil when it
	// stays. Home says that it changes to the home folder without a word.
	Directory *Word
	Home      bool
	// Shown is how the command is listed where its words are not listed as they are: "awk
	// <script>", "git log (with PAGER)"; "" otherwise.
	Shown string
}
