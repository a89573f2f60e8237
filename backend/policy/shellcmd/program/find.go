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
	for begin := min(i, len(words)); i < len(words); i++ {
		if actsOnFound(words[i].Text) {
			// What stands behind an action does not keep anything from it.
			j.below = &Below{Links: links, Only: named(words[begin:i])}
		}
		i = j.test(words, i, places, first)
	}
}

// actsOnFound says that a part of find's expression does something to what was found.
func actsOnFound(t string) bool {
	switch t {
	case "-delete", "-exec", "-execdir", "-ok", "-okdir":
		return true
	}
	return false
}

// named are the patterns of which the name of all that is found by what stands before an action
// of find's expression has to match one; nil where there are none, or that is not certain.
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

// walked puts the folders that are walked in the place of what is found.
func (j *judging) walked(words, places []Word) []Word {
	var out []Word
	for _, w := range words {
		if !strings.Contains(w.Text, "{}") {
			out = append(out, w)
			continue
		}
		if j.below != nil && j.below.Only != nil {
			continue
		}
		out = append(out, places...)
	}
	return out
}

// test reads one part of find's expression and returns the index of its last word.
func (j *judging) test(words []Word, i int, places []Word, first int) int {
	value := min(i+1, len(words)-1)
	switch words[i].Text {
	case "-exec", "-execdir", "-ok", "-okdir":
		return j.execution(words, i, places, first)
	case "-delete":
		j.wide = true
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
		inner.Inner[n].Arguments = j.walked(inner.Inner[n].Arguments, places)
	}
	if words[i].Text == "-execdir" || words[i].Text == "-okdir" {
		j.places(places, first, Path{Access: tool.AccessWrite})
	}
	j.absorb(inner, i+1, wrapping{silent: true, more: true})
	return end
}
