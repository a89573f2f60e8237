package program

import (
	"path"
	"strings"

	"countersign/backend/tool"
)

// Below says which files below a folder a program gets to themselves, where it does more
// than list their names: it reads them, copies them, changes them or takes them away.
type Below struct {
	// NoHidden leaves out what has a name that begins with a dot, NoIgnored what git is told
	// to leave out.
	NoHidden, NoIgnored bool
	// Links goes on through links.
	Links bool
	// Only are patterns of which a file's name has to match one; empty for all files. Except
	// and ExceptFolders are those of names that are left out. They hold stars and question
	// marks at most.
	Only, Except, ExceptFolders []string
}

// deep is what a row says of the folders among its operands.
type deep struct {
	// on says that there is such a line. Its options are those that make the program go down;
	// without any it always does.
	on   bool
	with map[string]bool
	// lists are options that make it list names and no more.
	lists map[string]bool
	// follows are options that make it go on through links, always that it does anyway.
	follows map[string]bool
	always  bool
	// hidden and ignored are options that make it look at what it leaves out otherwise; nil
	// where it leaves out nothing.
	hidden, ignored map[string]bool
	// only, except and exceptFolders are options with a pattern for names.
	only, except, exceptFolders map[string]bool
	// here says that it takes the folder that it is in where no operand names one, unfed only
	// if nothing is fed to it.
	here, unfed bool
}

// names are all options that the lines speak of.
func (d *deep) names() []map[string]bool {
	return []map[string]bool{d.with, d.lists, d.follows, d.hidden, d.ignored, d.only, d.except, d.exceptFolders}
}

// below is what the options make of the folders of an invocation, nil where only names are
// looked at.
func (s *scan) below() *Below {
	d := &s.row.deep
	if !d.on || len(d.with) > 0 && !s.any(d.with) || s.any(d.lists) {
		return nil
	}
	b := &Below{
		Links:     d.always || s.any(d.follows),
		NoHidden:  d.hidden != nil && !s.any(d.hidden),
		NoIgnored: d.ignored != nil && !s.any(d.ignored),
	}
	only, positive, sure := s.patterns(d.only, true)
	except, _, _ := s.patterns(d.except, false)
	b.ExceptFolders, _, _ = s.patterns(d.exceptFolders, false)
	if positive {
		// What is asked for by name is taken though it is hidden or left out.
		b.NoHidden, b.NoIgnored = false, false
		if len(except) == 0 && sure {
			b.Only = only
		}
		return b
	}
	b.Except = except
	return b
}

// patterns are the names that the values of options stand for. given says that one chooses
// files, sure that all that do could be read. What the shell makes of a pattern is narrower
// than that; loose says that this will do.
func (s *scan) patterns(options map[string]bool, loose bool) (names []string, given, sure bool) {
	sure = true
	for i := range s.hits {
		h := &s.hits[i]
		if !options[h.name] || !h.has || strings.HasPrefix(h.value.Text, "!") {
			continue
		}
		given = true
		some, ok := fileNames(h.value)
		ok = ok && (loose || !h.value.Glob)
		if !ok && !loose {
			continue
		}
		sure = sure && ok
		names = append(names, some...)
	}
	return names, given, sure
}

// fileNames are the patterns for the last name of what a glob stands for: braces are
// alternatives. ok is false for a glob that may stand for more.
func fileNames(w Word) (names []string, ok bool) {
	if w.Dynamic || w.Text == "" {
		return nil, false
	}
	last := w.Text[strings.LastIndexByte(w.Text, '/')+1:]
	if last == "" || last == "**" {
		return nil, false
	}
	if from := strings.IndexByte(last, '{'); from >= 0 {
		to := strings.IndexByte(last, '}')
		if to < from {
			return nil, false
		}
		for _, one := range strings.Split(last[from+1:to], ",") {
			names = append(names, last[:from]+one+last[to+1:])
		}
	} else {
		names = []string{last}
	}
	for _, n := range names {
		if n == "" || strings.ContainsAny(n, `[]{}\!`) {
			return nil, false
		}
	}
	return names, true
}

// Takes reports whether a program that goes down gets to a file of that name.
func (b *Below) Takes(name string) bool {
	return !Matches(b.Except, name) && (len(b.Only) == 0 || Matches(b.Only, name))
}

// Matches reports whether one of the patterns stands for a name.
func Matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// deepKeyword reads a line about the folders among the operands of a row.
func (r *row) deepKeyword(key, rest string) bool {
	d := &r.deep
	switch key {
	case "through":
		d.on, d.with = true, setOf(rest)
	case "follows":
		d.follows, d.always = setOf(rest), rest == ""
	case "hidden":
		d.hidden = setOf(rest)
	case "ignored":
		d.ignored = setOf(rest)
	case "only":
		d.only = setOf(rest)
	case "except":
		d.except = setOf(rest)
	case "except-folders":
		d.exceptFolders = setOf(rest)
	case "here":
		d.here, d.unfed = true, rest == "unfed"
	case "lists":
		r.lists, d.lists = rest == "", setOf(rest)
	default:
		return false
	}
	return true
}

// here notes the folder that a program goes down from where no word names one.
func (j *judging) here(s *scan, before int) {
	d := &s.row.deep
	if j.below == nil || !d.here || d.unfed && j.inv.Fed || s.row.nothing {
		return
	}
	for _, p := range j.out.Paths[before:] {
		if p.Tree {
			return
		}
	}
	j.path(s.self, Word{Text: "."}, tool.AccessRead, true)
}

// dotTypes are the types of rg that choose files whose names begin with a dot, which it then
// takes though they are hidden.
var dotTypes = setOf("sh zsh all")

// typesSpecial looks at the types of files that rg is told to take.
func typesSpecial(j *judging, s *scan) {
	for i := range s.hits {
		if h := &s.hits[i]; (h.name == "-t" || h.name == "--type") && (h.value.Dynamic || dotTypes[h.value.Text]) {
			for n := range j.out.Paths {
				if b := j.out.Paths[n].Below; b != nil {
					b.NoHidden = false
				}
			}
			if j.below != nil {
				j.below.NoHidden = false
			}
		}
	}
}
