package program

import (
	"strings"

	"countersign/backend/tool"
)

// shellSpecial reads a shell: -c makes its first operand a script, without one it does
// what its input says, and else it does what a file says.
func shellSpecial(j *judging, s *scan) {
	switch {
	case s.has("-c", "--command"):
		if len(s.operands) > 0 {
			at := s.operands[0]
			j.out.Inner = append(j.out.Inner, Inner{Shell: &s.words[at], By: at, Arguments: s.given(2)})
		}
	case s.any(s.row.quiet):
	case len(s.operands) == 0 || s.has("-s") || s.words[s.operands[0]].Text == "-":
		j.fed(true)
	default:
		j.scriptFile(s)
	}
}

// given are the operands from one on.
func (s *scan) given(from int) []Word {
	var out []Word
	for n, at := range s.operands {
		if n >= from {
			out = append(out, s.words[at])
		}
	}
	return out
}

// scriptFile notes the file that is run, and what it is given.
func (j *judging) scriptFile(s *scan) {
	at := s.operands[0]
	j.finding(act{effect: Obeys}, at, "")
	j.path(at, s.words[at], tool.AccessRead, false)
	for _, given := range s.operands[1:] {
		j.act(act{kind: actAny}, given, s.words[given], given, "")
	}
}

// fed notes a program that does what its input says.
func (j *judging) fed(shell bool) {
	j.opaque("does what its input says")
	j.out.Input = true
	if j.inv.Script == nil {
		return
	}
	if !j.inv.Piped {
		j.out.Shown = joined(j.inv.Words).Text + " (script: " + strings.TrimSpace(*j.inv.Script) + ")"
	}
	if shell {
		j.out.Inner = append(j.out.Inner, Inner{Shell: &Word{Text: *j.inv.Script}, Silent: true})
	}
}

// interpreterSpecial reads a program that runs code of its own language: that of its
// options is seen by the row, that of a file is obeyed, that of its input unknown.
func interpreterSpecial(j *judging, s *scan) {
	switch {
	case s.any(s.row.quiet):
	case len(s.operands) == 0 || s.words[s.operands[0]].Text == "-":
		j.fed(false)
	default:
		j.scriptFile(s)
	}
}

// moduleSpecial is interpreterSpecial for Python, whose -m starts a module that is judged
// as the program of its name.
func moduleSpecial(j *judging, s *scan) {
	m := s.find("-m")
	if m == nil || !m.has {
		interpreterSpecial(j, s)
		return
	}
	j.rule = s.row.id
	name, _, _ := strings.Cut(m.value.Text, ".")
	j.finding(act{effect: Obeys, words: "runs a module"}, m.from, "")
	if reaching[name] {
		j.finding(act{effect: Reaches}, m.from, "")
	}
	if evaluating[name] {
		j.opaque("runs the code that is given to it")
	}
	if r := rows().rows[name]; r != nil && !m.value.Dynamic {
		j.read(r, name, m.from)
		return
	}
	j.unlisted(m.from + 1)
}

// reaching are the modules of Python's own library, and others that are well known, whose
// work is to speak to other machines or to be spoken to.
var reaching = setOf("http xmlrpc urllib ftplib telnetlib nntplib smtplib smtpd poplib imaplib webbrowser antigravity ensurepip twine SimpleHTTPServer pip uvicorn gunicorn")

// evaluating are the modules that take code for their words, or from their input.
var evaluating = setOf("timeit pyperf pdb ipdb pudb bdb code codeop asyncio idlelib IPython ipython bpython ptpython jupyter sqlite3 runpy pickle cProfile profile trace")

// testsSpecial is interpreterSpecial for Node.js, whose --test runs every test file that it is
// named or finds in the folders that it is named.
func testsSpecial(j *judging, s *scan) {
	h := s.find("--test")
	if h == nil || s.any(notTesting) {
		interpreterSpecial(j, s)
		return
	}
	j.finding(act{effect: Obeys}, h.at, "")
	for _, at := range s.operands {
		j.path(at, s.words[at], tool.AccessRead, true)
	}
}

// notTesting are the options of Node.js in whose presence it runs no tests.
var notTesting = setOf("-e --eval -p --print -pe -v --version -h --help")

