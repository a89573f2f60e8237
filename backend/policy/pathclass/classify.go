package pathclass

import "countersign/backend/tool"

// Classify judges a place by every text and reading it has; for each access the
// strictest one wins.
func Classify(p Place) Finding {
	f := Finding{Read: Judgement{Kind: Ordinary}, Write: Judgement{Kind: Ordinary}}
	if p.Lexical != "" {
		f.hear(&p, p.Lexical)
	}
	if p.Real != "" && p.Real != p.Lexical {
		f.hear(&p, p.Real)
	}
	return f
}

// For returns the judgement of an access. An unknown access counts as writing.
func (f Finding) For(a tool.Access) Judgement {
	if a == tool.AccessRead {
		return f.Read
	}
	return f.Write
}

func (f *Finding) hear(p *Place, path string) {
	judge(p, path,
		func(i int) {
			r := &rules[i]
			f.Read.raise(Judgement{r.Read, r.Kind, r.ID, r.Words})
			f.Write.raise(Judgement{r.Write, r.Kind, r.ID, r.Words})
		},
		func(read, write Judgement) {
			f.Read.raise(read)
			f.Write.raise(write)
		})
}

// raise takes the stricter judgement; between equals a class takes the place of Ordinary.
func (j *Judgement) raise(other Judgement) {
	if other.Hold > j.Hold || other.Hold == j.Hold && j.Kind == Ordinary {
		*j = other
	}
}

// judge calls rule for every row that a reading of path matches, and home when it
// lies in the product's own home.
func judge(p *Place, path string, rule func(int), home func(read, write Judgement)) {
	var text [bufferText]byte
	var names [bufferNames]span
	if n, ok := readPlain(&text, &names, path); ok {
		r := reading{text: text[:len(path)], names: names[:n]}
		judgeReading(p, &r, rule, home)
		return
	}
	r := read(reading{text: text[:0], names: names[:0]}, p.System, path)
	judgeReading(p, &r, rule, home)
	if !r.drops && !r.short {
		return
	}
	judgeOddly(p, &r, rule, home)
}

// judgeOddly judges the readings that only names with unusual characters have.
func judgeOddly(p *Place, r *reading, rule func(int), home func(read, write Judgement)) {
	plain := *r
	if r.drops {
		plain = r.dropped()
		judgeReading(p, &plain, rule, home)
	}
	if !r.short {
		return
	}
	readings, ok := plain.expanded()
	if !ok {
		if home != nil {
			home(tooMany, tooMany)
		}
		return
	}
	for i := range readings {
		judgeReading(p, &readings[i], rule, home)
	}
}

var tooMany = Judgement{Restricted, Protected, "short-names", "is written in short names that may stand for anything"}

func judgeReading(p *Place, r *reading, rule func(int), home func(read, write Judgement)) {
	index.visit(r, func(i int) {
		if rules[i].applies(p, i, r) {
			rule(i)
		}
	})
	if home == nil {
		return
	}
	if n, ok := r.within(p.System, p.OwnHome); ok {
		home(ownHome(r, n))
	}
}

// applies is about the rows of the machine's folders; all others always do.
func (rule *Rule) applies(p *Place, i int, r *reading) bool {
	if len(rule.Systems) > 0 && !contains(rule.Systems, p.System) {
		return false
	}
	if !rule.Host || p.Workspace == "" {
		return true
	}
	if _, inside := r.within(p.System, p.Workspace); !inside {
		return true
	}
	w := read(reading{}, p.System, p.Workspace)
	return !index.patterns[i].at(&w, 0)
}

// contains reports whether a row for some systems is for sys. A system that is not
// known gets every row.
func contains(systems []System, sys System) bool {
	if sys != Linux && sys != Darwin && sys != Windows {
		return true
	}
	for _, s := range systems {
		if s == sys {
			return true
		}
	}
	return false
}

// ownHome judges a path whose first n names are the product's home.
func ownHome(r *reading, n int) (read, write Judgement) {
	below := len(r.names) - n
	if below >= 1 && string(r.name(n)) == "output" {
		return Judgement{Free, Output, "own-output", "is kept output"},
			Judgement{Blocked, OwnHome, "own-output", "is the product's own record of output"}
	}
	if below >= 2 && string(r.name(n)) == "data" && string(r.name(n+1)) == "tools" {
		data := Judgement{Free, ToolData, "own-tool-data", "is data of a tool set"}
		return data, data
	}
	mine := Judgement{Blocked, OwnHome, "own-home", "is the product's own folder"}
	return mine, mine
}
