package program

import (
	"slices"
	"strings"

	"countersign/backend/tool"
)

// maxDepth is how many programs that start one another are looked through at once; what
// follows is a command of its own.
const maxDepth = 16

// judging is one judgement in the making.
type judging struct {
	inv   Invocation
	out   Judgement
	rule  string
	depth int
	// base is the folder that relative paths start from where the words name another than
	// the command's own.
	base *Word
	// below is how deep the row that is read goes into the folders of its operands.
	below *Below
	// looks says that the row that was read is one of a program that only looks at what it
	// names, listed that there is a row at all, and wide that more is taken away than the
	// words name.
	looks, listed, wide bool
}

// Judge says what is known of an invocation. It is a function of its argument alone, and
// takes words of any kind: what it does not know it says so.
func Judge(inv Invocation) Judgement { return judge(inv, 0) }

func judge(inv Invocation, depth int) Judgement {
	j := judging{inv: inv, depth: depth}
	j.environment()
	if len(inv.Words) == 0 {
		return j.out
	}
	j.program()
	j.settings()
	j.written()
	j.placed()
	j.out.Extent = j.extent()
	return j.out
}

// extent is how far the invocation may go.
func (j *judging) extent() Extent {
	written := func(p Path) bool { return p.Access != tool.AccessRead }
	switch {
	case !j.listed || j.wide || j.out.Opaque != "":
		return Anything
	case !j.looks || len(j.out.Findings)+len(j.out.Hosts) > 0 || slices.ContainsFunc(j.out.Paths, written):
		return Works
	}
	return Looks
}

// written says of a program that writes files which its words do not name, in which folder it
// does so where they name that.
func (j *judging) written() {
	if j.base == nil || !slices.ContainsFunc(j.out.Findings, func(f Finding) bool { return f.Effect == Writes }) {
		return
	}
	at := slices.IndexFunc(j.inv.Words, func(w Word) bool { return w.Start <= j.base.Start && j.base.End <= w.End })
	if at >= 0 {
		j.out.Paths = append(j.out.Paths, Path{Text: j.base.Text, Dynamic: j.base.Dynamic, Glob: j.base.Glob, Word: at, Access: tool.AccessWrite})
	}
}

// placed says of the inner commands where they run. A folder named in one that is named
// itself is not followed.
func (j *judging) placed() {
	if j.base == nil {
		return
	}
	for i := range j.out.Inner {
		in := &j.out.Inner[i]
		if in.Directory == nil {
			in.Directory = j.base
			continue
		}
		in.Directory = &Word{Text: Unknown, Dynamic: true, Start: in.Directory.Start, End: in.Directory.End}
	}
}

// program finds the row and reads the words by it.
func (j *judging) program() {
	first := &j.inv.Words[0]
	if first.Dynamic || first.Glob {
		j.opaque("its program is known only when it runs")
		j.unlisted(1)
		return
	}
	name, foreign := j.name(first.Text)
	j.rule = name
	if own[strings.TrimSuffix(strings.ToLower(name), ".exe")] {
		j.finding(act{effect: Privileged, restricted: true, words: "starts the approval desk itself"}, 0, "")
	}
	r := rows().rows[name]
	if r == nil {
		name = unversioned(name)
		if r = rows().rows[name]; r == nil {
			// What is called by its path is code of whoever keeps that file.
			j.listed = foreign
			j.unlisted(1)
			return
		}
	}
	if !foreign && j.asksOnly() {
		j.looks, j.listed = true, true
		return
	}
	j.read(r, name, 0)
	if foreign {
		j.looks = false
		j.unlisted(1)
	}
}

// asksOnly says that a program of the table is only asked what it is.
func (j *judging) asksOnly() bool {
	return len(j.inv.Words) == 2 && (j.inv.Words[1].Text == "--version" || j.inv.Words[1].Text == "--help") && !builtins[j.inv.Words[0].Text]
}

// builtins run such a word as a command, or print it.
var builtins = setOf("eval exec command builtin source . trap alias time coproc countersign countersign-desktop")

