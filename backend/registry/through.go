package registry

import (
	"errors"
	"io/fs"
	"strings"

	"countersign/backend/policy/pathclass"
	"countersign/backend/policy/shellcmd/program"
	"countersign/backend/tool"
)

// maxThrough is how many entries of folders are walked through for one command line. A
// repository with all that its package manager brings has some ten thousands.
const maxThrough = 200_000

// The reasons why nobody can tell what a command gets to in a folder.
const (
	tooMuch    = "more lies below its folders than is looked through"
	tooMany    = "more files below its folders are held than are counted"
	unreadable = "a folder below those that it goes through could not be looked at"
)

// walk adds the files below a folder that the command gets to and that are held more
// strictly than others. Folders that are held are added whole. Nothing is walked through
// outside the workspace, where the folder itself asks.
func (l *looking) walk(t tool.Touch) {
	if l.below == nil || t.Path.Kind != tool.KindDirectory || t.Path.Zone != tool.ZoneWorkspace || l.whole(&t) {
		return
	}
	if l.gone == nil {
		l.gone = map[string]bool{}
	}
	t.Tree = false
	stack := []visit{{t.Path, l.ignoredAbove(t.Path)}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l.gone[v.at.Real] {
			continue
		}
		l.gone[v.at.Real] = true
		entries, why := l.entries(v.at)
		if why != "" {
			l.doubt(why)
			return
		}
		v.rules = l.ignoring(v, entries)
		for _, e := range entries {
			next, why := l.entry(t, v, e)
			if why != "" {
				l.doubt(why)
				return
			}
			if next != nil {
				stack = append(stack, visit{*next, v.rules})
			}
		}
	}
}

// visit is a folder that is still to be walked through, with what is left out above it.
type visit struct {
	at    tool.Path
	rules *ignoring
}

// whole reports whether a folder is held itself, so that all below it is spoken of already.
func (l *looking) whole(t *tool.Touch) bool {
	return len(l.below.Only) == 0 && l.held(t.Path, t.Access)
}

// entries lists a folder that is walked through. What may not be listed here may not be
// listed by the command either, which has the same rights.
func (l *looking) entries(p tool.Path) ([]tool.Entry, string) {
	if known, ok := l.known[p.Real]; ok && l.ctx.Err() == nil {
		return known, ""
	}
	entries, err := l.c.s.Host.Files.Entries(l.ctx, p)
	switch {
	case l.ctx.Err() != nil:
		return nil, tooMuch
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return nil, ""
	case err != nil:
		return nil, unreadable
	}
	if l.through -= len(entries); l.through < 0 {
		return nil, tooMuch
	}
	if l.known == nil {
		l.known = map[string][]tool.Entry{}
	}
	l.known[p.Real] = entries
	return entries, ""
}

// entry looks at one name in a folder: it adds what is held, and returns a folder to go on
// in. why is not empty when no more can be looked at.
func (l *looking) entry(t tool.Touch, v visit, e tool.Entry) (next *tool.Path, why string) {
	folder := e.Kind == tool.KindDirectory
	if l.left(v.rules, e.Name, folder) {
		return nil, ""
	}
	t.Path = v.at.Child(e)
	if e.Kind == tool.KindLink && t.Access == tool.AccessRead {
		if !l.below.Links {
			return nil, ""
		}
		return l.linked(t)
	}
	if folder && !l.whole(&t) {
		return &t.Path, ""
	}
	return nil, l.note(t, e.Name)
}

// linked looks at where a link leads that the command follows.
func (l *looking) linked(t tool.Touch) (next *tool.Path, why string) {
	name := t.Path.Real[strings.LastIndexByte(t.Path.Real, '/')+1:]
	p, err := l.c.s.Host.Files.Resolve(t.Path.Abs)
	switch {
	case err != nil:
		return nil, unreadable
	case p.Kind == tool.KindAbsent:
		return nil, ""
	}
	t.Path = p
	if p.Kind == tool.KindDirectory && p.Zone == tool.ZoneWorkspace && !l.whole(&t) {
		return &p, ""
	}
	return nil, l.note(t, name)
}

// note adds what is held or lies outside. A folder is added with all below it.
func (l *looking) note(t tool.Touch, name string) (why string) {
	t.Tree = t.Path.Kind == tool.KindDirectory
	if !t.Tree && !l.below.Takes(name) {
		return ""
	}
	if t.Path.Zone == tool.ZoneWorkspace && (!l.held(t.Path, t.Access) || l.harmless(&t)) {
		return ""
	}
	l.extra = append(l.extra, t)
	if l.matched--; l.matched < 0 {
		return tooMany
	}
	return ""
}

// left reports whether the command leaves a name out.
func (l *looking) left(rules *ignoring, name string, folder bool) bool {
	b := l.below
	if b.NoHidden && name[0] == '.' && !rules.returns(name) {
		return true
	}
	if b.NoIgnored && rules.ignores(name, folder) {
		return true
	}
	return folder && program.Matches(b.ExceptFolders, name)
}

// harmless reports whether a file is held for what it may hold and does not: git's settings
// of a repository, which every working copy has.
func (l *looking) harmless(t *tool.Touch) bool {
	place := pathclass.Place{Lexical: t.Path.Abs, Real: t.Path.Real, Workspace: l.c.s.Workspace, OwnHome: l.c.s.OwnHome}
	if t.Access != tool.AccessRead || pathclass.Classify(place).Read.Rule != "git-config" {
		return false
	}
	text, ok := l.text(t.Path)
	if !ok {
		return false
	}
	text = strings.ToLower(text)
	for _, word := range []string{"header", "password", "token", "secret", "cookie", "key"} {
		if strings.Contains(text, word) {
			return false
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		before, host, address := strings.Cut(line, "://")
		user, _, signed := strings.Cut(host, "@")
		if address && signed && (!strings.HasSuffix(before, "ssh") || strings.Contains(user, ":")) {
			return false
		}
	}
	return true
}

// doubt says of the command that nobody can tell what it gets to. Without a reason it is
// that a file which it names could not be looked at.
func (l *looking) doubt(why string) {
	l.command.Dynamic, l.c.reading.Dynamic = true, true
	if l.c.reading.Why == "" {
		l.c.reading.Why = why
	}
}
