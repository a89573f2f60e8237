package shellcmd

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What the words of a line may be is found also where there is much of it.
func TestGuessesAreFoundAmongMany(t *testing.T) {
	var list strings.Builder
	for i := range 40 {
		fmt.Fprintf(&list, " d%d", i)
	}
	for _, text := range []string{
		"for d in" + list.String() + " /; do rm -rf $d; done",
		"for d in" + list.String() + " /; do rm -rf x $d; done",
		"echo" + list.String() + " / | xargs rm -rf",
		"rm -rf ${A:-a} ${B:-b} ${C:-c} ${D:-d} ${E:-/}",
	} {
		if r := Read(text, place); !r.Dynamic || !removesRoot(r) {
			t.Errorf("%s: %+v", text, r.Commands)
		}
	}
}

func removesRoot(r Reading) bool {
	return slices.ContainsFunc(r.Commands, func(c Command) bool {
		return slices.ContainsFunc(c.Uses, func(u Use) bool { return u.Path == "/" && u.Tree && u.Removes })
	})
}

// No line makes a reading that is out of all proportion to it, whatever it puts into itself.
func TestAReadingDoesNotGrowWithoutEnd(t *testing.T) {
	long := strings.Repeat("a", 4000)
	for name, text := range map[string]string{
		"a variable doubles":         "A=/; " + strings.Repeat("A=$A$A; ", 1000) + "rm $A",
		"a long one is put in often": "A=" + long + "; rm" + strings.Repeat(" $A", 10000),
		"in one word":                "A=" + long + "; rm " + strings.Repeat("$A", 10000),
		"a guess doubles":            "A=${X:-/}; " + strings.Repeat("A=$A$A; ", 1000) + "rm $A",
		"loops in loops":             "for a in " + strings.Repeat("x y ", 1000) + "; do for b in" + strings.Repeat(" z", 1000) + "; do rm $a$b $a $b $a$b$a; done; done",
		"substitutions":              "rm " + strings.Repeat("$(echo $(echo $(echo a) $(echo b)) $(echo c)) ", 400),
		"nested ones":                strings.Repeat("$(echo ", 40) + "a" + strings.Repeat(")", 40),
		"patterns":                   "A=" + long + strings.Repeat("; rm ${A//a*b/c} ${A%%*a*a*b}", 500),
		"braces":                     "rm" + strings.Repeat(" {1..100000000} {1..60}{1..60}{1..60}", 100),
		"pipes":                      "echo" + strings.Repeat(" a b c", 3000) + strings.Repeat(" | xargs -I{} sh -c 'echo {} | xargs -I{} rm {}'", 20),
		"pipes in pipes":             nestedPipes(4),
		"a long command is filled":   "echo" + strings.Repeat(" a b c", 100) + " | xargs -I{} rm" + strings.Repeat(" {}", 10000),
		"folders":                    strings.Repeat("if a; then cd $(echo b); fi; ", 80) + "rm x",
		"functions":                  "f() { f $1$1 $1; rm $1; }; " + strings.Repeat("f a b; ", 500),
		"defaults":                   strings.Repeat("rm ${a:=${b:=${c:=${a}}}}; ", 300),
		"scripts":                    strings.Repeat(`bash -c 'bash -c "rm $1 $1" a $1$1' x /; `, 200),
	} {
		r := Read(text, place)
		size := 0
		for _, c := range r.Commands {
			size += len(c.Shown)
			for _, w := range c.Words {
				size += len(w.Text)
			}
			for _, u := range c.Uses {
				size += len(u.Path) + 64
			}
		}
		if size > 8<<20 {
			t.Errorf("%s: %d bytes of text make %d commands with %d bytes", name, len(text), len(r.Commands), size)
		}
	}
}

// nestedPipes feeds many words to a script that does the same.
func nestedPipes(depth int) string {
	if depth == 0 {
		return "rm $1"
	}
	var words strings.Builder
	for i := range 64 {
		fmt.Fprintf(&words, " %c%d", 'a'+depth, i)
	}
	return "echo" + words.String() + " | xargs -I% sh -c " + Rule{Words: []string{nestedPipes(depth - 1)}}.String()
}