// resolvesSpecial finds the databases of getent that other machines are asked for.
func resolvesSpecial(j *judging, s *scan) {
	if len(s.operands) == 0 {
		return
	}
	switch at := s.operands[0]; s.words[at].Text {
	case "hosts", "ahosts", "ahostsv4", "ahostsv6", "networks", "netgroup":
		j.finding(act{effect: Reaches}, at, "")
	}
}

// envSpecial reads env: variables, then a command.
func envSpecial(j *judging, s *scan) {
	if s.strange > 0 {
		j.opaque("has an option that may hide the command that it starts")
	}
	if h := s.find("-S", "--split-string"); h != nil && h.has {
		if strings.ContainsAny(h.value.Text, "\\$'\"#") || h.value.Dynamic {
			j.opaque("splits a text into a command by rules of its own")
			return
		}
		var words []Word
		for _, f := range strings.Fields(h.value.Text) {
			words = append(words, Word{Text: f, Start: h.value.Start, End: h.value.End})
		}
		for _, at := range s.operands {
			words = append(words, s.words[at])
		}
		j.split(words, h.from)
		return
	}
	for n, at := range s.operands {
		if n == 0 && s.words[at].Text == "-" {
			continue
		}
		if w := s.words[at]; !strings.Contains(w.Text, "=") {
			j.begin(s.words[at:], at, wrapping{})
			return
		}
		j.setting(at, s.words[at])
	}
}

// split reads a command that was made from one word, whose variables come first. What it
// does is done by that word.
func (j *judging) split(words []Word, at int) {
	for len(words) > 0 && strings.Contains(words[0].Text, "=") {
		j.setting(at, words[0])
		words = words[1:]
	}
	if len(words) > 0 {
		j.out.Inner = append(j.out.Inner, Inner{Words: words, By: at})
	}
}

// xargsSpecial reads xargs, which puts words that are not known behind those of its
// command or, with -I, into them.
func xargsSpecial(j *judging, s *scan) {
	if s.strange > 0 {
		j.opaque("has an option that may hide the command that it starts")
	}
	if len(s.operands) == 0 {
		return
	}
	at := s.operands[0]
	words, mark := s.words[at:], ""
	if h := s.find("-I", "-J"); h != nil && h.has {
		mark = h.value.Text
	} else if h := s.find("-i", "--replace"); h != nil {
		mark = "{}"
		if h.has {
			mark = h.value.Text
		}
	}
	if mark == "" {
		j.begin(words, at, wrapping{more: true})
		return
	}
	filled := make([]Word, len(words))
	for i, w := range words {
		if strings.Contains(w.Text, mark) {
			w.Text, w.Dynamic = strings.ReplaceAll(w.Text, mark, Unknown), true
		}
		filled[i] = w
	}
	j.filled(words, mark, at)
	j.begin(filled, at, wrapping{})
}

// joinSpecial reads a program that gives its operands behind a machine's name to a shell
// there: ssh.
func joinSpecial(j *judging, s *scan) {
	switch {
	case len(s.operands) > 1:
		at := s.operands[1]
		if s.words[at].Text == "--" && at+1 < len(s.words) {
			at++
		}
		j.begin(s.words[at:], at, wrapping{shell: true, elsewhere: true})
	case len(s.operands) == 1 && j.inv.Fed:
		j.opaque("gives its input to a shell on another machine")
	}
}

// multicallSpecial reads a program that is many: its first operand is the one it is now.
func multicallSpecial(j *judging, s *scan) {
	if len(s.operands) > 0 {
		j.begin(s.words[s.operands[0]:], s.operands[0], wrapping{})
	}
}

// evalSpecial reads a builtin that runs its joined words as a script.
func evalSpecial(j *judging, s *scan) {
	at := s.self + 1
	if at < len(s.words) && s.words[at].Text == "--" {
		at++
	}
	if at < len(s.words) {
		j.begin(s.words[at:], at, wrapping{shell: true})
	}
}

// cdSpecial notes where the shell goes.
func cdSpecial(j *judging, s *scan) {
	if len(s.operands) == 0 {
		j.out.Home = true
		return
	}
	w := s.words[s.operands[0]]
	if w.Text == "-" || strings.HasPrefix(w.Text, "+") {
		w = Word{Text: Unknown, Dynamic: true, Start: w.Start, End: w.End}
	}
	j.path(s.operands[0], w, tool.AccessRead, false)
	j.out.Directory = &w
}

