package program

import "strings"

// style is how a program tells options from operands.
type style uint8

const (
	// styleGNU takes options between operands too, short ones in clusters and long ones by
	// any beginning that only one of them has.
	styleGNU style = iota
	// stylePosix is the same up to the first operand, behind which all are operands.
	stylePosix
	// styleSingle takes whole names behind one dash or two, and no clusters.
	styleSingle
	// styleSingleFirst is styleSingle up to the first operand.
	styleSingleFirst
	// styleCompiler is styleSingle, where a name of one letter may have its value attached.
	styleCompiler
	// styleNone knows no options.
	styleNone
)

var styles = map[string]style{
	"gnu": styleGNU, "posix": stylePosix, "single": styleSingle, "single-first": styleSingleFirst, "none": styleNone, "compiler": styleCompiler,
}

// need says whether an option takes a value.
type need uint8

const (
	needNone need = iota
	// needValue takes the rest of the word or the next word.
	needValue
	// needAttached takes the rest of the word only, and can do without.
	needAttached
	// needNext takes the next word, and lets more options follow in the same one.
	needNext
	// needPair takes the next two words, a name and the value.
	needPair
)

// option is what one line of the table says of its options.
type option struct {
	need need
	acts []act
}

// row is what the table says of one program, or of one subcommand.
type row struct {
	id      string
	style   style
	options map[string]*option
	// plus says that options may begin with a plus sign.
	plus bool
	// cluster says that no option of one dash has more than one letter.
	cluster bool
	// prints says that the program only prints or compares its words, but for its options.
	prints bool
	// looks says that the program reads what it names and prints, unless something is found.
	looks bool
	// nothing says that the program only prints, whatever its words are.
	nothing bool
	// risky says that an option starts programs, so that the name of a file may do so too
	// where a pattern is put in its place.
	risky bool
	// roles are what operands are, in order; the last stands for all that follow. final,
	// where there are at least two operands, is what the last operand is.
	roles [][]act
	final []act
	// skip are options in whose presence the first role falls away.
	skip map[string]bool
	// always, given and none are what the program does, what it does with at least
	// givenAt operands, and what it does without any; quiet are options in whose presence
	// neither given nor none counts.
	always, given, none []act
	givenAt             int
	quiet               map[string]bool
	// subs says that the first operand is a subcommand, others what an unlisted one does.
	subs   bool
	others []act
	// wraps is the place among the operands where a command of its own begins, -1 without.
	wraps int
	wrap  wrapping
	// deep is how the program goes into the folders among its operands; lists says that it
	// only tells the names of what it is given, and what the folders say of it.
	deep  deep
	lists bool
	// special looks at what a row cannot say.
	special func(*judging, *scan)
}

// wrapping says how a program starts the command among its operands.
type wrapping struct {
	more, elsewhere, shell, silent bool
}

// act is one thing that an option or an operand does.
type act struct {
	kind       actKind
	effect     Effect
	restricted bool
	words      string
}

type actKind uint8

const (
	// actEffect is a finding.
	actEffect actKind = iota
	// The next six are paths: a file or a tree, read, written or taken away.
	actRead
	actWrite
	actTree
	actWriteTree
	actTake
	actTakeTree
	// actSigns is a file that the program signs in with.
	actSigns
	// actHost is the name of a machine, actURL an address with its scheme or in git's short
	// form, actRemote a path that may have a machine and a colon before it, actRemoteTo one
	// that is written.
	actHost
	actURL
	actRemote
	actRemoteTo
	// actAtFile reads a file named behind @, actFormFile one behind =@ or =<.
	actAtFile
	actFormFile
	// actShell is a script for a shell, actSilentShell one that is not listed.
	actShell
	actSilentShell
	// actNames reads files that are named nowhere in the command line.
	actNames
	// actDirectory is where relative paths start from.
	actDirectory
	// actOpaque says that nobody can tell what would run.
	actOpaque
	// actRange is a range of lines with a file behind a colon.
	actRange
	// actBlob is a file, or one as git keeps it, behind a colon.
	actBlob
	// actLinker is what a linker is told, which may name another linker.
	actLinker
	// actAny is a word that may be a file.
	actAny
	// actWide takes away more than the words name.
	actWide
	// actSetting is a variable and its value, as the environment has them.
	actSetting
)

// tokens are the words of the table for what options and operands do.
var tokens = map[string][]act{
	"text": nil, "read": {{kind: actRead}}, "write": {{kind: actWrite}}, "tree": {{kind: actTree}}, "wtree": {{kind: actWriteTree}}, "take": {{kind: actTake}}, "taketree": {{kind: actTakeTree}},
	"signs": {{kind: actSigns}}, "host": {{kind: actHost}}, "url": {{kind: actURL}}, "remote": {{kind: actRemote}},
	"atfile": {{kind: actAtFile}}, "formfile": {{kind: actFormFile}}, "shell": {{kind: actShell}},
	"shells": {{effect: Runs}, {kind: actSilentShell}}, "names": {{kind: actNames}}, "directory": {{kind: actDirectory}},
	"opaque": {{kind: actOpaque}}, "setting": {{kind: actSetting}}, "wide": {{kind: actWide}}, "linker": {{kind: actLinker}}, "any": {{kind: actAny}},
	"writes": {{effect: Writes}}, "runs": {{effect: Runs}}, "reaches": {{effect: Reaches}}, "git": {{effect: ChangesGit}},
	"privileged": {{effect: Privileged}}, "changes": {{effect: Changes}}, "obeys": {{effect: Obeys}},
	"output": {{effect: Writes}, {kind: actWrite}}, "remoteto": {{kind: actRemoteTo}}, "blob": {{kind: actBlob}}, "range": {{kind: actRange}},
	"script": {{effect: Obeys}, {kind: actRead}},
}

// table finds rows by the name of a program, or by the names of a program and its
// subcommands with single spaces.
type table struct {
	rows map[string]*row
	// under finds the rows of subcommands by the name that theirs stand below.
	under    map[[2]string]*row
	examples []example
}

// sub is the row of a subcommand, nil where there is none.
func (t *table) sub(of *row, parent, name string) *row {
	if of == nil || !of.subs {
		return nil
	}
	return t.under[[2]string{parent, name}]
}

// longs calls yield for each option that begins with name.
func (r *row) longs(name string, yield func(string, *option)) {
	for n, o := range r.options {
		if strings.HasPrefix(n, name) {
			yield(n, o)
		}
	}
}
