package process

import (
	"os"
	"slices"
	"strings"

	"countersign/backend/tool"
)

// spec is a command to start.
type spec struct {
	shell, command string
	// program is what is started instead of a shell: its absolute path and its arguments. Its
	// errors are read apart, or go nowhere.
	program []string
	errors  bool
	dir     string
	session string
	environ environ
	// input says that it reads what is written to it.
	input bool
	// pipes says that no terminal is wanted.
	pipes bool
}

// markVariable names the variable that carries the marks of a command and of the commands
// around it.
const markVariable = tool.CommandMark

// environ is the environment of commands.
type environ struct {
	vars []string
	// term is the kind of terminal, outer the marks that we carry ourselves.
	term, outer string
}

// ours begins the names of the variables that are the product's own.
const ours = "COUNTERSIGN_"

// still are the variables that keep programs from waiting for a key.
var still = [...]string{"PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"}

// newEnviron makes the environment of commands from the program's own.
func newEnviron(inherited []string) environ {
	e := environ{term: "xterm-256color"}
	for _, v := range inherited {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(name, ours) || name == "NO_COLOR" || slices.Contains(still[:], name):
		case name == "TERM":
			if value != "" && value != "dumb" {
				e.term = value
			}
		case name == markVariable:
			e.outer = value + ","
		default:
			e.vars = append(e.vars, v)
		}
	}
	for _, name := range still {
		e.vars = append(e.vars, name+"=cat")
	}
	return e
}

// plain are the variables that say where and as whom a program runs, and nothing else.
var plain = [...]string{"PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "SHELL"}

// plainEnviron makes an environment of those alone: keys and tokens that this program was
// started with are in no other variable.
func plainEnviron(inherited []string) environ {
	e := newEnviron(inherited)
	vars := e.vars
	e.vars = nil
	for _, v := range vars {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(plain[:], name) || strings.HasPrefix(name, "LC_") {
			e.vars = append(e.vars, v)
		}
	}
	return e
}

// arguments are what the command is started with, the path of the program first.
func (s *spec) arguments(command string) []string {
	if s.program != nil {
		return s.program
	}
	return []string{s.shell, "-c", command}
}

// with returns the environment of one command.
func (e environ) with(mark string, terminal bool) []string {
	term := "TERM=dumb"
	if terminal {
		term = "TERM=" + e.term
	}
	return append(e.vars[:len(e.vars):len(e.vars)], term, markVariable+"="+e.outer+mark)
}

// beside returns the environment without the variables whose names begin with a prefix, and with
// more. Of each name that is added there is one alone.
func (e environ) beside(without string, more []string) environ {
	added := map[string]bool{}
	for _, v := range more {
		name, _, _ := strings.Cut(v, "=")
		added[name] = true
	}
	out := e
	out.vars = make([]string, 0, len(e.vars)+len(more))
	for _, v := range e.vars {
		name, _, _ := strings.Cut(v, "=")
		if !added[name] && (without == "" || !strings.HasPrefix(name, without)) {
			out.vars = append(out.vars, v)
		}
	}
	out.vars = append(out.vars, more...)
	return out
}

// get returns a variable.
func (e environ) get(name string) string {
	for _, v := range e.vars {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// output is our end of what a command prints, and of what it reads.
type output struct {
	file *os.File
	// input is nil when the command reads from the null device; it is file when both go
	// over one terminal.
	input *os.File
	// errors is what a program prints as errors, nil where that is not read apart.
	errors *os.File
}

// close ends the reading and the writing.
func (o *output) close() {
	_ = o.file.Close()
	if o.input != nil {
		_ = o.input.Close()
	}
	if o.errors != nil {
		_ = o.errors.Close()
	}
}
