package program

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
