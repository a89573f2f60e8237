package program

import (
	"strings"

	"countersign/backend/tool"
)

// path notes a file or folder that a word names.
func (j *judging) path(at int, w Word, access tool.Access, tree bool) {
	p := Path{Text: w.Text, Dynamic: w.Dynamic, Glob: w.Glob, Word: at, Access: access, Tree: tree}
	switch {
	case tree && access == tool.AccessRead:
		p.Below = j.below
	case tree:
		p.Below = &Below{}
	}
	j.use(p)
}

// taken notes a file or folder that is taken away.
func (j *judging) taken(at int, w Word, tree bool) {
	p := Path{Text: w.Text, Dynamic: w.Dynamic, Glob: w.Glob, Word: at, Access: tool.AccessWrite, Tree: tree, Removes: true}
	if tree {
		p.Below = &Below{}
	}
	j.use(p)
}

func (j *judging) use(p Path) {
	if p.Text == "" || p.Text == "-" && p.Access == tool.AccessRead {
		return
	}
	if j.base != nil && !outwardRoot(p.Text) {
		p.Text = strings.TrimSuffix(j.base.Text, "/") + "/" + p.Text
		p.Dynamic = p.Dynamic || j.base.Dynamic
		p.Glob = p.Glob || j.base.Glob
	}
	j.out.Paths = append(j.out.Paths, p)
}

func (j *judging) file(a act, at int, w Word) {
	if host, ok := urlHost(w.Text); ok && a.kind == actRead {
		j.host(host)
		j.finding(act{effect: Reaches}, at, "")
		return
	}
	if a.kind == actTake || a.kind == actTakeTree {
		j.taken(at, w, a.kind == actTakeTree)
		return
	}
	access := tool.AccessRead
	if a.kind == actWrite || a.kind == actWriteTree {
		access = tool.AccessWrite
	}
	j.path(at, w, access, a.kind == actTree || a.kind == actWriteTree)
}

func (j *judging) host(text string) {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = text[at+1:]
	}
	if name, port, ok := strings.Cut(text, ":"); ok && !strings.Contains(port, ":") {
		text = name
	}
	if text != "" {
		j.out.Hosts = append(j.out.Hosts, text)
	}
}

// address reads an address, or a path that may be one of another machine.
func (j *judging) address(kind actKind, at int, w Word) {
	if rest, ok := strings.CutPrefix(w.Text, "file://"); ok {
		w.Text = "/" + strings.TrimLeft(strings.TrimPrefix(rest, "localhost"), "/")
		j.path(at, w, tool.AccessRead, false)
		return
	}
	if strings.HasPrefix(w.Text, "ext::") || strings.HasPrefix(w.Text, "fd::") {
		j.finding(act{effect: Runs, words: "starts the program that its address names"}, at, "")
		return
	}
	if host, ok := urlHost(w.Text); ok {
		j.host(host)
		return
	}
	if host, ok := shortHost(w.Text); ok {
		j.host(host)
		j.finding(act{effect: Reaches}, at, "")
		return
	}
	if kind == actRemoteTo {
		j.path(at, w, tool.AccessWrite, false)
		return
	}
	if kind == actRemote || outward(w.Text) || strings.HasPrefix(w.Text, ".") {
		j.path(at, w, tool.AccessRead, true)
		return
	}
	host, _, _ := strings.Cut(w.Text, "/")
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	if name, _, ok := strings.Cut(host, ":"); ok && strings.Count(host, ":") == 1 {
		host = name
	}
	if !w.Dynamic {
		j.host(host)
	}
}

// inside reads the file that a value names behind a sign of its own.
func (j *judging) inside(kind actKind, at int, w Word) {
	text, ok := strings.CutPrefix(w.Text, "@")
	if kind == actFormFile {
		if _, value, has := strings.Cut(w.Text, "="); has {
			text, ok = strings.CutPrefix(value, "@")
			if !ok {
				text, ok = strings.CutPrefix(value, "<")
			}
			text, _, _ = strings.Cut(text, ";")
		}
	}
	if ok {
		w.Text = text
		j.path(at, w, tool.AccessRead, false)
	}
}

// urlHost is the machine of an address that has a scheme.
func urlHost(text string) (string, bool) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || scheme == "" || strings.ContainsAny(scheme, "/= ") {
		return "", false
	}
	if end := strings.IndexAny(rest, "/?#\\"); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	if inner, found := strings.CutPrefix(rest, "["); found {
		rest, _, _ = strings.Cut(inner, "]")
	} else {
		rest, _, _ = strings.Cut(rest, ":")
	}
	return rest, true
}

// shortHost is the machine of a path such as user@machine:folder. A single letter before
// the colon is a drive.
func shortHost(text string) (string, bool) {
	host, _, ok := strings.Cut(text, ":")
	if !ok || len(host) < 1 || strings.ContainsAny(host, "/ ") || outward(text) {
		return "", false
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return strings.Trim(host, "[]"), host != ""
}

// outward says that a path may leave the folder that the command is in.
func outward(text string) bool {
	return outwardRoot(text) || text == ".." || strings.HasPrefix(text, "../") ||
		strings.Contains(text, "/../") || strings.HasSuffix(text, "/..")
}

func outwardRoot(text string) bool {
	return text != "" && (text[0] == '/' || text[0] == '~')
}
