package program

// TakesAnything says that no option of a program does more than choose what is read and how
// it is printed, so that a word that turns out to be an option does no harm.
func TakesAnything(name string) bool {
	r := rows().rows[name]
	if r == nil || r.subs || r.wraps >= 0 || r.special != nil {
		return false
	}
	for _, o := range r.options {
		for _, a := range o.acts {
			if a.kind != actRead && a.kind != actTree && a.kind != actNames {
				return false
			}
		}
	}
	return true
}

// Examples are the packaged examples of a program's command lines, those that a row must catch
// and those that it must let pass, each once and in the order of the table.
func Examples(name string) []string {
	t := rows()
	var out []string
	seen := map[string]bool{}
	for _, e := range t.examples {
		if words := split(e.command); len(words) > 0 && words[0].Text == name && !seen[e.command] {
			seen[e.command] = true
			out = append(out, e.command)
		}
	}
	return out
}
