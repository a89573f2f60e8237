package shellcmd

import (
	"path"
	"strings"

	"countersign/backend/policy/shellcmd/program"
)

// uses resolves a path that a word names against every folder that the shell may be in. An
// unknown one gives one use without a path.
func (r *reader) uses(p program.Path, literalTilde bool, st state) []Use {
	use := Use{Access: p.Access, Tree: p.Tree, Below: p.Below, Removes: p.Removes, SignsIn: p.SignsIn, Word: p.Word}
	text := p.Text
	if p.Dynamic || strings.Contains(text, program.Unknown) || text == "" {
		return []Use{use}
	}
	if p.Glob {
		cut, ok := beforePattern(text)
		if !ok {
			return []Use{use}
		}
		text, use.Tree = cut, true
	}
	bases, rest, ok := r.bases(text, literalTilde, st)
	var out []Use
	if !ok {
		out = append(out, use)
		bases, rest = r.nearby(text, st)
	}
	for _, base := range bases {
		out = append(out, r.through(base, rest, use)...)
	}
	return out
}

// bases are the folders that a path starts from, with the path below them.
func (r *reader) bases(text string, literalTilde bool, st state) ([]string, string, bool) {
	switch {
	case strings.HasPrefix(text, "/"):
		return []string{"/"}, text, true
	case strings.HasPrefix(text, "~") && !literalTilde:
		home, ok := r.home()
		if !ok || (text != "~" && text[1] != '/') {
			return nil, "", false
		}
		return []string{home}, text[1:], true
	}
	return st.folders, text, len(st.folders) > 0
}

// nearby are folders that a path may start from where it may start from any.
func (r *reader) nearby(text string, st state) ([]string, string) {
	if !strings.HasPrefix(text, "~") {
		return st.near, text
	}
	name, rest, _ := strings.Cut(text[1:], "/")
	b := builder{r: r, st: st}
	switch {
	case name == "":
		return b.values("HOME"), rest
	case name == "root":
		return []string{"/root"}, rest
	}
	return []string{path.Join(path.Dir(r.place.Home), name)}, rest
}

// folders are the ways that words may name for the shell to go.
func (r *reader) folders(to []program.Word, st state) []string {
	var out []string
	for _, w := range to {
		if moved := r.enter(w, false, st); len(moved.folders) > 0 {
			out = eitherText(out, moved.folders)
		}
	}
	return out
}

// home is the folder of the user, unless the script changes what it is.
func (r *reader) home() (string, bool) {
	return r.place.Home, r.place.Home != "" && !r.facts.set["HOME"]
}

// through follows text from base by its names alone. Where .. leaves a folder that may be a
// link, the system would go up from where the link points; so that folder is a use too.
func (r *reader) through(base, text string, use Use) []Use {
	var out []Use
	at := base
	for part := range strings.SplitSeq(text, "/") {
		switch part {
		case "", ".":
		case "..":
			if at != "/" && at != r.place.Directory && !strings.HasPrefix(r.place.Directory, at+"/") {
				left := use
				left.Path = at
				out = append(out, left)
			}
			at = path.Dir(at)
		default:
			at = path.Join(at, part)
		}
	}
	use.Path = at
	return append(out, use)
}

// beforePattern cuts a pattern to the folder before its first part with one.
func beforePattern(text string) (string, bool) {
	i := strings.IndexAny(text, "*?[")
	if i < 0 {
		return text, true
	}
	if strings.Contains(text[i:], "..") {
		return "", false
	}
	slash := strings.LastIndexByte(text[:i], '/')
	switch slash {
	case -1:
		return ".", true
	case 0:
		return "/", true
	}
	return text[:slash], true
}

// enter returns the state after the shell changed to a folder.
func (r *reader) enter(to program.Word, literalTilde bool, st state) state {
	if to.Dynamic || to.Glob || to.Text == "-" || r.facts.set["CDPATH"] {
		return st.lost()
	}
	bases, text, ok := r.bases(to.Text, literalTilde, st)
	if !ok {
		from, text := r.nearby(to.Text, st)
		st = st.lost()
		st.near = nil
		for _, base := range from {
			st.near = eitherText(st.near, []string{path.Join(base, text)})
		}
		return st
	}
	folders := make([]string, 0, len(bases))
	for _, base := range bases {
		folders = append(folders, path.Join(base, text))
	}
	st.folders, st.near = folders, nil
	return st
}

// device says what bash does with the name of a redirect's target that is no ordinary file.
func device(target string) (host string, none bool) {
	switch {
	case target == "/dev/null", target == "/dev/stdin", target == "/dev/stdout", target == "/dev/stderr",
		strings.HasPrefix(target, "/dev/fd/") && digits(target[len("/dev/fd/"):]):
		return "", true
	case strings.HasPrefix(target, "/dev/tcp/"), strings.HasPrefix(target, "/dev/udp/"):
		host, _, _ = strings.Cut(target[len("/dev/tcp/"):], "/")
		return host, true
	}
	return "", false
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