// own are the programs that may answer for the person.
var own = map[string]bool{"countersign": true, "countersign-desktop": true}

// unversioned is the name of a program without what says which one of its versions it is.
func unversioned(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".EXE")
	return strings.TrimSuffix(strings.TrimRight(name, "0123456789."), "-")
}

// name is the name of a program's row. A program that is called by a path outside the
// folders of the system is judged as what it is named after, and as an unknown one too.
func (j *judging) name(text string) (name string, foreign bool) {
	slash := strings.LastIndexByte(text, '/')
	if slash < 0 {
		return text, false
	}
	switch text[:slash] {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin":
		return text[slash+1:], false
	}
	j.path(0, j.inv.Words[0], tool.AccessRead, false)
	return text[slash+1:], true
}

// unlisted reads the words of a program that the table does not know: each may name a file,
// which may be read and written.
func (j *judging) unlisted(from int) {
	for i := from; i < len(j.inv.Words); i++ {
		j.guess(i)
	}
	j.started(from)
}

// guess reads a word that may be anything.
func (j *judging) guess(i int) {
	w := j.inv.Words[i]
	if own[w.Text] {
		j.finding(act{effect: Privileged, restricted: true, words: "may start the approval desk itself"}, i, "")
	}
	if strings.HasPrefix(w.Text, "-") {
		value, ok := attached(w.Text)
		if !ok {
			return
		}
		w.Text = value
	}
	if host, ok := urlHost(w.Text); ok {
		j.host(host)
		return
	}
	j.path(i, w, tool.AccessRead, false)
	j.path(i, w, tool.AccessWrite, false)
}

// attached is the value that stands in one word with its option: behind a sign, or, where it
// may be a path, behind the letter.
func attached(word string) (value string, ok bool) {
	if _, value, ok = strings.Cut(word, "="); ok {
		return value, true
	}
	if len(word) > 2 && word[1] != '-' && strings.ContainsAny(word[2:], "/.~") {
		return word[2:], true
	}
	return "", false
}

// read judges the words behind self by a row, and by that of a subcommand if one is named.
func (j *judging) read(r *row, name string, self int) {
	s := scan{row: r, self: self, words: j.inv.Words}
	var hits [4]hit
	var operands [8]int
	s.hits, s.operands = hits[:0], operands[:0]
	s.sort()
	j.rule = r.id
	j.looks, j.listed = r.looks, true
	j.below = s.below()
	before := len(j.out.Paths)
	j.options(&s)
	for _, at := range s.odd {
		j.guess(at)
	}
	for i := range r.always {
		j.act(r.always[i], self, Word{}, self, "")
	}
	if r.risky && s.loose > 0 {
		j.finding(act{effect: Runs, words: "may take the name of a file for an option, some of which start programs"}, s.loose, "")
	}
	switch {
	case r.subs && len(s.operands) > 0:
		j.subcommand(r, name, &s)
		return
	case r.wraps >= 0:
		j.wrapped(&s)
	default:
		j.operands(&s)
	}
	j.counted(&s)
	if r.special != nil {
		r.special(j, &s)
	}
	j.here(&s, before)
}

func (j *judging) subcommand(r *row, name string, s *scan) {
	at := s.operands[0]
	if r.special != nil {
		r.special(j, s)
	}
	if sub := rows().sub(r, name, s.words[at].Text); sub != nil && !s.words[at].Dynamic {
		if sub.subs {
			name += " " + s.words[at].Text
		}
		j.read(sub, name, at)
		return
	}
	j.listed = false
	for i := range r.others {
		j.act(r.others[i], at, s.words[at], at, "")
	}
	j.unlisted(at + 1)
}

// counted does what a row says of the number of its operands.
func (j *judging) counted(s *scan) {
	r := s.row
	if len(r.given)+len(r.none) == 0 || s.any(r.quiet) {
		return
	}
	switch {
	case len(s.operands) >= r.givenAt && r.givenAt > 0:
		at := s.operands[r.givenAt-1]
		for i := range r.given {
			j.act(r.given[i], at, s.words[at], at, "")
		}
	case len(s.operands) == 0:
		for i := range r.none {
			j.act(r.none[i], s.self, Word{}, s.self, "")
		}
	}
}

