// Package pathclass sorts paths into classes by their text alone: what holds a
// secret, what runs as code later, what is the product's own. It opens nothing
// and asks no system; the system whose rules apply is named by the caller.
//
// A path is judged twice, as written and with its links followed, and each text
// in several readings: in one case, without what Windows drops from names
// (trailing dots and spaces, streams), without characters that macOS ignores, and
// with short names written out. The strictest reading wins, on every system: a
// question too many is cheap, and a disk made elsewhere can be mounted here.
package pathclass

import "fmt"

// System names the operating system whose paths are meant.
type System string

// The systems. Any other value takes both slash and backslash for separators.
const (
	Linux   System = "linux"
	Darwin  System = "darwin"
	Windows System = "windows"
)

// Hold says what a class does to an access, weakest first.
type Hold uint8

// The holds.
const (
	// Free leaves the access to other rules.
	Free Hold = iota
	// Restricted lets only a person answer, once.
	Restricted
	// Blocked can never be asked for.
	Blocked
)

// Kind is the class of a path.
type Kind string

// The classes.
const (
	Ordinary Kind = "ordinary"
	// Marked is ordinary, and worth a remark when it is written: an editor or a
	// builder may run it.
	Marked Kind = "marked"
	// ToolData is where tool sets keep their own data; it is ordinary.
	ToolData Kind = "tool_data"
	// Output is the product's output store: free to read, blocked for writing.
	Output Kind = "output"
	// Protected is free to read and Restricted for writing.
	Protected Kind = "protected"
	// Credential is Restricted for reading and writing.
	Credential Kind = "credential"
	// GitControl is what turns a file into code that git runs: blocked for writing.
	GitControl Kind = "git_control"
	// OwnHome is the product's own home: blocked.
	OwnHome Kind = "own_home"
)

// Place is a path with what must be known to judge it. All texts are absolute
// and of the same system.
type Place struct {
	System System
	// Lexical is the path as written, made absolute, no link followed; Real has every
	// link followed. An empty one is not judged.
	Lexical   string
	Real      string
	Workspace string
	// OwnHome is the product's home, "" when there is none.
	OwnHome string
}

// Judgement is what one access to a place meets.
type Judgement struct {
	Hold Hold
	Kind Kind
	// Rule names the row that spoke; "" without one.
	Rule string
	// Words complete a sentence that begins with the path.
	Words string
}

// Finding is what a place is, for reading and for writing.
type Finding struct {
	Read  Judgement
	Write Judgement
}

// Kind returns the class: the one that holds writing, else the one that holds reading.
func (f Finding) Kind() Kind {
	if f.Write.Hold >= f.Read.Hold {
		return f.Write.Kind
	}
	return f.Read.Kind
}

// Load checks that every row matches its example and spares its near miss. The
// rows are part of the program, so a failure is a fault of ours and refuses the start.
func Load() error {
	for i := range rules {
		r := &rules[i]
		sys := Linux
		if len(r.Systems) > 0 {
			sys = r.Systems[0]
		}
		if !matches(i, sys, r.Match) {
			return fmt.Errorf("path rule %s does not match its example", r.ID)
		}
		if matches(i, sys, r.Miss) {
			return fmt.Errorf("path rule %s matches its near miss", r.ID)
		}
	}
	return nil
}

func matches(rule int, sys System, path string) bool {
	found := false
	judge(&Place{System: sys, Workspace: "/nowhere"}, path, func(i int) {
		found = found || i == rule
	}, nil)
	return found
}
