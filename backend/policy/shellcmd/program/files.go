package program

import (
	"slices"
	"strings"

	"countersign/backend/tool"
)

// tarModes are the letters and names of what tar is to do, with whether the archive and
// the folder are written.
var tarModes = map[string]struct{ archive, folder bool }{
	"-x": {false, true}, "--extract": {false, true}, "--get": {false, true},
	"-c": {true, false}, "--create": {true, false}, "-r": {true, false}, "--append": {true, false},
	"-u": {true, false}, "--update": {true, false}, "-A": {true, false}, "--catenate": {true, false}, "--concatenate": {true, false},
	"--delete": {true, false},
}

// tarSpecial reads tar, also with letters that have no dash before them.
func tarSpecial(j *judging, s *scan) {
	hits, operands := s.hits, s.operands
	if len(operands) > 0 && operands[0] == s.self+1 {
		old := scan{row: s.row, words: s.words}
		operands = old.letters(operands)
		j.options(&old)
		hits = append(hits, old.hits...)
	}
	s.hits = hits
	j.below = s.below()
	archive, folder, at := false, false, s.self
	for i := range hits {
		if m, ok := tarModes[hits[i].name]; ok {
			archive, folder, at = m.archive, m.folder, hits[i].at
		}
	}
	if archive || folder {
		j.finding(act{effect: Writes}, at, "")
	}
	if !archive && !slices.ContainsFunc(hits, func(h hit) bool { return h.name == "-d" || h.name == "--diff" || h.name == "--compare" }) {
		j.below = nil
	}
	folders := 0
	for i := range hits {
		switch h := &hits[i]; h.name {
		case "-f", "--file":
			j.archive(h, archive)
		case "-C", "--directory":
			folders++
			p := Path{Text: h.value.Text, Dynamic: h.value.Dynamic, Glob: h.value.Glob, Word: h.from, Access: accessOf(folder), Tree: !folder}
			if folders > 1 && !folder {
				// What is packed lies somewhere below all of them.
				p.Below = j.below
			}
			j.use(p)
		case "-P", "--absolute-names":
			if folder {
				j.path(h.at, Word{Text: Unknown, Dynamic: true}, tool.AccessWrite, true)
			}
		}
	}
	if folder && folders == 0 {
		j.path(at, Word{Text: "."}, tool.AccessWrite, false)
	}
	if !folder {
		for _, o := range operands {
			j.path(o, s.packed(o, folders), tool.AccessRead, true)
		}
	}
}

// packed is a word for what tar packs, below the only folder that it changes to before it.
func (s *scan) packed(o, folders int) Word {
	w := s.words[o]
	c := s.find("-C", "--directory")
	if folders != 1 || c.at > o || !c.has || c.value.Glob || w.Glob || outwardRoot(w.Text) {
		return w
	}
	w.Text = strings.TrimSuffix(c.value.Text, "/") + "/" + w.Text
	w.Dynamic = w.Dynamic || c.value.Dynamic
	return w
}

func accessOf(write bool) tool.Access {
	if write {
		return tool.AccessWrite
	}
	return tool.AccessRead
}

// archive notes the archive, which may be on another machine.
func (j *judging) archive(h *hit, write bool) {
	if host, ok := shortHost(h.value.Text); ok {
		j.host(host)
		j.finding(act{effect: Reaches}, h.from, h.name)
		return
	}
	if h.value.Text != "-" {
		j.path(h.from, h.value, accessOf(write), false)
	}
}

// letters reads a first word of letters without a dash; their values are the words that
// follow, in order. It returns the operands that are left.
func (s *scan) letters(operands []int) []int {
	at := operands[0]
	rest := operands[1:]
	for _, c := range s.words[at].Text {
		name := "-" + string(c)
		opt := s.row.options[name]
		if opt == nil {
			continue
		}
		h := hit{opt: opt, name: name, at: at, from: at}
		if opt.need == needValue && len(rest) > 0 {
			h.from, h.value, h.has = rest[0], s.words[rest[0]], true
			rest = rest[1:]
		}
		s.hits = append(s.hits, h)
	}
	return rest
}

// ddSpecial reads dd's names and values.
func ddSpecial(j *judging, s *scan) {
	for i := s.self + 1; i < len(s.words); i++ {
		w := s.words[i]
		name, value, _ := strings.Cut(w.Text, "=")
		w.Text = value
		if name == "if" || name == "of" {
			j.path(i, w, accessOf(name == "of"), false)
		}
	}
}

// modeSpecial finds a mode that opens a file to everybody.
func modeSpecial(j *judging, s *scan) {
	paths := s.operands
	if len(paths) > 0 && !s.has("--reference") {
		paths = paths[1:]
	}
	for _, at := range paths {
		j.path(at, s.words[at], tool.AccessWrite, s.has("-R", "--recursive"))
	}
	if len(s.operands) == 0 || s.row.id != "chmod" {
		return
	}
	at := s.operands[0]
	mode := strings.TrimLeft(s.words[at].Text, "0")
	all := mode == "777" || mode == "666" || len(mode) == 4 && (mode[1:] == "777" || mode[0] >= '2' && mode[0] <= '7')
	for _, part := range strings.Split(mode, ",") {
		who, what, ok := strings.Cut(strings.ReplaceAll(part, "=", "+"), "+")
		everybody := who == "" || strings.ContainsAny(who, "ao")
		all = all || ok && (everybody && strings.Contains(what, "w") || strings.Contains(what, "s"))
	}
	if all {
		j.finding(act{effect: Privileged, words: "opens files to everybody, or runs them with the rights of their owner"}, at, "")
	}
}