func (j *judging) options(s *scan) {
	for i := range s.hits {
		h := &s.hits[i]
		if h.printed() {
			continue
		}
		for k := range h.opt.acts {
			if a := h.opt.acts[k]; a.kind == actEffect || a.kind == actOpaque || a.kind == actWide || a.kind == actNames || h.has {
				j.act(a, h.from, h.value, h.from, h.name)
			}
		}
	}
}

func (j *judging) operands(s *scan) {
	roles, final := s.row.roles, s.row.final
	if len(s.row.skip) > 0 && len(roles) > 0 && s.any(s.row.skip) {
		roles = roles[1:]
	}
	for n, at := range s.operands {
		var acts []act
		switch {
		case len(final) > 0 && n > 0 && n == len(s.operands)-1:
			acts = final
		case len(roles) == 0:
			continue
		default:
			acts = roles[min(n, len(roles)-1)]
		}
		for i := range acts {
			j.act(acts[i], at, s.words[at], at, "")
		}
	}
}

// act does one thing of a row. At is the word that causes it, from the one that holds the
// value, name the option or "".
func (j *judging) act(a act, at int, value Word, from int, name string) {
	switch a.kind {
	case actEffect:
		j.finding(a, at, name)
	case actOpaque:
		j.opaque(a.words)
	case actWide:
		j.wide = true
	case actRead, actWrite, actTree, actWriteTree, actTake, actTakeTree:
		j.file(a, from, value)
	case actSigns:
		// A pattern may become several words, of which only the first signs in.
		j.use(Path{Text: value.Text, Dynamic: value.Dynamic, Glob: value.Glob, Word: from, Access: tool.AccessRead, SignsIn: !value.Glob})
	case actHost:
		j.host(value.Text)
	case actURL, actRemote, actRemoteTo:
		j.address(a.kind, at, value)
	case actAtFile, actFormFile:
		j.inside(a.kind, from, value)
	case actShell:
		j.out.Inner = append(j.out.Inner, Inner{Shell: &value, By: at})
	case actSilentShell:
		j.out.Inner = append(j.out.Inner, Inner{Shell: &value, Silent: true, By: at})
	case actNames:
		j.path(from, Word{Text: Unknown, Dynamic: true}, tool.AccessRead, false)
	case actDirectory:
		j.path(from, value, tool.AccessRead, true)
		j.base = &value
	case actLinker:
		if strings.Contains(value.Text, "-ext") || strings.Contains(value.Text, "-plugin") {
			j.finding(act{effect: Runs}, from, name)
		}
	case actAny:
		if strings.ContainsAny(value.Text, "/~.") {
			j.guess(from)
		}
	case actBlob:
		j.blob(from, value)
	case actRange:
		if i := strings.LastIndexByte(value.Text, ':'); i > 0 {
			value.Text = value.Text[i+1:]
			j.path(from, value, tool.AccessRead, false)
		}
	case actSetting:
		j.setting(at, value)
	}
}

// finding notes a finding. Name is the option that caused it, or "".
func (j *judging) finding(a act, at int, name string) {
	words := a.words
	if words == "" {
		words = ordinary[a.effect]
		if name != "" {
			words += " because of " + name
		}
	}
	j.out.Findings = append(j.out.Findings, Finding{Effect: a.effect, Word: at, Rule: j.rule, Words: words, Restricted: a.restricted})
}

var ordinary = map[Effect]string{
	Runs: "starts another program", Writes: "writes files", Reaches: "reaches another machine",
	ChangesGit: "changes the repository", Privileged: "acts on the machine as a whole",
	Changes: "changes something that is no file", Obeys: "does what a file says",
}

// opaque keeps the first reason why nobody can tell what would be run.
func (j *judging) opaque(why string) {
	if j.out.Opaque == "" {
		j.out.Opaque = why
	}
}
