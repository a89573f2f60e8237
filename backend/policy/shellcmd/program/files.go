package program

import (
	"slices"
	"strings"

	"countersign/backend/tool"
)

// findSpecial reads find: places first, then an expression.
func findSpecial(j *judging, s *scan) {
	i, words := s.self+1, s.words
	for i < len(words) {
		switch t := words[i].Text; {
		case t == "-H" || t == "-L" || t == "-P" || strings.HasPrefix(t, "-O"):
			i++
			continue
		case t == "-D":
			i += 2
			continue
		}
		break
	}
	links := slices.ContainsFunc(words[s.self+1:min(i, len(words))], func(w Word) bool { return w.Text == "-L" })
	first := i
	for i < len(words) && !expression(words[i].Text) {
		i++
	}
	var places []Word
	if i = min(i, len(words)); first < i {
		places = words[first:i]
	} else {
		places = []Word{{Text: "."}}
	}
	j.places(places, first, Path{Access: tool.AccessRead})
	j.below = &Below{Links: links, Only: named(words[min(i, len(words)):])}
	for ; i < len(words); i++ {
		i = j.test(words, i, places, first)
	}
}

// named are the patterns of which the name of all that find's expression finds has to match
// one; nil where there are none, or that is not certain.
func named(words []Word) []string {
	var all []string
	for i := 0; i < len(words); i++ {
		switch words[i].Text {
		case "-o", "-or", ",", ")":
			return nil
		case "!", "-not":
			i++
		case "(":
			group, end := namedGroup(words, i+1)
			if i = end; group != nil {
				all = group
			}
			if end >= len(words) {
				return nil
			}
		case "-name":
			if i++; i < len(words) && all == nil {
				if names, ok := fileNames(words[i]); ok && !strings.ContainsAny(words[i].Text, "{}/") {
					all = names
				}
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			for i < len(words) && words[i].Text != ";" && !(words[i].Text == "+" && words[i-1].Text == "{}") {
				i++
			}
		}
	}
	return all
}

// namedGroup are the patterns in brackets that hold nothing but names, any of which will do,
// nil for other brackets; end is the index of the closing one.
func namedGroup(words []Word, i int) (all []string, end int) {
	plain := true
	for ; i < len(words) && words[i].Text != ")"; i++ {
		switch words[i].Text {
		case "-o", "-or":
		case "-name":
			if i++; i < len(words) {
				names, ok := fileNames(words[i])
				plain = plain && ok && !strings.ContainsAny(words[i].Text, "{}/")
				all = append(all, names...)
			}
		default:
			plain = false
		}
	}
	if !plain {
		return nil, i
	}
	return all, i
}

func expression(t string) bool {
	return strings.HasPrefix(t, "-") && len(t) > 1 || t == "(" || t == ")" || t == "!" || t == ","
}

// places notes the folders that find walks, with what is done to all in them.
func (j *judging) places(places []Word, first int, done Path) {
	for n, w := range places {
		at := first + n
		if at >= len(j.inv.Words) {
			at = 0
		}
		j.use(Path{Text: w.Text, Dynamic: w.Dynamic, Glob: w.Glob, Word: at, Access: done.Access, Tree: true, Removes: done.Removes, Below: done.Below})
	}
}

// test reads one part of find's expression and returns the index of its last word.
func (j *judging) test(words []Word, i int, places []Word, first int) int {
	value := min(i+1, len(words)-1)
	switch words[i].Text {
	case "-exec", "-execdir", "-ok", "-okdir":
		return j.execution(words, i, places, first)
	case "-delete":
		j.finding(act{effect: Writes, words: "deletes what it finds"}, i, "")
		j.places(places, first, Path{Access: tool.AccessWrite, Removes: true, Below: j.below})
	case "-fprint", "-fprint0", "-fls", "-fprintf":
		j.finding(act{effect: Writes, words: "writes the file after " + words[i].Text}, value, "")
		j.path(value, words[value], tool.AccessWrite, false)
		return value
	case "-files0-from":
		j.path(value, words[value], tool.AccessRead, false)
		j.path(value, Word{Text: Unknown, Dynamic: true}, tool.AccessRead, false)
		return value
	case "-newer", "-anewer", "-cnewer", "-samefile":
		j.path(value, words[value], tool.AccessRead, false)
		return value
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname",
		"-type", "-xtype", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-perm", "-user", "-group",
		"-uid", "-gid", "-links", "-inum", "-maxdepth", "-mindepth", "-printf", "-fstype", "-used", "-regextype", "-context":
		return value
	}
	return i
}

// execution reads the command behind -exec. What it does to {} it does to all places.
func (j *judging) execution(words []Word, i int, places []Word, first int) int {
	end := i + 1
	for end < len(words) && words[end].Text != ";" && !(words[end].Text == "+" && words[end-1].Text == "{}") {
		end++
	}
	if end == i+1 {
		j.finding(act{effect: Runs, words: "runs a program for what it finds"}, i, "")
		return end
	}
	j.finding(act{effect: Runs, words: "runs the program after " + words[i].Text}, i+1, "")
	inner := j.include(i+1, end)
	kept := inner.Paths[:0]
	r := rows().rows[base(words[i+1].Text)]
	for _, p := range inner.Paths {
		if strings.Contains(p.Text, "{}") {
			if p.Below = j.below; r != nil && r.lists {
				p.Below = nil
			}
			j.places(places, first, p)
			continue
		}
		kept = append(kept, p)
	}
	inner.Paths = kept
	for n := range inner.Inner {
		if sh := inner.Inner[n].Shell; sh != nil && strings.Contains(sh.Text, "{}") {
			j.opaque("puts the names of files into a script")
		}
	}
	if words[i].Text == "-execdir" || words[i].Text == "-okdir" {
		j.places(places, first, Path{Access: tool.AccessWrite})
	}
	j.absorb(inner, i+1, wrapping{silent: true, more: true})
	return end
}

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
			j.path(h.from, h.value, accessOf(folder), !folder)
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
			j.path(o, s.words[o], tool.AccessRead, true)
		}
	}
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