// againSpecial looks at builtins that evaluate their words once more: an index may hold a
// command.
func againSpecial(j *judging, s *scan) {
	for i := s.self + 1; i < len(s.words); i++ {
		text := s.words[i].Text
		if strings.Contains(text, "$(") || strings.Contains(text, "`") || strings.Contains(text, "${") {
			if strings.Contains(text, "[") {
				j.opaque("evaluates its words once more")
			}
		}
	}
}

// makeSpecial reads make, whose rules may come from its input and whose variables choose
// programs.
func makeSpecial(j *judging, s *scan) {
	for i := range s.hits {
		h := &s.hits[i]
		if (h.name == "-f" || h.name == "--file" || h.name == "--makefile") && (h.value.Text == "-" || strings.HasPrefix(h.value.Text, "/dev/")) {
			j.opaque("does what its input says")
			j.out.Input = true
			if j.inv.Script != nil && !j.inv.Piped {
				j.out.Shown = joined(j.inv.Words).Text + " (script)"
			}
		}
	}
	for _, at := range s.operands {
		assigned, value, ok := strings.Cut(s.words[at].Text, "=")
		assigned = strings.TrimRight(assigned, " \t")
		name := strings.TrimRight(assigned, ":?+! \t")
		switch {
		case !ok:
			if strings.Contains(assigned, "/") {
				j.guess(at)
			}
		case strings.HasSuffix(assigned, "!"):
			j.finding(act{effect: Runs, words: "runs the value of a variable as a command"}, at, "")
		case name == "SHELL" || name == ".SHELLFLAGS" || name == "MAKE" || Loads(name) || strings.ContainsAny(value, "$`"):
			j.finding(act{effect: Runs, words: "sets " + name + ", which chooses a program"}, at, "")
		default:
			j.guess(at)
		}
	}
}

// assignmentsSpecial reads the variables before the command of sudo.
func assignmentsSpecial(j *judging, s *scan) {
	for n, at := range s.operands {
		if w := s.words[at]; !strings.Contains(w.Text, "=") {
			j.begin(s.words[s.operands[n]:], at, wrapping{})
			return
		}
		j.setting(at, s.words[at])
	}
}

// runuserSpecial reads the command behind the name of a user, or behind -u.
func runuserSpecial(j *judging, s *scan) {
	if s.has("-u", "--user") && len(s.operands) > 0 {
		j.begin(s.words[s.operands[0]:], s.operands[0], wrapping{})
		return
	}
	if len(s.operands) > 1 && !s.has("-c", "--command", "--session-command") {
		j.opaque("gives words to another shell")
	}
	if len(s.operands) < 2 && !s.has("-c", "--command", "--session-command") {
		j.fed(true)
	}
}

// trapSpecial reads what a shell does when something happens to it.
func trapSpecial(j *judging, s *scan) {
	if len(s.operands) > 1 && s.words[s.operands[0]].Text != "-" && s.words[s.operands[0]].Text != "" {
		at := s.operands[0]
		j.act(act{kind: actShell}, at, s.words[at], at, "")
	}
}

// scriptSpecial reads script, which without a command records a shell.
func scriptSpecial(j *judging, s *scan) {
	if !s.has("-c", "--command") {
		j.fed(true)
	}
}

// flockSpecial reads the command behind the file that flock holds.
func flockSpecial(j *judging, s *scan) {
	if len(s.operands) < 2 {
		return
	}
	at := s.operands[1]
	if t := s.words[at].Text; (t == "-c" || t == "--command") && len(s.operands) > 2 {
		script := s.operands[2]
		j.act(act{kind: actShell}, script, s.words[script], script, "")
		return
	}
	j.begin(s.words[at:], at, wrapping{})
}

// fetchedSpecial finds a program that is fetched because its version is named.
func fetchedSpecial(j *judging, s *scan) {
	if len(s.operands) > 0 {
		at := s.operands[0]
		if name := base(strings.TrimRight(s.words[at].Text, "/")); own[before(name, "@")] {
			j.finding(act{effect: Privileged, restricted: true, words: "starts the approval desk itself"}, at, "")
		}
	}
	if len(s.operands) > 0 && strings.Contains(s.words[s.operands[0]].Text, "@") {
		j.finding(act{effect: Reaches}, s.operands[0], "")
		j.finding(act{effect: Runs, words: "fetches a program and runs it"}, s.operands[0], "")
	}
}
