// Package changebench makes the texts that diffs are measured on. It is for benchmarks
// alone.
package changebench

import (
	"math/rand/v2"
	"strings"
)

// Lines is how many lines the text before the change has, Edits how many of them change.
const (
	Lines = 50_000
	Edits = 5_000
)

// Texts returns a text like a program's source and the same text with its edits: lines
// replaced, removed and added, a third each. Many lines are equal to others, as braces and
// empty lines are.
func Texts() (before, after string) {
	r := rand.New(rand.NewPCG(1, 2))
	edited := map[int]bool{}
	for len(edited) < Edits {
		edited[r.IntN(Lines)] = true
	}
	var a, b strings.Builder
	for i := range Lines {
		line := sourceLine(r)
		switch kind := i % 3; {
		case !edited[i]:
			a.WriteString(line)
			b.WriteString(line)
		case kind == 0:
			a.WriteString(line)
			b.WriteString(sourceLine(r))
		case kind == 1:
			a.WriteString(line)
		default:
			a.WriteString(line)
			b.WriteString(line + sourceLine(r))
		}
	}
	return a.String(), b.String()
}

var words = strings.Fields("func return if err nil value config http request time Duration host for range string int make append len map struct type package import")

func sourceLine(r *rand.Rand) string {
	switch r.IntN(10) {
	case 0:
		return "\n"
	case 1, 2:
		return strings.Repeat("\t", r.IntN(3)) + "}\n"
	}
	line := strings.Repeat("\t", r.IntN(4))
	for range 3 + r.IntN(6) {
		line += words[r.IntN(len(words))] + " "
	}
	return line + "\n"
}
