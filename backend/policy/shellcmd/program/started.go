package program

import "strings"

// verbs are names of programs that others use for what they are told to do.
var verbs = setOf("host watch open start stop script mount umount mail write test check link install file time at batch size split look top w who last " +
	"info man users init import login logout shutdown reboot halt service user passwd su id wall send convert play view edit run set get list make build " +
	"help clear reset history date more less service sync shell export exec eval source command read hash enable disable complete alias wait jobs kill")

// started looks among the words of a program that the table does not know for a command that
// it may start, as a wrapper does: the name of a program that is known, and what follows it,
// or both in one word. It is read for what it would do, and is not listed.
func (j *judging) started(from int) {
	if j.depth > 0 {
		return
	}
	for i := max(from, 1); i < len(j.inv.Words); i++ {
		w := j.inv.Words[i]
		if w.Dynamic || w.Glob {
			continue
		}
		name, more := w.Text, false
		if at := strings.IndexAny(name, " \t\n"); at > 0 {
			name, more = name[:at], true
		}
		if !startable(name) {
			continue
		}
		if more {
			j.out.Inner = append(j.out.Inner, Inner{Shell: &w, Silent: true, By: i})
			continue
		}
		j.out.Inner = append(j.out.Inner, Inner{Words: j.inv.Words[i:], Silent: true, By: i})
		return
	}
}

// startable reports whether a word is the name of a program of the table, and hardly anything
// else.
func startable(name string) bool {
	if name == "" || !letter(name[0]) || verbs[name] || builtins[name] {
		return false
	}
	r := rows().rows[name]
	return r != nil && !r.nothing
}
