package registry

import (
	"io"
	"path"
	"strings"

	"countersign/backend/tool"
)

// maxIgnored bounds a file that says what is left out, in bytes. One that is longer counts
// as one that leaves out nothing and takes everything.
const maxIgnored = 64 << 10

// ignoring is what searching programs leave out, as far as it is certain: plain names, and
// none that a later line may take in again.
type ignoring struct {
	above *ignoring
	// names are left out, folders where they are those of folders, here in the folder of the
	// lines and not below.
	names, folders, here map[string]bool
	// back are the patterns of the last names that are taken in again, though they be hidden.
	back []string
	// all says that any name may be taken in again.
	all bool
}

// returns reports whether a line may take a name in that is left out otherwise.
func (g *ignoring) returns(name string) bool {
	for ; g != nil; g = g.above {
		if g.all {
			return true
		}
		for _, p := range g.back {
			if ok, err := path.Match(p, name); ok || err != nil {
				return true
			}
		}
	}
	return false
}

// ignores reports whether a name in the folder of these lines is left out for certain.
func (g *ignoring) ignores(name string, folder bool) bool {
	if g.returns(name) {
		return false
	}
	for at := g; at != nil; at = at.above {
		if at.names[name] || folder && at.folders[name] || at == g && at.here[name] {
			return true
		}
	}
	return false
}

// ignoredAbove are the lines of the folders above one, up to the workspace's.
func (l *looking) ignoredAbove(p tool.Path) *ignoring {
	if !l.below.NoHidden && !l.below.NoIgnored || p.Rel == "." || p.Rel == "" {
		return nil
	}
	var rules *ignoring
	at := l.c.s.Host.Files.Root()
	for part := range strings.SplitSeq(p.Rel, "/") {
		rules = l.above(rules, at)
		at += "/" + part
	}
	return rules
}

func (l *looking) above(rules *ignoring, folder string) *ignoring {
	p, err := l.c.s.Host.Files.Resolve(folder)
	if err != nil {
		return &ignoring{all: true}
	}
	var entries []tool.Entry
	for _, name := range ignoreFiles {
		found, err := l.c.s.Host.Files.Resolve(folder + "/" + name)
		if err != nil {
			return &ignoring{all: true}
		}
		if found.Kind != tool.KindAbsent {
			entries = append(entries, tool.Entry{Name: name, Kind: found.Kind})
		}
	}
	return l.ignoring(visit{p, rules}, entries)
}

var ignoreFiles = []string{".gitignore", ".ignore", ".rgignore", ".agignore"}

// ignoring adds the lines of a folder to those above it.
func (l *looking) ignoring(v visit, entries []tool.Entry) *ignoring {
	if !l.below.NoHidden && !l.below.NoIgnored {
		return nil
	}
	own := &ignoring{above: v.rules}
	found := false
	for _, e := range entries {
		for _, name := range ignoreFiles {
			if e.Name != name {
				continue
			}
			found = true
			text, ok := "", e.Kind == tool.KindFile
			if ok {
				text, ok = l.text(v.at.Child(e))
			}
			own.all = own.all || !ok
			own.lines(text, name == ".ignore" || name == ".gitignore" && l.inRepository())
		}
	}
	if !found {
		if v.rules != nil && len(v.rules.here) > 0 {
			return own
		}
		return v.rules
	}
	return own
}

// lines takes the lines of one file. Those that leave out count only where that is certain:
// in files that every such program reads.
func (g *ignoring) lines(text string, certain bool) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if rest, again := strings.CutPrefix(line, "!"); again {
			rest = strings.TrimRight(rest, "/")
			g.back = append(g.back, rest[strings.LastIndexByte(rest, '/')+1:])
			continue
		}
		if !certain || line == "" || line[0] == '#' || strings.ContainsAny(line, `*?[\`) {
			continue
		}
		name, folder := strings.CutSuffix(line, "/")
		name, anchored := strings.CutPrefix(name, "/")
		if name == "" || strings.Contains(name, "/") || folder && anchored {
			continue
		}
		switch {
		case anchored:
			put(&g.here, name)
		case folder:
			put(&g.folders, name)
		default:
			put(&g.names, name)
		}
	}
}

func put(set *map[string]bool, name string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[name] = true
}

// inRepository reports whether the workspace is the root of a working copy, without which
// git's lines do not count.
func (l *looking) inRepository() bool {
	if l.repository == nil {
		p, err := l.c.s.Host.Files.Resolve(strings.TrimSuffix(l.c.s.Host.Files.Root(), "/") + "/.git")
		is := err == nil && p.Kind != tool.KindAbsent
		l.repository = &is
	}
	return *l.repository
}

// text reads a short file; ok is false for one that is longer, or cannot be read.
func (l *looking) text(p tool.Path) (string, bool) {
	f, info, err := l.c.s.Host.Files.Open(l.ctx, p)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if info.Size > maxIgnored {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxIgnored+1))
	return string(data), err == nil && len(data) <= maxIgnored
}
