package shellcmd

import (
	"slices"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// changing are the shell's own commands that change what later words mean or that run what
// their words hold, each with its words for the person.
var changing = map[string]string{
	"alias": "gives a name to other commands", "unalias": "changes what names mean", "bind": "binds keys to commands",
	"compgen": "may run a command", "complete": "sets a command that is run later", "compopt": "changes how words are completed",
	"enable": "changes which commands the shell has", "fc": "runs earlier commands again", "hash": "changes where commands are found", "history": "changes what was typed",
	"let": "calculates, and what stands in a variable may run there", "shopt": "changes how the shell reads", "source": "runs a file", ".": "runs a file",
	"trap": "sets commands that run later", "getopts": "sets variables that are not known", "mapfile": "sets variables that are not known", "readarray": "sets variables that are not known",
	"coproc": "runs a command beside the others", "dirs": "changes where the shell goes", "pushd": "changes the folder in a way that is not followed", "popd": "changes the folder in a way that is not followed",
}

// shellWords are the shell's own commands, for which a script may give no other meaning
// without making its reader wrong.
var shellWords = []string{
	".", ":", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt", "continue", "declare", "dirs", "disown",
	"echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd",
	"printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit",
	"umask", "unalias", "unset", "wait",
}

// shadows says whether a function of that name stands before a command that a reader of the
// text would take it for.
func shadows(name string) bool {
	return slices.Contains(shellWords, name) || program.Known(name)
}

// builtin reads what the shell's own commands change. It returns the state behind them.
func (r *reader) builtin(index int, words []word, from feed, st state) state {
	cmd := &r.out.Commands[index]
	name := words[0].Text
	if r.facts.functions[name] {
		return r.facts.bodies.behind(st)
	}
	if why, ok := changing[name]; ok {
		r.doubt(cmd, name+" "+why)
		if name == "pushd" || name == "popd" {
			from := st
			st = st.lost()
			st.near = r.folders(plainWords(words[1:]), from)
		}
		st = st.forget()
		if name == "mapfile" || name == "readarray" {
			st = taken(words, from, st)
		}
		return st
	}
	switch name {
	case "declare", "typeset", "local", "readonly", "export", "unset", "read":
		st = r.names(cmd, words, st)
		if name == "read" {
			st = taken(words, from, st)
		}
		return st
	case "set":
		st = st.arguments(operandsOf(words[1:]))
		if !harmlessSet(words[1:]) {
			r.doubt(cmd, "set changes how the shell reads")
		}
	case "printf":
		if len(words) > 1 && (strings.HasPrefix(words[1].Text, "-v") || words[1].Dynamic) {
			r.doubt(cmd, "printf sets a variable whose name may run a command")
			return st.forget()
		}
	case "wait":
		if len(words) > 2 {
			return r.names(cmd, words, st)
		}
	case "test", "[":
		for i, w := range words[1:] {
			if (w.Text == "-v" || w.Text == "-R") && i+2 < len(words) && !variable(words[i+2].Text) {
				r.doubt(cmd, "it looks at a variable whose name may run a command")
			}
		}
	case "exec":
		if len(words) == 1 && from.fed {
			st.fed, st.piped = true, from.script
		}
	}
	return st
}

func plainWords(words []word) []program.Word {
	out := make([]program.Word, 0, len(words))
	for i := range words {
		if !words[i].Dynamic {
			out = append(out, words[i].Word)
		}
	}
	return out
}

// operandsOf are the words behind the options of set.
func operandsOf(words []word) []word {
	for i := range words {
		if words[i].Text == "--" {
			return words[i+1:]
		}
		if !strings.HasPrefix(words[i].Text, "-") && !strings.HasPrefix(words[i].Text, "+") {
			return words[i:]
		}
	}
	return nil
}

// taken is the state after variables were set to parts of a text that is fed to the command.
func taken(words []word, from feed, st state) state {
	if from.script == nil {
		return st
	}
	texts := append(strings.Split(*from.script, "\n"), strings.Fields(*from.script)...)
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	named := false
	for _, w := range words[1:] {
		if variable(w.Text) {
			st, named = st.guess(w.Text, texts), true
		}
	}
	if !named {
		st = st.guess("REPLY", texts).guess("MAPFILE", texts)
	}
	return st
}

// names reads a command whose words are names of variables.
func (r *reader) names(cmd *Command, words []word, st state) state {
	for _, w := range words[1:] {
		name, _, sets := strings.Cut(w.Text, "=")
		switch {
		case strings.HasPrefix(w.Text, "-"):
			if words[0].Text != "read" && words[0].Text != "unset" && !harmlessDeclaration[w.Text] {
				r.doubt(cmd, "it declares variables in a way that may run commands")
			}
			continue
		case strings.ContainsAny(name, "[") || w.Dynamic:
			r.doubt(cmd, "it sets a part of a list whose place may run a command")
		}
		exports := sets || words[0].Text == "export"
		why := steers(strings.TrimSuffix(name, "+"))
		if words[0].Text != "unset" {
			why = steersLater(strings.TrimSuffix(name, "+"), exports)
		}
		if why != "" {
			r.doubt(cmd, why)
		}
		st = st.with(name, "", false)
		if exports {
			st = st.export(unknownValue(name))
		}
	}
	return st
}

// harmlessSet says whether the words of set change nothing but when the shell stops and what
// it prints.
func harmlessSet(words []word) bool {
	for i := 0; i < len(words); i++ {
		text := words[i].Text
		switch {
		case text == "--":
			return true
		case words[i].Dynamic || text == "" || text[0] != '-' && text[0] != '+':
			return false
		case strings.Trim(text[1:], "euxo") != "":
			return false
		case strings.HasSuffix(text, "o"):
			i++
			if i == len(words) || !slices.Contains([]string{"pipefail", "errexit", "nounset", "xtrace"}, words[i].Text) {
				return false
			}
		}
	}
	return true
}

func variable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
