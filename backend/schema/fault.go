package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a field, in fixed words.
type Problem struct {
	// Field is the dotted name of the field, "" for the whole input.
	Field string
	// Words complete the sentence "parameter x …".
	Words string
}

// Fault is input that was refused. It carries field names and fixed words only.
type Fault struct {
	Problems []Problem
}

// Error lists the problems.
func (f *Fault) Error() string {
	parts := make([]string, 0, len(f.Problems))
	for _, p := range f.Problems {
		parts = append(parts, p.sentence())
	}
	return strings.Join(parts, "; ")
}

func (p Problem) sentence() string {
	if p.Field == "" {
		return "the input " + p.Words
	}
	return `parameter "` + p.Field + `" ` + p.Words
}

func faultf(field, words string) *Fault {
	return &Fault{Problems: []Problem{{field, words}}}
}

// maxProblems bounds how many problems a fault lists.
const maxProblems = 8

// newFault sorts by UTF-16 code unit, which in names that are ASCII is the order of bytes.
func newFault(problems []Problem) *Fault {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Words, b.Words))
	})
	problems = slices.Compact(problems)
	if len(problems) > maxProblems {
		problems = problems[:maxProblems]
	}
	return &Fault{Problems: problems}
}

// fieldName is the form of a name that may be repeated to a reader. Anything else in a
// key is input that could carry a message of its own.
var fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// unnamed stands for a key that may not be repeated.
const unnamed = "(a key that is not a plain name)"

func safeName(key string) string {
	if fieldName.MatchString(key) {
		return key
	}
	return unnamed
}

func join(parent, key string) string {
	if parent == "" {
		return key
	}
	return parent + "." + key
}
