package shellcmd

import (
	"path"
	"slices"
	"strings"

	"countersign/backend/tool"
)

// maxFollowed is how many uses are added to a command line by following what it links.
const maxFollowed = 256

// maxLinks is how many links that lead to one another are followed.
const maxLinks = 4

// leads says that a path leads, once the command line has run so far, to where another leads
// now. Copied says that it is a copy: what is written there does not reach the first.
type leads struct {
	to, from string
	by       int
	copied   bool
}

// follow adds the files that a command reaches through a link which the same command line
// makes, moves or copies: on the disk it is not there yet when the command is judged.
func follow(out *Reading) {
	if len(out.Commands) < 2 {
		return
	}
	var all []leads
	for i := range out.Commands {
		all = append(all, linked(out, i)...)
	}
	if len(all) == 0 {
		return
	}
	added := 0
	for i := range out.Commands {
		c := &out.Commands[i]
		// What is added is looked at too, since a link may lead to another one.
		round, end := 0, len(c.Uses)
		for k := 0; k < len(c.Uses) && round < maxLinks; k++ {
			if k == end {
				round, end = round+1, len(c.Uses)
			}
			for _, l := range all {
				use, ok := l.through(c.Uses[k])
				if !ok || l.by == i || slices.ContainsFunc(c.Uses, use.same) {
					continue
				}
				if added++; added > maxFollowed {
					out.doubt("it makes links that lead on in too many ways")
					return
				}
				c.Uses = append(c.Uses, use)
			}
		}
	}
}

// linked is where the paths lead that a command makes: ln links, mv takes links along, and cp
// copies those below a folder.
func linked(out *Reading, at int) []leads {
	c := &out.Commands[at]
	if len(c.Words) == 0 {
		return nil
	}
	name := path.Base(c.Words[0].Text)
	switch name {
	case "ln", "link", "gln", "mv", "gmv", "cp", "gcp":
	default:
		return nil
	}
	var from, to []Use
	for _, u := range c.Uses {
		switch {
		case u.Path == "" || u.Word < 0:
		case u.Access == tool.AccessWrite && !u.Removes:
			to = append(to, u)
		default:
			from = append(from, u)
		}
	}
	if len(to) == 0 && len(from) > 0 {
		out.doubt("it makes a link in the folder that it is in, which later commands may follow")
	}
	var all []leads
	for _, t := range to {
		for _, f := range from {
			text := ""
			if strings.HasSuffix(name, "ln") && f.Word < len(c.Words) {
				text = c.Words[f.Word].Text
			}
			copied := strings.HasSuffix(name, "cp")
			for _, link := range []string{t.Path, path.Join(t.Path, path.Base(f.Path))} {
				all = append(all, leads{link, f.Path, at, copied})
				if text != "" && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "~") {
					// A link of that kind is read from the folder that it lies in.
					all = append(all, leads{link, path.Join(path.Dir(link), text), at, false})
				}
			}
		}
	}
	return all
}

// through is the use of what a path leads to.
func (l leads) through(u Use) (Use, bool) {
	if l.to == l.from || u.Path == "" || u.Path != l.to && !strings.HasPrefix(u.Path, strings.TrimSuffix(l.to, "/")+"/") {
		return u, false
	}
	rest := u.Path[len(l.to):]
	if rest == "" && u.Removes {
		return u, false
	}
	if l.copied {
		if rest == "" {
			return u, false
		}
		u.Access, u.Removes = tool.AccessRead, false
	}
	u.Path = path.Join(l.from, rest)
	return u, len(u.Path) < maxBytes
}

// same reports whether both are uses of the same path in the same way.
func (u Use) same(o Use) bool {
	return u.Path == o.Path && u.Access == o.Access && u.Word == o.Word && u.Tree == o.Tree && u.Removes == o.Removes && u.Pattern == o.Pattern
}

// doubt notes that what runs cannot be told.
func (r *Reading) doubt(why string) {
	if !r.Dynamic {
		r.Dynamic, r.Why = true, why
	}
}