// inplaceSpecial notes that the operands are written where an option of the row says so.
func inplaceSpecial(j *judging, s *scan) {
	for i := range s.hits {
		for _, a := range s.hits[i].opt.acts {
			if a.kind != actEffect || a.effect != Writes {
				continue
			}
			for n, at := range s.operands {
				if n > 0 || len(s.row.roles) < 2 || s.any(s.row.skip) {
					j.path(at, s.words[at], tool.AccessWrite, s.has("-r", "-R"))
				}
			}
			return
		}
	}
}

// removeSpecial notes what rm removes: all below it too where it goes down.
func removeSpecial(j *judging, s *scan) {
	tree := s.has("-r", "-R", "--recursive")
	for _, at := range s.operands {
		j.wide = j.wide || tree || s.words[at].Glob
		j.taken(at, s.words[at], tree)
	}
}

// copytoSpecial notes the folder after -t, which takes the last operand's place.
func copytoSpecial(j *judging, s *scan) {
	moving := strings.HasSuffix(base(s.words[s.self].Text), "mv")
	to := s.find("-t", "--target-directory")
	if to != nil && to.has {
		j.path(to.from, to.value, tool.AccessWrite, false)
	}
	for n, at := range s.operands {
		last := to == nil && n == len(s.operands)-1 && n > 0
		if moving && !last {
			j.taken(at, s.words[at], true)
			continue
		}
		written := last || s.row.id == "install" && s.has("-d", "--directory")
		j.path(at, s.words[at], accessOf(written), !written)
	}
}

// signalSpecial finds a signal that cannot be caught, and everybody's processes.
func signalSpecial(j *judging, s *scan) {
	for i := s.self + 1; i < len(s.words); i++ {
		switch t := strings.ToUpper(s.words[i].Text); t {
		case "-9", "-KILL", "-SIGKILL", "-S9", "-SKILL", "--SIGNAL=9", "--SIGNAL=KILL", "--SIGNAL=SIGKILL":
			j.finding(act{effect: Privileged, words: "ends processes without letting them put things in order"}, i, "")
		case "9", "KILL", "SIGKILL":
			if p := strings.ToUpper(s.words[i-1].Text); p == "-S" || p == "--SIGNAL" || p == "-N" {
				j.finding(act{effect: Privileged, words: "ends processes without letting them put things in order"}, i, "")
			}
		case "-1", "1":
			if i > s.self+1 && t == "-1" || t == "1" {
				j.finding(act{effect: Privileged, words: "signals processes of the whole machine"}, i, "")
			}
		}
	}
}

// remoteSpecial notes that one of the places is on another machine.
func remoteSpecial(j *judging, s *scan) {
	for _, at := range s.operands {
		if _, ok := urlHost(s.words[at].Text); ok {
			j.finding(act{effect: Reaches}, at, "")
		}
	}
}

// mirrorSpecial reads rsync, which takes away what the place that it copies to has too much,
// and with another option what it copied.
func mirrorSpecial(j *judging, s *scan) {
	remoteSpecial(j, s)
	if len(s.operands) < 2 || s.has("-n", "--dry-run") {
		return
	}
	last := len(s.operands) - 1
	mirrors := slices.ContainsFunc(s.hits, func(h hit) bool { return strings.HasPrefix(h.name, "--del") })
	for n, at := range s.operands {
		w := s.words[at]
		_, far := shortHost(w.Text)
		_, address := urlHost(w.Text)
		if far || address || !(n == last && mirrors || n < last && s.has("--remove-source-files")) {
			continue
		}
		below := j.below
		if below == nil {
			below = &Below{}
		}
		j.use(Path{Text: w.Text, Dynamic: w.Dynamic, Glob: w.Glob, Word: at, Access: tool.AccessWrite, Tree: true, Removes: true, Below: below})
	}
}

// processesSpecial reads ps, which shows the environment of programs by a letter without a
// dash.
func processesSpecial(j *judging, s *scan) {
	for n := 0; n < len(s.operands); n++ {
		at := s.operands[n]
		for i, c := range s.words[at].Text {
			if c == 'e' {
				j.environments(at)
			}
			if strings.ContainsRune("kOopqtU", c) {
				// The rest of the word, or the next one, is the value of the letter.
				if i == len(s.words[at].Text)-1 {
					n++
				}
				break
			}
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
				break
			}
		}
	}
	if h := s.find("-E"); h != nil {
		j.environments(h.at)
	}
}

// environments notes that what programs were started with is read.
func (j *judging) environments(at int) {
	j.path(at, Word{Text: "/proc/self/environ"}, tool.AccessRead, false)
}

// clockSpecial finds a date that is set: an operand that is no format.
func clockSpecial(j *judging, s *scan) {
	for _, at := range s.operands {
		if !strings.HasPrefix(s.words[at].Text, "+") && !s.has("-d", "--date", "-v", "-j", "-I", "-r") {
			j.finding(act{effect: Changes, words: "sets the clock"}, at, "")
		}
	}
}

// socatSpecial finds addresses that are programs or files.
func socatSpecial(j *judging, s *scan) {
	for _, at := range s.operands {
		kind, rest, ok := strings.Cut(s.words[at].Text, ":")
		switch strings.ToUpper(kind) {
		case "EXEC", "SYSTEM", "SHELL":
			j.finding(act{effect: Runs}, at, "")
		case "OPEN", "CREATE", "FILE", "GOPEN":
			name, _, _ := strings.Cut(rest, ",")
			if ok {
				j.path(at, Word{Text: name, Dynamic: s.words[at].Dynamic}, tool.AccessWrite, false)
			}
		case "TCP", "TCP4", "TCP6", "UDP", "UDP4", "OPENSSL", "SSL", "TCP-CONNECT", "SOCKS4", "PROXY":
			host, _, _ := strings.Cut(rest, ":")
			j.host(host)
		}
	}
}
