package program

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"countersign/backend/tool"
)

// Load checks the table: that it can be read, that every row has an example that it must
// catch and a near miss that it must let pass, and that it does so. A failure is a fault
// of ours and refuses the start.
func Load() error {
	t, err := loaded()
	return errors.Join(err, t.check())
}

// Text is the whole table as it is written, for whoever must tell one from another.
func Text() string {
	var b strings.Builder
	files, _ := fs.Glob(sources, "table/*.txt")
	for _, f := range files {
		text, _ := fs.ReadFile(sources, f)
		b.Write(text)
	}
	return b.String()
}

func (t *table) check() error {
	var faults []error
	caught, passed, looked := map[*row]bool{}, map[*row]bool{}, map[*row]bool{}
	for _, e := range t.examples {
		words := split(e.command)
		j := Judge(Invocation{Words: words})
		hit, err := j.shows(e.what)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", e.row.id, err))
		}
		if len(words) == 0 || !t.reaches(e.row, words) {
			faults = append(faults, fmt.Errorf("%s: the row is not asked about its example: %s", e.row.id, e.command))
		}
		if hit != e.catch {
			faults = append(faults, fmt.Errorf("%s: %v is %s for: %s", e.row.id, e.what, map[bool]string{true: "not seen", false: "wrongly seen"}[e.catch], e.command))
		}
		if e.catch {
			caught[e.row] = true
			looked[e.row] = looked[e.row] || e.what == "looks"
		} else {
			passed[e.row] = true
		}
	}
	for id, r := range t.rows {
		if r.looks && !r.nothing && !looked[r] {
			faults = append(faults, fmt.Errorf("%s: lacks an example of looking only", id))
		}
		if id[0] != '@' && !(caught[r] != r.nothing && passed[r]) {
			faults = append(faults, fmt.Errorf("%s: lacks an example or a near miss, or has one that it cannot catch", id))
		}
	}
	return errors.Join(faults...)
}

// reaches says that words are judged by the row, or by a subcommand's row of it.
func (t *table) reaches(r *row, words []Word) bool {
	name := base(words[0].Text)
	at := t.rows[name]
	for i := 1; i < len(words) && at != r; i++ {
		if sub := t.sub(at, name, words[i].Text); sub != nil {
			name, at = name+" "+words[i].Text, sub
		}
	}
	return at == r
}

// shows reports whether a judgement holds what an example is about.
func (j *Judgement) shows(what string) (bool, error) {
	switch what {
	case "through":
		for _, p := range j.Paths {
			if p.Below != nil {
				return true, nil
			}
		}
		return false, nil
	case "signs":
		for _, p := range j.Paths {
			if p.SignsIn {
				return true, nil
			}
		}
		return false, nil
	case "take":
		for _, p := range j.Paths {
			if p.Removes {
				return true, nil
			}
		}
		return false, nil
	case "looks":
		return j.Extent == Looks, nil
	case "wide":
		return j.Extent == Anything, nil
	case "opaque":
		return j.Opaque != "", nil
	case "host":
		return len(j.Hosts) > 0, nil
	case "inner":
		return len(j.Inner) > 0, nil
	case "directory":
		return j.Directory != nil || j.Home, nil
	case "read", "write":
		for _, p := range j.Paths {
			if p.Access == tool.Access(what) {
				return true, nil
			}
		}
		return false, nil
	case "finding":
		return len(j.Findings) > 0, nil
	}
	found := false
	for _, f := range j.Findings {
		found = found || f.Effect == Effect(what) || what == "restricted" && f.Restricted || what == "git" && f.Effect == ChangesGit
	}
	switch Effect(what) {
	case Runs, Writes, Reaches, Privileged, Changes, Obeys, "restricted", "git":
		return found, nil
	}
	return false, fmt.Errorf("no example can be about %q", what)
}

// split makes words of an example, which may have quotes of both kinds and backslashes.
func split(command string) []Word {
	var out []Word
	var b strings.Builder
	var quote rune
	open, escaped := false, false
	for _, r := range command {
		switch {
		case escaped:
			b.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if open {
				out = append(out, Word{Text: b.String()})
				b.Reset()
			}
			open = false
		default:
			b.WriteRune(r)
			open = true
		}
	}
	if open {
		out = append(out, Word{Text: b.String()})
	}
	for i := range out {
		out[i].Glob = strings.ContainsAny(out[i].Text, "*") && !strings.ContainsAny(out[i].Text, " '{(")
	}
	return out
}
